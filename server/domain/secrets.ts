import type { Patch, Setting, Settings } from "./overlay.ts";
import { difference, mergeKeys } from "./overlay.ts";
import { nameSegment } from "./pointers.ts";
import type { VariantDefinition } from "./props.ts";
import { refuse } from "./refusal.ts";

/** A stored secret without what it holds. */
export interface Secret {
  readonly id: string;
  readonly name: string;
  /** Name of the definition it was made from. */
  readonly definition: string;
  readonly description: string | null;
  /** Names what it holds: another one whenever that was replaced. */
  readonly contentId: string;
}

/** What a secret is found by. */
type Reference = Pick<Secret, "id" | "name" | "definition">;
type Defining = Pick<VariantDefinition, "displayName" | "secretDefinition">;

const secretsPrefix = "/secrets/";
const secretKey = (definition: string): string => `${secretsPrefix}${nameSegment(definition)}`;

/** The id of the secret that a component with this setting holds; undefined for every other setting. */
export const secretIn = (key: string, setting: Setting): string | undefined =>
  key.startsWith(secretsPrefix) && "v" in setting && typeof setting.v === "string" ? setting.v : undefined;

/** The id of the secret that a component of a secret-defining variant holds; undefined for all others. */
export function secretIdOf({ secretDefinition }: Defining, settings: Settings): string | undefined {
  if (secretDefinition === undefined) return undefined;
  const key = secretKey(secretDefinition.name);
  const setting = Object.hasOwn(settings, key) ? settings[key] : undefined;
  return setting && secretIn(key, setting);
}

/**
 * The patch that gives a component the secrets a request names (definition → name or id of the secret). Refuses a
 * component whose schema defines no secret, a definition that is not the schema's own, and a secret that is not there.
 */
export function bindSecrets(
  variant: Defining,
  settings: Settings,
  wanted: Readonly<Record<string, string>>,
  secrets: readonly Reference[],
): Patch {
  const entries = Object.entries(wanted);
  if (entries.length === 0) return {};
  const own = variant.secretDefinition?.name;
  if (own === undefined) {
    return refuse(
      "invalidRequest",
      `secrets: expected a component that holds a secret, but ${JSON.stringify(variant.displayName)} defines none; subscribe to one that does, such as "/secrets/<name>": {"$source": …} in attributes`,
    );
  }
  const patch: Record<string, Patch[string]> = {};
  for (const [definition, reference] of entries) {
    if (definition !== own) {
      refuse(
        "invalidRequest",
        `secrets: expected ${JSON.stringify(own)}, the secret that the schema defines, found ${quote(definition)}`,
      );
    }
    patch[secretKey(definition)] = { v: findSecret(secrets, definition, reference).id };
  }
  return difference(settings, mergeKeys(settings, patch));
}

function findSecret(secrets: readonly Reference[], definition: string, reference: string): Reference {
  const ofKind = secrets.filter((secret) => secret.definition === definition);
  const byId = ofKind.find((secret) => secret.id === reference.toUpperCase());
  const [first, second] = byId === undefined ? ofKind.filter(({ name }) => name === reference) : [byId];
  if (first === undefined) {
    return refuse(
      "secretNotFound",
      `secrets.${definition}: no secret of this kind has the name or id ${quote(reference)}`,
    );
  }
  if (second === undefined) return first;
  return refuse(
    "invalidRequest",
    `secrets.${definition}: several secrets of this kind are named ${quote(reference)}; use the id`,
  );
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 100));
