import type { SecretDefinition } from "./props.ts";
import { refuse } from "./refusal.ts";

/** One field of the form that a secret is entered with. */
export interface FormField {
  readonly name: string;
  /** `password` for what nobody should read over a shoulder, else the property's kind. */
  readonly kind: string;
}

/** What a secret holds: field → value. Never shown, never logged. */
export type SecretValues = Readonly<Record<string, string>>;

/** Most secrets that one change set shows: its list is answered whole (1,000 × about 1.5 KB = 1.5 MB). */
const maximumSecrets = 1_000;

/** Kinds of widget that hide what is entered. */
const hiding: ReadonlySet<string> = new Set(["password", "secret"]);

/** The form of a definition, its fields in their order. */
export const formOf = ({ fields }: SecretDefinition): FormField[] =>
  fields.map(({ name, kind, widget }) => ({
    name,
    kind: widget !== undefined && hiding.has(widget.kind) ? "password" : kind,
  }));

/**
 * The definitions among variants in the order of their schemas, by name; of two of one name the first counts, since
 * people cannot tell them apart.
 */
export function definitionsIn(
  variants: readonly { readonly secretDefinition?: SecretDefinition }[],
): Map<string, SecretDefinition> {
  const found = new Map<string, SecretDefinition>();
  for (const { secretDefinition } of variants) {
    if (secretDefinition === undefined || found.has(secretDefinition.name)) continue;
    found.set(secretDefinition.name, secretDefinition);
  }
  return found;
}

/** The definition of that name; refuses one that no installed schema has. */
export function getDefinition(
  definitions: ReadonlyMap<string, SecretDefinition>,
  name: string,
  at: string,
): SecretDefinition {
  const found = definitions.get(name);
  if (found !== undefined) return found;
  const known = [...definitions.keys()].slice(0, 10).map(quote).join(", ");
  return refuse(
    "invalidRequest",
    `${at}: expected the name of a secret definition that an installed schema has${known === "" ? ", and there is none" : `, such as ${known}`}; found ${quote(name)}`,
  );
}

/** The values of a secret, checked against its form: fields may be left out, others are refused, by name alone. */
export function checkValues(definition: SecretDefinition, values: SecretValues): SecretValues {
  const fields = new Set(definition.fields.map(({ name }) => name));
  const unknown = Object.keys(values).find((name) => !fields.has(name));
  if (unknown === undefined) return values;
  const known = [...fields].slice(0, 20).map(quote).join(", ");
  return refuse(
    "invalidRequest",
    `rawData: expected fields of ${quote(definition.name)} (${known}), found ${quote(unknown)}`,
  );
}

/** Refuses one secret more than a change set takes; `count` is how many it shows. */
export function checkSecretCount(count: number): void {
  if (count < maximumSecrets) return;
  refuse(
    "invalidRequest",
    `expected at most ${maximumSecrets} secrets in a change set: delete some that nobody uses`,
  );
}

/** Refuses to delete a secret that components hold. */
export function checkUnused(name: string, holders: readonly string[]): void {
  if (holders.length === 0) return;
  const some = holders.slice(0, 10).map(quote).join(", ");
  const more = holders.length > 10 ? ` and ${holders.length - 10} more` : "";
  const [noun, them] = holders.length === 1 ? ["component", "it"] : ["components", "them"];
  refuse(
    "secretInUse",
    `the ${noun} ${some}${more} of this change set ${holders.length === 1 ? "uses" : "use"} the secret ${quote(name)}: first give ${them} another one, or erase ${them}`,
  );
}

const quote = (text: string): string => JSON.stringify(text.length <= 100 ? text : `${text.slice(0, 100)}…`);
