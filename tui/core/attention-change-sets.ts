import { type AttentionRow, attentionRow } from "./attention-row.ts";
import type { MergeStatus } from "./merge.ts";
import type { Route } from "./model.ts";
import type { ReviewSummary } from "./review-rows.ts";
import type { ChangeSetItem } from "./rows.ts";

const waiting: Readonly<
  Record<string, { readonly severity: AttentionRow["severity"]; readonly what: string }>
> = {
  NeedsApproval: { severity: "waiting", what: "needs approval" },
  Rejected: { severity: "warn", what: "rejected" },
  Failed: { severity: "failed", what: "apply failed" },
};

/** A change set that waits for a decision, or was decided against: who asked or decided, and why. */
export function fromMerge(set: ChangeSetItem, merge: MergeStatus | undefined): readonly AttentionRow[] {
  const state = waiting[set.status];
  if (state === undefined) return [];
  const asked = set.status === "NeedsApproval";
  const deed = asked ? merge?.requested : merge?.reviewed;
  const by = deed?.by == null ? "" : `${asked ? "asked" : "decided"} by ${deed.by}`;
  const note = asked ? "" : (merge?.note ?? "");
  return [
    attentionRow(`set ${set.id}`, set.name, {
      ...state,
      where: "change set",
      why: [note, by].filter((text) => text !== "").join(", "),
      since: deed?.at,
      route: { screen: "review", changeSetId: set.id },
    }),
  ];
}

/** Edits that the head has moved under, and values that are not final yet. */
export function fromReview(set: ChangeSetItem, summary: ReviewSummary | undefined): readonly AttentionRow[] {
  if (summary === undefined || set.isHead) return [];
  const route: Route = { screen: "review", changeSetId: set.id };
  const rest = { where: "change set", since: undefined, route } as const;
  const { headMoved, pending } = summary;
  const edits = headMoved === 1 ? "1 edited attribute" : `${headMoved} edited attributes`;
  return [
    ...(headMoved === 0
      ? []
      : [
          attentionRow(`moved ${set.id}`, set.name, {
            ...rest,
            severity: "warn",
            what: "head moved",
            why: `under ${edits}`,
          }),
        ]),
    ...(pending
      ? [
          attentionRow(`pending ${set.id}`, set.name, {
            ...rest,
            severity: "running",
            what: "computing",
            why: "values are still being computed",
          }),
        ]
      : []),
  ];
}
