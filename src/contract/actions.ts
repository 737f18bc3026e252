import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { named, optionalNull, Success } from "./shapes.ts";

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

/** An action function, by exactly one of its name and its prototype. */
export const ActionReference = named("ActionReference", {
  function: Type.Optional(Type.String({ description: "Name or display name of the function" })),
  actionPrototypeId: Type.Optional(Type.String()),
});
export type ActionReference = Static<typeof ActionReference>;

const changeSet = "/v1/w/:workspaceId/change-sets/:changeSetId";
const base = `${changeSet}/actions` as const;
const one = `${base}/:actionId` as const;
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
const changing = [...missing, "actionNotFound", "actionRunning", "changeSetNotActive"] as const;

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
  cancel: {
    method: "POST",
    path: `${one}/cancel`,
    summary: "Take an action off the queue",
    description:
      "In the head at once, in a change set with its apply. One that runs cannot be taken back (409): its run can be cancelled, and it has failed then.",
    access: "workspace",
    response: Success,
    errors: changing,
  },
  putOnHold: {
    method: "POST",
    path: `${one}/put_on_hold`,
    summary: "Keep an action, and those that depend on it, from running until it is retried",
    access: "workspace",
    response: Success,
    errors: changing,
  },
  retry: {
    method: "POST",
    path: `${one}/retry`,
    summary: "Let an action that failed or is held run again",
    description: "It runs once nothing is left that it waits for; in a change set only after its apply.",
    access: "workspace",
    response: Success,
    errors: changing,
  },
  enqueue: {
    method: "POST",
    path: `${changeSet}/components/:componentId/action`,
    summary: "Queue an action of a component; it runs after the change set is applied",
    access: "workspace",
    body: Type.Object({ action: ActionReference }),
    response: Success,
    errors: [
      ...missing,
      "componentNotFound",
      "functionNotFound",
      "actionAlreadyEnqueued",
      "duplicateFunctionName",
      "changeSetNotActive",
      "headNotEditable",
    ],
  },
  refresh: {
    method: "POST",
    path: `${changeSet}/components/refresh`,
    summary: "Queue a Refresh of every component with a resource whose schema has such a function",
    description:
      "In the head they run at once, in a change set after its apply. What is found to be otherwise than the model is listed by the review as drift.",
    access: "workspace",
    response: Type.Object({ success: Type.Boolean(), queued: Type.Integer() }),
    errors: [...missing, "changeSetNotActive"],
    addition: true,
  },
});
