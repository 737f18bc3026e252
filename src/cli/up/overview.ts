import type { ChangeSetView, MergeStatus } from "../../contract/change-sets.ts";
import type { ComponentDetails } from "../../contract/components.ts";
import type { Api } from "../../contract/index.ts";
import type { Client } from "../../http/client.ts";
import { resources } from "../../mirror/resources.ts";
import { aligned, printable } from "../table.ts";

/** What the workspace holds, as read at one moment. */
export interface Overview {
  readonly workspaceId: string;
  readonly changeSets: readonly ChangeSetWithComponents[];
}
interface ChangeSetWithComponents {
  readonly changeSet: ChangeSetView;
  /** How far it is from being applied; the head never is. */
  readonly merge: MergeStatus["changeSet"] | undefined;
  readonly components: readonly ComponentDetails[];
}

/** Reads the active change sets and their components; ones that are abandoned meanwhile are left out. */
export async function readOverview(
  api: Client<Api>,
  workspaceId: string,
  signal: AbortSignal,
): Promise<Overview> {
  const { changeSets } = await api.changeSets.list({ workspaceId }, { signal });
  const options = { etag: undefined, waitSeconds: 0, signal };
  const read: ChangeSetWithComponents[] = [];
  for (const changeSet of changeSets) {
    const scope = { workspaceId, changeSetId: changeSet.id };
    const listed = await resources.components.list(api, scope, options);
    const merge = changeSet.isHead
      ? undefined
      : (await api.changeSets.mergeStatus(scope, { signal })).changeSet;
    if (!listed.unchanged) read.push({ changeSet, merge, components: listed.items });
  }
  return { workspaceId, changeSets: read };
}

/** Whether a component is another one than in the head. */
const differs = ({ diffStatus }: ComponentDetails): boolean =>
  diffStatus !== undefined && diffStatus !== null && diffStatus !== "None";

/** Statuses of a change set that wait for a person. */
const waiting: Readonly<Record<string, string>> = {
  NeedsApproval: "waits for approval",
  Rejected: "was rejected",
  Failed: "failed to apply",
};

/** What a change set waits for, with who asked or decided and the note of the review; undefined when for nothing. */
function waitingFor(status: string, merge: ChangeSetWithComponents["merge"]): string | undefined {
  const words = waiting[status];
  if (words === undefined || merge === undefined) return words;
  const { mergeRequestedByUser: requester, reviewedByUser: reviewer, note } = merge;
  if (status === "NeedsApproval")
    return requester === null ? words : `${words}, asked by ${printable(requester)}`;
  const by = reviewer === null ? "" : ` by ${printable(reviewer)}`;
  return status === "Rejected" ? `${words}${by}${note === null ? "" : `: ${printable(note)}`}` : words;
}

/** What a person should look at, one line each. */
export function attention({ changeSets }: Overview): string[] {
  return changeSets.flatMap(({ changeSet, merge, components }) => {
    const name = printable(changeSet.name);
    const status = waitingFor(changeSet.status, merge);
    const troubled = components.filter(({ resourceStatus }) =>
      ["warning", "error"].includes(resourceStatus?.toLowerCase() ?? ""),
    );
    return [
      ...(status === undefined ? [] : [`${name} ${status}`]),
      ...troubled.map(
        (component) =>
          `${name}: ${printable(component.name)} has a resource in state ${component.resourceStatus}`,
      ),
    ];
  });
}

const columns = [
  { title: "CHANGE SET", text: ({ changeSet }: ChangeSetWithComponents) => changeSet.name },
  {
    title: "STATUS",
    text: ({ changeSet, merge }: ChangeSetWithComponents) => merge?.status ?? changeSet.status,
  },
  { title: "COMPONENTS", text: ({ components }: ChangeSetWithComponents) => String(components.length) },
  {
    title: "DIFFERENT",
    text: ({ components }: ChangeSetWithComponents) => String(components.filter(differs).length),
  },
];

/** How many rows of one kind are shown before the rest is only counted. */
const shownRows = 20;

/** The overview as text: change sets, components of the head, what differs from it, what needs attention. */
export function overviewLines(overview: Overview): string[] {
  const head = overview.changeSets.find(({ changeSet }) => changeSet.isHead);
  const changed = overview.changeSets.flatMap(({ changeSet, components }) =>
    changeSet.isHead ? [] : components.filter(differs).map((component) => ({ changeSet, component })),
  );
  const different = aligned(
    [
      { title: "", text: ({ component }) => (component.diffStatus ?? "").toLowerCase() },
      { title: "", text: ({ component }) => component.name },
      { title: "", text: ({ component }) => component.schemaName },
      { title: "", text: ({ changeSet }) => `in ${changeSet.name}` },
    ],
    changed,
  ).slice(1);
  const components = aligned(
    [
      { title: "", text: ({ name }) => name },
      { title: "", text: ({ schemaName }) => schemaName },
    ],
    head?.components ?? [],
  ).slice(1);
  return [
    ...block("Change sets", aligned(columns, overview.changeSets), "none"),
    ...block("Components of the head", components, "none"),
    ...block("Different from the head", different, "nothing"),
    ...block("Needs attention", attention(overview), "nothing"),
  ];
}

function block(title: string, rows: readonly string[], none: string): string[] {
  const shown = rows.slice(0, shownRows).map((row) => `  ${row}`);
  const more = rows.length - shown.length;
  return [
    title,
    ...(rows.length === 0 ? [`  ${none}`] : shown),
    ...(more > 0 ? [`  … and ${more} more`] : []),
    "",
  ];
}
