import type { FunctionKind } from "../../src/contract/functions.ts";
import { maximumCode } from "./function-definitions.ts";
import type { FunctionArgument } from "./functions.ts";
import { unstorable } from "./json.ts";
import {
  choiceOf,
  flagOf,
  memberObject,
  objectsOf,
  optionalChoice,
  optionalFlag,
  optionalLink,
  optionalText,
  type Placed,
  present,
  senseless,
  textOf,
} from "./package-reader.ts";
import { upperFirst } from "./package-words.ts";
import type { PackageFunction } from "./packages.ts";

/** What runs a function, in the words of package specs, and what its functions are for. */
export const backendKinds = {
  array: "Intrinsic",
  boolean: "Intrinsic",
  debug: "Debug",
  diff: "Intrinsic",
  float: "Intrinsic",
  identity: "Intrinsic",
  integer: "Intrinsic",
  jsAction: "Action",
  jsAttribute: "Attribute",
  jsAuthentication: "Authentication",
  json: "Intrinsic",
  jsReconciliation: "Unknown",
  jsSchemaVariantDefinition: "SchemaVariantDefinition",
  jsValidation: "Unknown",
  management: "Management",
  map: "Intrinsic",
  normalizeToArray: "Intrinsic",
  object: "Intrinsic",
  resourcePayloadToValue: "Intrinsic",
  string: "Intrinsic",
  unset: "Intrinsic",
  validation: "Intrinsic",
} as const satisfies Readonly<Record<string, FunctionKind>>;

/** What functions return, in the words of package specs. */
export const responseTypes = [
  "action",
  "array",
  "boolean",
  "codeGeneration",
  "debug",
  "float",
  "identity",
  "integer",
  "json",
  "management",
  "map",
  "object",
  "qualification",
  "reconciliation",
  "schemaVariantDefinition",
  "string",
  "unset",
  "validation",
  "void",
] as const;

/** What an argument is declared to be, in the words of package specs. */
export const packageArgumentKinds = [
  "any",
  "array",
  "boolean",
  "float",
  "integer",
  "json",
  "map",
  "object",
  "string",
] as const;

/** The functions of a package by key, with their places; intrinsic ones have no code. Throws the refusal of the first mistake. */
export function readFunctions(
  specs: readonly Placed[],
): Map<string, { readonly func: PackageFunction; readonly at: string }> {
  const functions = new Map<string, { readonly func: PackageFunction; readonly at: string }>();
  for (const spec of present(specs)) {
    const func = readFunction(spec);
    const other = functions.get(func.key);
    if (other !== undefined)
      senseless(`${spec.at}.uniqueId`, `expected each id once, found that of ${other.at} again`);
    functions.set(func.key, { func, at: spec.at });
  }
  return functions;
}

function readFunction(spec: Placed): PackageFunction {
  const [name, key] = [textOf(spec, "name"), textOf(spec, "uniqueId")];
  optionalFlag(spec, "isFromBuiltin");
  const declared = present(objectsOf(spec, "arguments")).map(readArgument);
  const isIntrinsic = name.startsWith("si:");
  if (isIntrinsic && (spec.object["data"] ?? null) === null) return intrinsic(name, key, declared);
  if (!isIntrinsic && (spec.object["data"] ?? null) === null)
    senseless(`${spec.at}.data`, "expected what the function is, found nothing");
  const data = memberObject(spec, "data");
  const backend = choiceOf(data, "backendKind", backendWords);
  const response = choiceOf(data, "responseType", responseTypes);
  const handler = textOf(data, "handler");
  const code = textOf(data, "codeBase64", maximumEncoded);
  const described = {
    name: textOf(data, "name"),
    displayName: optionalText(data, "displayName") ?? null,
    description: optionalText(data, "description") ?? null,
    link: optionalLink(data, "link") ?? null,
    isTransformation: flagOf(data, "isTransformation"),
  };
  flagOf(data, "hidden");
  optionalText(data, "lastUpdatedAt");
  if (isIntrinsic) return intrinsic(name, key, declared);
  if (described.name !== name)
    senseless(`${data.at}.name`, `expected the name of ${spec.at}, found another one`);
  checkName(name, `${spec.at}.name`);
  if (handler === "") senseless(`${data.at}.handler`, "expected the name of a function in the code");
  return {
    ...described,
    key,
    kind: kindOf(backend, response),
    handler,
    code: decodeCode(code, `${data.at}.codeBase64`),
    isLocked: true,
    arguments: declared,
    ...(kindOf(backend, response) === "Attribute" ? { responseType: upperFirst(response) } : {}),
  };
}

// The keys of the table are its words.
const backendWords = Object.keys(backendKinds) as (keyof typeof backendKinds)[];

const intrinsic = (name: string, key: string, declared: readonly FunctionArgument[]): PackageFunction => ({
  key,
  name,
  displayName: null,
  description: null,
  link: null,
  kind: "Intrinsic",
  handler: "",
  code: "",
  isLocked: true,
  arguments: declared,
  isTransformation: false,
});

function kindOf(backend: keyof typeof backendKinds, response: (typeof responseTypes)[number]): FunctionKind {
  if (backend === "jsAttribute" && response === "codeGeneration") return "CodeGeneration";
  if (backend === "jsAttribute" && response === "qualification") return "Qualification";
  return backendKinds[backend];
}

function readArgument(spec: Placed): FunctionArgument {
  const elementKind = optionalChoice(spec, "elementKind", packageArgumentKinds);
  const name = textOf(spec, "name");
  if (name === "" || name === "__proto__") senseless(`${spec.at}.name`, "expected the name of an argument");
  return {
    name,
    kind: upperFirst(choiceOf(spec, "kind", packageArgumentKinds)),
    ...(elementKind === undefined ? {} : { elementKind: upperFirst(elementKind) }),
  };
}

/** Longest code in base64: three bytes of UTF-8 for each UTF-16 unit, four letters for three bytes. */
const maximumEncoded = maximumCode * 4;

/** Longest name of a function, in UTF-16 units: a key of what it makes. */
const maximumFunctionName = 200;

function checkName(name: string, at: string): void {
  if (name === "__proto__" || !/\S/.test(name) || /\p{Cc}/u.test(name) || name.length > maximumFunctionName)
    senseless(at, `expected a name of 1 to ${maximumFunctionName} characters to read in one line`);
}

function decodeCode(encoded: string, at: string): string {
  const code = decoded(encoded);
  if (code === undefined) return senseless(at, "expected UTF-8 text in base64, found what is not");
  const bad = unstorable(code);
  if (bad !== undefined) senseless(at, `expected code, found ${bad} in it`);
  if (code.length > maximumCode)
    senseless(at, `expected at most ${maximumCode} characters of code, found ${code.length}`);
  return code;
}

function decoded(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(encoded), (byte) => byte.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Code as package specs carry it: UTF-8 in base64 without padding. */
export function encodeCode(code: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(code)) bytes += String.fromCharCode(byte);
  return btoa(bytes).replace(/=+$/, "");
}
