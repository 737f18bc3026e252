import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { PageQuery } from "./page.ts";
import { AnyJson, named, nullable, optionalNull } from "./shapes.ts";

const NamedComponent = Type.Object({ componentId: Id, componentName: Type.String() });

export const ConnectionView = Type.Union([
  Type.Object({ managing: NamedComponent }),
  Type.Object({ managedBy: NamedComponent }),
]);

export const ComponentPropView = named("ComponentPropViewV1", {
  id: Id,
  path: Type.String(),
  propId: Id,
  value: Type.Optional(AnyJson),
});

export const ViewView = named("ViewV1", { id: Id, name: Type.String(), isDefault: Type.Boolean() });

export const Attributes = Type.Record(Type.String(), AnyJson, {
  description: "Prop path → literal, or `{$source: {component, path}}`, or `{$source: null}`",
});

export const ComponentView = named("ComponentViewV1", {
  id: Id,
  name: Type.String(),
  schemaId: Id,
  schemaVariantId: Id,
  resourceId: Type.String(),
  secretId: Type.String(),
  toDelete: Type.Boolean(),
  canBeUpgraded: Type.Boolean(),
  attributes: Attributes,
  domainProps: Type.Array(ComponentPropView),
  resourceProps: Type.Array(ComponentPropView),
  connections: Type.Array(ConnectionView),
  views: Type.Array(ViewView),
});
export type ComponentView = Static<typeof ComponentView>;

export const FunctionRelationship = named("FunctionRelationshipV1", {
  functionName: Type.String(),
  dependsOn: Type.Optional(Type.Array(Type.String())),
  executionHistory: Type.Optional(
    Type.Array(Type.Object({ funcRunId: Id, startedAt: Timestamp, state: Type.String() })),
  ),
  executionStatus: optionalNull(
    Type.Object({
      actionId: optionalNull(Id),
      funcRunId: optionalNull(Id),
      hasActiveRun: Type.Boolean(),
      state: Type.String(),
    }),
  ),
});

export const ComponentDetails = named("ComponentDetailsV1", {
  componentId: Id,
  name: Type.String(),
  schemaName: Type.String(),
  codegen: Type.Optional(AnyJson),
  diffStatus: optionalNull(Type.String()),
  hasDiff: optionalNull(Type.Boolean()),
  hasResource: optionalNull(Type.Boolean()),
  resourceId: optionalNull(Type.String()),
  resourceStatus: optionalNull(Type.String()),
  revision: Type.Optional(Type.String({ description: "An addition: changes whenever a value does" })),
  actionFunctions: Type.Optional(Type.Array(FunctionRelationship)),
  managementFunctions: Type.Optional(Type.Array(FunctionRelationship)),
  qualificationFunctions: Type.Optional(Type.Array(FunctionRelationship)),
  manages: Type.Optional(Type.Array(Type.Object({ toComponentId: Id, toComponentName: Type.String() }))),
  subscriptions: Type.Optional(
    Type.Array(
      Type.Object({
        toComponentId: Id,
        toComponentName: Type.String(),
        fromPath: Type.String(),
        toPath: Type.String(),
        currentValue: Type.Optional(AnyJson),
      }),
    ),
  ),
});
export type ComponentDetails = Static<typeof ComponentDetails>;

export const GetComponent = named("GetComponentV1Response", {
  component: ComponentView,
  actionFunctions: Type.Array(Type.Object({ funcName: Type.String(), prototypeId: Id })),
  managementFunctions: Type.Array(Type.Object({ funcName: Type.String(), managementPrototypeId: Id })),
});

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
  includeExecutionHistory: flag("the last 10 runs of each function"),
};

const ComponentAnswer = Type.Object({ component: ComponentView });
const Name = Type.String({ minLength: 1, maxLength: 500 });
const base = "/v1/w/:workspaceId/change-sets/:changeSetId/components";
const one = `${base}/:componentId` as const;
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
const editing = [...missing, "componentNotFound", "changeSetNotActive", "headNotEditable"] as const;

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
    summary: "Create a component of a schema's default variant",
    access: "workspace",
    body: Type.Object({
      name: Name,
      schemaName: Type.String(),
      attributes: Type.Optional(Attributes),
      resourceId: optionalNull(Type.String()),
      viewName: optionalNull(Type.String()),
    }),
    response: ComponentAnswer,
    errors: [...editing, "schemaNotFound", "viewNotFound", "duplicateComponentName"],
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
    }),
    response: ComponentAnswer,
    errors: [...editing, "duplicateComponentName", "subscriptionCycle", "createOnlyProperty"],
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
});
