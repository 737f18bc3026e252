import type { Static, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { findUnstorable } from "./text.ts";

const compiled = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made: Validator = Compile(schema);
  compiled.set(schema, made);
  return made;
}

/** Whether `value` has the shape of `schema`; compiles each schema once. */
export const matches = <const S extends TSchema>(schema: S, value: unknown): value is Static<S> =>
  validatorOf(schema).Check(value);

/**
 * What is wrong with `value` against `schema`, as one sentence that names the member, what was expected and what was
 * found; undefined when nothing is. `at` names the whole, such as `body`.
 */
export function explain(schema: TSchema, value: unknown, at: string): string | undefined {
  const unstorable = findUnstorable(value);
  if (unstorable !== undefined)
    return `${join(at, unstorable.path)}: expected plain text and data, found ${unstorable.found}`;
  const validator = validatorOf(schema);
  if (validator.Check(value)) return undefined;
  const errors = validator.Errors(value);
  // An `anyOf` failure stands after those of its branches: the last error of the shortest path is the whole story.
  const first = errors.findLast((error) => error.instancePath === errors[0]?.instancePath) ?? errors[0];
  if (first === undefined) return `${at}: expected another shape`;
  const keys = first.instancePath.split("/").slice(1).map(unescapePointer);
  const where = keys.map((key) =>
    key.length <= maximumKeyShown ? key : `${key.slice(0, maximumKeyShown)}…`,
  );
  if (first.keyword === "required") {
    const missing = first.params["requiredProperties"]?.[0] ?? "a member";
    const path = join(at, [...where, missing].join("."));
    return `${path}: expected ${describe(schemaAt(schema, [...keys, missing]))}, found nothing`;
  }
  const found = isWriteOnly(schema, keys) ? "something else" : showAt(value, keys, schema);
  return `${join(at, where.join("."))}: expected ${describe(schemaAt(schema, keys))}, found ${found}`;
}

/** Text in the place of a whole object may be anything, a password too: only its length is told. */
function showAt(value: unknown, keys: readonly string[], schema: unknown): string {
  const whole = keys.length === 0 && typeof value === "string" && isPlain(schema);
  if (whole && schema["type"] === "object") return `a string of ${value.length} characters`;
  return show(valueAt(value, keys));
}

/** Characters of a member's name that a message shows. */
const maximumKeyShown = 100;

/** Whether what stands there may be secret: the schema, an alternative, or one that it lies in, says `writeOnly`. */
const isWriteOnly = (schema: unknown, keys: readonly string[]): boolean =>
  [...keys, ""].some((_, depth) => saysWriteOnly(schemaAt(schema, keys.slice(0, depth))));

const saysWriteOnly = (schema: unknown): boolean =>
  isPlain(schema) &&
  (schema["writeOnly"] === true || (Array.isArray(schema["anyOf"]) && schema["anyOf"].some(saysWriteOnly)));

const join = (at: string, path: string): string => (path === "" ? at : `${at}.${path}`);
const unescapePointer = (segment: string): string => segment.replaceAll("~1", "/").replaceAll("~0", "~");

interface Plain {
  readonly [keyword: string]: unknown;
}
const isPlain = (value: unknown): value is Plain => typeof value === "object" && value !== null;

function schemaAt(schema: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => {
    if (!isPlain(at)) return undefined;
    const branches = Array.isArray(at["anyOf"]) ? at["anyOf"] : [at];
    for (const branch of branches) {
      if (!isPlain(branch)) continue;
      const properties = branch["properties"];
      if (isPlain(properties) && key in properties) return properties[key];
      if (isPlain(branch["items"])) return branch["items"];
      const patterns = branch["patternProperties"];
      if (isPlain(patterns)) return Object.values(patterns)[0];
    }
    return undefined;
  }, schema);
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => (isPlain(at) ? at[key] : undefined), value);
}

/** What a schema takes, in words: `a string of 1 to 200 characters`. */
export function describe(schema: unknown): string {
  if (!isPlain(schema)) return "another value";
  if (Array.isArray(schema["anyOf"])) return schema["anyOf"].map(describe).join(" or ");
  if (Array.isArray(schema["enum"])) return `one of ${schema["enum"].join(", ")}`;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  switch (schema["type"]) {
    case "string":
      return `a string${range(schema["minLength"], schema["maxLength"], "characters")}${pattern(schema)}`;
    case "integer":
      return `a whole number${range(schema["minimum"], schema["maximum"], "")}`;
    case "number":
      return `a number${range(schema["minimum"], schema["maximum"], "")}`;
    case "boolean":
      return "true or false";
    case "array":
      return `an array${range(schema["minItems"], schema["maxItems"], "items")}`;
    case "object":
      return "an object";
    case "null":
      return "null";
    default:
      return "another value";
  }
}

const pattern = (schema: Plain): string =>
  typeof schema["format"] === "string"
    ? ` (${schema["format"]})`
    : typeof schema["pattern"] === "string"
      ? ` like ${schema["pattern"]}`
      : "";

function range(least: unknown, most: unknown, unit: string): string {
  const tail = unit === "" ? "" : ` ${unit}`;
  if (typeof least === "number" && typeof most === "number") {
    return unit === "" ? ` from ${least} to ${most}` : ` of ${least} to ${most}${tail}`;
  }
  if (typeof least === "number") return unit === "" ? ` of ${least} or more` : ` of at least ${least}${tail}`;
  if (typeof most === "number") return ` of at most ${most}${tail}`;
  return "";
}

/** A value as it may stand in a message: its kind, and the value itself when it is short and harmless. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object") return "an object";
  if (typeof value !== "string") return String(value);
  return value.length <= 40 ? JSON.stringify(value) : `a string of ${value.length} characters`;
}
