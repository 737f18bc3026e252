import { copyFile, link, rename, rm } from "node:fs/promises";
import type { Adapter } from "lowdb";
import { errorCode, isMissing, readFileIfThere, writeFileAtomic } from "../src/lib/atomic-file.ts";
import { type Clock, toTimestamp } from "../src/lib/clock.ts";
import { messageOf } from "./failure.ts";

/** Writes a file as one step, see `writeFileAtomic`; tests put a full disk in its place. */
export type WriteFile = (path: string, text: string) => Promise<void>;

export interface JsonFileOptions<T> {
  readonly path: string;
  readonly encode: (data: T) => string;
  /** The data of parsed JSON. Throws when it has another shape. */
  readonly decode: (value: unknown) => T;
  /** Whether a readable file is the one that is wanted; when not, the one before it may be. Default: it is. */
  readonly accepts?: (data: T) => boolean;
  /** Hears of each damaged file after it was set aside. */
  readonly onDamaged: (path: string, reason: string) => void;
  readonly clock: Clock;
  /** Whether a write keeps the file before it as `.bak`. Default: it does. */
  readonly keepsBackup?: boolean;
  readonly write?: WriteFile;
}

/**
 * A lowdb adapter that loses nothing: writes are atomic, synced and private, the file before is kept as `.bak`, a file
 * that cannot be understood is set aside as `.corrupt-<time>` and the one before it is read instead. One writer only.
 */
export class JsonFile<T> implements Adapter<T> {
  readonly #options: JsonFileOptions<T>;

  constructor(options: JsonFileOptions<T>) {
    this.#options = options;
  }

  /** The newest data that can be read and is accepted; null when there is none. A backup that is used takes the file's place. */
  async read(): Promise<T | null> {
    const { path, accepts = () => true } = this.#options;
    const newest = await this.#readOne(path);
    if (newest !== undefined && accepts(newest)) return newest;
    const before = await this.#readOne(backupOf(path));
    if (before === undefined || !accepts(before)) return null;
    // From here on the one before is the file, so that the next write keeps the right one as its backup.
    await rename(backupOf(path), path);
    return before;
  }

  async write(data: T): Promise<void> {
    const { path, encode, keepsBackup = true, write = writeFileAtomic } = this.#options;
    const text = encode(data);
    if (keepsBackup) await keepBackup(path);
    await write(path, text);
  }

  /** Removes the file and the one before it. */
  async remove(): Promise<void> {
    const { path } = this.#options;
    await Promise.all([rm(path, { force: true }), rm(backupOf(path), { force: true })]);
  }

  async #readOne(path: string): Promise<T | undefined> {
    const { decode, onDamaged, clock } = this.#options;
    let text: string | undefined;
    try {
      text = await readFileIfThere(path);
    } catch (error) {
      onDamaged(path, messageOf(error));
      return undefined;
    }
    if (text === undefined) return undefined;
    try {
      return decode(JSON.parse(text));
    } catch (error) {
      const aside = `${path}.corrupt-${toTimestamp(clock.now()).replace(/[:.]/g, "-")}`;
      await rename(path, aside).catch(() => undefined);
      onDamaged(aside, messageOf(error));
      return undefined;
    }
  }
}

const backupOf = (path: string): string => `${path}.bak`;

/** Gives the file a second name, so that the atomic replacement leaves the old one standing under it. */
async function keepBackup(path: string): Promise<void> {
  const backup = backupOf(path);
  try {
    await rm(backup, { force: true });
    await link(path, backup);
  } catch (error) {
    if (isMissing(error)) return;
    // Some file systems have no second names.
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "EXDEV", "EMLINK"].includes(errorCode(error) ?? ""))
      await copyFile(path, backup);
    else throw error;
  }
}
