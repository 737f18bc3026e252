import { sql } from "kysely";
import { loadPairs, type Pair } from "./component-rows.ts";
import { edgesFrom, managedBy } from "./edges.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import { fingerprintsIn, movedSince } from "./review-bases.ts";
import type { Definition } from "./rules.ts";
import { variantKey, wholeKey } from "./subs.ts";
import type { ComponentTable, EntityTable, LayerOp } from "./tables.ts";

/** What the head said under a key when it was edited in a change set, by component and stored key. */
export type Bases = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Components that a change set has rows of, in ascending order of id. */
export interface OwnPage {
  readonly pairs: ReadonlyMap<string, Pair<ComponentTable>>;
  readonly bases: Bases;
  /** The cursor to go on after, undefined at the end. */
  readonly next: string | undefined;
}

/** The next components that a change set says something of, in three statements. */
export async function pageOwnRows(
  reads: Reads,
  layer: Layer,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<OwnPage> {
  const found = await reads.db
    .selectFrom("component")
    .select("id")
    .where("layer", "=", layer.id)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  const ids = found.map(({ id }) => id);
  return {
    pairs: await loadPairs(reads, layer, ids),
    bases: await basesOf(reads, layer, ids),
    next: ids.length === limit ? ids.at(-1) : undefined,
  };
}

async function basesOf(reads: Reads, layer: Layer, ids: readonly string[]): Promise<Bases> {
  const bases = new Map<string, Map<string, string>>();
  if (ids.length === 0) return bases;
  const { rows } = await sql<{ subscriber: string; to_path: string; base: string }>`
    select subscriber, to_path, base from sub
    where layer = ${layer.id} and subscriber ${reads.engine.within(ids)} and base is not null`.execute(
    reads.db,
  );
  for (const { subscriber, to_path, base } of rows) {
    const known = bases.get(subscriber);
    if (known === undefined) bases.set(subscriber, new Map([[to_path, base]]));
    else known.set(to_path, base);
  }
  return bases;
}

/** Where the head has moved below a component of a change set. */
export interface Moves {
  /** Whether the head says something else at or below a key than when one of these keys, which lie there, was last edited here. */
  readonly moved: (headKey: string, by: readonly string[]) => boolean;
  /** Whether it says anything else than when the component was marked or erased here. */
  readonly movedSinceRemoval: () => boolean;
  /** Whether it has another variant than when one was chosen here. */
  readonly variantMoved: () => boolean;
}

/** What the head says of a component. */
type Head = Pick<Definition, "settings" | "variantId">;

/** Compares what the head said of a component with what it says; what nobody remembers has not moved. */
export function movesOf(
  bases: ReadonlyMap<string, string> | undefined,
  head: Head | undefined,
  op: LayerOp | undefined,
): Moves {
  const whole = bases?.get(wholeKey);
  const remembered: Readonly<Record<string, string>> | undefined =
    whole === undefined ? undefined : JSON.parse(whole);
  const [now, variantBase] = [fingerprintsIn(head?.settings ?? {}), bases?.get(variantKey)];
  const variantId = head?.variantId ?? "";
  const differs = (key: string): boolean =>
    remembered !== undefined && (key === variantKey ? variantId : now(key)) !== (remembered[key] ?? "");
  return {
    moved: (headKey, by) =>
      op === "del" ? differs(headKey) : op !== "add" && movedSince(bases, now, headKey, by),
    movedSinceRemoval: () =>
      [...Object.keys(head?.settings ?? {}), ...Object.keys(remembered ?? {})].some(differs),
    variantMoved: () => variantBase !== undefined && variantBase !== variantId,
  };
}

/** Components that lose something to read, or a manager, because these were erased in the change set. */
export async function listBereft(reads: Reads, layer: Layer, erased: readonly string[]): Promise<string[]> {
  const edges = await edgesFrom(reads, layer, erased);
  const managed = await managedBy(reads, layer, erased);
  return [...new Set([...edges.map((edge) => edge.subscriber), ...managed.map((one) => one.managed)])];
}

/** One entity of a change set with what the head has of it. */
export interface EntityPair {
  readonly own: EntityTable;
  readonly head: EntityTable | undefined;
}

/** Every entity that a change set says something of, in ascending order of kind and id, in two statements. */
export async function listOwnEntities(reads: Reads, layer: Layer): Promise<EntityPair[]> {
  const owns = await reads.db
    .selectFrom("entity")
    .selectAll()
    .where("layer", "=", layer.id)
    .orderBy("kind")
    .orderBy("id")
    .execute();
  const { rows } = await sql<EntityTable>`select * from entity
    where layer = ${layer.headId} and id ${reads.engine.within(owns.map(({ id }) => id))}`.execute(reads.db);
  const heads = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row]));
  return owns.map((own) => ({ own, head: heads.get(`${own.kind} ${own.id}`) }));
}
