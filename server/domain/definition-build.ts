import { copiesOf, type ValueCopy } from "./definition-copies.ts";
import type { BuiltProp, DefinitionResult } from "./definition-result.ts";
import { checkVariant } from "./definitions.ts";
import { presentOf } from "./function-results.ts";
import { describe, isArray, isObject, type Json, type JsonObject } from "./json.ts";
import type {
  PropDefinition,
  PropKind,
  SecretDefinition,
  SuggestedSource,
  VariantDefinition,
} from "./props.ts";
import { refuse } from "./refusal.ts";
import { secretKindIn, widgetIn } from "./widgets.ts";

/** The part of a variant that its code declares. */
export interface BuiltDefinition
  extends Pick<VariantDefinition, "domain" | "secrets" | "resourceValue" | "secretDefinition"> {
  /** Properties that take the value of another one of the same component. */
  readonly copies: readonly ValueCopy[];
}

/**
 * What a definition declares, with every property in its one normal form: no members that say what is so anyway. The
 * first mistake is a {@link Refusal} `definitionFailed` that names the property's path.
 */
export function buildDefinition(result: DefinitionResult): BuiltDefinition {
  const secretDefinition = secretOf(result);
  const declared = {
    domain: result.props.map((prop) => propOf(prop, "/domain")),
    secrets: result.secretProps.map((prop) => secretPropOf(prop, "/secrets")),
    ...(secretDefinition === undefined ? {} : { secretDefinition }),
    resourceValue: result.resourceProps.map((prop) => propOf(prop, "/resource_value")),
  };
  checkVariant(declared, "definitionFailed");
  return { ...declared, copies: copiesOf(result, declared) };
}

const no = (at: string, problem: string): never => refuse("definitionFailed", `property ${at}: ${problem}`);

/** The kind of secret that the schema defines: it is named by the secret property that comes with it. */
function secretOf(result: DefinitionResult): SecretDefinition | undefined {
  if (result.secretDefinition === undefined) return undefined;
  const own = result.secretProps.filter(
    (prop) => prop["hasInputSocket"] === false && prop.name === secretKindIn(prop),
  );
  const sockets = new Set(result.outputSockets.map((socket) => presentOf(socket, "name")));
  const named = own.find(({ name }) => sockets.has(name)) ?? own[0];
  if (named === undefined) {
    return no("/secret_definition", "expected a name for the secret: add it with AssetBuilder.defineSecret");
  }
  if (result.secretDefinition.length === 0) {
    return no("/secret_definition", "expected at least one field that the secret consists of, found none");
  }
  const fields = result.secretDefinition.map((prop) => propOf(prop, "/secret_definition"));
  return { name: named.name, fields };
}

function secretPropOf(built: BuiltProp, parent: string): PropDefinition {
  const at = `${parent}/${built.name}`;
  const secret = secretKindIn(built);
  if (secret === undefined) {
    return no(
      at,
      "expected the name of a secret definition: build it with SecretPropBuilder and setSecretKind",
    );
  }
  if (built.kind !== "string") no(at, `expected a secret of kind string, found ${built.kind}`);
  return { name: built.name, kind: "string", ...describedIn(built, at), secret };
}

function propOf(built: BuiltProp, parent: string): PropDefinition {
  const at = `${parent}/${built.name}`;
  if (secretKindIn(built) !== undefined) no(at, "is a secret: add it with AssetBuilder.addSecretProp");
  const kind = built.kind as PropKind; // One of them, as the result was judged.
  const { widget, createOnly } = widgetIn(built, kind, (problem) => no(at, problem));
  const defaultValue = defaultIn(built, kind);
  return {
    name: built.name,
    kind,
    ...(kind === "object" ? { children: membersIn(built).map((child) => propOf(child, at)) } : {}),
    ...entryIn(built, kind, at),
    ...(defaultValue === undefined ? {} : { defaultValue }),
    ...describedIn(built, at),
    ...(createOnly ? { createOnly } : {}),
    ...(widget === undefined ? {} : { widget }),
  };
}

// What `definitionResult` let through: each member of these is a property.
const membersIn = (built: BuiltProp): readonly BuiltProp[] =>
  (presentOf(built, "children") ?? []) as readonly BuiltProp[];

function entryIn(built: BuiltProp, kind: PropKind, at: string): { readonly entry?: PropDefinition } {
  if (kind !== "array" && kind !== "map") return {};
  // The same boundary.
  return { entry: propOf(presentOf(built, "entry") as BuiltProp, at) };
}

/** An empty default of what holds others says nothing; one of a JSON property may be data, which is kept as text. */
function defaultIn(built: BuiltProp, kind: PropKind): Json | undefined {
  const value = presentOf(built, "defaultValue");
  if (value === undefined) return undefined;
  if (kind === "json" && typeof value !== "string") return JSON.stringify(value);
  const isEmpty =
    (isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);
  return isEmpty && (kind === "array" || kind === "map" || kind === "object") ? undefined : value;
}

type Described = Pick<
  PropDefinition,
  "description" | "docLink" | "hidden" | "validationFormat" | "suggestSources" | "suggestAsSourceFor"
>;

function describedIn(built: BuiltProp, at: string): Described {
  const text = (name: string): string | undefined => {
    const value = presentOf(built, name);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [description, docLink, validationFormat] = [
    text("documentation"),
    text("docLink"),
    text("validationFormat"),
  ];
  if (validationFormat !== undefined) checkValidation(validationFormat, at);
  const [sources, targets] = [
    suggestionsIn(built, "suggestSources", at),
    suggestionsIn(built, "suggestAsSourceFor", at),
  ];
  return {
    ...(description === undefined ? {} : { description }),
    ...(docLink === undefined ? {} : { docLink }),
    ...(presentOf(built, "hidden") === true ? { hidden: true } : {}),
    ...(validationFormat === undefined ? {} : { validationFormat }),
    ...(sources.length === 0 ? {} : { suggestSources: sources }),
    ...(targets.length === 0 ? {} : { suggestAsSourceFor: targets }),
  };
}

function checkValidation(format: string, at: string): void {
  const read = readJson(format);
  if (isObject(read)) return;
  const found = read === undefined ? "text that is not JSON" : describe(read);
  no(at, `expected a validation format as JSON text of a Joi description, found ${found}`);
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function suggestionsIn(built: JsonObject, name: string, at: string): SuggestedSource[] {
  const list = presentOf(built, name) ?? [];
  if (!isArray(list)) return no(at, `expected a list in ${name}, found ${describe(list)}`);
  return list.map((item) => {
    const [schema, prop] = isObject(item) ? [presentOf(item, "schema"), presentOf(item, "prop")] : [];
    if (typeof schema === "string" && typeof prop === "string") return { schema, prop };
    return no(at, `expected {schema, prop} with the names of both in ${name}, found ${describe(item)}`);
  });
}
