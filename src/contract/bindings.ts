import Type, { type Static } from "typebox";
import { actionKinds } from "./actions.ts";
import { type Endpoint, group } from "./endpoint.ts";
import { FunctionCode, FunctionDescription, FunctionDisplayName, FunctionName } from "./functions.ts";
import { Id } from "./ids.ts";
import { named, optionalNull, Success } from "./shapes.ts";

/** What an argument of a function is declared to be; values are not judged by it. */
export const argumentKinds = [
  "Any",
  "Array",
  "Boolean",
  "Float",
  "Integer",
  "Json",
  "Map",
  "Object",
  "String",
] as const;
export type ArgumentKind = (typeof argumentKinds)[number];

/** Most arguments of one function, of its 2 MB of request. */
const maximumArguments = 100;

/** Where one argument of an attribute function comes from. */
export const AttributeArgumentBinding = named("AttributeArgumentBindingRequest", {
  name: Type.String({ minLength: 1, maxLength: 200, description: "The member of `main`'s argument" }),
  kind: Type.String({ description: argumentKinds.join(", ") }),
  elementKind: optionalNull(
    Type.String({ description: "What an `Array` holds; needed there, and only there" }),
  ),
  propId: optionalNull(
    Type.String({
      description: "The property of the same component whose value it is; wins over `staticValue`",
    }),
  ),
  staticValue: Type.Optional(Type.Unknown({ description: "A fixed value, where there is no `propId`" })),
});
export type AttributeArgumentBinding = Static<typeof AttributeArgumentBinding>;

const about = {
  code: FunctionCode,
  name: FunctionName,
  description: optionalNull(FunctionDescription),
  displayName: optionalNull(FunctionDisplayName),
};
const skipOverlay = optionalNull(
  Type.Boolean({
    description:
      "Bind to the variant alone, which must be unlocked. Otherwise a function of a schema that was installed from a catalogue goes to all of its variants (an overlay)",
  }),
);
const FunctionBody = Type.Object({ ...about, skipOverlay });

const base =
  "/v1/w/:workspaceId/change-sets/:changeSetId/schemas/:schemaId/variant/:schemaVariantId/funcs" as const;
const missing = ["workspaceNotFound", "changeSetNotFound", "schemaNotFound", "variantNotFound"] as const;
const changing = [
  ...missing,
  "variantNotOfSchema",
  "headNotEditable",
  "changeSetNotActive",
  "variantLocked",
] as const;
const binding = [...changing, "duplicateFunctionName"] as const;
const FunctionId = Type.Object({ funcId: Id });

const accepted =
  "The code is taken as it is: what is wrong with it shows in the function's runs, with the line.";

const bind = <const Kind extends string>(kind: Kind, summary: string) =>
  ({
    method: "POST",
    path: `${base}/${kind}`,
    summary,
    description: accepted,
    access: "workspace",
    response: FunctionId,
    errors: binding,
  }) as const satisfies Endpoint;

const detach = <const Kind extends string>(kind: Kind, summary: string) =>
  ({
    method: "DELETE",
    path: `${base}/${kind}/:funcId`,
    summary,
    description: "The function itself stays.",
    access: "workspace",
    response: Success,
    errors: [...changing, "functionNotFound"],
  }) as const satisfies Endpoint;

/** Functions at work in a variant: made and bound in one request, detached in another. */
export const bindings = group({
  createAction: {
    ...bind("action", "Give a variant an action: at most one of each kind, any number of Manual ones"),
    body: Type.Object({
      ...about,
      kind: Type.String({ description: `${actionKinds.join(", ")}; in any letter case` }),
      skipOverlay,
    }),
    errors: [...binding, "duplicateActionKind"],
  },
  deleteAction: detach("action", "Take an action from a variant; where it is queued it is dropped"),
  createAttribute: {
    ...bind("attribute", "Have a property computed, in all components of a variant or in one component"),
    description: `A function that computed the property before makes way. What is set on a component wins over it. ${accepted}`,
    body: Type.Object({
      ...about,
      argumentBindings: Type.Array(AttributeArgumentBinding, { maxItems: maximumArguments }),
      propId: Type.String({ description: "The property that takes the result, in no array and no map" }),
      componentId: optionalNull(
        Type.String({ description: "The one component that it is for; its variant may be locked" }),
      ),
      skipOverlay,
    }),
    response: Type.Object({ attributePrototypeId: Id, funcId: Id }),
    errors: [...binding, "componentNotFound", "subscriptionCycle"],
  },
  deleteAttribute: detach("attribute", "Have a property no longer computed by a function"),
  createAuthentication: {
    ...bind(
      "authentication",
      "Have a function run before those of components that hold a secret of this schema",
    ),
    body: Type.Object(about),
  },
  deleteAuthentication: detach("authentication", "Have an authentication function no longer run"),
  createCodegen: {
    ...bind("codegen", "Generate code from `/domain`, under `/code/<name>` of each component"),
    body: FunctionBody,
    errors: [...binding, "subscriptionCycle"],
  },
  deleteCodegen: detach("codegen", "Have code no longer generated; what was generated goes"),
  createManagement: { ...bind("management", "Give a variant a management function"), body: FunctionBody },
  deleteManagement: detach("management", "Take a management function from a variant"),
  createQualification: {
    ...bind("qualification", "Judge each component, under `/qualification/<name>`"),
    body: FunctionBody,
    errors: [...binding, "subscriptionCycle"],
  },
  deleteQualification: detach("qualification", "Have components no longer judged; what was found goes"),
});
