import { chmod, rename, rm, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import Type, { type Static } from "typebox";
import { explain } from "../contract/check.ts";
import { errorCode, isMissing, readFileIfThere, writeFileAtomic } from "../lib/atomic-file.ts";
import { toTimestamp } from "../lib/clock.ts";
import { errorMessage } from "../lib/error-message.ts";
import { Problem } from "../lib/problem.ts";
import { parseServerUrl } from "./server-url.ts";

/** What auth.json holds. Without `apiKey` the key itself lies in the keychain, under {@link keychainAccount}. */
export const StoredCredentials = Type.Object({
  serverUrl: Type.String({ minLength: 1 }),
  apiKey: Type.Optional(Type.String({ minLength: 1 })),
  apiKeyId: Type.String(),
  username: Type.String(),
  collectives: Type.Optional(Type.Array(Type.String())),
});
export type StoredCredentials = Static<typeof StoredCredentials>;

/** The record as read: absent when nobody is logged in, with a line for everything odd about the file. */
export interface CredentialsRead {
  readonly stored: StoredCredentials | undefined;
  readonly warnings: readonly string[];
}

/** Name of the key in the keychain: one for each server and key. */
export const keychainAccount = (stored: StoredCredentials): string =>
  `${stored.serverUrl} ${stored.apiKeyId}`;

/** An auth.json that is there and readable, and cannot be understood: it may be set aside and written anew. */
export class DamagedCredentials extends Problem {}

/**
 * Reads auth.json. A missing file means logged out; one that cannot be understood throws {@link DamagedCredentials}, one
 * that cannot be read a Problem with the remedy; both name it.
 */
export async function readCredentials(path: string): Promise<CredentialsRead> {
  let text: string | undefined;
  try {
    text = await readFileIfThere(path);
  } catch (error) {
    throw await unreadable(path, error);
  }
  if (text === undefined) return { stored: undefined, warnings: [] };
  return { stored: parse(path, text), warnings: await modeWarning(path) };
}

/** Moves a damaged auth.json out of the way, readable by its owner only; gives its new path. */
export async function setCredentialsAside(path: string, now: number): Promise<string> {
  const kept = `${path}.damaged-${toTimestamp(now).replaceAll(/[:.]/g, "-")}`;
  await chmod(path, 0o600);
  await rename(path, kept);
  return kept;
}

async function unreadable(path: string, error: unknown): Promise<Problem> {
  const problem = (why: string, hint?: string): Problem =>
    new Problem(`could not read the credentials: ${why}`, { code: "validation_failed", hint, cause: error });
  if (errorCode(error) === "EISDIR")
    return problem(`${path} is a directory, expected a file`, `move it away: mv '${path}' '${path}.old'`);
  const file = await stat(path).catch(() => undefined);
  // Only where the mode of the file itself is the reason does another one help.
  if (file === undefined || !["EACCES", "EPERM"].includes(errorCode(error) ?? ""))
    return problem(`${path}, ${errorMessage(error)}`);
  const mode = (file.mode & 0o777).toString(8).padStart(4, "0");
  return file.uid === userInfo().uid
    ? problem(`${path} is not readable (mode ${mode})`, `make it readable: chmod 600 '${path}'`)
    : problem(`${path} belongs to another user`, `make it yours: sudo chown "$USER" '${path}'`);
}

function parse(path: string, text: string): StoredCredentials {
  const damaged = (message: string): DamagedCredentials =>
    new DamagedCredentials(message, {
      code: "validation_failed",
      hint: "svc auth login keeps it under another name and writes it anew",
    });
  let value: unknown;
  let why: string | undefined;
  try {
    value = JSON.parse(text);
    why = explain(StoredCredentials, value, "auth.json");
  } catch {
    why = "expected JSON, found text that is not";
  }
  if (why !== undefined) throw damaged(`could not understand the credentials: ${path}, ${why}`);
  // `explain` found nothing wrong with it.
  const stored = value as StoredCredentials;
  try {
    return { ...stored, serverUrl: parseServerUrl(stored.serverUrl, path) };
  } catch (error) {
    throw damaged(errorMessage(error));
  }
}

/** Bits that let others than the owner in. */
const othersMask = 0o077;

async function modeWarning(path: string): Promise<string[]> {
  try {
    const { mode } = await stat(path);
    if ((mode & othersMask) === 0) return [];
    const found = (mode & 0o777).toString(8).padStart(4, "0");
    return [`${path} can be read by others (mode ${found}); run: chmod 600 '${path}'`];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Replaces auth.json in one step, readable by its owner only. */
export async function writeCredentials(path: string, credentials: StoredCredentials): Promise<void> {
  const { serverUrl, apiKey, apiKeyId, username, collectives } = credentials;
  const record = {
    serverUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    apiKeyId,
    username,
    ...(collectives === undefined ? {} : { collectives }),
  };
  await writeFileAtomic(path, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
}

/** Forgets the record; nothing happens when there is none. */
export const removeCredentials = (path: string): Promise<void> => rm(path, { force: true });
