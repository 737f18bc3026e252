import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { named, optionalNull, Success } from "./shapes.ts";

/** What a function is for, as the API names it. */
export const functionKinds = [
  "Action",
  "Attribute",
  "Authentication",
  "CodeGeneration",
  "Debug",
  "Intrinsic",
  "Management",
  "Qualification",
  "SchemaVariantDefinition",
  "Unknown",
] as const;
export type FunctionKind = (typeof functionKinds)[number];

/** Longest source of a function, in UTF-16 units: half of what a JSON body may hold. */
export const maximumCode = 1_000_000;
/** Longest name, in UTF-16 units; it is indexed, and a key of what the function makes. */
export const maximumFunctionName = 200;
/** Longest description, in UTF-16 units. */
const maximumFunctionDescription = 10_000;

export const FunctionCode = Type.String({
  maxLength: maximumCode,
  description: "TypeScript with a function `main`, exported or not",
});
export const FunctionName = Type.String({ minLength: 1, maxLength: maximumFunctionName });
export const FunctionDisplayName = Type.String({ maxLength: maximumFunctionName });
export const FunctionDescription = Type.String({ maxLength: maximumFunctionDescription });

/** A function as the API shows it; its id is in the path. */
export const FunctionView = named("GetFuncV1Response", {
  name: Type.String(),
  kind: Type.String({ description: functionKinds.join(", ") }),
  code: Type.String({
    description: "Empty for the functions that every workspace has, such as `si:identity`",
  }),
  isLocked: Type.Boolean(),
  description: optionalNull(Type.String()),
  displayName: optionalNull(Type.String()),
  link: optionalNull(Type.String()),
});
export type FunctionView = Static<typeof FunctionView>;

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/funcs";
const one = `${base}/:funcId` as const;
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;
const changing = [...missing, "headNotEditable", "changeSetNotActive"] as const;
const described = {
  description: optionalNull(FunctionDescription),
  displayName: optionalNull(FunctionDisplayName),
};

export const functions = group({
  createTransformation: {
    method: "POST",
    path: `${base}/transformation`,
    summary: "Make a function that subscriptions may pass a value through",
    description:
      "`main` is called with `{input}`, the value that is subscribed to. Name it, or its id, as `func` of an attribute's `$source`.",
    access: "workspace",
    body: Type.Object({ code: FunctionCode, name: FunctionName, ...described }),
    response: Type.Object({ funcId: Id }),
    errors: changing,
  },
  get: {
    method: "GET",
    path: one,
    summary: "One function with its code",
    access: "workspace",
    revision: "layer",
    response: FunctionView,
    errors: [...missing, "functionNotFound"],
  },
  update: {
    method: "PUT",
    path: one,
    summary: "Replace a function's code and what describes it",
    description:
      "Its name stays. No `displayName` or `description` clears it. A locked function that is bound to a variant is unlocked first; one that is only bound as an overlay, or to one component, or not at all, is changed as it is.",
    access: "workspace",
    body: Type.Object({ code: FunctionCode, ...described }),
    response: Success,
    errors: [...changing, "functionNotFound", "functionLocked"],
  },
  unlock: {
    method: "POST",
    path: `${one}/unlock`,
    summary: "Get a function of an unlocked variant that may be changed",
    description:
      "An unlocked one is answered as it is; of a locked one the variant gets a copy of its own, once, while other variants keep the original.",
    access: "workspace",
    body: Type.Object({
      schemaVariantId: Type.String({ description: "An unlocked variant that it is bound to" }),
    }),
    response: Type.Object({ unlockedFuncId: Id }),
    errors: [...changing, "functionNotFound", "variantLocked"],
  },
});
