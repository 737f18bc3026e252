import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { AnyJson, named } from "./shapes.ts";

/** Where a value comes from: a literal, another component's value, or the schema (a default or a function). */
export const sourceTypes = ["value", "subscription", "prototype"] as const;
const changeTypes = ["added", "modified", "removed"] as const;
export const reviewStatuses = ["Added", "Modified", "Removed"] as const;

/** One side of a difference; absent where the attribute is not set on that side. */
export const ReviewedValue = named("ReviewedValue", {
  value: Type.Optional(AnyJson),
  source: Type.String({ description: sourceTypes.join(", ") }),
  /** Of a subscription: whose value at which path, through which function. */
  componentId: Type.Optional(Id),
  componentName: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  func: Type.Optional(Type.String()),
});
export type ReviewedValue = Static<typeof ReviewedValue>;

/** One attribute that the change set shows otherwise than the head. */
export const AttributeDiff = named("AttributeDiff", {
  changeType: Type.String({ description: changeTypes.join(", ") }),
  /** In the head, and in the change set. */
  old: Type.Optional(ReviewedValue),
  new: Type.Optional(ReviewedValue),
  /** False for a value that only follows from other edits. */
  edited: Type.Boolean(),
  /** The head changed the same attribute after it was edited here. */
  headMoved: Type.Boolean(),
});
export type AttributeDiff = Static<typeof AttributeDiff>;

export const ComponentReview = named("ComponentReview", {
  componentId: Id,
  componentName: Type.String(),
  schemaName: Type.String(),
  diffStatus: Type.String({ description: reviewStatuses.join(", ") }),
  /** Marked for deletion: gone with the apply. */
  toDelete: Type.Boolean(),
  canBeUpgraded: Type.Boolean(),
  /** By JSON pointer, as in the component's `attributes`. */
  attributeDiffs: Type.Record(Type.String(), AttributeDiff),
  viewsAdded: Type.Array(Type.String()),
  viewsRemoved: Type.Array(Type.String()),
  managersAdded: Type.Array(Type.String()),
  managersRemoved: Type.Array(Type.String()),
  headMoved: Type.Boolean(),
});
export type ComponentReview = Static<typeof ComponentReview>;

/** What a change set changes beside components: a schema, a variant, a view, … */
export const EntityReview = named("EntityReview", {
  kind: Type.String(),
  id: Id,
  name: Type.String(),
  diffStatus: Type.String({ description: reviewStatuses.join(", ") }),
});

export const Review = named("Review", {
  components: Type.Array(ComponentReview),
  entities: Type.Array(EntityReview),
  summary: Type.Object({
    totalComponents: Type.Integer(),
    added: Type.Integer(),
    modified: Type.Integer(),
    removed: Type.Integer(),
    attributes: Type.Integer(),
    headMoved: Type.Integer(),
  }),
  /** Values are still being computed: what is shown may change by itself. */
  pending: Type.Boolean(),
  at: Timestamp,
});
export type Review = Static<typeof Review>;

export const review = group({});
