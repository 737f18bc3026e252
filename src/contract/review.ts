import Type, { type Static } from "typebox";
import { ComponentView } from "./components.ts";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { AnyJson, named, optionalNull } from "./shapes.ts";

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
  /** Of one that was moved to another variant of its schema: from which to which. */
  variant: Type.Optional(Type.Object({ old: Id, new: Id })),
  attributeDiffs: Type.Record(Type.String(), AttributeDiff, {
    description:
      "By JSON pointer, as in the component's `attributes`. What only the head has stands at its place there; where something else of the change set has that place, its element is named by id: `/domain/ports/#01J…`",
  }),
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

const base = "/v1/w/:workspaceId/change-sets/:changeSetId";
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;

export const review = group({
  get: {
    method: "GET",
    path: `${base}/review`,
    summary: "What a change set changes, attribute by attribute, against the head",
    description:
      "Components in the order Added, Modified, Removed; one that is marked for deletion or erased is Removed. Values that only follow from other edits are listed with `edited: false`. `headMoved` marks an attribute that the head has changed since it was last edited here. An applied change set is the head now: nothing of it is left to review.",
    access: "workspace",
    revision: "layer",
    response: Review,
    errors: [...missing, "headNotAllowed"],
    addition: true,
  },
  discard: {
    method: "POST",
    path: `${base}/components/:componentId/discard`,
    summary: "Take a component, or one attribute of it, back to what the head says",
    description:
      "Without `attribute` the whole component: a new one goes away, an erased one comes back, a marked one is unmarked, and of an edited one name, attributes, variant, views, managers and queued actions are the head's again. With `attribute`, a JSON pointer as the review names it: that attribute and everything below it. What the change set does not change cannot be discarded (422).",
    access: "workspace",
    body: Type.Object({ attribute: optionalNull(Type.String()) }),
    response: Type.Object({
      component: optionalNull(ComponentView),
    }),
    errors: [...missing, "componentNotFound", "changeSetNotActive", "headNotEditable", "subscriptionCycle"],
    addition: true,
  },
});
