import { createHash } from "node:crypto";
import { join } from "node:path";
import { Low } from "lowdb";
import Type, { type Static } from "typebox";
import { explain, matches } from "../src/contract/check.ts";
import type { Clock } from "../src/lib/clock.ts";
import { serverFolder } from "./cache.ts";
import { JsonFile } from "./json-file.ts";

/** Whom a key stood for when the server was last asked: enough to serve that workspace's cache before it answers. */
const Remembered = Type.Object({
  format: Type.Literal(1),
  /** Never the key: the first 16 hex of its SHA-256. */
  key: Type.String(),
  workspaceId: Type.String(),
  username: Type.String(),
});
type Remembered = Static<typeof Remembered>;

/** What tells keys apart without giving them away. */
export const markOf = (apiKey: string): string =>
  createHash("sha256").update(apiKey).digest("hex").slice(0, 16);

const nobody: Remembered = { format: 1, key: "", workspaceId: "", username: "" };

/** Whom the key stood for at this server; undefined when it was another key, or never asked. */
export async function recall(
  root: string,
  serverUrl: string,
  apiKey: string,
  clock: Clock,
): Promise<Remembered | undefined> {
  const database = new Low(fileOf(root, serverUrl, clock), nobody);
  // A file that cannot be read costs a question to the server and nothing else.
  await database.read().catch(() => undefined);
  return database.data.key === markOf(apiKey) ? database.data : undefined;
}

/** Remembers whom the key stands for; failing to is no loss. */
export async function remember(
  root: string,
  serverUrl: string,
  who: Omit<Remembered, "format">,
  clock: Clock,
): Promise<void> {
  const database = new Low<Remembered>(fileOf(root, serverUrl, clock), { format: 1, ...who });
  await database.write().catch(() => undefined);
}

const fileOf = (root: string, serverUrl: string, clock: Clock): JsonFile<Remembered> =>
  new JsonFile({
    path: join(serverFolder(root, serverUrl), "session.json"),
    clock,
    encode: (data) => `${JSON.stringify(data)}\n`,
    decode: (value) => {
      if (matches(Remembered, value)) return value;
      throw new Error(explain(Remembered, value, "session"));
    },
    onDamaged: () => undefined,
  });
