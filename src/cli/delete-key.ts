import { keychainAccount, type StoredCredentials } from "../config/credentials.ts";
import type { Context } from "./context.ts";

/** What the server gets to delete a key: neither logging in nor out must hang on a server that is away. */
const patienceMs = 5_000;

/** The raw key of a record, wherever it lies; undefined where the keychain does not give it. */
export async function keyOf(context: Context, stored: StoredCredentials): Promise<string | undefined> {
  if (stored.apiKey !== undefined) return stored.apiKey;
  const found = await context.keychain.get(keychainAccount(stored));
  return found.state === "ok" ? (found.value ?? undefined) : undefined;
}

/** Has a key delete itself on the server that it belongs to; it is sent nowhere else. Throws what the server or the way to it say. */
export async function deleteKey(
  context: Context,
  { serverUrl, apiKeyId }: StoredCredentials,
  apiKey: string,
): Promise<void> {
  await context.apiWith(serverUrl, apiKey, patienceMs).keys.delete({ body: { keyId: apiKeyId } });
}
