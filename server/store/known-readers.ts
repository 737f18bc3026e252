import { sql } from "kysely";
import { type Readers, readersFrom } from "./edges.ts";
import { grouped } from "./grouped.ts";
import type { HeadMemory } from "./head-memory.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";

/** Tells who reads these components, as {@link readersFrom} does. */
export type FindReaders = (sources: readonly string[]) => Promise<readonly Readers[]>;

/** As much as a change set may say itself to be laid over what is known of the head. */
const fewSettings = 64;

/**
 * Finds readers in a layer with what is known of its head: one statement for what the change set says itself, and one
 * whenever it comes to components whose readers in the head are not known yet.
 */
export async function knownReaders(reads: Reads, layer: Layer, head: HeadMemory): Promise<FindReaders> {
  const inHead: FindReaders = (sources) => headReaders(reads, layer, head, sources);
  if (layer.id === layer.headId) return inHead;
  const { rows } = await sql<OwnSetting>`
    select subscriber, to_path, source, from_path from sub
    where layer = ${layer.id} limit ${fewSettings + 1}`.execute(reads.db);
  if (rows.length > fewSettings) return (sources) => readersFrom(reads, layer, sources);
  const covered = grouped(rows, ({ subscriber }) => subscriber);
  return async (sources) => [
    ...(await inHead(sources)).map((readers) => uncovered(readers, covered)),
    ...ownReaders(rows, sources),
  ];
}

/** What a change set says of one place. */
interface OwnSetting {
  readonly subscriber: string;
  readonly to_path: string;
  readonly source: string | null;
  readonly from_path: string | null;
}

async function headReaders(
  reads: Reads,
  layer: Layer,
  memory: HeadMemory,
  sources: readonly string[],
): Promise<Readers[]> {
  const { readers } = memory;
  const missing = sources.filter((id) => !readers.has(id));
  const read = await readersFrom(reads, { ...layer, id: layer.headId }, missing);
  const bySource = grouped(read, ({ source }) => source);
  const found = new Map(missing.map((id) => [id, bySource.get(id) ?? nobody]));
  memory.keepReaders(found);
  return sources.flatMap((id) => readers.get(id) ?? found.get(id) ?? nobody);
}

const nobody: readonly Readers[] = [];

/** Those of the head's readers who read at places of which the change set says nothing. */
function uncovered(readers: Readers, own: ReadonlyMap<string, readonly OwnSetting[]>): Readers {
  const isCovered = (subscriber: string, at: number): boolean =>
    own.get(subscriber)?.some(({ to_path }) => to_path === readers.places[at]) ?? false;
  if (!readers.subscribers.some(isCovered)) return readers;
  const left = readers.subscribers.flatMap((id, at) => (isCovered(id, at) ? [] : [at]));
  const pick = (all: readonly string[]): string[] => left.map((at) => all[at] ?? "");
  return { ...readers, subscribers: pick(readers.subscribers), places: pick(readers.places) };
}

/** Those who read a source because the change set says so. */
const ownReaders = (own: readonly OwnSetting[], sources: readonly string[]): Readers[] => {
  const asked = new Set(sources);
  return own.flatMap(({ subscriber, to_path, source, from_path }) =>
    source !== null && from_path !== null && asked.has(source)
      ? [{ source, from_path, subscribers: [subscriber], places: [to_path] }]
      : [],
  );
};
