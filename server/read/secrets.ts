import { unsealContent } from "../auth/secrets.ts";
import type { ServerKeys } from "../auth/server-keys.ts";
import type { SecretDefinition } from "../domain/props.ts";
import { definitionsIn, type SecretValues } from "../domain/secret-definitions.ts";
import type { Secret } from "../domain/secrets.ts";
import { type Entity, listEntities } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { findSecretContents } from "../store/secret-contents.ts";
import { entityRules } from "./entity-rules.ts";
import { findVariants, listSchemas, type VariantCache } from "./variants.ts";

/** The kind of entity that secrets are. */
export const secretKind = "secret";

/** Every secret that the layer shows, without what it holds, in ascending order of id. */
export async function listSecrets(reads: Reads, layer: Layer): Promise<Secret[]> {
  return (await listEntities(reads, entityRules, layer, { kind: secretKind })).map(secretOf);
}

/** The secret as the layer shows it; undefined when it does not. */
export async function findSecret(reads: Reads, layer: Layer, secretId: string): Promise<Secret | undefined> {
  const [found] = await listEntities(reads, entityRules, layer, { kind: secretKind, ids: [secretId] });
  return found && secretOf(found);
}

/** The definitions that the default variants of the layer's schemas have, by name, in the order of the schemas. */
export async function listSecretDefinitions(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
): Promise<Map<string, SecretDefinition>> {
  const variantIds = (await listSchemas(reads, layer)).map(({ defaultVariantId }) => defaultVariantId);
  const variants = await findVariants(reads, cache, layer, variantIds);
  return definitionsIn(variantIds.flatMap((id) => variants.get(id) ?? []));
}

/** A secret with what it holds: for functions that run, never for an answer or a log. */
export interface OpenedSecret extends Secret {
  readonly values: SecretValues;
}

/**
 * Opens those of the secrets that the layer shows, by id, in two statements; what cannot be opened is left out, as is
 * what is not there. `contentId` tells whether one holds something else than before.
 */
export async function openSecrets(
  reads: Reads,
  keys: ServerKeys,
  layer: Layer,
  secretIds: readonly string[],
): Promise<Map<string, OpenedSecret>> {
  const entities = await listEntities(reads, entityRules, layer, { kind: secretKind, ids: secretIds });
  const secrets = entities.map(secretOf);
  const contents = await findSecretContents(
    reads,
    secrets.map(({ contentId }) => contentId),
  );
  const opened = new Map<string, OpenedSecret>();
  for (const secret of secrets) {
    const content = contents.get(secret.contentId);
    if (content === undefined) continue;
    // Whose it must be, not whose it says it is: a secret that names another one's content is given nothing.
    const own = { ...content, workspaceId: layer.workspaceId, secretId: secret.id };
    const values = await unsealContent(keys, own).catch(() => undefined);
    if (values !== undefined) opened.set(secret.id, { ...secret, values });
  }
  return opened;
}

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

const secretOf = ({ id, name, body }: Entity): Secret => ({
  id,
  name: name ?? "",
  definition: textIn(body["definition"]),
  description: typeof body["description"] === "string" ? body["description"] : null,
  contentId: textIn(body["content"]),
});
