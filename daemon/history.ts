import { monotonicFactory } from "ulid";
import { eventList } from "../src/ipc/contract.ts";
import { type Clock, toTimestamp } from "../src/lib/clock.ts";
import { MirrorEvent, type ResourceRow } from "../src/mirror/resources.ts";
import type { Cache } from "./cache.ts";
import type { ChangeLog } from "./change-log.ts";
import type { Delta, Items } from "./delta.ts";
import type { CachedList } from "./list-file.ts";

/** Events kept: some 300 bytes each, so about 300 KB on disk and with every reader. */
const keptEvents = 1_000;

/** The list whose change is told of. */
interface ChangedList {
  readonly row: ResourceRow;
  readonly changeSetId: string | undefined;
}

/** What changed in the mirror and when, newest last, bounded; a list like any other to readers and to the cache. */
export class History {
  readonly #clock: Clock;
  readonly #changes: ChangeLog;
  readonly #cache: Cache;
  readonly #newId: (at: number) => string;

  constructor(clock: Clock, changes: ChangeLog, cache: Cache) {
    this.#clock = clock;
    this.#changes = changes;
    this.#cache = cache;
    this.#newId = monotonicFactory(clock.random);
  }

  /** Takes up the history that the cache has. */
  async load(): Promise<void> {
    const shape = { item: MirrorEvent, keyOf: (event: MirrorEvent) => event.id };
    const current = (): CachedList => ({
      head: { list: eventList, etag: null, syncedAt: null, changedAt: null },
      items: this.#changes.items(eventList),
    });
    const cached = await this.#cache.open(eventList, shape, current);
    const items = cached?.items ?? new Map<string, string>();
    this.#changes.replace(eventList, items, { added: [...items.keys()], changed: [], removed: [] });
  }

  /** Tells of a list's change from `before` to `after`; of more changes than are kept only the last ones. */
  record(list: ChangedList, delta: Delta, before: Items, after: Items): void {
    const events = [
      ...delta.removed.map((key) => ({ kind: "removed" as const, key, text: before.get(key) })),
      ...delta.added.map((key) => ({ kind: "added" as const, key, text: after.get(key) })),
      ...delta.changed.map((key) => ({ kind: "changed" as const, key, text: after.get(key) })),
    ].slice(-keptEvents);
    if (events.length === 0) return;
    const now = this.#clock.now();
    const upserted = new Map<string, string>();
    for (const { kind, key, text } of events) {
      const id = this.#newId(now);
      const event: MirrorEvent = {
        id,
        at: toTimestamp(now),
        kind,
        resource: list.row.name,
        changeSetId: list.changeSetId ?? null,
        key,
        name: text === undefined ? key : list.row.nameOf(JSON.parse(text)),
      };
      upserted.set(id, JSON.stringify(event));
    }
    const known = [...this.#changes.items(eventList).keys()];
    const removed = known.slice(0, Math.max(0, known.length + upserted.size - keptEvents));
    this.#changes.edit(eventList, upserted, removed);
    this.#cache.changed(eventList, [...upserted.keys(), ...removed]);
  }
}
