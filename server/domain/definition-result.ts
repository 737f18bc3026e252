import { accept, type Judged, presentOf, type Returned, reject } from "./function-results.ts";
import { describe, isArray, isObject, type Json, type JsonObject } from "./json.ts";

/** A property as the builders make it, checked as far as its own members go. */
export interface BuiltProp extends JsonObject {
  readonly name: string;
  readonly kind: string;
}

/** A schema as its code defines it; lists that were not given are empty. */
export interface DefinitionResult {
  readonly props: readonly BuiltProp[];
  readonly secretProps: readonly BuiltProp[];
  readonly resourceProps: readonly BuiltProp[];
  /** The fields of the secret that the schema defines. */
  readonly secretDefinition?: readonly BuiltProp[];
  readonly inputSockets: readonly JsonObject[];
  readonly outputSockets: readonly JsonObject[];
  readonly siPropValueFroms: readonly JsonObject[];
}

const lists = [
  "props",
  "secretProps",
  "resourceProps",
  "secretDefinition",
  "inputSockets",
  "outputSockets",
  "siPropValueFroms",
];
const kinds = ["array", "boolean", "float", "integer", "json", "map", "object", "string"];

/** Reads what the code of a schema returned: what `AssetBuilder.build()` gives. The first mistake is named with its place. */
export function definitionResult(returned: Returned): Judged<DefinitionResult> {
  if (returned === undefined || returned === null) return reject("definition cannot be undefined or null");
  if (!isObject(returned)) return reject("definition must be what AssetBuilder.build() returns");
  const unknown = Object.keys(returned).find((name) => !lists.includes(name) && name !== "docLinks");
  if (unknown !== undefined)
    return reject(
      `definition has the unknown member ${JSON.stringify(unknown)}: return what AssetBuilder.build() gives`,
    );
  const problem = lists.map((name) => listProblem(returned, name)).find((found) => found !== undefined);
  if (problem !== undefined) return reject(problem);
  // Checked above, member by member.
  const props = (name: string): readonly BuiltProp[] => listOf(returned, name) as readonly BuiltProp[];
  return accept({
    props: props("props"),
    secretProps: props("secretProps"),
    resourceProps: props("resourceProps"),
    ...(presentOf(returned, "secretDefinition") === undefined
      ? {}
      : { secretDefinition: props("secretDefinition") }),
    inputSockets: listOf(returned, "inputSockets"),
    outputSockets: listOf(returned, "outputSockets"),
    siPropValueFroms: listOf(returned, "siPropValueFroms"),
  });
}

function listOf(holder: JsonObject, name: string): readonly JsonObject[] {
  const list = presentOf(holder, name);
  return isArray(list) ? list.filter((item) => isObject(item)) : [];
}

function listProblem(definition: JsonObject, name: string): string | undefined {
  const list = presentOf(definition, name) ?? [];
  if (!isArray(list)) return `expected an array in ${name}, found ${describe(list)}`;
  const isProps = !/socket|from/i.test(name);
  return list
    .map((item, index) =>
      isProps ? propProblem(item, `${name}[${index}]`) : shapeProblem(item, `${name}[${index}]`),
    )
    .find((found) => found !== undefined);
}

const shapeProblem = (item: Json, at: string): string | undefined =>
  isObject(item) ? undefined : `expected what a builder's build() returns in ${at}, found ${describe(item)}`;

function propProblem(prop: Json, at: string): string | undefined {
  if (!isObject(prop)) return `expected what PropBuilder.build() returns in ${at}, found ${describe(prop)}`;
  const name = presentOf(prop, "name");
  if (typeof name !== "string" || name === "") return `the property ${at} has no name: call setName`;
  const here = `${at} ("${name}")`;
  const kind = presentOf(prop, "kind");
  if (kind === undefined) return `the property ${here} has no kind: call setKind`;
  if (typeof kind !== "string" || !kinds.includes(kind))
    return `the property ${here} is of the unknown kind ${describe(kind)}: expected one of ${kinds.join(", ")}`;
  const entry = presentOf(prop, "entry");
  if ((kind === "array" || kind === "map") && entry === undefined)
    return `the property ${here} of kind ${kind} does not say what it holds: call setEntry`;
  return linkProblem(prop, here) ?? textProblem(prop, here) ?? innerProblem(prop, at);
}

function innerProblem(prop: JsonObject, at: string): string | undefined {
  const children = presentOf(prop, "children") ?? [];
  if (!isArray(children)) return `expected an array in ${at}.children, found ${describe(children)}`;
  const problem = children
    .map((child, index) => propProblem(child, `${at}.children[${index}]`))
    .find((found) => found !== undefined);
  const entry = presentOf(prop, "entry");
  return problem ?? (entry === undefined ? undefined : propProblem(entry, `${at}.entry`));
}

function linkProblem(prop: JsonObject, here: string): string | undefined {
  const link = presentOf(prop, "docLink");
  if (link === undefined || (typeof link === "string" && /^[a-z][a-z0-9+.-]*:\/\/[^\s/]+/i.test(link)))
    return undefined;
  return `the property ${here} has a docLink that is not a URL: ${describe(link)}`;
}

function textProblem(prop: JsonObject, here: string): string | undefined {
  const texts = { documentation: "string", validationFormat: "string", hidden: "boolean" } as const;
  for (const [name, type] of Object.entries(texts)) {
    const value = presentOf(prop, name);
    if (value !== undefined && typeof value !== type)
      return `the property ${here} has a ${name} that is no ${type}: ${describe(value)}`;
  }
  return undefined;
}
