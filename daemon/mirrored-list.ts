import { createHash } from "node:crypto";
import type { ListHealth } from "../src/ipc/contract.ts";
import { type Clock, toTimestamp } from "../src/lib/clock.ts";
import { type Listed, listName, newestKept, type ResourceRow, type Scope } from "../src/mirror/resources.ts";
import type { Cache } from "./cache.ts";
import type { ChangeLog } from "./change-log.ts";
import { diff, type Items, isEmpty, keysOf } from "./delta.ts";
import type { History } from "./history.ts";
import type { CachedList } from "./list-file.ts";
import type { Health } from "./reflector.ts";

/** Where a list's items go. */
interface ListParts {
  readonly clock: Clock;
  readonly changes: ChangeLog;
  readonly cache: Cache;
  readonly history: History;
}

/** One mirrored list: its items in the change log, its tag, its ages and its health. */
export class MirroredList {
  readonly name: string;
  readonly row: ResourceRow;
  readonly scope: Scope;
  readonly #parts: ListParts;
  readonly #question: string;
  #prepared: { readonly texts: Map<string, string>; count: number } = { texts: new Map(), count: 0 };
  #etag: string | undefined;
  #syncedAt: number | undefined;
  #changedAt: number | undefined;
  #health: Health = { failures: 0, error: undefined, nextAt: undefined };

  constructor(row: ResourceRow, scope: Scope, parts: ListParts) {
    this.name = listName(row.name, scope.changeSetId);
    this.row = row;
    this.scope = scope;
    this.#parts = parts;
    this.#question = questionOf(row);
  }

  /** Serves what the cache has, with its age; nothing when it has nothing whole. */
  async load(): Promise<void> {
    const cached = await this.#parts.cache.open(this.name, this.row, () => this.#asCached());
    if (cached === undefined) return;
    const { head, items } = cached;
    // A tag of an answer to another question would keep what is asked for now from ever being read.
    this.#etag = head.question === this.#question ? (head.etag ?? undefined) : undefined;
    this.#syncedAt = fromTimestamp(head.syncedAt);
    this.#changedAt = fromTimestamp(head.changedAt);
    this.#parts.changes.replace(this.name, items, { added: [...items.keys()], changed: [], removed: [] });
  }

  get etag(): string | undefined {
    return this.#etag;
  }

  /** Whether a whole list has ever come, from the server or the cache. */
  get synced(): boolean {
    return this.#syncedAt !== undefined;
  }

  get items(): Items {
    return this.#parts.changes.items(this.name);
  }

  /** Prepares a page of a list that is still being read; page 0 forgets what was prepared before. */
  takePage(items: readonly unknown[], index: number): void {
    if (index === 0) this.#prepared = { texts: new Map(), count: 0 };
    this.#prepared.count += items.length;
    addTexts(this.row, items, this.#prepared.texts);
  }

  /** Takes an answer of the server; says whether any item changed. */
  take(listed: Listed<unknown>): boolean {
    const { clock, cache } = this.#parts;
    const first = !this.synced;
    this.#syncedAt = clock.now();
    if (listed.unchanged) {
      cache.confirmed(this.name);
      return false;
    }
    const retagged = this.#etag !== listed.etag;
    this.#etag = listed.etag;
    const changed = this.#replace(this.#textsOf(listed.items), first);
    if (changed || retagged) cache.confirmed(this.name);
    return changed;
  }

  /** Sets one item of a list that the server does not tell as a whole, the oldest beyond the newest going; says whether it is news. */
  put(item: unknown): boolean {
    const { clock, changes, cache } = this.#parts;
    const key = this.row.keyOf(item);
    const text = JSON.stringify(item);
    if (this.items.get(key) === text) return false;
    const keys = [...new Set([...this.items.keys(), key])].sort();
    const dropped = keys.slice(0, Math.max(0, keys.length - newestKept));
    this.#changedAt = clock.now();
    changes.edit(this.name, new Map([[key, text]]), dropped);
    cache.changed(this.name, [key, ...dropped]);
    return true;
  }

  /** The items' texts; those prepared page by page when they are of this very list. */
  #textsOf(items: readonly unknown[]): Items {
    const { texts, count } = this.#prepared;
    this.#prepared = { texts: new Map(), count: 0 };
    return count === items.length && count > 0 ? texts : addTexts(this.row, items, new Map());
  }

  /** Puts a whole new list in place; the first one is no history. */
  #replace(after: Items, first: boolean): boolean {
    const { clock, changes, cache, history } = this.#parts;
    const before = this.items;
    const delta = diff(before, after);
    if (isEmpty(delta) && !first) return false;
    this.#changedAt = clock.now();
    changes.replace(this.name, after, delta);
    cache.changed(this.name, first ? "all" : keysOf(delta));
    if (!first && this.row.history !== false) {
      const { row, scope } = this;
      history.record({ row, changeSetId: scope.changeSetId }, delta, before, after);
    }
    return true;
  }

  set health(health: Health) {
    this.#health = health;
  }

  get health(): Health {
    return this.#health;
  }

  /** The list's line in the daemon's status. */
  status(): ListHealth {
    const { failures, error, nextAt, note } = this.#health;
    return {
      resource: this.name,
      items: this.items.size,
      syncedAt: when(this.#syncedAt),
      changedAt: when(this.#changedAt),
      failures,
      error: error ?? null,
      nextAt: when(nextAt),
      ...(note === undefined ? {} : { note }),
    };
  }

  #asCached(): CachedList {
    return {
      head: {
        list: this.name,
        etag: this.#etag ?? null,
        question: this.#question,
        syncedAt: when(this.#syncedAt),
        changedAt: when(this.#changedAt),
      },
      items: this.items,
    };
  }
}

/** A mark of what a list is asked for and of what its items are like; another version may ask for more. */
const questionOf = ({ item, query }: ResourceRow): string =>
  createHash("sha256")
    .update(JSON.stringify([query, item]))
    .digest("base64url")
    .slice(0, 12);

/** Adds items by key as JSON text: each is written once for its whole life in the daemon. */
function addTexts(row: ResourceRow, items: readonly unknown[], texts: Map<string, string>): Items {
  for (const item of items) texts.set(row.keyOf(item), JSON.stringify(item));
  return texts;
}

const when = (ms: number | undefined): string | null => (ms === undefined ? null : toTimestamp(ms));

function fromTimestamp(text: string | null): number | undefined {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}
