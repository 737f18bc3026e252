import type { Patch, Settings } from "./overlay.ts";
import { difference, mergeKeys } from "./overlay.ts";
import { nameSegment } from "./pointers.ts";
import type { VariantDefinition } from "./props.ts";
import { refuse } from "./refusal.ts";

/** A stored secret without its content. */
export interface Secret {
  readonly id: string;
  readonly name: string;
  /** Name of the definition it was made from. */
  readonly definition: string;
}

type Defining = Pick<VariantDefinition, "displayName" | "secretDefinition">;

const secretKey = (definition: string): string => `/secrets/${nameSegment(definition)}`;

/** The id of the secret that a component of a secret-defining variant holds; undefined for all others. */
export function secretIdOf({ secretDefinition }: Defining, settings: Settings): string | undefined {
  const setting = secretDefinition && settings[secretKey(secretDefinition.name)];
  return setting !== undefined && "v" in setting && typeof setting.v === "string" ? setting.v : undefined;
}

/**
 * The patch that gives a component the secrets a request names (definition → name or id of the secret). Refuses a
 * component whose schema defines no secret, a definition that is not the schema's own, and a secret that is not there.
 */
export function bindSecrets(
  variant: Defining,
  settings: Settings,
  wanted: Readonly<Record<string, string>>,
  secrets: readonly Secret[],
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

function findSecret(secrets: readonly Secret[], definition: string, reference: string): Secret {
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
