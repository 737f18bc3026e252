import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { ServerSettings } from "../../src/config/server-settings.ts";
import { errorCode, readFileIfThere, writeFileAtomic } from "../../src/lib/atomic-file.ts";
import { errorMessage } from "../../src/lib/error-message.ts";
import { makeDirectorySync } from "../../src/lib/make-directory.ts";
import { Problem } from "../../src/lib/problem.ts";
import { type SealingKey, sealingKeyOf } from "./sealing-key.ts";
import { deriveKey } from "./server-key.ts";

/**
 * The keys of a server, as a list that only rotation changes. The first is what everything but secrets is derived from,
 * for good; the last is what secrets are to be sealed with; those between still open what was sealed before.
 */
export interface ServerKeys {
  /** The first one. */
  readonly base: Buffer;
  /** What secrets are to be sealed with. */
  newest(): SealingKey;
  /** Every sealing key there is, also while a rotation has both. */
  sealing(): readonly SealingKey[];
  /** The sealing key of that name; looks again where the keys are kept when it is new to this process. */
  find(id: string): Promise<SealingKey | undefined>;
  /** Reads them again where they are kept. */
  reload(): Promise<void>;
  /** How the list is changed; undefined where the environment gives it. */
  readonly file: ServerKeyFile | undefined;
}

/** The list where it lies in a file: each change is written as one step that survives a crash. */
export interface ServerKeyFile {
  /** Adds a new key as the last one. */
  add(): Promise<void>;
  /** Takes away the sealing keys that `isNeeded` gives up; never the first and the last one. Says how many went. */
  retire(isNeeded: (id: string) => boolean): Promise<number>;
}

/** Where keys are, and what to do where there are none: `make` them, or `refuse`. */
export interface KeyPlace extends Pick<ServerSettings, "secretKeyFile" | "secretKey"> {
  readonly missing?: "make" | "refuse";
}

const pattern = /^[0-9a-f]{64}$/i;
/** A rotation keeps three at most; more is a mistake. */
const maximumKeys = 16;

/**
 * Loads the server's keys: given, or kept in a 0600 file made at first use, one a line. Throws a {@link Problem} when
 * what is there are no keys, since making new ones would lose what the old ones sealed, and when it cannot be read.
 */
export async function loadServerKeys(place: KeyPlace): Promise<ServerKeys> {
  const { secretKey, secretKeyFile, missing = "make" } = place;
  if (secretKey !== undefined) return serverKeys(givenKeys(secretKey));
  const read = async (): Promise<readonly Buffer[]> => {
    const kept = await keptKeys(secretKeyFile);
    if (kept !== undefined) return kept;
    if (missing === "refuse") throw noKey(secretKeyFile);
    return keysIn(makeFile(secretKeyFile), nameOf(secretKeyFile));
  };
  const write = (keys: readonly Buffer[]): Promise<void> => writeFileAtomic(secretKeyFile, textOf(keys));
  return serverKeys(await read(), { read, write });
}

/** Throws what {@link loadServerKeys} would throw of keys that are there, and makes none where there are none. */
export async function checkServerKeys({ secretKey, secretKeyFile }: KeyPlace): Promise<void> {
  if (secretKey === undefined) await keptKeys(secretKeyFile);
  else givenKeys(secretKey);
}

const givenKeys = (text: string): readonly Buffer[] =>
  keysIn(text, "the server's secret key (from the settings)");

/** The keys in a file; undefined where there is none. */
async function keptKeys(path: string): Promise<readonly Buffer[] | undefined> {
  const text = await readFileIfThere(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return text === undefined ? undefined : keysIn(text, nameOf(path));
}

const nameOf = (path: string): string => `the server's secret key in ${path}`;

/** Where a list can be read again and replaced. */
interface Kept {
  read(): Promise<readonly Buffer[]>;
  write(keys: readonly Buffer[]): Promise<void>;
}

/** The keys of a list, which must not be empty. */
export function serverKeys(given: readonly Buffer[], kept?: Kept): ServerKeys {
  const base = firstOf(given);
  // What a rotation retires meanwhile still opens what was read before.
  const known = new Map<string, SealingKey>();
  let keys: readonly Buffer[] = [];
  let ring: readonly SealingKey[] = [];
  const use = (list: readonly Buffer[]): void => {
    keys = list;
    ring = list.map(sealingKeyOf);
    for (const key of ring) known.set(key.id, key);
  };
  const reload = async (): Promise<void> => {
    if (kept === undefined) return;
    const read = await kept.read();
    if (!firstOf(read).equals(base)) throw otherBase();
    use(read);
  };
  use(given);
  return {
    base,
    newest: () => ring.at(-1) ?? sealingKeyOf(base),
    sealing: () => ring,
    find: async (id) => {
      if (!known.has(id)) await reload();
      return known.get(id);
    },
    reload,
    file: kept && {
      add: async () => {
        await reload();
        const more = [...keys, randomBytes(32)];
        await kept.write(more);
        use(more);
      },
      retire: async (isNeeded) => {
        await reload();
        const last = keys.length - 1;
        const left = keys.filter((_, at) => at === 0 || at === last || isNeeded(ring[at]?.id ?? ""));
        const gone = keys.length - left.length;
        if (gone > 0) await kept.write(left);
        use(left);
        return gone;
      },
    },
  };
}

const firstOf = ([first]: readonly Buffer[]): Buffer => {
  if (first === undefined) throw new Error("a server needs a key");
  return first;
};

const otherBase = (): Problem =>
  new Problem("the first of the server's secret keys is another one than when this process started", {
    code: "validation_failed",
    hint: "put the old one back in front: everything but secrets is derived from it",
  });

const noKey = (path: string): Problem =>
  new Problem(`there is no secret key at ${path}`, {
    code: "no_secret_key",
    hint: "run this where the server's key is, or set SVC_SECRET_KEY or SVC_SECRET_KEY_FILE as the server has them",
  });

const unreadable = (path: string, error: unknown): Problem =>
  new Problem(
    `${nameOf(path)}: expected a file that this user may read, found none (${errorMessage(error)})`,
    {
      code: "secret_key_unreadable",
      hint: "run this as the user that the file and its folder belong to, or let that user read it: chmod u+rw",
      cause: error,
    },
  );

const unmakeable = (path: string, error: unknown): Problem =>
  new Problem(`${nameOf(path)} cannot be made (${errorMessage(error)})`, {
    code: "secret_key_unwritable",
    hint: "run this as the user that its folder belongs to, or name another file with SVC_SECRET_KEY_FILE",
    cause: error,
  });

const textOf = (keys: readonly Buffer[]): string => keys.map((key) => `${key.toString("hex")}\n`).join("");

/** A new file's text; throws a {@link Problem} where none can be made. */
function makeFile(path: string): string {
  try {
    return linkFile(path);
  } catch (error) {
    throw unmakeable(path, error);
  }
}

/** Two processes may start at once: the file appears complete, and whoever comes second reads the first one's. */
function linkFile(path: string): string {
  makeDirectorySync(dirname(path));
  const temporary = `${path}.${randomBytes(8).toString("hex")}.tmp`;
  writeFileSync(temporary, textOf([randomBytes(32)]), { mode: 0o600 });
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  return readFileSync(path, "utf8");
}

function keysIn(text: string, where: string): readonly Buffer[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length > 0 && words.length <= maximumKeys && words.every((word) => pattern.test(word))) {
    return words.map((word) => Buffer.from(word, "hex"));
  }
  throw new Problem(
    `${where}: expected 64 hexadecimal characters, or several such keys of which the last seals, found something else`,
    {
      code: "validation_failed",
      hint: "restore it from a backup: without it what the server sealed is lost",
    },
  );
}

/** One key for each purpose, derived from the first one: rotation leaves them as they are. */
export const keyForOf =
  ({ base }: ServerKeys) =>
  (purpose: string): Buffer =>
    deriveKey(base, purpose);
