import type { FunctionArgument, FunctionDefinition } from "./functions.ts";
import { isArray, isObject, type Json, memberOf } from "./json.ts";

/** A function that every workspace has and nobody wrote. */
interface Intrinsic {
  readonly description: string;
  readonly arguments: readonly FunctionArgument[];
  /** What it makes of the value of a subscription; absent where it takes none. */
  readonly apply?: (input: Json) => Json | undefined;
}

/** The name of the function that judges values by their validation formats. */
export const validationName = "si:validation";

const setter = (kind: string): Intrinsic => ({
  description: `Sets a property of kind ${kind.toLowerCase()} to a fixed value.`,
  arguments: [{ name: "value", kind }],
});

const table: Readonly<Record<string, Intrinsic>> = {
  "si:identity": {
    description: "Passes a value on as it is.",
    arguments: [{ name: "identity", kind: "Any" }],
    apply: (input) => input,
  },
  "si:normalizeToArray": {
    description:
      "Passes a list on as it is, and anything else as a list of it alone; of nothing an empty list.",
    arguments: [{ name: "value", kind: "Any" }],
    apply: (input) => (isArray(input) ? input : input === null ? [] : [input]),
  },
  "si:resourcePayloadToValue": {
    description: "Gives what is recorded of a resource to the properties of the same names.",
    arguments: [{ name: "payload", kind: "Any" }],
    apply: (input) =>
      isObject(input) && isObject(memberOf(input, "payload")) ? memberOf(input, "payload") : input,
  },
  "si:setArray": setter("Array"),
  "si:setBoolean": setter("Boolean"),
  "si:setFloat": setter("Float"),
  "si:setInteger": setter("Integer"),
  "si:setJson": setter("Json"),
  "si:setMap": setter("Map"),
  "si:setObject": setter("Object"),
  "si:setString": setter("String"),
  "si:unset": { description: "Leaves a property unset.", arguments: [] },
  [validationName]: {
    description: "Judges the values of a component by the validation formats of their properties.",
    arguments: [
      { name: "formats", kind: "Array", elementKind: "String" },
      { name: "values", kind: "Array", elementKind: "Object" },
    ],
  },
};

/** Names of the functions that every workspace has. */
export const intrinsicNames: readonly string[] = Object.keys(table);

/** Whether a function of every workspace has that name. */
export const isIntrinsic = (name: string): boolean => Object.hasOwn(table, name);

/** Whether that function may stand between a subscription and its subscriber. */
export const isTransforming = (name: string): boolean => find(name)?.apply !== undefined;

/** What the function of that name makes of the value of a subscription; undefined where there is none, or no such function. */
export const transform = (name: string, input: Json): Json | undefined => find(name)?.apply?.(input);

/** The function of that name as others are defined; undefined when no workspace has it. */
export function intrinsicDefinition(name: string): FunctionDefinition | undefined {
  const found = find(name);
  return (
    found && {
      name,
      displayName: null,
      description: found.description,
      link: null,
      kind: "Intrinsic",
      handler: "",
      code: "",
      isLocked: true,
      arguments: found.arguments,
      isTransformation: found.apply !== undefined,
    }
  );
}

const find = (name: string): Intrinsic | undefined => (isIntrinsic(name) ? table[name] : undefined);
