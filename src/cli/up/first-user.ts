import { writeCredentials } from "../../config/credentials.ts";
import { authFile } from "../../config/paths.ts";
import { serverSettings } from "../../config/server-settings.ts";
import { defaultServerUrl } from "../../config/server-url.ts";
import { ApiError } from "../../contract/errors.ts";
import { readFileIfThere, writeFileAtomic } from "../../lib/atomic-file.ts";
import { Problem } from "../../lib/problem.ts";
import type { Context } from "../context.ts";
import { logIn, readOrSetAside } from "../login.ts";
import { signIn } from "../sign-in.ts";
import type { Layout } from "./layout.ts";

/**
 * Makes the first user and the sample workspace unless that was done before, with no server running, and logs this user
 * in. How to sign in stays in a file beside the database, so that both go together. Says whether it did anything.
 */
export async function seedOnce(context: Context, layout: Layout): Promise<boolean> {
  const path = authFile(layout.config.directories);
  // First of all: what cannot be read stops this before anything is done.
  await readOrSetAside(context, path);
  if ((await readFileIfThere(layout.firstUserFile)) !== undefined) return false;
  const { user, access } = await context.launch.seedSample(serverSettings(layout.config));
  if (access === undefined) throw new Error("the sample gave no access");
  const username = user.username ?? user.email;
  await writeCredentials(path, {
    // The port is not known yet; the login follows the server to wherever it listens.
    serverUrl: defaultServerUrl,
    apiKey: access.key,
    apiKeyId: access.keyId,
    username,
    collectives: [],
  });
  const account = { username, email: user.email, password: access.password };
  await writeFileAtomic(layout.firstUserFile, `${JSON.stringify(account, undefined, 2)}\n`, { mode: 0o600 });
  return true;
}

/** Makes the stored login one that works on this server: follows it to another port, and logs in anew when it is gone. */
export async function ensureLogin(context: Context, layout: Layout, serverUrl: string): Promise<void> {
  const path = authFile(layout.config.directories);
  const read = await readOrSetAside(context, path);
  if (read.stored?.apiKey !== undefined) {
    const stored = { ...read.stored, serverUrl };
    if (await isValid(context, serverUrl, read.stored.apiKey)) {
      if (read.stored.serverUrl !== serverUrl) await writeCredentials(path, stored);
      return;
    }
  }
  const { username, password } = await readFirstUser(layout);
  const token = await signIn(context, { serverUrl, username, password });
  await logIn(context, { serverUrl, token, store: "file", keepKey: false });
}

async function isValid(context: Context, serverUrl: string, apiKey: string): Promise<boolean> {
  try {
    return (await context.apiWith(serverUrl, apiKey).accounts.whoami({})).authenticated;
  } catch (error) {
    if (error instanceof ApiError && error.error === "unauthenticated") return false;
    throw error;
  }
}

async function readFirstUser(
  layout: Layout,
): Promise<{ readonly username: string; readonly password: string }> {
  const unusable = (): Problem =>
    new Problem(`could not read the first user: ${layout.firstUserFile}`, {
      hint: `remove the file and start again: a new password is made`,
    });
  try {
    const value: unknown = JSON.parse((await readFileIfThere(layout.firstUserFile)) ?? "");
    if (typeof value !== "object" || value === null || !("username" in value) || !("password" in value))
      throw unusable();
    return { username: String(value.username), password: String(value.password) };
  } catch {
    throw unusable();
  }
}
