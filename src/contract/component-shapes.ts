import Type, { type Static } from "typebox";
import { Id, Timestamp } from "./ids.ts";
import { AnyJson, named, optionalNull } from "./shapes.ts";

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
export type FunctionRelationship = Static<typeof FunctionRelationship>;

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
  toDelete: Type.Optional(Type.Boolean({ description: "An addition: true where it is marked for deletion" })),
  canBeUpgraded: Type.Optional(
    Type.Boolean({ description: "An addition: true where its schema has a later variant" }),
  ),
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
export type ComponentAnswer = Static<typeof GetComponent>;

/** Exactly one of the two; both or neither is a mistake. */
export const ComponentReference = named("ComponentReference", {
  component: Type.Optional(Type.String({ description: "Name of a component" })),
  componentId: Type.Optional(Id),
});
export type ComponentReference = Static<typeof ComponentReference>;

export const ResourceData = named("ResourceData", {
  status: Type.String({ description: "ok, warning or error" }),
  payload: Type.Optional(AnyJson),
  last_synced: Timestamp,
});
export type ResourceData = Static<typeof ResourceData>;
