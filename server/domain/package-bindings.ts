import type { ActionKind } from "../../src/contract/actions.ts";
import { functionKindOf } from "./function-definitions.ts";
import type { BindingKind, BoundArgument } from "./functions.ts";
import type { Json } from "./json.ts";
import type { PropFunction } from "./package-props.ts";
import {
  choiceOf,
  flagOf,
  listOf,
  objectsOf,
  optionalObject,
  optionalObjects,
  optionalText,
  type Placed,
  present,
  senseless,
  textOf,
  unreadable,
} from "./package-reader.ts";
import type { PackageBinding, PackageFunction } from "./packages.ts";
import { formatPointer } from "./pointers.ts";
import { findProp, type Prop } from "./props.ts";

/** The functions of a package by key. */
export type FunctionsByKey = ReadonlyMap<string, { readonly func: PackageFunction; readonly at: string }>;

/** Kinds of actions in the words of package specs. */
export const actionWords = {
  create: "Create",
  refresh: "Refresh",
  other: "Manual",
  delete: "Destroy",
  update: "Update",
} as const satisfies Readonly<Record<string, ActionKind>>;

/** Kinds of functions that make one entry of a map, in the words of package specs. */
export const leafWords = { codeGeneration: "codegen", qualification: "qualification" } as const;

/** What such a function may be given, in the words of package specs, and the members of a component that they are. */
export const leafInputs = {
  code: "code",
  deletedAt: "deleted_at",
  domain: "domain",
  resource: "resource",
  secrets: "secrets",
} as const;

/** Between the names of a property's path in package specs. */
export const pathSeparator = "\u000b";

const words = <Word extends string>(table: Readonly<Record<Word, unknown>>): Word[] =>
  // The keys of a literal table are its words.
  Object.keys(table) as Word[];

/** The function that a member names, which has to be in the package and of the kind that is bound there. */
export function functionAt(
  functions: FunctionsByKey,
  spec: Placed,
  kind: PackageFunction["kind"],
): PackageFunction {
  const at = `${spec.at}.funcUniqueId`;
  const found = namedFunction(functions, textOf(spec, "funcUniqueId"), at);
  if (found.kind !== kind)
    senseless(
      at,
      `expected a function of kind ${kind}, ${JSON.stringify(found.name)} is of kind ${found.kind}`,
    );
  return found;
}

const namedFunction = (functions: FunctionsByKey, key: string, at: string): PackageFunction =>
  functions.get(key)?.func ??
  senseless(at, `no function of the package has the uniqueId ${JSON.stringify(key.slice(0, 100))}`);

/** What the lists of functions of a variant bind, in order; attribute functions are read by {@link attributeBindings}. */
export function listedBindings(variant: Placed, functions: FunctionsByKey): PackageBinding[] {
  const bound = (list: string, kind: BindingKind) =>
    present(objectsOf(variant, list)).map((spec) => {
      optionalText(spec, "name");
      return { spec, kind, func: functionAt(functions, spec, functionKindOf[kind]).key };
    });
  const actions = bound("actionFuncs", "action").map(({ spec, kind, func }) => ({
    kind,
    func,
    actionKind: actionWords[choiceOf(spec, "kind", words(actionWords))],
  }));
  const authentications = bound("authFuncs", "authentication").map(({ kind, func }) => ({ kind, func }));
  const leaves = present(objectsOf(variant, "leafFunctions")).map((spec) => readLeaf(spec, functions));
  const managements = bound("managementFuncs", "management").map(({ spec, kind, func }) => {
    textOf(spec, "name");
    optionalText(spec, "description");
    return { kind, func };
  });
  return [...actions, ...authentications, ...leaves, ...managements];
}

function readLeaf(spec: Placed, functions: FunctionsByKey): PackageBinding {
  const kind = leafWords[choiceOf(spec, "leafKind", words(leafWords))];
  const inputs = listOf(spec, "inputs").map(({ value, at }) => {
    const word = words(leafInputs).find((each) => each === value);
    return word === undefined
      ? unreadable(at, `one of ${words(leafInputs).join(", ")}`, value)
      : leafInputs[word];
  });
  return { kind, func: functionAt(functions, spec, functionKindOf[kind]).key, inputs };
}

/**
 * The bindings of functions that give properties their values. An identity of another property is one; what names
 * other intrinsic functions binds nothing: defaults stand at the property itself, and sockets carry no values.
 */
export const attributeBindings = (
  named: readonly PropFunction[],
  functions: FunctionsByKey,
  props: Prop,
): PackageBinding[] => named.flatMap((one) => attributeBinding(one, functions, props) ?? []);

function attributeBinding(
  { pointer, func: key, inputs, at }: PropFunction,
  functions: FunctionsByKey,
  props: Prop,
): PackageBinding | undefined {
  const func = namedFunction(functions, key, `${at}.funcUniqueId`);
  const read = inputs.map((input) => readInput(input, props));
  if (func.kind === "Intrinsic") {
    const [from, ...more] = read;
    if (func.name !== identity || pointer === undefined || from?.path === undefined || more.length > 0)
      return undefined;
    return {
      kind: "attribute",
      func: key,
      output: pointer,
      arguments: [{ name: "identity", kind: "Any", path: from.path }],
    };
  }
  if (func.kind !== "Attribute")
    senseless(`${at}.funcUniqueId`, `expected a function of kind Attribute, found ${func.kind}`);
  if (pointer === undefined)
    return senseless(
      `${at}.funcUniqueId`,
      "expected a function only where a component has one value, found one inside of an array or a map",
    );
  const bound = read.map((input) => boundArgument(input, func));
  const names = new Set(bound.map(({ name }) => name));
  if (names.size < bound.length) senseless(`${at}.inputs`, "expected each argument once, found one twice");
  return { kind: "attribute", func: key, output: pointer, arguments: bound };
}

function boundArgument({ name, path, value, at }: ReadInput, func: PackageFunction): BoundArgument {
  if (path === undefined && value === undefined)
    return senseless(at, "expected a property, found a socket, which carries no values");
  const declared = func.arguments.find((argument) => argument.name === name);
  const { kind, elementKind } = declared ?? { kind: "Any" };
  return {
    name,
    kind,
    ...(elementKind === undefined ? {} : { elementKind }),
    ...(path === undefined ? { value: value ?? null } : { path }),
  };
}

/** The intrinsic function that passes a value on. */
const identity = "si:identity";

/** The one property of a component's own facts that a variant may compute. */
export const colorPointer = "/si/color";

/** Functions that feed a component's own facts. */
export const ownFunctions = (variant: Placed): PropFunction[] =>
  present(objectsOf(variant, "siPropFuncs")).flatMap((spec) => {
    const kind = choiceOf(spec, "kind", ["color", "name", "resourcePayload"]);
    const named = { func: textOf(spec, "funcUniqueId"), inputs: objectsOf(spec, "inputs"), at: spec.at };
    return kind === "color" ? [{ pointer: colorPointer, ...named }] : [];
  });

const inputKinds = ["prop", "inputSocket", "outputSocket", "value"] as const;

interface ReadInput {
  readonly name: string;
  readonly at: string;
  /** Of a property. */
  readonly path?: string;
  readonly value?: Json;
}

function readInput(input: Placed, props: Prop): ReadInput {
  const kind = choiceOf(input, "kind", inputKinds);
  const name = textOf(input, "name");
  if (kind === "value") return { name, at: input.at, value: input.object["value"] ?? null };
  if (kind !== "prop") {
    textOf(input, "socket_name");
    return { name, at: input.at };
  }
  const path = readPath(textOf(input, "prop_path"), props, `${input.at}.prop_path`);
  return { name, at: input.at, path };
}

/** The pointer of a path such as `root␋domain␋region`. */
function readPath(text: string, props: Prop, at: string): string {
  const [root, ...names] = text.split(pathSeparator);
  let prop: Prop | undefined = root === "root" && names.length > 0 ? props : undefined;
  for (const name of names) prop = prop?.kind === "object" ? prop.children.get(name) : undefined;
  const pointer = formatPointer(names);
  if (prop !== undefined && findProp(props, pointer) === prop) return pointer;
  const shown = text.slice(0, 200).replaceAll(pathSeparator, "/");
  return senseless(
    at,
    `expected the path of a property that a component has once, found ${JSON.stringify(shown)}`,
  );
}

/** Reads what is accepted and has no effect here: sockets, and what feeds root properties. */
export function readWithoutEffect(variant: Placed, functions: FunctionsByKey, props: Prop): void {
  for (const spec of present(optionalObjects(variant, "rootPropFuncs"))) {
    choiceOf(spec, "prop", rootProps);
    namedFunction(functions, textOf(spec, "funcUniqueId"), `${spec.at}.funcUniqueId`);
    for (const input of objectsOf(spec, "inputs")) readInput(input, props);
  }
  for (const spec of present(objectsOf(variant, "sockets"))) {
    textOf(spec, "name");
    const data = optionalObject(spec, "data");
    if (data !== undefined) readSocket(data);
    for (const input of objectsOf(spec, "inputs")) readInput(input, props);
  }
}

function readSocket(data: Placed): void {
  choiceOf(data, "kind", ["input", "output"]);
  for (const name of ["name", "connectionAnnotations"]) textOf(data, name);
  choiceOf(data, "arity", ["many", "one"]);
  flagOf(data, "uiHidden");
  optionalText(data, "funcUniqueId");
}

const rootProps = [
  "Code",
  "Domain",
  "Qualification",
  "Resource",
  "ResourceValue",
  "SecretDefinition",
  "Secrets",
];
