import {
  keychainAccount,
  readCredentials,
  removeCredentials,
  type StoredCredentials,
} from "../config/credentials.ts";
import { authFile } from "../config/paths.ts";
import { Problem } from "../lib/problem.ts";
import type { Context } from "./context.ts";
import { toFailure } from "./failure.ts";
import { forgetInKeychain } from "./login.ts";

/** What became of the login. */
export type LoggedOut =
  | { readonly loggedOut: false; readonly reason: "not authenticated" }
  | {
      readonly loggedOut: true;
      readonly username: string;
      readonly serverUrl: string;
      /** Whether the server has deleted the key. */
      readonly revoked: boolean;
    };

/** Seconds the server gets to delete the key: logging out must not hang on a server that is away. */
const patienceMs = 5_000;

/**
 * Deletes the stored key on its own server when that can be done, and forgets it here in any case, also when the file
 * cannot be understood any more. The key goes nowhere but to the server it belongs to.
 */
export async function logOut(context: Context, keepKey: boolean): Promise<LoggedOut> {
  const path = authFile(context.config().directories);
  let stored: StoredCredentials | undefined;
  try {
    stored = (await readCredentials(path)).stored;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    context.output.warn(`${error.message}; it is removed, and its key stays valid on its server`);
    await removeCredentials(path);
    return { loggedOut: true, username: "", serverUrl: "", revoked: false };
  }
  if (stored === undefined) return { loggedOut: false, reason: "not authenticated" };
  const revoked = keepKey ? false : await deleteKey(context, stored);
  await removeCredentials(path);
  await forgetInKeychain(context, stored);
  return { loggedOut: true, username: stored.username, serverUrl: stored.serverUrl, revoked };
}

async function deleteKey(context: Context, stored: StoredCredentials): Promise<boolean> {
  const stays = (why: string): false => {
    context.output.warn(`the key was not deleted on ${stored.serverUrl} and stays valid there: ${why}`);
    return false;
  };
  const apiKey = stored.apiKey ?? (await fromKeychain(context, stored));
  if (apiKey === undefined) return stays("it could not be read from the keychain");
  try {
    const { keys } = context.apiWith(stored.serverUrl, apiKey, patienceMs);
    await keys.delete({ body: { keyId: stored.apiKeyId } });
    return true;
  } catch (error) {
    return stays(toFailure(error).message);
  }
}

async function fromKeychain(context: Context, stored: StoredCredentials): Promise<string | undefined> {
  const found = await context.keychain.get(keychainAccount(stored));
  return found.state === "ok" ? (found.value ?? undefined) : undefined;
}
