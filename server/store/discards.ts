import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { OwnRow, Patch } from "../domain/overlay.ts";
import type { Vals } from "../domain/values.ts";
import {
  componentRow,
  loadPairs,
  ownRowOf,
  type Pair,
  putRows,
  settingsOf,
  takesHeadName,
  valsOf,
} from "./component-rows.ts";
import { eraseComponent } from "./component-writes.ts";
import type { LayerChange } from "./layer.ts";
import type { ComponentRules, Definition } from "./rules.ts";
import { definitionOf, lastFinished, showPairs } from "./show.ts";
import type { ComponentTable } from "./tables.ts";

/** A component that a change set changes, on both sides; none of them shows one that the head has removed since. */
export interface Changed {
  readonly id: string;
  readonly name: string;
  readonly head: Definition | undefined;
  /** What the change set shows; undefined for one that it erased, or that the head has removed. */
  readonly own: Definition | undefined;
  /** What the change set says of it; undefined where it says nothing, and only its values follow from others. */
  readonly row: OwnRow | undefined;
}

/** What of a patch goes, and what is left. */
export interface Leaving {
  readonly keys: readonly string[];
  readonly left: Patch;
}

/**
 * Takes back what the change set says of a component: all of it, or what `decide` names of its patch. What is left
 * shows at once, what is read from others follows with the propagation. Throws `componentNotFound` for one that
 * neither the change set nor the head shows, unless the change set edits it.
 */
export async function discardChanges(
  change: LayerChange,
  rules: ComponentRules,
  componentId: string,
  decide: (changed: Changed) => Promise<"all" | Leaving>,
): Promise<void> {
  const { tx, layer } = change;
  const pairs = await loadPairs(tx, layer, [componentId]);
  const pair = pairs.get(componentId) ?? fail("componentNotFound");
  const head = definitionOf(rules, componentId, { head: pair.head, own: undefined });
  const own = (await showPairs(rules, layer, pairs)).get(componentId);
  const isOrphan = head === undefined && own === undefined;
  if (isOrphan && pair.own?.op !== "edit") fail("componentNotFound");
  const row = ownRowOf(pair.own);
  const says = row !== undefined && row.op !== "calc";
  const name = own?.name ?? pair.head?.name ?? pair.own?.name ?? "";
  const leaving = await decide({ id: componentId, name, head, own, row: says ? row : undefined });
  if (leaving === "all") await deleteActions(change, componentId);
  if (leaving === "all" && head === undefined && !isOrphan) {
    await eraseComponent(change, rules, componentId);
    return;
  }
  const all = leaving === "all";
  const keys = all ? Object.keys(row?.settings ?? {}) : leaving.keys;
  const left: Left = { pair, left: all ? {} : leaving.left, keys, all };
  await (isOrphan ? putOrphan(change, componentId, left) : putWhatIsLeft(change, rules, left));
  const gone = all ? sql`` : sql`and to_path ${tx.engine.within(keys)}`;
  await sql`delete from sub where layer = ${layer.id} and subscriber = ${componentId} ${gone}`.execute(tx.db);
  if (!isOrphan) change.roots.add(componentId);
  change.saved();
}

/** What is left of the edits of a component that the head has removed: nothing is computed of it. */
async function putOrphan(
  { tx, layer }: LayerChange,
  componentId: string,
  { pair, left, all }: Left,
): Promise<void> {
  const isEmpty = all || (Object.keys(left).length === 0 && pair.own?.variant_id === null);
  const row = <Q extends { where(column: "layer" | "id", is: "=", value: string): Q }>(query: Q): Q =>
    query.where("layer", "=", layer.id).where("id", "=", componentId);
  if (isEmpty) await row(tx.db.deleteFrom("component")).execute();
  else {
    const revs = { edit_rev: layer.graphRev, row_rev: layer.graphRev };
    await row(tx.db.updateTable("component").set({ settings: JSON.stringify(left), ...revs })).execute();
  }
}

/** What the change set queued, held or cancelled of a component's actions. */
async function deleteActions({ tx, layer }: LayerChange, componentId: string): Promise<void> {
  await tx.db
    .deleteFrom("action")
    .where("layer", "=", layer.id)
    .where("component_id", "=", componentId)
    .execute();
}

interface Left {
  readonly pair: Pair<ComponentTable>;
  readonly left: Patch;
  /** What went. */
  readonly keys: readonly string[];
  /** Whether everything went, the variant that was chosen here included. */
  readonly all: boolean;
}

/** The row for what is left of a patch; none where that, and all that was computed, is what the head says. */
async function putWhatIsLeft(
  { tx, layer }: LayerChange,
  rules: ComponentRules,
  { pair, left, keys, all }: Left,
): Promise<void> {
  const { head, own } = pair;
  const id = own?.id ?? head?.id ?? "";
  const variantId = all ? null : (own?.variant_id ?? null);
  const isEmpty = Object.keys(left).length === 0 && variantId === null;
  const isNew = own?.op === "add";
  const row: OwnRow = isNew
    ? { op: "add", settings: left }
    : { op: isEmpty ? "calc" : "edit", settings: isEmpty ? null : left };
  const settings = rules.effective(settingsOf(head), row) ?? fail("componentNotFound");
  const definition: Definition = {
    id,
    schemaId: (isNew ? own.schema_id : head?.schema_id) ?? "",
    variantId: variantId ?? (isNew ? own.variant_id : head?.variant_id) ?? "",
    settings,
  };
  const prepared = await rules.prepare(layer, [definition.variantId]);
  const readable = { head, own: kept(own, keys) };
  const last = valsOf(own === undefined ? head : readable.own);
  const vals = prepared.compute(definition, lastFinished(rules, definition, readable), last);
  const rendered = prepared.render(definition, vals);
  const made = componentRow(definition, JSON.stringify(vals), rendered, {
    layer: layer.id,
    op: row.op,
    editRev: layer.graphRev,
    baseRev: head?.edit_rev ?? 0,
    settings: row.settings,
    named: !takesHeadName(rules, definition, row.settings, head, rendered.name),
    variantId,
  });
  if (row.op !== "calc" || made.hash !== head?.hash) return putRows(tx, [made]);
  await tx.db.deleteFrom("component").where("layer", "=", layer.id).where("id", "=", id).execute();
}

/** The last values but for those of what went: these were about something else. */
function kept(own: ComponentTable | undefined, keys: readonly string[]): { readonly vals: string } {
  const gone = new Set(keys);
  const vals: Vals = Object.fromEntries(Object.entries(valsOf(own)).filter(([key]) => !gone.has(key)));
  return { vals: JSON.stringify(vals) };
}
