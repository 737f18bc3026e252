import type { ListDelta } from "../../src/ipc/contract.ts";
import { membersOf } from "./members.ts";
import {
  droppedRow,
  type EntityRow,
  entityRow,
  type ReviewRow,
  type ReviewSummary,
  reviewRow,
  reviewSummary,
} from "./review-rows.ts";
import { applyDelta, type Table, type Touch } from "./table.ts";

/** What a change set changes against the head, as far as the server tells it. */
export interface Review {
  readonly components: Table<ReviewRow>;
  readonly entities: Table<EntityRow>;
  readonly summary: ReviewSummary;
}

const nothing: ReviewSummary = {
  added: 0,
  modified: 0,
  removed: 0,
  attributes: 0,
  headMoved: 0,
  pending: false,
};

/** The review after a delta of the mirrored list, and the components that it touched. */
export function applyReview(
  before: Review | undefined,
  delta: ListDelta,
): { readonly review: Review; readonly touched: readonly Touch[] } {
  const components: ReviewRow[] = [];
  const entities: EntityRow[] = [];
  let summary = before === undefined || delta.whole ? nothing : before.summary;
  for (const [key, item] of Object.entries(delta.upserted)) {
    const members = membersOf(item);
    if (members["part"] === "component") components.push(reviewRow(key, members["component"]));
    else if (members["part"] === "dropped") components.push(droppedRow(key, members["dropped"]));
    else if (members["part"] === "entity") entities.push(entityRow(key, members["entity"]));
    else if (members["part"] === "summary") summary = reviewSummary(members);
  }
  const { deleted, whole } = delta;
  const rows = applyDelta(before?.components, { upserted: components, deleted, whole }, () => false);
  const others = applyDelta(before?.entities, { upserted: entities, deleted, whole }, () => false);
  return {
    review: { components: rows.table, entities: others.table, summary },
    touched: rows.touched,
  };
}
