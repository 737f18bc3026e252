import type { DaemonStatus } from "../../src/ipc/contract.ts";
import type { ActionRow } from "./action-rows.ts";
import { ownActions } from "./change-set-rows.ts";
import type { MergeStatus } from "./merge.ts";
import type { Mirror } from "./mirror.ts";
import type { Route } from "./model.ts";
import type { ListRow } from "./parts/list.ts";
import type { ReviewSummary } from "./review-rows.ts";
import type { ChangeSetItem, ComponentRow } from "./rows.ts";
import { remembered } from "./select.ts";
import { find, type Table } from "./table.ts";
import { timeOf } from "./time.ts";

/** Something that waits for a person: what, where, why, since when, and where to look. */
export interface AttentionRow extends ListRow {
  readonly severity: "failed" | "warn" | "waiting" | "running";
  readonly what: string;
  readonly where: string;
  readonly why: string;
  readonly since: number | undefined;
  readonly route: Route | null;
}

/** Rows shown of one change set at most; the rest is one row that counts them. */
const perChangeSet = 20;

/** Everything that waits for a person, the worst first. */
export const attentionTable = remembered((mirror: Mirror): Table<AttentionRow> => {
  const sets = [...(mirror.changeSets?.rows ?? [])].sort((a, b) => Number(b.isHead) - Number(a.isHead));
  const rows = [
    ...(mirror.status === null ? [] : fromDaemon(mirror.status)),
    ...sets.flatMap((set) => fromChangeSet(mirror, set)),
  ];
  // The head comes first, so that what a change set has inherited from it is told once.
  const unique = new Map<string, AttentionRow>();
  for (const row of rows) if (!unique.has(row.id)) unique.set(row.id, row);
  const index = new Map([...unique.keys()].map((id, position) => [id, position]));
  return { version: 0, rows: [...unique.values()], index, changed: null };
});

const row = (
  id: string,
  name: string,
  rest: Omit<AttentionRow, "id" | "name" | "sortName">,
): AttentionRow => ({
  id,
  name,
  sortName: name.toLowerCase(),
  ...rest,
});

function fromDaemon(status: DaemonStatus): readonly AttentionRow[] {
  const failing = status.server.state === "online" ? status.lists.filter(({ error }) => error !== null) : [];
  return [
    ...failing.map((list) =>
      row(`list ${list.resource}`, list.resource, {
        severity: "failed",
        what: "list fails",
        where: "daemon",
        why: list.error ?? "",
        since: timeOf(list.syncedAt),
        route: null,
      }),
    ),
    ...status.notices.map((notice) =>
      row(`notice ${notice.at}`, notice.message, {
        severity: "warn",
        what: "daemon",
        where: "",
        why: "",
        since: timeOf(notice.at),
        route: null,
      }),
    ),
  ];
}

const waiting: Readonly<
  Record<string, { readonly severity: AttentionRow["severity"]; readonly what: string }>
> = {
  NeedsApproval: { severity: "waiting", what: "needs approval" },
  Rejected: { severity: "warn", what: "rejected" },
  Failed: { severity: "failed", what: "apply failed" },
};

function fromChangeSet(mirror: Mirror, set: ChangeSetItem): readonly AttentionRow[] {
  const table = mirror.components.get(set.id);
  const queue = mirror.actions.get(set.id);
  return [
    ...fromMerge(set, mirror.merges.get(set.id)),
    ...fromReview(set, mirror.reviews.get(set.id)?.summary),
    ...(queue === undefined ? [] : fromActions(queue, set, table)),
    ...(table === undefined ? [] : componentTrouble(table)(set)),
  ];
}

/** A change set that waits for a decision, or was decided against: who asked or decided, and why. */
function fromMerge(set: ChangeSetItem, merge: MergeStatus | undefined): readonly AttentionRow[] {
  const state = waiting[set.status];
  if (state === undefined) return [];
  const asked = set.status === "NeedsApproval";
  const deed = asked ? merge?.requested : merge?.reviewed;
  const by = deed?.by == null ? "" : `${asked ? "asked" : "decided"} by ${deed.by}`;
  const note = asked ? "" : (merge?.note ?? "");
  return [
    row(`set ${set.id}`, set.name, {
      ...state,
      where: "change set",
      why: [note, by].filter((text) => text !== "").join(", "),
      since: deed?.at,
      route: { screen: "review", changeSetId: set.id },
    }),
  ];
}

/** Edits that the head has moved under, and values that are not final yet. */
function fromReview(set: ChangeSetItem, summary: ReviewSummary | undefined): readonly AttentionRow[] {
  if (summary === undefined || set.isHead) return [];
  const route: Route = { screen: "review", changeSetId: set.id };
  const rest = { where: "change set", since: undefined, route } as const;
  const { headMoved, pending } = summary;
  const edits = headMoved === 1 ? "1 edited attribute" : `${headMoved} edited attributes`;
  return [
    ...(headMoved === 0
      ? []
      : [
          row(`moved ${set.id}`, set.name, {
            ...rest,
            severity: "warn",
            what: "head moved",
            why: `under ${edits}`,
          }),
        ]),
    ...(pending
      ? [
          row(`pending ${set.id}`, set.name, {
            ...rest,
            severity: "running",
            what: "computing",
            why: "values are still being computed",
          }),
        ]
      : []),
  ];
}

/** Actions that failed: they keep others from running until somebody retries or cancels them. */
function fromActions(
  queue: Table<ActionRow>,
  set: ChangeSetItem,
  components: Table<ComponentRow> | undefined,
): readonly AttentionRow[] {
  const failed = ownActions(queue, set).filter(({ state }) => state === "Failed");
  return failed.slice(0, perChangeSet).map((action) => {
    const component = action.componentId === null ? undefined : find(components, action.componentId);
    const trouble = { severity: "failed", what: "action failed", why: action.name } as const;
    if (component !== undefined) return troubleRow(set, component, trouble);
    const rest = { ...trouble, where: set.name, since: undefined, route: null };
    return row(`action ${action.id}`, action.name, rest);
  });
}

const componentTrouble = remembered((table: Table<ComponentRow>) =>
  remembered((set: ChangeSetItem): readonly AttentionRow[] => {
    const found: AttentionRow[] = [];
    let more = 0;
    for (const component of table.rows) {
      // What is wrong in the head is wrong in every change set that leaves it alone: it is told once.
      if (!component.troubled || (!set.isHead && component.difference === "none")) continue;
      for (const trouble of troubles(component)) {
        if (found.length >= perChangeSet) more++;
        else found.push(troubleRow(set, component, trouble));
      }
    }
    if (more === 0) return found;
    const route: Route = { screen: "components", changeSetId: set.id };
    const rest = {
      severity: "warn",
      what: "and more",
      where: set.name,
      why: "",
      since: undefined,
      route,
    } as const;
    return [...found, row(`more ${set.id}`, `${more} other components`, rest)];
  }),
);

interface Trouble {
  readonly severity: "failed" | "warn";
  readonly what: string;
  readonly why: string;
}

function troubles(component: ComponentRow): readonly Trouble[] {
  const found: Trouble[] = [];
  const named = (states: readonly string[]): string =>
    component.qualifications
      .filter(({ state }) => state !== null && states.includes(state))
      .map(({ name }) => name)
      .join(", ");
  const failedActions = component.actions.filter(({ state }) => state === "Failed").map(({ name }) => name);
  if (failedActions.length > 0)
    found.push({ severity: "failed", what: "action failed", why: failedActions.join(", ") });
  if (component.failed > 0) {
    found.push({ severity: "failed", what: "qualification", why: named(["Failed", "Failure"]) });
  } else if (component.warned > 0) {
    found.push({ severity: "warn", what: "qualification", why: named(["Warning"]) });
  }
  const resource = component.resource?.toLowerCase();
  if (resource === "error")
    found.push({ severity: "failed", what: "resource error", why: component.resourceId ?? "" });
  if (resource === "warning")
    found.push({ severity: "warn", what: "resource", why: component.resourceId ?? "" });
  return found;
}

const troubleRow = (set: ChangeSetItem, component: ComponentRow, trouble: Trouble): AttentionRow =>
  row(`${trouble.what} ${component.id} ${trouble.why}`, component.name, {
    ...trouble,
    where: set.name,
    since: undefined,
    route: { screen: "component", changeSetId: set.id, componentId: component.id },
  });
