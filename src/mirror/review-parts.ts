import Type, { type Static } from "typebox";
import { ComponentReview, DroppedEdits, EntityReview, Review } from "../contract/review.ts";

/**
 * A review as a list: one item for each component and each other thing that differs, for each component with
 * dropped edits, and one for the numbers. So a
 * change of one component is news of one item, however much a change set changes.
 */
export const ReviewPart = Type.Union([
  Type.Object({
    part: Type.Literal("summary"),
    ...Review.properties.summary.properties,
    pending: Type.Boolean(),
  }),
  Type.Object({ part: Type.Literal("component"), component: ComponentReview }),
  Type.Object({ part: Type.Literal("entity"), entity: EntityReview }),
  Type.Object({ part: Type.Literal("dropped"), dropped: DroppedEdits }),
]);
export type ReviewPart = Static<typeof ReviewPart>;

/** The parts of a review; when it was made is left out, since that alone is no news. */
export const reviewParts = ({ components, entities, dropped, summary, pending }: Review): ReviewPart[] => [
  { part: "summary", ...summary, pending },
  ...components.map((component) => ({ part: "component" as const, component })),
  ...entities.map((entity) => ({ part: "entity" as const, entity })),
  ...dropped.map((one) => ({ part: "dropped" as const, dropped: one })),
];

/** What identifies a part among the parts of one review. */
export function partKey(item: ReviewPart): string {
  if (item.part === "component") return item.component.componentId;
  // The component itself may be a part too.
  if (item.part === "dropped") return `dropped ${item.dropped.componentId}`;
  return item.part === "entity" ? item.entity.id : item.part;
}

/** The name a person knows a part by. */
export function partName(item: ReviewPart): string {
  if (item.part === "component") return item.component.componentName;
  if (item.part === "dropped") return item.dropped.componentName;
  return item.part === "entity" ? item.entity.name : "review";
}
