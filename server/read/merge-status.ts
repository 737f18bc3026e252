import { type MergeStatus, readyStatus } from "../../src/contract/change-sets.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { isGranted } from "../domain/approvals.ts";
import { listActions } from "../store/actions.ts";
import { getReviewState, type ReviewState } from "../store/approvals.ts";
import { findComponents } from "../store/components.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { isActive } from "../store/status.ts";
import { rulesFor } from "./rules.ts";
import type { VariantCache } from "./variants.ts";

/** Whether a change set could be applied, its reviews, and the actions it queued: in the head once it is applied. */
export async function mergeStatus(reads: Reads, variants: VariantCache, layer: Layer): Promise<MergeStatus> {
  const review = await getReviewState(reads, layer.id);
  const shownIn = review.row.status === "Applied" ? { ...layer, id: layer.headId } : layer;
  const actions = (await listActions(reads, shownIn)).filter(({ origin }) => origin === layer.id);
  const componentIds = [...new Set(actions.flatMap(({ componentId }) => componentId ?? []))];
  const components = await findComponents(reads, rulesFor(reads, variants), shownIn, componentIds);
  return {
    changeSet: changeSetOf(review),
    actions: actions.map(({ id, kind, name, state, componentId }) => {
      const component = componentId === undefined ? undefined : components.get(componentId);
      return {
        id,
        kind,
        name,
        state,
        component: component === undefined ? null : { id: component.id, name: component.name },
      };
    }),
  };
}

const changeSetOf = (review: ReviewState): MergeStatus["changeSet"] => {
  const { row } = review;
  return {
    id: row.id,
    name: row.name,
    status: isReady(review) ? readyStatus : row.status,
    createdByUserId: row.created_by,
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
    mergeRequestedByUserId: row.requested_by,
    mergeRequestedByUser: review.requestedBy,
    mergeRequestedAt: timeOf(row.requested_at),
    reviewedByUserId: row.reviewed_by,
    reviewedByUser: review.reviewedBy,
    reviewedAt: timeOf(row.reviewed_at),
    note: row.note,
  };
};

const isReady = ({ row, approvalsEnabled, pending }: ReviewState): boolean =>
  row.id !== row.head_id && isActive(row.status) && !pending && isGranted(row.status, approvalsEnabled);

const timeOf = (ms: number | null): string | null => (ms === null ? null : toTimestamp(ms));
