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
 * defaults fit. A mistake is a {@link Refusal} that names the property's path.
 */
export function checkVariant<Definition extends VariantDefinition>(variant: Definition): Definition {
  const seen = { count: 0 };
  checkMembers(variant.domain, "/domain", 1, seen);
  checkMembers(variant.secrets, "/secrets", 1, seen);
  checkMembers(variant.resourceValue, "/resource_value", 1, seen);
  if (variant.secretDefinition !== undefined) checkSecret(variant, variant.secretDefinition, seen);
  return variant;
}

function checkSecret(
  variant: VariantDefinition,
  { name, fields }: SecretDefinition,
  seen: { count: number },
): void {
  checkMembers(fields, "/secret_definition", 1, seen);
  if (variant.secrets.some((prop) => prop.name === name && prop.secret === name)) return;
  no(`/secrets/${name}`, "expected a property for the secret that the schema defines, found none");
}

const no = (at: string, problem: string): never => refuse("invalidRequest", `property ${at}: ${problem}`);

function checkMembers(
  members: readonly PropDefinition[],
  at: string,
  depth: number,
  seen: { count: number },
): void {
  const names = new Set<string>();
  for (const member of members) {
    if (names.has(member.name)) no(`${at}/${member.name}`, "expected each name once, found it twice");
    names.add(member.name);
    checkProp(member, at, depth, seen);
  }
}

function checkProp(prop: PropDefinition, parent: string, depth: number, seen: { count: number }): void {
  const at = `${parent}/${prop.name}`;
  seen.count += 1;
  if (seen.count > maximumProps) no(at, `expected at most ${maximumProps} properties in a schema`);
  if (depth > maximumPropDepth) no(at, `expected properties nested at most ${maximumPropDepth} deep`);
  checkName(prop.name, at);
  if (!propKinds.includes(prop.kind)) no(at, `expected one of ${propKinds.join(", ")}, found ${prop.kind}`);
  if (prop.kind !== "object" && prop.children !== undefined) no(at, "expected children in an object only");
  const holdsEntry = prop.kind === "array" || prop.kind === "map";
  if (!holdsEntry && prop.entry !== undefined) no(at, "expected an entry in an array or a map only");
  if (holdsEntry && prop.entry === undefined) no(at, `expected an entry: what the ${prop.kind} holds`);
  checkDefault(prop, at);
  checkMembers(prop.children ?? [], at, depth + 1, seen);
  if (prop.entry !== undefined) checkProp(prop.entry, at, depth + 1, seen);
}

function checkName(name: string, at: string): void {
  const bad = name === "__proto__" ? "the reserved name __proto__" : unstorable(name);
  if (bad !== undefined) no(at, `expected a name, found ${bad}`);
  if (name.length < 1 || name.length > maximumPropName) {
    no(at, `expected a name of 1 to ${maximumPropName} characters, found ${name.length}`);
  }
}

function checkDefault(prop: PropDefinition, at: string): void {
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
