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
import { originOf } from "../config/server-url.ts";
import { Problem } from "../lib/problem.ts";
import type { Context } from "./context.ts";
import { deleteKey, keyOf } from "./delete-key.ts";

/** The session of whoever signed in where, and where the key is to be kept. */
export interface Login {
  readonly serverUrl: string;
  readonly token: string;
  readonly store: "file" | "keychain";
  /** Whether the key of an earlier login at that server stays valid there. */
  readonly keepKey: boolean;
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
 * is deleted again; so is, as far as that can be done, the key that it takes the place of at the same server. Throws a Problem that says what to do.
 */
export async function logIn(
  context: Context,
  { serverUrl, token, store, keepKey }: Login,
): Promise<LoggedIn> {
  const session = context.apiWith(serverUrl, token);
  try {
    const created = await session.keys.create({ body: { name: keyName(context.clock.now()) } });
    try {
      return await check(context, { serverUrl, ...created }, { store, keepKey });
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
  how: Pick<Login, "store" | "keepKey">,
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
  const kept = await keep(context, record, how);
  return { ...kept, apiKey: key, name: who.name, email: who.email };
}

/** `cli-`, at most 14 letters of the host, `-`, 13 digits of milliseconds: 32 characters, the most a name may have. */
const keyName = (now: number): string => `cli-${hostname().slice(0, 14)}-${now}`;

async function keep(
  context: Context,
  record: StoredCredentials,
  { store: wanted, keepKey }: Pick<Login, "store" | "keepKey">,
): Promise<Pick<LoggedIn, "stored" | "keptIn">> {
  const path = authFile(context.config().directories);
  const before = await readOrSetAside(context, path);
  const { apiKey, ...withoutKey } = record;
  if (wanted === "keychain" && apiKey !== undefined) {
    const kept = await context.keychain.set(keychainAccount(record), apiKey);
    if (kept.state === "ok") {
      await writeCredentials(path, withoutKey);
      await retire(context, before.stored, record, keepKey);
      return { stored: withoutKey, keptIn: "keychain" };
    }
    context.output.warn(`the keychain cannot be used: ${kept.reason}; the key is stored in ${path}`);
  }
  await writeCredentials(path, record);
  await retire(context, before.stored, record, keepKey);
  return { stored: record, keptIn: "file" };
}

/** Forgets a record that another took the place of, and its key at the same server: nobody here has it any more. */
async function retire(
  context: Context,
  before: StoredCredentials | undefined,
  after: StoredCredentials,
  keepKey: boolean,
): Promise<void> {
  if (before === undefined) return;
  if (!keepKey && originOf(before.serverUrl) === originOf(after.serverUrl)) {
    await quietly(async () => {
      const apiKey = await keyOf(context, before);
      if (apiKey !== undefined && apiKey !== after.apiKey) await deleteKey(context, before, apiKey);
    });
  }
  await forgetInKeychain(context, before);
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
