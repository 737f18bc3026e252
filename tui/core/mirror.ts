import type { DaemonStatus, ListDelta } from "../../src/ipc/contract.ts";
import type { MirrorEvent } from "../../src/mirror/resources.ts";
import { type ActionRow, actionRow, sameAction } from "./action-rows.ts";
import { type MergeStatus, mergeStatus } from "./merge.ts";
import { applyReview, type Review } from "./review.ts";
import {
  type ChangeSetItem,
  type ComponentRow,
  changeSetItem,
  componentRow,
  eventItem,
  reviewedComponent,
  sameChangeSet,
  sameComponent,
} from "./rows.ts";
import { applyDelta, find, type Table, type Touch } from "./table.ts";

/** One answer of the daemon, its status already checked. */
export interface Answer {
  readonly instance: string;
  readonly revision: number;
  /** Everything follows; what is not in it is gone. */
  readonly fresh: boolean;
  readonly status: DaemonStatus | undefined;
  readonly changes: readonly ListDelta[];
}

/** A row that changed a moment ago, and how. */
export interface Mark {
  readonly at: number;
  readonly kind: Touch["kind"];
}

/** Everything the daemon has told so far; what lives in a change set by the change set's id. */
export interface Mirror {
  readonly instance: string | null;
  readonly revision: number;
  readonly status: DaemonStatus | null;
  readonly changeSets: Table<ChangeSetItem> | undefined;
  readonly components: ReadonlyMap<string, Table<ComponentRow>>;
  readonly reviews: ReadonlyMap<string, Review>;
  readonly merges: ReadonlyMap<string, MergeStatus>;
  readonly actions: ReadonlyMap<string, Table<ActionRow>>;
  /** The history, oldest first. */
  readonly events: readonly MirrorEvent[];
  /** By list name and id, see {@link markKey}. */
  readonly marks: ReadonlyMap<string, Mark>;
}

export const emptyMirror: Mirror = {
  instance: null,
  revision: -1,
  status: null,
  changeSets: undefined,
  components: new Map(),
  reviews: new Map(),
  merges: new Map(),
  actions: new Map(),
  events: [],
  marks: new Map(),
};

/** How long a changed row stays marked. */
export const markMs = 10_000;

/** How the daemon names the lists of a change set. */
export const componentsList = (changeSetId: string): string => `components/${changeSetId}`;
export const reviewList = (changeSetId: string): string => `reviews/${changeSetId}`;
const mergeList = (changeSetId: string): string => `mergeStatuses/${changeSetId}`;
const actionsList = (changeSetId: string): string => `actions/${changeSetId}`;
export const markKey = (list: string, id: string): string => `${list}\n${id}`;

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
  const marks = new Map(mirror.marks);
  const components = kept(mirror.components, componentsList);
  const reviews = kept(mirror.reviews, reviewList);
  const merges = kept(mirror.merges, mergeList);
  const actions = kept(mirror.actions, actionsList);
  let { changeSets, events } = mirror;
  let changed = 0;
  const note = (resource: string, touched: readonly Touch[], known: boolean): void => {
    if (first || !known) return;
    changed += touched.length;
    for (const { id, kind } of touched) marks.set(markKey(resource, id), { at: now, kind });
  };
  // Reviews come first, since the rows of components tell what the review says of them.
  for (const delta of answer.changes) {
    const [list = "", id = ""] = delta.resource.split("/");
    if (list !== "reviews") continue;
    const { review, touched } = applyReview(reviews.get(id), delta);
    reviews.set(id, review);
    const rows = components.get(id);
    if (rows !== undefined) components.set(id, reviewed(rows, review, touched));
  }
  for (const delta of answer.changes) {
    const { resource, deleted, whole } = delta;
    const [list = "", id = ""] = resource.split("/");
    const entries = Object.entries(delta.upserted);
    if (resource === "changeSets") {
      const upserted = entries.map(([key, item]) => changeSetItem(key, item));
      const result = applyDelta(changeSets, { upserted, deleted, whole }, sameChangeSet);
      note(resource, result.touched, changeSets !== undefined);
      changeSets = result.table;
    } else if (list === "components") {
      const before = components.get(id);
      const review = reviews.get(id);
      const upserted = entries.map(([key, item]) => {
        const row = componentRow(key, item);
        return review === undefined ? row : reviewedComponent(row, find(review.components, key));
      });
      const result = applyDelta(before, { upserted, deleted, whole }, sameComponent);
      note(resource, result.touched, before !== undefined);
      components.set(id, result.table);
    } else if (list === "actions") {
      const before = actions.get(id);
      const upserted = entries.map(([key, item]) => actionRow(key, item));
      const result = applyDelta(before, { upserted, deleted, whole }, sameAction);
      note(resource, result.touched, before !== undefined);
      actions.set(id, result.table);
    } else if (list === "mergeStatuses") {
      const [entry] = entries;
      if (entry !== undefined) merges.set(id, mergeStatus(entry[1]));
      else if (whole || deleted.length > 0) merges.delete(id);
    } else if (resource === "events") {
      events = withEvents(whole ? [] : events, delta);
    }
  }
  for (const [id, table] of components) {
    if (table.rows.length === 0 && changeSets?.index.has(id) === false) components.delete(id);
  }
  for (const lists of [reviews, merges, actions]) {
    for (const id of lists.keys()) if (changeSets?.index.has(id) === false) lists.delete(id);
  }
  return {
    mirror: {
      instance: answer.instance,
      revision: answer.revision,
      status: answer.status ?? mirror.status,
      changeSets,
      components,
      reviews,
      merges,
      actions,
      events,
      marks,
    },
    changed,
  };
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

/** The mirror without marks that have stood long enough; the same mirror when there are none. */
export function fadeMarks(mirror: Mirror, now: number): Mirror {
  const kept = [...mirror.marks].filter(([, mark]) => now - mark.at < markMs);
  return kept.length === mirror.marks.size ? mirror : { ...mirror, marks: new Map(kept) };
}

function withEvents(events: readonly MirrorEvent[], delta: ListDelta): readonly MirrorEvent[] {
  const gone = new Set([...delta.deleted, ...Object.keys(delta.upserted)]);
  const added = Object.values(delta.upserted).flatMap((item) => eventItem(item) ?? []);
  return [...events.filter((event) => !gone.has(event.id)), ...added].sort((a, b) =>
    a.id < b.id ? -1 : a.id > b.id ? 1 : 0,
  );
}
