import Type, { type Static } from "typebox";
import { ComponentView } from "./components.ts";
import { DriftedComponent } from "./drift.ts";
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
  functionName: Type.Optional(
    Type.String({ description: "Of a prototype: the attribute function that made the value" }),
  ),
});
export type ReviewedValue = Static<typeof ReviewedValue>;

/** One attribute that the change set shows otherwise than the head. */
export const AttributeDiff = named("AttributeDiff", {
  changeType: Type.String({ description: changeTypes.join(", ") }),
  /** In the head, and in the change set. */
  old: Type.Optional(ReviewedValue),
  new: Type.Optional(ReviewedValue),
  edited: Type.Boolean({ description: "False for a value that only follows from other edits" }),
  headMoved: Type.Boolean({
    description:
      "The head set this attribute otherwise, or set or unset anything in it, after it was edited here; a value that only came to the head by following another is no move",
  }),
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
      "By JSON pointer, as in the component's `attributes`; what can only be taken back as a whole is one difference: a removed element, an object below a subscription. What only the head has stands at its place there; where something else of the change set has that place, its element is named by id: `/domain/ports/#01J…`",
  }),
  viewsAdded: Type.Array(Type.String()),
  viewsRemoved: Type.Array(Type.String()),
  managersAdded: Type.Array(Type.String()),
  managersRemoved: Type.Array(Type.String()),
  headMoved: Type.Boolean({
    description:
      "The head moved under an attribute, or under the choice of another variant, or under anything of a component that is marked or erased here; or some of what was edited here is dropped",
  }),
});
export type ComponentReview = Static<typeof ComponentReview>;

/** What a change set changes beside components: a schema, a variant, a view, … */
export const EntityReview = named("EntityReview", {
  kind: Type.String(),
  id: Id,
  name: Type.String({ description: "Of a binding: its function, what it is there for, and where" }),
  diffStatus: Type.String({ description: reviewStatuses.join(", ") }),
  differences: Type.Optional(
    Type.Record(Type.String(), Type.Object({ old: Type.Optional(AnyJson), new: Type.Optional(AnyJson) }), {
      description:
        "Of schemas, variants, functions and bindings: the members that differ, with what they are in the head and in the change set; of one that was added or removed only a function's `code`",
    }),
  ),
});

/** What was edited here and will not be applied: since then the head has removed the place that it was edited at. */
export const DroppedEdits = named("DroppedEdits", {
  componentId: Id,
  /** As it was last known here. */
  componentName: Type.String(),
  componentRemoved: Type.Boolean({
    description: "The head has removed the component, else only what these attributes stood in",
  }),
  attributes: Type.Array(Type.String(), {
    description: "JSON pointers; an element that is gone is named by its id: `/domain/ports/#01J…`",
  }),
});
export type DroppedEdits = Static<typeof DroppedEdits>;

export const Review = named("Review", {
  components: Type.Array(ComponentReview),
  entities: Type.Array(EntityReview),
  dropped: Type.Array(DroppedEdits),
  drift: Type.Optional(
    Type.Array(DriftedComponent, {
      description:
        "Components of the head whose last Refresh found something else than the head's model says: of each property below `/domain` that the payload has under the same names",
    }),
  ),
  summary: Type.Object({
    totalComponents: Type.Integer(),
    added: Type.Integer(),
    modified: Type.Integer(),
    removed: Type.Integer(),
    attributes: Type.Integer(),
    headMoved: Type.Integer({
      description: "Components that the head has moved under; those with dropped edits count too",
    }),
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
      "Components in the order Added, Modified, Removed; one that is marked for deletion or erased is Removed. Values that only follow from other edits are listed with `edited: false`. `headMoved` is about what the head sets: it marks an attribute whose setting (a literal, a subscription, none) is another one in the head than when it was last edited here, and says nothing of values that only follow from others. Of a component it also marks that the head has chosen another variant since one was chosen here; views and managers are there or not, so that two who change the same never differ. Deletion wins: what was edited here in a component, an element or an object that the head has since removed or subscribed as a whole is not applied; `dropped` lists it. An applied change set is the head now: nothing of it is left to review.",
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
      "Without `attribute` the whole component: a new one goes away, an erased one comes back, a marked one is unmarked, and of an edited one name, attributes, variant, views, managers and queued actions are the head's again. With `attribute`, a JSON pointer as the review names it: that attribute and everything below it, and an element that was only added for it. Every pointer that the review lists with `edited`, or as dropped, can be sent as it stands, but for those of an erased component and the name of a new one: these go back with the whole component. What the change set does not change cannot be discarded (422), and a name that another component has taken here since does not come back (412). Of a component that the head has removed there is none to show: what was edited is forgotten, `component` is null.",
    access: "workspace",
    body: Type.Object({ attribute: optionalNull(Type.String()) }),
    response: Type.Object({
      component: optionalNull(ComponentView),
    }),
    errors: [
      ...missing,
      "componentNotFound",
      "changeSetNotActive",
      "headNotEditable",
      "duplicateComponentName",
      "subscriptionCycle",
    ],
    addition: true,
  },
});
