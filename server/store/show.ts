import type { Json } from "../domain/json.ts";
import type { DiffStatus } from "../domain/pages.ts";
import type { ReadValue, Vals } from "../domain/values.ts";
import { hashOf, ownRowOf, type Pair, settingsOf, valsOf } from "./component-rows.ts";
import type { Layer } from "./layer.ts";
import type { ComponentRules, Definition, PreparedRules, SourceValues } from "./rules.ts";
import type { ComponentTable } from "./tables.ts";

/** A component as a layer shows it. */
export interface ShownComponent extends Definition {
  readonly name: string;
  readonly toDelete: boolean;
  readonly vals: Vals;
  /** The list item's own part, as the rules rendered it. */
  readonly item: string;
  readonly diff: Exclude<DiffStatus, "Removed">;
  /** Stands for the values: two showings with the same hash have the same ones. */
  readonly hash: string;
  /** `edit_rev` of the head row below it, 0 without one. */
  readonly headRev: number;
}

/** What a layer says a component is, from its two rows; undefined when it shows nothing. */
export function definitionOf(
  rules: ComponentRules,
  id: string,
  { head, own }: Pair<ComponentTable>,
): Definition | undefined {
  const settings = rules.effective(settingsOf(head), ownRowOf(own));
  if (settings === undefined) return undefined;
  return {
    id,
    schemaId: own?.schema_id ?? head?.schema_id ?? "",
    variantId: own?.variant_id ?? head?.variant_id ?? "",
    settings,
  };
}

/**
 * Shows components from their rows; those the layer hides are left out. A row older than its head row is merged,
 * computed and rendered again here; what it reads from others keeps the last finished value.
 */
export async function showPairs(
  rules: ComponentRules,
  layer: Layer,
  pairs: ReadonlyMap<string, Pair<ComponentTable>>,
): Promise<Map<string, ShownComponent>> {
  const found: { readonly definition: Definition; readonly pair: Pair<ComponentTable> }[] = [];
  for (const [id, pair] of pairs) {
    const definition = definitionOf(rules, id, pair);
    if (definition !== undefined) found.push({ definition, pair });
  }
  const stale = found.filter(({ pair }) => isStale(pair));
  const prepared =
    stale.length === 0
      ? undefined
      : await rules.prepare(layer, [...new Set(stale.map(({ definition }) => definition.variantId))]);
  const shown = new Map<string, ShownComponent>();
  for (const { definition, pair } of found) {
    const one = isStale(pair) && prepared !== undefined ? mend(rules, prepared, definition, pair) : undefined;
    shown.set(definition.id, one ?? finished(definition, pair));
  }
  return shown;
}

/** Whether the layer's row was computed against an older head row. */
export const isStale = ({
  head,
  own,
}: Pair<{ readonly edit_rev: number; readonly base_rev: number }>): boolean =>
  head !== undefined && own !== undefined && own.base_rev !== head.edit_rev;

/** How a layer's row differs from the head's: by its values, or by the variant that it chose itself. */
export function diffOf(
  head: Compared | undefined,
  own: Compared | undefined,
): Exclude<DiffStatus, "Removed"> {
  if (own === undefined) return "None";
  if (head === undefined) return "Added";
  const sameVariant = own.variant_id === null || own.variant_id === head.variant_id;
  return sameVariant && own.hash === head.hash ? "None" : "Modified";
}

/** What of a row counts as a difference. */
type Compared = Pick<ComponentTable, "hash" | "variant_id">;

/** Reads what a component's subscriptions gave it last, in the layer or else in the head. */
export function lastFinished(
  rules: ComponentRules,
  definition: Definition,
  { head, own }: Pair<{ readonly vals: string | null }>,
): ReadValue {
  const sources = rules.sourcesOf(definition.settings);
  // Most components read nothing: then what was computed need not be taken apart.
  if (sources.length === 0) return () => undefined;
  const known = new Map<string, Json>();
  const [ownVals, headVals] = [valsOf(own), valsOf(head)];
  for (const { key, source, path, func } of sources) {
    const value = ownVals[key] ?? headVals[key];
    if (value !== undefined) known.set(JSON.stringify([source, path, func]), value);
  }
  return (source, path, func) => known.get(JSON.stringify([source, path, func]));
}

/** Reads the values of other components. Those that are computed together often read the same one. */
export function readFrom(
  prepared: PreparedRules,
  sources: ReadonlyMap<string, SourceValues | undefined>,
): ReadValue {
  let last: { readonly source: SourceValues; readonly path: string; readonly func?: string } | undefined;
  let value: Json | undefined;
  return (componentId, path, func) => {
    const source = sources.get(componentId);
    if (source === undefined) return undefined;
    if (last?.source === source && last.path === path && last.func === func) return value;
    value = prepared.valueAt(source, path, func);
    last = { source, path, ...(func === undefined ? {} : { func }) };
    return value;
  };
}

function mend(
  rules: ComponentRules,
  prepared: PreparedRules,
  definition: Definition,
  pair: Pair<ComponentTable>,
): ShownComponent {
  const last = valsOf(pair.own ?? pair.head);
  const vals = prepared.compute(definition, lastFinished(rules, definition, pair), last);
  const hash = hashOf(JSON.stringify(vals));
  const diff = diffOf(pair.head, { hash, variant_id: pair.own?.variant_id ?? null });
  return {
    ...definition,
    ...prepared.render(definition, vals),
    vals,
    diff,
    hash,
    headRev: pair.head?.edit_rev ?? 0,
  };
}

/** Member by member: to spread a definition takes as long as to parse its values. */
function finished(definition: Definition, { head, own }: Pair<ComponentTable>): ShownComponent {
  const row = own ?? head;
  return {
    id: definition.id,
    schemaId: definition.schemaId,
    variantId: definition.variantId,
    settings: definition.settings,
    name: row?.name ?? "",
    toDelete: row?.to_delete === 1,
    item: row?.item ?? "{",
    vals: valsOf(row),
    hash: row?.hash ?? "",
    diff: head === undefined ? "Added" : diffOf(head, own),
    headRev: head?.edit_rev ?? 0,
  };
}
