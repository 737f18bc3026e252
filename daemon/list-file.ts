import { Low } from "lowdb";
import Type, { type TSchema } from "typebox";
import { explain, matches } from "../src/contract/check.ts";
import { nullable } from "../src/contract/shapes.ts";
import type { Items } from "./delta.ts";
import { JsonFile, type JsonFileOptions } from "./json-file.ts";

/** What is known of a list beside its items. Times are RFC 3339 or null. */
export interface ListHead {
  readonly list: string;
  readonly etag: string | null;
  /** The question that the tag's answer was given to, as a mark; absent where it was not kept. */
  readonly question?: string;
  readonly syncedAt: string | null;
  readonly changedAt: string | null;
}

/** A list as it is cached. */
export interface CachedList {
  readonly head: ListHead;
  readonly items: Items;
}

/** Which items a list holds: what they must look like and what tells them apart. */
export interface ItemShape {
  readonly item: TSchema;
  keyOf(item: unknown): string;
}

/** Where and how a list is kept. */
interface ListFileOptions extends Pick<JsonFileOptions<never>, "onDamaged" | "clock" | "write"> {
  /** The index file; shards lie beside it. */
  readonly path: string;
  readonly shape: ItemShape;
}

/** A file is split when it grows beyond 1 MB, which blocks the process for 5 ms, and joined below an eighth of that. */
const largestBytes = 1_000_000;
const smallestBytes = largestBytes / 8;

/** Raised when older files cannot be read any more; they are then set aside and fetched again. */
const format = 1;

const PartShape = Type.Object({
  format: Type.Literal(format),
  generation: Type.Integer(),
  head: nullable(
    Type.Object({
      list: Type.String(),
      etag: nullable(Type.String()),
      question: Type.Optional(Type.String()),
      syncedAt: nullable(Type.String()),
      changedAt: nullable(Type.String()),
    }),
  ),
  shards: Type.Array(Type.Integer()),
  items: Type.Array(Type.Unknown()),
});

/** A part of a list on disk: the index with a small list's items, or one shard of a large list. */
interface Part {
  readonly generation: number;
  readonly head: ListHead | undefined;
  /** Generations of the shards; none when the items are in the index itself. */
  readonly shards: readonly number[];
  readonly items: Items;
}

const nothing: Part = { generation: 0, head: undefined, shards: [], items: new Map() };

/**
 * One list on disk: a small one in a single file, a large one in shards with an index that names their generations. The
 * index is written last and each file keeps the one before it, so that whatever moment a crash comes at, one whole
 * snapshot can be read.
 */
export class ListFile {
  readonly #options: ListFileOptions;
  #generation = 0;
  #shards: readonly number[] = [];
  #dirty: Set<string> | "all" = "all";
  /** Shards that a failed save has written already: their backup, not they, belongs to the index. */
  readonly #ahead = new Set<number>();

  constructor(options: ListFileOptions) {
    this.#options = options;
  }

  /** The cached list, every item checked against its schema; undefined when there is none or a part of it is damaged. */
  async load(): Promise<CachedList | undefined> {
    const index = await this.#read(indexShard, undefined);
    if (index?.head === undefined) return undefined;
    this.#generation = index.generation;
    this.#shards = index.shards;
    this.#dirty = new Set();
    if (index.shards.length === 0) return { head: index.head, items: index.items };
    const parts = await Promise.all(index.shards.map((generation, n) => this.#read(n, generation)));
    const items = new Map<string, string>();
    for (const part of parts) {
      if (part === undefined) {
        this.#dirty = "all";
        return undefined;
      }
      for (const [key, text] of part.items) items.set(key, text);
    }
    return { head: index.head, items };
  }

  /** Remembers which items the next {@link save} must write. */
  touch(keys: Iterable<string> | "all"): void {
    if (keys === "all") this.#dirty = "all";
    else if (this.#dirty !== "all") for (const key of keys) this.#dirty.add(key);
  }

  /** Writes what was touched. When it fails, everything is as it was and is still to be written. */
  async save(list: CachedList): Promise<void> {
    const before = this.#shards.length;
    const count = shardCount(list.items, before);
    const dirty = count === before ? this.#dirty : "all";
    this.#dirty = new Set();
    const generation = this.#generation + 1;
    try {
      const shards = count === 0 ? [] : await this.#saveShards(list.items, count, dirty, generation);
      const items: Items = count === 0 ? list.items : new Map();
      await this.#write(indexShard, { generation, head: list.head, shards, items });
      this.#generation = generation;
      this.#shards = shards;
      this.#ahead.clear();
    } catch (error) {
      this.#dirty = "all";
      throw error;
    }
    for (let shard = count; shard < before; shard++) await this.#file(shard, undefined).remove();
  }

  /** Removes everything of this list. */
  async remove(): Promise<void> {
    const shards = this.#shards.map((_, shard) => this.#file(shard, undefined).remove());
    await Promise.all([this.#file(indexShard, undefined).remove(), ...shards]);
    this.#shards = [];
    this.#dirty = "all";
  }

  async #saveShards(
    items: Items,
    count: number,
    dirty: Set<string> | "all",
    generation: number,
  ): Promise<number[]> {
    const touched = dirty === "all" ? undefined : new Set([...dirty].map((key) => shardOf(key, count)));
    const parts = Array.from({ length: count }, () => new Map<string, string>());
    for (const [key, text] of items) parts[shardOf(key, count)]?.set(key, text);
    const shards: number[] = [];
    for (const [shard, part] of parts.entries()) {
      const known = this.#shards[shard];
      if (touched?.has(shard) === false && known !== undefined) {
        shards.push(known);
        continue;
      }
      await this.#write(shard, { generation, head: undefined, shards: [], items: part });
      this.#ahead.add(shard);
      shards.push(generation);
    }
    return shards;
  }

  async #read(shard: number, generation: number | undefined): Promise<Part | undefined> {
    const database = new Low<Part>(this.#file(shard, generation), nothing);
    await database.read();
    return database.data === nothing ? undefined : database.data;
  }

  async #write(shard: number, part: Part): Promise<void> {
    const database = new Low<Part>(this.#file(shard, undefined), part);
    await database.write();
  }

  #file(shard: number, generation: number | undefined): JsonFile<Part> {
    const { path, shape, ...rest } = this.#options;
    return new JsonFile<Part>({
      ...rest,
      path: shard === indexShard ? path : path.replace(/\.json$/, `.${shard}.json`),
      encode,
      decode: (value) => decode(value, shape),
      keepsBackup: !this.#ahead.has(shard),
      accepts: (part) => generation === undefined || part.generation === generation,
    });
  }
}

const indexShard = -1;

/** How many shards a list needs: none when it fits into the index; a count that still fits is kept. */
function shardCount(items: Items, current: number): number {
  let bytes = 0;
  for (const text of items.values()) bytes += text.length + 1;
  const average = bytes / Math.max(current, 1);
  if (average <= largestBytes && (current === 0 || average >= smallestBytes)) return current;
  const needed = Math.ceil(bytes / (largestBytes / 2));
  return needed <= 1 ? 0 : 2 ** Math.ceil(Math.log2(needed));
}

/** FNV-1a: spreads ids evenly, and the same on every machine. */
function shardOf(key: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % count;
}

const encode = ({ generation, head, shards, items }: Part): string =>
  `{"format":${format},"generation":${generation},"head":${JSON.stringify(head ?? null)},` +
  `"shards":${JSON.stringify(shards)},"items":[${[...items.values()].join(",")}]}\n`;

function decode(value: unknown, shape: ItemShape): Part {
  if (!matches(PartShape, value)) throw new Error(explain(PartShape, value, "file"));
  const items = new Map<string, string>();
  for (const item of value.items) {
    if (!matches(shape.item, item)) throw new Error(explain(shape.item, item, "item"));
    items.set(shape.keyOf(item), JSON.stringify(item));
  }
  const { generation, head, shards } = value;
  return { generation, head: head ?? undefined, shards, items };
}
