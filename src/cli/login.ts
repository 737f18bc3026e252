import { hostname } from "node:os";
import {
  type CredentialsRead,
  DamagedCredentials,
  keychainAccount,
  readCredentials,
  type StoredCredentials,
  setCredentialsAside,
  writeCredentials,
} from "../config/credentials.ts";
import { variable } from "../config/load.ts";
import { authFile } from "../config/paths.ts";
import { Problem } from "../lib/problem.ts";
import type { Context } from "./context.ts";

/** The session of whoever signed in where, and where the key is to be kept. */
export interface Login {
  readonly serverUrl: string;
  readonly token: string;
  readonly store: "file" | "keychain";
}

/** The outcome: the record as written, and where the key really lies. */
export interface LoggedIn {
  readonly stored: StoredCredentials;
  readonly apiKey: string;
  readonly name: string;
  readonly email: string;
  readonly keptIn: "file" | "keychain";
}

/** Commands that change who is logged in are refused while the environment decides it: no request, no file touched. */
export function refuseWithEnvironmentKey(context: Context, verb: "log in" | "log out"): void {
  if (variable(context.environment, "SVC_API_KEY") === undefined) return;
  throw new Problem(`cannot ${verb}: SVC_API_KEY is set and decides who you are`, {
    code: "already_authenticated",
    hint: "unset SVC_API_KEY",
  });
}

/**
 * With a session: makes a key for this machine, checks it, stores it and ends the session. A key that cannot be stored
 * is deleted again. Throws a Problem that says what to do.
 */
export async function logIn(context: Context, { serverUrl, token, store }: Login): Promise<LoggedIn> {
  const session = context.apiWith(serverUrl, token);
  try {
    const created = await session.keys.create({ body: { name: keyName(context.clock.now()) } });
    try {
      return await check(context, { serverUrl, ...created }, store);
    } catch (error) {
      await quietly(() => session.keys.delete({ body: { keyId: created.id } }));
      throw error;
    }
  } finally {
    await quietly(() => session.accounts.signOut({}));
  }
}

/** Asks who a new key stands for, and stores it. */
async function check(
  context: Context,
  { serverUrl, key, id }: { readonly serverUrl: string; readonly key: string; readonly id: string },
  store: Login["store"],
): Promise<LoggedIn> {
  const who = await context.apiWith(serverUrl, key).accounts.whoami({});
  if ("collectiveToken" in who)
    throw new Problem(`${serverUrl} made a key that stands for no user`, { code: "invalid_answer" });
  const record: StoredCredentials = {
    serverUrl,
    apiKey: key,
    apiKeyId: id,
    username: who.username ?? who.email,
    collectives: who.organizations.map(({ slug }) => slug),
  };
  const kept = await keep(context, record, store);
  return { ...kept, apiKey: key, name: who.name, email: who.email };
}

/** `cli-`, at most 14 letters of the host, `-`, 13 digits of milliseconds: 32 characters, the most a name may have. */
const keyName = (now: number): string => `cli-${hostname().slice(0, 14)}-${now}`;

async function keep(
  context: Context,
  record: StoredCredentials,
  wanted: "file" | "keychain",
): Promise<Pick<LoggedIn, "stored" | "keptIn">> {
  const path = authFile(context.config().directories);
  const before = await readOrSetAside(context, path);
  const { apiKey, ...withoutKey } = record;
  if (wanted === "keychain" && apiKey !== undefined) {
    const kept = await context.keychain.set(keychainAccount(record), apiKey);
    if (kept.state === "ok") {
      await writeCredentials(path, withoutKey);
      await forgetInKeychain(context, before.stored);
      return { stored: withoutKey, keptIn: "keychain" };
    }
    context.output.warn(`the keychain cannot be used: ${kept.reason}; the key is stored in ${path}`);
  }
  await writeCredentials(path, record);
  await forgetInKeychain(context, before.stored);
  return { stored: record, keptIn: "file" };
}

/** The stored record, before another takes its place; a damaged one is kept under another name, and that is said. */
export async function readOrSetAside(
  context: Context,
  path: string,
): Promise<Pick<CredentialsRead, "stored">> {
  try {
    return await readCredentials(path);
  } catch (error) {
    if (!(error instanceof DamagedCredentials)) throw error;
    const kept = await setCredentialsAside(path, context.clock.now());
    context.output.warn(`${error.message}; it is kept as ${kept}`);
    return { stored: undefined };
  }
}

/** Removes the key of a record that is being replaced or forgotten; a record with its key in the file has none there. */
export async function forgetInKeychain(
  context: Context,
  stored: StoredCredentials | undefined,
): Promise<void> {
  if (stored === undefined || stored.apiKey !== undefined) return;
  await context.keychain.delete(keychainAccount(stored));
}

async function quietly(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch {
    // Tidying up is best effort: what matters is done, or has failed with an error of its own.
  }
}
