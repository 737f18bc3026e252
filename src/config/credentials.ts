import { rm, stat } from "node:fs/promises";
import Type, { type Static } from "typebox";
import { explain } from "../contract/check.ts";
import { isMissing, readFileIfThere, writeFileAtomic } from "../lib/atomic-file.ts";
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

/** Reads auth.json. A missing file means logged out; one that cannot be understood throws a Problem naming it. */
export async function readCredentials(path: string): Promise<CredentialsRead> {
  let text: string | undefined;
  try {
    text = await readFileIfThere(path);
  } catch (error) {
    throw new Problem(
      `could not read the credentials: ${path}, ${error instanceof Error ? error.message : String(error)}`,
      { code: "validation_failed", hint: `make it readable: chmod 600 '${path}'`, cause: error },
    );
  }
  if (text === undefined) return { stored: undefined, warnings: [] };
  const stored = parse(path, text);
  return {
    stored: { ...stored, serverUrl: parseServerUrl(stored.serverUrl, path) },
    warnings: await modeWarning(path),
  };
}

function parse(path: string, text: string): StoredCredentials {
  let value: unknown;
  let why: string | undefined;
  try {
    value = JSON.parse(text);
    why = explain(StoredCredentials, value, "auth.json");
  } catch {
    why = "expected JSON, found text that is not";
  }
  if (why !== undefined)
    throw new Problem(`could not understand the credentials: ${path}, ${why}`, {
      code: "validation_failed",
      hint: "svc auth login writes it anew",
    });
  // `explain` found nothing wrong with it.
  return value as StoredCredentials;
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
