import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Cancel, Clock } from "../src/lib/clock.ts";
import { type Log, type Transition, transition } from "../src/lib/log.ts";
import { type Debounced, debounce } from "./debounce.ts";
import { messageOf } from "./failure.ts";
import type { WriteFile } from "./json-file.ts";
import { type CachedList, type ItemShape, ListFile } from "./list-file.ts";
import type { Notices } from "./notices.ts";

interface CacheOptions {
  /** The folder of one server and workspace, see {@link scopeFolder}. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: Notices;
  readonly write?: WriteFile | undefined;
}

/** Changes of one burst are written together: 300 ms after the last, 2 s after the first at the latest. */
const limits = { quietMs: 300, longestMs: 2_000 };
/** A disk that took nothing is tried again after this, in milliseconds. */
const retryMs = 30_000;

interface Entry {
  readonly file: ListFile;
  /** The list as it is now. */
  readonly current: () => CachedList;
  /** What is to be written: nothing, the times only, or items. */
  state: "written" | "times" | "items";
}

/**
 * The lists of one server and workspace on disk, a file or more for each. Writing never blocks or fails the mirror: what
 * cannot be written is said once, kept in memory, and tried again.
 */
export class Cache {
  readonly #options: CacheOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #saving: Debounced;
  readonly #transition: Transition;
  #retry: Cancel | undefined;
  #removing: Promise<unknown> = Promise.resolve();

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#saving = debounce(options.clock, limits, () => this.#save());
    this.#transition = transition(options.log, "cache not written", "cache written again");
  }

  /** Takes a list on, reading it from `current` whenever it must be written; gives what the disk has of it. */
  async open(name: string, shape: ItemShape, current: () => CachedList): Promise<CachedList | undefined> {
    const { folder, clock, notices, write } = this.#options;
    const file = new ListFile({
      path: join(folder, `${fileNameOf(name)}.json`),
      shape,
      clock,
      ...(write === undefined ? {} : { write }),
      onDamaged: (path, reason) =>
        notices.report(`the cache of ${name} was damaged (${reason}); kept as ${path}, fetched again`),
    });
    this.#entries.set(name, { file, current, state: "written" });
    await this.#removing;
    return file.load();
  }

  /** Has these items written soon. */
  changed(name: string, keys: Iterable<string> | "all"): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    entry.file.touch(keys);
    entry.state = "items";
    this.#saving.request();
  }

  /** Has the list's times and tag written with whatever is written next. */
  confirmed(name: string): void {
    const entry = this.#entries.get(name);
    if (entry?.state === "written") entry.state = "times";
  }

  /** Lets go of a list and its files. */
  remove(name: string): void {
    const entry = this.#entries.get(name);
    this.#entries.delete(name);
    if (entry === undefined) return;
    const removed = this.#saving.flush().then(() => entry.file.remove());
    this.#removing = Promise.allSettled([this.#removing, removed]);
  }

  /** Writes everything that is not written yet; resolves when that is done or has failed. */
  async flush(): Promise<void> {
    this.#retry?.();
    this.#saving.request();
    await this.#saving.flush();
    await this.#removing;
  }

  async #save(): Promise<void> {
    for (const entry of [...this.#entries.values()]) {
      if (entry.state === "written") continue;
      const before = entry.state;
      entry.state = "written";
      try {
        await entry.file.save(entry.current());
      } catch (error) {
        if (entry.state === "written") entry.state = before;
        return this.#failed(error);
      }
    }
    this.#transition.succeeded();
    this.#options.notices.clear(topic);
  }

  #failed(error: unknown): void {
    const { folder, clock, notices } = this.#options;
    this.#transition.failed({ path: folder, reason: messageOf(error) });
    notices.raise(
      topic,
      `could not write the cache in ${folder}: ${messageOf(error)}; the mirror goes on in memory and tries again`,
    );
    this.#retry?.();
    this.#retry = clock.after(retryMs, () => this.#saving.request(), { background: true });
  }
}

const topic = "cache";

/** The folder of a server and workspace under the cache's: what is cached of one is never read for another. */
export const scopeFolder = (root: string, serverUrl: string, workspaceId: string): string =>
  join(serverFolder(root, serverUrl), fileNameOf(workspaceId));

/** The folder of a server: readable, and different for every origin. */
export function serverFolder(root: string, serverUrl: string): string {
  const readable = serverUrl.replace(/^https?:\/\//, "").replace(/[^A-Za-z0-9.]+/g, "-");
  return join(root, `${readable.slice(0, 60)}-${hash(serverUrl)}`);
}

/** A list's name as a path: ids stand as they are, anything a file system might mistake is hashed. */
export const fileNameOf = (name: string): string =>
  name
    .split("/")
    .map((part) => (/^[A-Za-z0-9_-]{1,64}$/.test(part) ? part : `x${hash(part)}`))
    .join("/");

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
