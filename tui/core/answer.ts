import type { DaemonStatus, ListDelta } from "../../src/ipc/contract.ts";
import { type ActionRow, actionRow, sameAction } from "./action-rows.ts";
import { type MergeStatus, mergeStatus } from "./merge.ts";
import {
  actionsList,
  componentsList,
  jobsList,
  type Mark,
  type Mirror,
  markKey,
  mergeList,
  reviewList,
  runsList,
} from "./mirror.ts";
import { applyReview, type Review } from "./review.ts";
import {
  type ComponentRow,
  changeSetItem,
  componentRow,
  eventItem,
  reviewedComponent,
  sameChangeSet,
  sameComponent,
} from "./rows.ts";
import { type JobItem, jobItem, type RunItem, runItem, sameJob, sameRun } from "./run-rows.ts";
import { applyDelta, find, type Identified, type Table, type Touch } from "./table.ts";

/** One answer of the daemon, its status already checked. */
export interface Answer {
  readonly instance: string;
  readonly revision: number;
  /** Everything follows; what is not in it is gone. */
  readonly fresh: boolean;
  readonly status: DaemonStatus | undefined;
  readonly changes: readonly ListDelta[];
}

/** A mirror while an answer is taken into it. */
interface Draft {
  changeSets: Mirror["changeSets"];
  events: Mirror["events"];
  readonly components: Map<string, Table<ComponentRow>>;
  readonly reviews: Map<string, Review>;
  readonly merges: Map<string, MergeStatus>;
  readonly actions: Map<string, Table<ActionRow>>;
  readonly runs: Map<string, Table<RunItem>>;
  readonly jobs: Map<string, Table<JobItem>>;
  /** Told of the rows that a delta touched; `known` when the list was there before. */
  readonly note: (resource: string, touched: readonly Touch[], known: boolean) => void;
}

/** How a delta of each list is taken in; `id` is the change set that the list belongs to. */
const takers: Readonly<Record<string, (draft: Draft, delta: ListDelta, id: string) => void>> = {
  changeSets: (draft, { resource, upserted, deleted, whole }) => {
    const rows = Object.entries(upserted).map(([key, item]) => changeSetItem(key, item));
    const result = applyDelta(draft.changeSets, { upserted: rows, deleted, whole }, sameChangeSet);
    draft.note(resource, result.touched, draft.changeSets !== undefined);
    draft.changeSets = result.table;
  },
  components: (draft, { resource, upserted, deleted, whole }, id) => {
    const before = draft.components.get(id);
    const review = draft.reviews.get(id);
    const rows = Object.entries(upserted).map(([key, item]) => {
      const row = componentRow(key, item);
      return review === undefined ? row : reviewedComponent(row, find(review.components, key));
    });
    const result = applyDelta(before, { upserted: rows, deleted, whole }, sameComponent);
    draft.note(resource, result.touched, before !== undefined);
    draft.components.set(id, result.table);
  },
  // What a review tells is told of components too, so its touches are no news of their own.
  reviews: (draft, delta, id) => {
    const { review, touched } = applyReview(draft.reviews.get(id), delta);
    draft.reviews.set(id, review);
    const rows = draft.components.get(id);
    if (rows !== undefined) draft.components.set(id, reviewed(rows, review, touched));
  },
  mergeStatuses: ({ merges }, { upserted, deleted, whole }, id) => {
    const [item] = Object.values(upserted);
    if (item !== undefined) merges.set(id, mergeStatus(item));
    else if (whole || deleted.length > 0) merges.delete(id);
  },
  actions: (draft, delta, id) => takeRows(draft, draft.actions, delta, id, actionRow, sameAction),
  functionRuns: (draft, delta, id) => takeRows(draft, draft.runs, delta, id, runItem, sameRun),
  jobs: (draft, delta, id) => takeRows(draft, draft.jobs, delta, id, jobItem, sameJob),
  events: (draft, delta) => {
    draft.events = withEvents(delta.whole ? [] : draft.events, delta);
  },
};

/** Takes a delta into a list of a change set that stands for itself. */
function takeRows<Row extends Identified>(
  draft: Draft,
  lists: Map<string, Table<Row>>,
  { resource, upserted, deleted, whole }: ListDelta,
  id: string,
  read: (key: string, item: unknown) => Row,
  same: (a: Row, b: Row) => boolean,
): void {
  const before = lists.get(id);
  const rows = Object.entries(upserted).map(([key, item]) => read(key, item));
  const result = applyDelta(before, { upserted: rows, deleted, whole }, same);
  draft.note(resource, result.touched, before !== undefined);
  lists.set(id, result.table);
}

/** The mirror after an answer, and how many rows it changed (none on the very first one, which is not news). */
export function applyAnswer(
  mirror: Mirror,
  answer: Answer,
  now: number,
): { readonly mirror: Mirror; readonly changed: number } {
  const first = mirror.instance === null;
  const named = new Set(answer.changes.map((delta) => delta.resource));
  const kept = <T>(lists: ReadonlyMap<string, T>, nameOf: (id: string) => string): Map<string, T> =>
    new Map(answer.fresh ? [...lists].filter(([id]) => named.has(nameOf(id))) : lists);
  const marks = new Map<string, Mark>(mirror.marks);
  let changed = 0;
  const draft: Draft = {
    changeSets: mirror.changeSets,
    events: mirror.events,
    components: kept(mirror.components, componentsList),
    reviews: kept(mirror.reviews, reviewList),
    merges: kept(mirror.merges, mergeList),
    actions: kept(mirror.actions, actionsList),
    runs: kept(mirror.runs, runsList),
    jobs: kept(mirror.jobs, jobsList),
    note: (resource, touched, known) => {
      if (first || !known) return;
      changed += touched.length;
      for (const { id, kind } of touched) marks.set(markKey(resource, id), { at: now, kind });
    },
  };
  for (const delta of answer.changes) {
    const [list = "", id = ""] = delta.resource.split("/");
    takers[list]?.(draft, delta, id);
  }
  dropGone(draft);
  const { note: _, ...lists } = draft;
  const { instance, revision } = answer;
  return { mirror: { ...lists, instance, revision, status: answer.status ?? mirror.status, marks }, changed };
}

/** Takes away what belongs to change sets that are gone. */
function dropGone({ changeSets, components, ...others }: Draft): void {
  const gone = (id: string): boolean => changeSets?.index.has(id) === false;
  for (const [id, table] of components) if (table.rows.length === 0 && gone(id)) components.delete(id);
  for (const lists of [others.reviews, others.merges, others.actions, others.runs, others.jobs])
    for (const id of lists.keys()) if (gone(id)) lists.delete(id);
}

/** The rows of components with what a review now says of those that it touched. */
function reviewed(rows: Table<ComponentRow>, review: Review, touched: readonly Touch[]): Table<ComponentRow> {
  const upserted = touched.flatMap(({ id }) => {
    const row = find(rows, id);
    return row === undefined ? [] : reviewedComponent(row, find(review.components, id));
  });
  if (upserted.length === 0) return rows;
  return applyDelta(rows, { upserted, deleted: [], whole: false }, sameComponent).table;
}

function withEvents(events: Mirror["events"], delta: ListDelta): Mirror["events"] {
  const gone = new Set([...delta.deleted, ...Object.keys(delta.upserted)]);
  const added = Object.values(delta.upserted).flatMap((item) => eventItem(item) ?? []);
  return [...events.filter((event) => !gone.has(event.id)), ...added].sort((a, b) =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : 0,
  );
}
