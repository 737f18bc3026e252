import type { ErrorName } from "../../src/contract/errors.ts";
import { describe, type Json, unstorable } from "./json.ts";
import {
  isContainer,
  type PropDefinition,
  propKinds,
  type SecretDefinition,
  type VariantDefinition,
} from "./props.ts";
import { refuse } from "./refusal.ts";

/** Most properties of one variant. */
const maximumProps = 5_000;

/** Deepest nesting of the properties of one variant; each level may be a level of a value. */
const maximumPropDepth = 32;

/** Longest name of a property, in UTF-16 units. */
const maximumPropName = 200;

/**
 * Checks what a schema declares before it is installed: every property is named once, containers say what they hold,
 * defaults fit. A mistake is a {@link Refusal} of that error which names the property's path.
 */
export function checkVariant<Definition extends Declared>(
  variant: Definition,
  error: ErrorName = "invalidRequest",
): Definition {
  const seen: Seen = {
    count: 0,
    no: (at, problem) => refuse(error, `property ${at}: ${problem}`),
  };
  checkMembers(variant.domain, "/domain", 1, seen);
  checkMembers(variant.secrets, "/secrets", 1, seen);
  checkMembers(variant.resourceValue, "/resource_value", 1, seen);
  if (variant.secretDefinition !== undefined) checkSecret(variant, variant.secretDefinition, seen);
  return variant;
}

type Declared = Pick<VariantDefinition, "domain" | "secrets" | "resourceValue" | "secretDefinition">;

/** What was met so far, and how a mistake is told. */
interface Seen {
  count: number;
  readonly no: (at: string, problem: string) => never;
}

function checkSecret(variant: Declared, { name, fields }: SecretDefinition, seen: Seen): void {
  checkMembers(fields, "/secret_definition", 1, seen);
  if (variant.secrets.some((prop) => prop.name === name && prop.secret === name)) return;
  seen.no(`/secrets/${name}`, "expected a property for the secret that the schema defines, found none");
}

function checkMembers(members: readonly PropDefinition[], at: string, depth: number, seen: Seen): void {
  const names = new Set<string>();
  for (const member of members) {
    if (names.has(member.name)) seen.no(`${at}/${member.name}`, "expected each name once, found it twice");
    names.add(member.name);
    checkProp(member, at, depth, seen);
  }
}

function checkProp(prop: PropDefinition, parent: string, depth: number, seen: Seen): void {
  const at = `${parent}/${prop.name}`;
  const { no } = seen;
  seen.count += 1;
  if (seen.count > maximumProps) no(at, `expected at most ${maximumProps} properties in a schema`);
  if (depth > maximumPropDepth) no(at, `expected properties nested at most ${maximumPropDepth} deep`);
  checkName(prop.name, at, seen);
  if (!propKinds.includes(prop.kind)) no(at, `expected one of ${propKinds.join(", ")}, found ${prop.kind}`);
  if (prop.kind !== "object" && prop.children !== undefined) no(at, "expected children in an object only");
  const holdsEntry = prop.kind === "array" || prop.kind === "map";
  if (!holdsEntry && prop.entry !== undefined) no(at, "expected an entry in an array or a map only");
  if (holdsEntry && prop.entry === undefined) no(at, `expected an entry: what the ${prop.kind} holds`);
  checkDefault(prop, at, seen);
  checkMembers(prop.children ?? [], at, depth + 1, seen);
  if (prop.entry !== undefined) checkProp(prop.entry, at, depth + 1, seen);
}

function checkName(name: string, at: string, { no }: Seen): void {
  const bad = name === "__proto__" ? "the reserved name __proto__" : unstorable(name);
  if (bad !== undefined) no(at, `expected a name, found ${bad}`);
  if (name.length < 1 || name.length > maximumPropName) {
    no(at, `expected a name of 1 to ${maximumPropName} characters, found ${name.length}`);
  }
}

function checkDefault(prop: PropDefinition, at: string, { no }: Seen): void {
  const value = prop.defaultValue ?? null;
  if (value === null) return;
  if (isContainer(prop.kind))
    no(at, `expected a default in a property that holds no others, found one in ${prop.kind}`);
  const fits: Readonly<Record<string, (value: Json) => boolean>> = {
    integer: Number.isSafeInteger,
    float: Number.isFinite,
    boolean: (given) => typeof given === "boolean",
  };
  const isText = (given: Json): boolean => typeof given === "string" && unstorable(given) === undefined;
  if (!(fits[prop.kind] ?? isText)(value))
    no(at, `expected a default of kind ${prop.kind}, found ${describe(value)}`);
}
