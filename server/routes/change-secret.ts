import type { Static } from "typebox";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import { keepSecretValues } from "../auth/secrets.ts";
import type { ServerKeys } from "../auth/server-keys.ts";
import type { JsonObject } from "../domain/json.ts";
import { refuse } from "../domain/refusal.ts";
import {
  checkSecretCount,
  checkUnused,
  checkValues,
  getDefinition,
  type SecretValues,
} from "../domain/secret-definitions.ts";
import type { Secret } from "../domain/secrets.ts";
import { entityRules } from "../read/entity-rules.ts";
import { rulesFor } from "../read/rules.ts";
import { findSecret, listSecretDefinitions, listSecrets, secretKind } from "../read/secrets.ts";
import { listNames } from "../store/components.ts";
import { holdersOf } from "../store/edges.ts";
import { createEntities, patchEntity } from "../store/entities.ts";
import { removeEntity } from "../store/entity-removal.ts";
import { changeLayer, type LayerChange } from "../store/layer.ts";
import { findSecretUsers } from "../store/secret-users.ts";
import type { Writing } from "./change-component.ts";

/** Who writes secrets, and what seals them. */
export interface SecretWriting extends Writing {
  readonly keys: ServerKeys;
}

/** What a request to store a secret carries. */
export type NewSecret = Static<(typeof api.secrets.create)["body"]>;
/** What a request to change one carries. */
export type SecretUpdate = Static<(typeof api.secrets.update)["body"]>;

/** Stores a secret in the change set; refuses an unknown definition, and fields that it does not have. */
export function createSecret(writing: SecretWriting, body: NewSecret): Promise<Secret> {
  const { definitionName: definition, name, rawData = {} } = body;
  const description = body.description ?? null;
  const secretId = writing.store.id();
  const event = { kind: "secret.created", subject: secretId, data: { name, definition } } as const;
  return changeLayer(writing.store, writing.layer, { ...event, actor: writing.actor }, async (change) => {
    const at = { definition, where: "definitionName" };
    await checkAgainstForm(writing, change, at, rawData);
    checkSecretCount((await listSecrets(change.tx, change.layer)).length);
    const contentId = await keep(writing, change, secretId, rawData);
    const told = description === null ? {} : { description };
    const kept: JsonObject = { definition, ...told, content: contentId };
    await createEntities(change, [{ kind: secretKind, id: secretId, name, body: kept }]);
    return { id: secretId, name, definition, description, contentId };
  });
}

/**
 * Renames and describes a secret, and replaces what it holds where the request says what: then those who hold it are
 * computed again, and whoever is given it by them. Throws `secretNotFound`.
 */
export function updateSecret(
  writing: SecretWriting,
  secretId: string,
  { id, name, rawData, ...rest }: SecretUpdate,
): Promise<Secret> {
  const description = rest.description ?? null;
  const event = { kind: "secret.changed", subject: secretId, data: { name } } as const;
  return changeLayer(writing.store, writing.layer, { ...event, actor: writing.actor }, async (change) => {
    const before = await getSecret(change, secretId);
    if (id.toUpperCase() !== secretId) {
      refuse("invalidRequest", "id: expected the id of the path, found another one");
    }
    const { definition } = before;
    const patch: Record<string, string | null> = {};
    if (rawData != null) {
      await checkAgainstForm(writing, change, { definition, where: "rawData" }, rawData);
      patch["content"] = await keep(writing, change, secretId, rawData);
      const users = await findSecretUsers(change.tx, change.layer, [secretId]);
      for (const user of users.roots) change.roots.add(user);
    }
    if (description !== before.description) patch["description"] = description;
    const renamed = name === before.name ? {} : { name };
    if ("name" in renamed || Object.keys(patch).length > 0) {
      await patchEntity(change, entityRules, { kind: secretKind, id: secretId, ...renamed, patch });
    }
    return { ...before, name, description, contentId: patch["content"] ?? before.contentId };
  });
}

/** Deletes a secret; throws `secretNotFound`, and `secretInUse` while components of the change set hold it. */
export function deleteSecret(writing: Writing, secretId: string): Promise<void> {
  const event = { kind: "secret.deleted", subject: secretId } as const;
  return changeLayer(writing.store, writing.layer, { ...event, actor: writing.actor }, async (change) => {
    const { tx, layer } = change;
    const { name } = await getSecret(change, secretId);
    const holders = await holdersOf(tx, layer, [secretId]);
    const names = await listNames(tx, rulesFor(tx, writing.variants), layer, holders);
    checkUnused(name, [...names.values()]);
    await removeEntity(change, secretKind, secretId);
  });
}

const getSecret = async ({ tx, layer }: LayerChange, secretId: string): Promise<Secret> =>
  (await findSecret(tx, layer, secretId)) ?? fail("secretNotFound");

async function checkAgainstForm(
  { variants }: Writing,
  { tx, layer }: LayerChange,
  { definition, where }: { readonly definition: string; readonly where: string },
  values: SecretValues,
): Promise<void> {
  const definitions = await listSecretDefinitions(tx, variants, layer);
  checkValues(getDefinition(definitions, definition, where), values);
}

const keep = (
  { keys }: SecretWriting,
  { tx, layer: { workspaceId } }: LayerChange,
  secretId: string,
  values: SecretValues,
): Promise<string> => keepSecretValues(tx, keys, { workspaceId, secretId }, values);
