import type { SecretValues } from "../domain/secret-definitions.ts";
import type { Tx } from "../store/open.ts";
import { holdSealingKey, putSecretContent, type SealedContent } from "../store/secret-contents.ts";
import { type SealingKey, seal, unseal } from "./sealing-key.ts";
import type { ServerKeys } from "./server-keys.ts";

/** Which secret of which workspace is given something to hold. */
export interface SecretOwner {
  readonly workspaceId: string;
  readonly secretId: string;
}

/** Seals what a secret is to hold and keeps it; gives the id that the secret refers to it by. */
export async function keepSecretValues(
  tx: Tx,
  keys: ServerKeys,
  { workspaceId, secretId }: SecretOwner,
  values: SecretValues,
): Promise<string> {
  const keyId = await holdSealingKey(tx, keys.newest().id);
  const key = (await keys.find(keyId)) ?? missing(keyId);
  const owner = { workspaceId, secretId, contentId: tx.store.id() };
  const sealed = seal(key, owner, JSON.stringify(values));
  await putSecretContent(tx, { id: owner.contentId, workspaceId, secretId, keyId, sealed });
  return owner.contentId;
}

/** What a content holds. Throws when the key that it is sealed with is not here, or when it is not what was sealed. */
export async function unsealContent(keys: ServerKeys, content: SealedContent): Promise<SecretValues> {
  const key = (await keys.find(content.keyId)) ?? missing(content.keyId);
  // Written above and nowhere else.
  return JSON.parse(unseal(key, ownerOf(content), content.sealed)) as SecretValues;
}

/** A content sealed anew with the key `next`; undefined when it cannot be opened here. */
export async function resealContent(
  keys: ServerKeys,
  next: SealingKey,
  content: SealedContent,
): Promise<string | undefined> {
  const key = await keys.find(content.keyId);
  if (key === undefined) return undefined;
  try {
    return seal(next, ownerOf(content), unseal(key, ownerOf(content), content.sealed));
  } catch {
    return undefined;
  }
}

const ownerOf = ({ workspaceId, secretId, id }: SealedContent) => ({ workspaceId, secretId, contentId: id });

const missing = (keyId: string): never => {
  throw new Error(
    `secrets are sealed with the key ${keyId}, which this process was not given: give it the same secret key as the others, or svc server rotate-secret-key where the new one is to count`,
  );
};
