import type { Clock } from "../src/lib/clock.ts";
import { type Delta, type Items, isEmpty, keysOf } from "./delta.ts";

/** What one reader gets of one list. */
interface ListChange {
  readonly resource: string;
  readonly upserted: Items;
  readonly deleted: readonly string[];
  readonly whole: boolean;
}

/** What one reader gets: everything when `fresh`, else what changed since the revision it named. */
export interface ChangeAnswer {
  readonly instance: string;
  readonly revision: number;
  readonly fresh: boolean;
  readonly changes: readonly ListChange[];
}

/** The revision a reader has seen, and of which daemon. */
interface Seen {
  readonly instance: string | undefined;
  readonly revision: number;
}

/** One revision: which keys of which list it touched; `all` when the list must be given as a whole. */
interface Entry {
  readonly resource: string;
  readonly keys: readonly string[] | "all";
}

/** Keys that the log remembers: some 100 bytes each, so at most about 2 MB; whoever asks for older gets everything. */
const defaultKeep = 20_000;
/** From this many touched keys on, a list of which more than half changed is remembered as a whole. */
const wholeFrom = 1_000;
const none: Items = new Map();

/**
 * The lists as they are now, and which keys were touched at which revision. Answers are always made of the lists as
 * they are, so a reader converges whatever it missed. Lists are replaced in one step: no answer holds half of one.
 */
export class ChangeLog {
  readonly instance: string;
  readonly #clock: Clock;
  readonly #keep: number;
  readonly #lists = new Map<string, Items>();
  /** Entries of the revisions `#revision - #log.length + 1` to `#revision`. */
  #log: Entry[] = [];
  #remembered = 0;
  #revision = 0;
  readonly #waiting = new Set<() => void>();

  constructor(instance: string, clock: Clock, keep = defaultKeep) {
    this.instance = instance;
    this.#clock = clock;
    this.#keep = keep;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The items of a list as they are now; none when there is no such list. */
  items(resource: string): Items {
    return this.#lists.get(resource) ?? none;
  }

  /** Puts a whole new snapshot in place of the old one, from which it differs by `delta`. */
  replace(resource: string, items: Items, delta: Delta): void {
    const known = this.#lists.has(resource);
    if (known && isEmpty(delta)) return;
    this.#lists.set(resource, items);
    const keys = keysOf(delta);
    const most = keys.length >= wholeFrom && keys.length * 2 > items.size;
    this.#append({ resource, keys: known && !most ? keys : "all" });
  }

  /** Sets and removes single items of a list. */
  edit(resource: string, upserted: Items, removed: readonly string[] = []): void {
    const items = new Map(this.#lists.get(resource));
    for (const [key, text] of upserted) items.set(key, text);
    for (const key of removed) items.delete(key);
    this.#lists.set(resource, items);
    this.#append({ resource, keys: [...upserted.keys(), ...removed] });
  }

  /** Takes lists away; readers lose all items of them. */
  remove(resources: Iterable<string>): void {
    for (const resource of resources) {
      if (this.#lists.delete(resource)) this.#append({ resource, keys: "all" });
    }
  }

  /** What a reader that has seen `seen` must be told to be as the mirror is now. */
  since(seen: Seen): ChangeAnswer {
    const { instance } = this;
    const revision = this.#revision;
    const missing = revision - seen.revision;
    const known = seen.instance === instance && seen.revision >= 0 && missing >= 0;
    if (!known || missing > this.#log.length) {
      const changes = [...this.#lists].map(([resource, items]) => wholeOf(resource, items));
      return { instance, revision, fresh: true, changes };
    }
    const touched = new Map<string, Set<string> | "all">();
    for (const { resource, keys } of missing === 0 ? [] : this.#log.slice(-missing)) {
      const before = touched.get(resource);
      if (keys === "all" || before === "all") touched.set(resource, "all");
      else touched.set(resource, addAll(before ?? new Set(), keys));
    }
    const changes = [...touched].map(([resource, keys]) => this.#changeOf(resource, keys));
    return { instance, revision, fresh: false, changes };
  }

  /** The same, but with nothing to tell it waits for the next change, `waitMs`, or the signal. */
  async after(seen: Seen, waitMs: number, signal: AbortSignal): Promise<ChangeAnswer> {
    if (seen.instance === this.instance && seen.revision === this.#revision && waitMs > 0)
      await this.#nextChange(waitMs, signal);
    return this.since(seen);
  }

  #append(entry: Entry): void {
    this.#revision++;
    this.#log.push(entry);
    this.#remembered += weightOf(entry);
    let dropped = 0;
    while (this.#remembered > this.#keep && dropped < this.#log.length) {
      const oldest = this.#log[dropped++];
      this.#remembered -= oldest === undefined ? 0 : weightOf(oldest);
    }
    if (dropped > 0) this.#log = this.#log.slice(dropped);
    for (const wake of [...this.#waiting]) wake();
  }

  #changeOf(resource: string, keys: Set<string> | "all"): ListChange {
    const items = this.items(resource);
    if (keys === "all") return wholeOf(resource, items);
    const upserted = new Map<string, string>();
    const deleted: string[] = [];
    for (const key of keys) {
      const text = items.get(key);
      if (text === undefined) deleted.push(key);
      else upserted.set(key, text);
    }
    return { resource, upserted, deleted, whole: false };
  }

  #nextChange(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = (): void => {
        cancel();
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const cancel = this.#clock.after(waitMs, done);
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}

const wholeOf = (resource: string, items: Items): ListChange => ({
  resource,
  upserted: items,
  deleted: [],
  whole: true,
});

const weightOf = (entry: Entry): number => 1 + (entry.keys === "all" ? 0 : entry.keys.length);

function addAll(set: Set<string>, keys: readonly string[]): Set<string> {
  for (const key of keys) set.add(key);
  return set;
}
