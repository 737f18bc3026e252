import { readCredentials, removeCredentials, type StoredCredentials } from "../config/credentials.ts";
import { authFile } from "../config/paths.ts";
import { Problem } from "../lib/problem.ts";
import type { Context } from "./context.ts";
import { deleteKey, keyOf } from "./delete-key.ts";
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
  const revoked = keepKey ? false : await deleteOrSay(context, stored);
  await removeCredentials(path);
  await forgetInKeychain(context, stored);
  return { loggedOut: true, username: stored.username, serverUrl: stored.serverUrl, revoked };
}

async function deleteOrSay(context: Context, stored: StoredCredentials): Promise<boolean> {
  const stays = (why: string): false => {
    context.output.warn(`the key was not deleted on ${stored.serverUrl} and stays valid there: ${why}`);
    return false;
  };
  const apiKey = await keyOf(context, stored);
  if (apiKey === undefined) return stays("it could not be read from the keychain");
  try {
    await deleteKey(context, stored, apiKey);
    return true;
  } catch (error) {
    return stays(toFailure(error).message);
  }
}
