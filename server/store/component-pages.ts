import { sql } from "kysely";
import type { Merged, Shown, Window } from "../domain/pages.ts";
import { type ComponentHeader, headerColumns, loadPairs } from "./component-rows.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import type { ComponentRules } from "./rules.ts";
import { type ShownComponent, showPairs } from "./show.ts";

/** One component in a list. */
export type ListedComponent = Pick<
  ShownComponent,
  "id" | "name" | "toDelete" | "variantId" | "item" | "diff" | "hash"
>;

/** A page in ascending order of id; `next` is the cursor to go on after, undefined at the end. */
export interface ComponentPage {
  readonly components: readonly ListedComponent[];
  readonly next: string | undefined;
}

/** `mergeWindows` of `server/domain/pages.ts`. */
export type MergeWindows = (
  head: Window<ComponentHeader>,
  own: Window<ComponentHeader>,
  limit: number,
) => Merged<ComponentHeader>;

/** How much wider the next window is when a run of tombstones used one up. */
const widening = 4;
const widestWindow = 4_000;

/** The components after `after` (from the start with `""`, also when that one is gone): one statement per window. */
export async function pageComponents(
  reads: Reads,
  rules: ComponentRules & { readonly mergeWindows: MergeWindows },
  layer: Layer,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<ComponentPage> {
  const wanted = limit + 1;
  const shown: Shown<ComponentHeader>[] = [];
  let cursor: string | undefined = after;
  for (let size = wanted; cursor !== undefined && shown.length < wanted; ) {
    const [head, own] = await readWindows(reads, layer, cursor, size);
    const merged = rules.mergeWindows(head, own, wanted - shown.length);
    shown.push(...merged.shown);
    cursor = merged.completeTo;
    size = Math.min(size * widening, widestWindow);
  }
  const page = shown.slice(0, limit);
  const mended = await mend(reads, rules, layer, page);
  const components = page.map((one) => mended.get(one.id) ?? listed(one));
  return { components, next: shown.length > limit ? page.at(-1)?.id : undefined };
}

async function readWindows(
  reads: Reads,
  layer: Layer,
  after: string,
  size: number,
): Promise<[head: Window<ComponentHeader>, own: Window<ComponentHeader>]> {
  const window = (id: string) =>
    sql`select ${headerColumns} from component where layer = ${id} and id > ${after} order by id limit ${size}`;
  const both =
    layer.id === layer.headId
      ? window(layer.headId)
      : sql`select * from (${window(layer.headId)}) a union all select * from (${window(layer.id)}) b`;
  const { rows } = await sql<ComponentHeader>`${both}`.execute(reads.db);
  const head = rows.filter((row) => row.layer === layer.headId);
  const own = rows.filter((row) => row.layer !== layer.headId);
  return [
    { rows: head, full: head.length === size },
    { rows: own, full: own.length === size },
  ];
}

/** The stale ones of a page, merged again; in one more statement, and only when there are any. */
async function mend(
  reads: Reads,
  rules: ComponentRules,
  layer: Layer,
  page: readonly Shown<ComponentHeader>[],
): Promise<Map<string, ShownComponent>> {
  const stale = page.filter((one) => one.stale).map((one) => one.id);
  return showPairs(rules, layer, await loadPairs(reads, layer, stale));
}

const listed = ({ id, row, head, diff }: Shown<ComponentHeader>): ListedComponent => ({
  id,
  variantId: row.variant_id ?? head?.variant_id ?? "",
  name: row.name ?? "",
  toDelete: row.to_delete === 1,
  item: row.item ?? "{",
  hash: row.hash ?? "",
  diff: diff === "Removed" ? "None" : diff,
});
