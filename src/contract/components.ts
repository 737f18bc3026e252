import Type from "typebox";
import {
  Attributes,
  ComponentDetails,
  ComponentReference,
  ComponentView,
  GetComponent,
  ResourceData,
} from "./component-shapes.ts";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { PageQuery } from "./page.ts";
import { nullable, optionalNull } from "./shapes.ts";

export { ComponentDetails, ComponentView } from "./component-shapes.ts";

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
export const ComponentInclude = {
  includeCodegen: flag("the generated code, where it exists"),
  includeAll: flag("every include option"),
  includeFunctions: flag("action, management and qualification functions"),
  includeSubscriptions: flag("which attributes elsewhere subscribe to this component"),
  includeManages: flag("which components this one manages"),
  includeActionFunctions: flag("action functions"),
  includeManagementFunctions: flag("management functions"),
  includeQualificationFunctions: flag("qualification functions"),
  includeResourceInfo: flag("resource id and status"),
  includeDiffStatus: flag("Added, Modified or None against the head"),
  includeRevision: flag(
    "a text that changes whenever a value of the component does; an addition, not part of includeAll",
  ),
  includeMarks: flag(
    "whether a component is marked for deletion or can be upgraded; an addition, not part of includeAll",
  ),
  includeExecutionHistory: flag("the last 10 runs of each function"),
};

const ComponentAnswer = Type.Object({ component: ComponentView });
const Name = Type.String({ minLength: 1, maxLength: 500 });
const ViewName = Type.String({ minLength: 1, maxLength: 200 });
const base = "/v1/w/:workspaceId/change-sets/:changeSetId/components";
const one = `${base}/:componentId` as const;
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
const closed = ["changeSetNotActive", "headNotEditable"] as const;
const editing = [...missing, "componentNotFound", ...closed] as const;

export const components = group({
  list: {
    method: "GET",
    path: base,
    summary: "A page of components in ascending order of id",
    access: "workspace",
    revision: "layer",
    query: Type.Object({ ...PageQuery, ...ComponentInclude }),
    response: Type.Object({
      componentDetails: Type.Array(ComponentDetails),
      nextCursor: nullable(Type.String()),
    }),
    errors: missing,
  },
  create: {
    method: "POST",
    path: base,
    summary: "Create a component of a schema",
    access: "workspace",
    body: Type.Object({
      name: Name,
      schemaName: Type.String(),
      attributes: Type.Optional(Attributes),
      managedBy: Type.Optional(ComponentReference),
      resourceId: optionalNull(Type.String()),
      useWorkingCopy: optionalNull(
        Type.Boolean({ description: "The schema's unlocked variant instead of its default one" }),
      ),
      viewName: optionalNull(Type.String()),
    }),
    response: ComponentAnswer,
    errors: [...editing, "schemaNotFound", "viewNotFound", "duplicateComponentName"],
  },
  addToView: {
    method: "POST",
    path: `${base}/add_to_view`,
    summary: "Put components into a view, which is created when there is none of that name",
    access: "workspace",
    body: Type.Object({ componentIds: Type.Array(Type.String()), viewName: ViewName }),
    status: 204,
    errors: [...missing, ...closed],
  },
  duplicate: {
    method: "POST",
    path: `${base}/duplicate`,
    summary: "Copy components, what they read from and manage among each other included",
    access: "workspace",
    body: Type.Object({
      components: Type.Array(Type.String()),
      prefix: optionalNull(Type.String({ description: 'Default: "copy of "' })),
      viewName: optionalNull(ViewName),
    }),
    response: Type.Object({ components: Type.Array(Id, { description: "Ids of the copies, in order" }) }),
    errors: [...missing, ...closed],
  },
  find: {
    method: "GET",
    path: `${base}/find`,
    summary: "One component by name or by id",
    access: "workspace",
    revision: "layer",
    query: Type.Object({
      component: Type.Optional(Type.String()),
      componentId: Type.Optional(Type.String()),
    }),
    response: GetComponent,
    errors: [...missing, "componentNotFound", "duplicateComponentName"],
  },
  get: {
    method: "GET",
    path: one,
    summary: "One component with its attributes and properties",
    access: "workspace",
    revision: "layer",
    response: GetComponent,
    errors: [...missing, "componentNotFound"],
  },
  update: {
    method: "PUT",
    path: one,
    summary: "Rename a component and set or unset its attributes, all or nothing",
    access: "workspace",
    body: Type.Object({
      name: optionalNull(Name),
      attributes: Type.Optional(Attributes),
      resourceId: optionalNull(Type.String()),
      secrets: Type.Optional(
        Type.Record(Type.String(), Type.String(), {
          description: "Name of a secret definition → name or id of the secret that the component holds",
        }),
      ),
    }),
    response: ComponentAnswer,
    errors: [
      ...editing,
      "duplicateComponentName",
      "subscriptionCycle",
      "createOnlyProperty",
      "secretNotFound",
    ],
  },
  delete: {
    method: "DELETE",
    path: one,
    summary: "Mark a component for deletion; it goes when the change set is applied",
    access: "workspace",
    response: Type.Object({ status: Type.String() }),
    errors: editing,
  },
  restore: {
    method: "POST",
    path: `${one}/restore`,
    summary: "Take a component's deletion mark away",
    access: "workspace",
    response: Type.Object({ status: Type.Boolean() }),
    errors: [...editing, "componentNotMarkedForDeletion"],
  },
  erase: {
    method: "POST",
    path: `${one}/erase`,
    summary: "Remove a component at once, without a destroy action",
    access: "workspace",
    response: Type.Object({ status: Type.Boolean() }),
    errors: editing,
  },
  manage: {
    method: "POST",
    path: `${one}/manage`,
    summary: "Make the component of the path the manager of another one",
    access: "workspace",
    body: Type.Object({ componentId: Type.String({ description: "The component to be managed" }) }),
    response: ComponentAnswer,
    errors: [...editing, "managementCycle"],
  },
  resource: {
    method: "GET",
    path: `${one}/resource`,
    summary: "What was last seen of the thing that a component stands for",
    access: "workspace",
    revision: "layer",
    response: ResourceData,
    errors: [...missing, "componentNotFound", "noResource"],
  },
  upgrade: {
    method: "POST",
    path: `${one}/upgrade`,
    summary: "Move a component to its schema's latest variant; values of properties that it still has stay",
    access: "workspace",
    response: ComponentAnswer,
    errors: [...editing, "actionRunning"],
  },
});
