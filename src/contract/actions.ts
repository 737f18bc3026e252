import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { named, optionalNull } from "./shapes.ts";

/** What an action does to the resource of its component. */
export const actionKinds = ["Create", "Update", "Refresh", "Destroy", "Manual"] as const;
export type ActionKind = (typeof actionKinds)[number];

/** Where a queued action stands; one that succeeded is gone. */
export const actionStates = ["Pending", "OnHold", "Dispatched", "Running", "Failed"] as const;
export type ActionState = (typeof actionStates)[number];

const kind = Type.String({ description: actionKinds.join(", ") });
const state = Type.String({ description: actionStates.join(", ") });

export const ActionView = named("ActionViewV1", {
  id: Id,
  kind,
  name: Type.String(),
  state,
  prototypeId: Id,
  originatingChangeSetId: Id,
  componentId: optionalNull(Id),
  description: optionalNull(Type.String()),
  funcRunId: optionalNull(Id),
});
export type ActionView = Static<typeof ActionView>;

/** An action as the merge status of its change set shows it. */
export const MergedAction = named("MergedAction", {
  id: Id,
  kind,
  name: Type.String(),
  state,
  component: optionalNull(Type.Object({ id: Id, name: Type.String() })),
});
export type MergedAction = Static<typeof MergedAction>;

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/actions";
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;

export const actions = group({
  list: {
    method: "GET",
    path: base,
    summary: "Queued actions in the order in which they would run: the head's, and those of the change set",
    access: "workspace",
    revision: "layer",
    response: Type.Object({ actions: Type.Array(ActionView) }),
    errors: missing,
  },
});
