import type { ActionRow } from "./action-rows.ts";
import { ownActions } from "./change-set-rows.ts";
import type { Mirror } from "./mirror.ts";
import type { ListRow } from "./parts/list.ts";
import type { ComponentRow } from "./rows.ts";
import { remembered } from "./select.ts";
import { find, type Table } from "./table.ts";
import { ulidTime } from "./time.ts";

/** A queued or running action of the head or of an open change set. */
export interface ActionLine extends ListRow {
  /** The list that it stands in. */
  readonly changeSetId: string;
  readonly changeSet: string;
  readonly inHead: boolean;
  readonly state: string;
  readonly kind: string;
  readonly componentId: string | null;
  readonly component: string;
  readonly funcRunId: string | null;
  /** Where it stands: the head's queue first, each in its order; as text that sorts like a number. */
  readonly place: string;
  /** What it waits for, or why it failed; empty where that is nothing, or nobody tells. */
  readonly why: string;
  readonly created: number | undefined;
}

/** Every action of the workspace: the head's, and of each open change set its own. */
export const actionTable = remembered((mirror: Mirror): Table<ActionLine> => {
  const sets = [...(mirror.changeSets?.rows ?? [])].sort((a, b) => Number(b.isHead) - Number(a.isHead));
  const headQueue = mirror.actions.get(sets.find(({ isHead }) => isHead)?.id ?? "");
  const rows = sets.flatMap((set, setPlace) => {
    const queue = mirror.actions.get(set.id);
    const components = mirror.components.get(set.id);
    const own = queue === undefined ? [] : ownActions(queue, set);
    // Of large lists nothing is asked for an empty queue.
    if (own.length === 0) return [];
    const blockers = components === undefined ? none : blockersOf(components);
    return own.map((action, place): ActionLine => {
      const component = action.componentId === null ? undefined : find(components, action.componentId);
      const waits = (blockers.get(action.id) ?? []).flatMap(
        (id) => titleOf(find(queue, id) ?? find(headQueue, id), components) ?? [],
      );
      const runs = mirror.runs.get(set.id);
      const failure = action.funcRunId === null ? undefined : find(runs, action.funcRunId)?.failure;
      return {
        id: action.id,
        name: action.name,
        sortName: action.name.toLowerCase(),
        changeSetId: set.id,
        changeSet: set.name,
        inHead: set.isHead,
        state: action.state,
        kind: action.kind,
        componentId: action.componentId,
        component: component?.name ?? action.componentId ?? "",
        funcRunId: action.funcRunId,
        place: [setPlace, place].map((number) => String(number).padStart(6, "0")).join(" "),
        why: whyOf(action.state, set.isHead, waits, failure ?? ""),
        created: ulidTime(action.id),
      };
    });
  });
  // What a change set shows of the head has been left to the head; an id stands once.
  const unique = [...new Map(rows.map((row) => [row.id, row])).values()];
  const index = new Map(unique.map(({ id }, position) => [id, position]));
  return { version: 0, rows: unique, index, changed: null };
});

/** `create main-network`: what a person knows an action by. */
function titleOf(
  action: ActionRow | undefined,
  components: Table<ComponentRow> | undefined,
): string | undefined {
  if (action === undefined) return undefined;
  const component = action.componentId === null ? undefined : find(components, action.componentId);
  return component === undefined ? action.name : `${action.kind.toLowerCase()} ${component.name}`;
}

const none: ReadonlyMap<string, readonly string[]> = new Map();

/** The ids of the actions that each action waits for, as the components tell. */
const blockersOf = remembered((components: Table<ComponentRow>): ReadonlyMap<string, readonly string[]> => {
  const blockers = new Map<string, readonly string[]>();
  for (const { actions } of components.rows) {
    for (const { actionId, dependsOn } of actions)
      if (actionId !== null && dependsOn.length > 0) blockers.set(actionId, dependsOn);
  }
  return blockers;
});

function whyOf(state: string, inHead: boolean, waits: readonly string[], failure: string): string {
  if (state === "Failed") return failure;
  if (state === "OnHold") return "held: r lets it run";
  if (state !== "Pending") return "";
  const others = waits.length === 0 ? "" : `after ${waits.join(", ")}`;
  if (inHead) return others;
  return others === "" ? "after the apply" : `after the apply, ${others}`;
}

/** How many actions are in which state, in the whole workspace. */
export function actionTotals(
  mirror: Mirror,
): Readonly<Record<"running" | "failed" | "queued" | "held", number>> {
  const totals = { running: 0, failed: 0, queued: 0, held: 0 };
  for (const { state, inHead } of actionTable(mirror).rows) {
    if (state === "Failed") totals.failed++;
    else if (state === "Running" || state === "Dispatched") totals.running++;
    else if (state === "OnHold") totals.held++;
    else if (inHead) totals.queued++;
  }
  return totals;
}
