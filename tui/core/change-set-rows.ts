import type { ActionRow } from "./action-rows.ts";
import type { MergeStatus } from "./merge.ts";
import type { Mirror } from "./mirror.ts";
import type { ReviewSummary } from "./review-rows.ts";
import type { ChangeSetItem } from "./rows.ts";
import { componentFacts, remembered } from "./select.ts";
import type { Table } from "./table.ts";

/** How many actions of a change set are in which state. */
export interface ActionCounts {
  readonly queued: number;
  readonly held: number;
  readonly running: number;
  readonly failed: number;
}

/** A change set with everything that is known of it: its components, its review, how far it is from the head. */
export interface ChangeSetRow extends ChangeSetItem {
  /** `Ready` when nothing keeps it from being applied, else the status of the change set. */
  readonly state: string;
  readonly components: number | undefined;
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
  readonly failed: number;
  readonly broken: number;
  /** Undefined where the server does not tell. */
  readonly review: ReviewSummary | undefined;
  readonly merge: MergeStatus | undefined;
  /** The actions queued in it; of the head all. Undefined where the server does not tell. */
  readonly actions: ActionCounts | undefined;
}

/** One change set and what the mirror knows of it. */
export function changeSetRow(mirror: Mirror, item: ChangeSetItem): ChangeSetRow {
  const table = mirror.components.get(item.id);
  const review = mirror.reviews.get(item.id)?.summary;
  const merge = mirror.merges.get(item.id);
  const actions = mirror.actions.get(item.id);
  const facts = table === undefined ? undefined : componentFacts(table);
  return {
    ...item,
    state: stateOf(item, merge),
    components: facts?.total,
    added: review?.added ?? facts?.added ?? 0,
    modified: review?.modified ?? facts?.modified ?? 0,
    removed: review?.removed ?? facts?.removed ?? 0,
    // What the head has wrong is the head's trouble; a change set answers for what it differs in.
    failed: (item.isHead ? facts?.failed : facts?.ownFailed) ?? 0,
    broken: item.isHead ? (facts?.broken ?? 0) : 0,
    review,
    merge,
    actions: actions === undefined ? undefined : actionCounts(actions)(item),
  };
}

/** The list of change sets hears first of a change, so a merge status says nothing of a status it does not know yet. */
const mayBeReady = new Set(["Open", "Approved"]);
const stateOf = (item: ChangeSetItem, merge: MergeStatus | undefined): string =>
  merge?.status === "Ready" && mayBeReady.has(item.status) ? "Ready" : item.status;

const columnOf: Readonly<Record<string, keyof ActionCounts>> = {
  Pending: "queued",
  OnHold: "held",
  Dispatched: "running",
  Running: "running",
  Failed: "failed",
};

/** Actions that are the change set's own: a change set shows the head's queue too. */
export const ownActions = (table: Table<ActionRow>, item: ChangeSetItem): readonly ActionRow[] =>
  item.isHead ? table.rows : table.rows.filter(({ changeSetId }) => changeSetId === item.id);

const actionCounts = remembered((table: Table<ActionRow>) =>
  remembered((item: ChangeSetItem): ActionCounts => {
    const counts = { queued: 0, held: 0, running: 0, failed: 0 };
    for (const { state } of ownActions(table, item)) {
      const column = columnOf[state];
      if (column !== undefined) counts[column]++;
    }
    return counts;
  }),
);

/** How many things in a change set are not as in the head. */
export const differing = (row: ChangeSetRow): number => row.added + row.modified + row.removed;
