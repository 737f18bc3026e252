import { fail } from "../../src/contract/errors.ts";
import type { Patch, Settings } from "../domain/overlay.ts";
import {
  componentRow,
  isRenewed,
  type KnownRow,
  loadPairs,
  ownRowOf,
  type Pair,
  putKnownRows,
  putRows,
  settingsOf,
  takesHeadName,
  tombstone,
} from "./component-rows.ts";
import type { LayerChange } from "./layer.ts";
import type { ComponentRules, Definition, PreparedRules } from "./rules.ts";
import { diffOf, lastFinished, type ShownComponent, showPairs } from "./show.ts";
import { patchedSubs, putSubs, variantSub, wholeSub } from "./subs.ts";
import type { ComponentTable, SubTable } from "./tables.ts";
import { markUnsettled } from "./unsettled.ts";

/** Creates components with all their settings; what they read from others follows with the propagation. */
export async function createComponents(
  change: LayerChange,
  rules: ComponentRules,
  components: readonly Definition[],
): Promise<ShownComponent[]> {
  if (components.length === 0) return [];
  const { tx, layer } = change;
  const prepared = await rules.prepare(layer, [...new Set(components.map((one) => one.variantId))]);
  const origin = { layer: layer.id, op: "add", editRev: layer.graphRev, baseRev: 0 } as const;
  const made = components.map((definition) => {
    const vals = prepared.compute(definition, () => undefined);
    const rendered = prepared.render(definition, vals);
    const settings = definition.settings;
    const row = componentRow(definition, JSON.stringify(vals), rendered, { ...origin, settings });
    return { definition, vals, rendered, row };
  });
  await putRows(
    tx,
    made.map(({ row }) => row),
  );
  await putSubs(
    tx,
    components.flatMap(({ id, settings }) =>
      patchedSubs(rules, layer.id, id, settings).filter(({ source }) => source !== null),
    ),
  );
  change.saved();
  await markUnsettled(
    change,
    rules,
    made.map(({ definition, vals }) => ({ ...definition, vals })),
  );
  return made.map(({ definition, vals, rendered, row }) => ({
    ...definition,
    ...rendered,
    vals,
    hash: row.hash ?? "",
    diff: "Added",
    headRev: 0,
  }));
}

/** What an edit does to a component: a patch of its settings, and the variant that it belongs to from now on. */
export interface Edit {
  readonly patch: Patch;
  readonly variantId?: string;
}

/**
 * Edits a component at the cost of the edit: `decide` is given the component as shown under the lock and returns the
 * patch, empty to change nothing. Literals show at once; what is read from others follows with the propagation.
 * Throws `componentNotFound`.
 */
export async function editComponent(
  change: LayerChange,
  rules: ComponentRules,
  componentId: string,
  decide: (shown: ShownComponent) => Patch | Promise<Patch>,
): Promise<ShownComponent> {
  const edit = async (shown: ShownComponent): Promise<Edit> => ({ patch: await decide(shown) });
  const [edited] = await editComponents(change, rules, [componentId], edit);
  return edited ?? fail("componentNotFound");
}

/**
 * Edits components, each once, as {@link editComponent} does one; in a number of statements that does not grow with
 * theirs. An edit may also move its component to another variant. In the order of the ids.
 */
export async function editComponents(
  change: LayerChange,
  rules: ComponentRules,
  componentIds: readonly string[],
  decide: (shown: ShownComponent) => Edit | Promise<Edit>,
): Promise<ShownComponent[]> {
  const { tx, layer } = change;
  const pairs = await loadPairs(tx, layer, componentIds);
  const shown = await showPairs(rules, layer, pairs);
  const edited = new Map(shown);
  const works: Work[] = [];
  for (const id of componentIds) {
    const [pair, before] = [pairs.get(id), shown.get(id)];
    if (pair === undefined || before === undefined) return fail("componentNotFound");
    const { patch, variantId = before.variantId } = await decide(before);
    if (Object.keys(patch).length === 0 && variantId === before.variantId) continue;
    works.push({ pair, before, patch, variantId });
  }
  if (works.length > 0) {
    const prepared = await rules.prepare(layer, [...new Set(works.map((work) => work.variantId))]);
    const made = works.map((work) => workOut(change, rules, prepared, work));
    await putKnownRows(tx, made);
    await putSubs(
      tx,
      made.flatMap(({ subs }) => subs),
    );
    for (const { after } of made) edited.set(after.id, after);
    change.saved();
    await markUnsettled(
      change,
      rules,
      made.map(({ after }) => after),
    );
  }
  return componentIds.flatMap((id) => edited.get(id) ?? []);
}

interface Work {
  readonly pair: Pair<ComponentTable>;
  readonly before: ShownComponent;
  readonly patch: Patch;
  readonly variantId: string;
}

interface Made extends KnownRow {
  readonly subs: readonly SubTable[];
  readonly after: ShownComponent;
}

/** The rows that an edit leaves, and what the layer shows with them. */
function workOut(
  { layer }: LayerChange,
  rules: ComponentRules,
  prepared: PreparedRules,
  { pair, before, patch, variantId }: Work,
): Made {
  const headSettings = settingsOf(pair.head);
  const own = rules.editRow(headSettings, ownRowOf(pair.own), patch) ?? fail("componentNotFound");
  const settings = rules.effective(headSettings, own) ?? fail("componentNotFound");
  const definition: Definition = { id: before.id, schemaId: before.schemaId, variantId, settings };
  const last = lastFinished(rules, unpatched(definition, patch), pair);
  const vals = prepared.compute(definition, last, before.vals);
  const rendered = prepared.render(definition, vals);
  const row = componentRow(definition, JSON.stringify(vals), rendered, {
    layer: layer.id,
    op: own.op,
    editRev: layer.graphRev,
    baseRev: pair.head?.edit_rev ?? 0,
    settings: own.settings,
    named: !takesHeadName(rules, definition, own.settings, pair.head, rendered.name),
    variantId: variantId === before.variantId ? (pair.own?.variant_id ?? null) : variantId,
  });
  const after: ShownComponent = {
    id: before.id,
    schemaId: before.schemaId,
    variantId,
    settings,
    name: rendered.name,
    toDelete: rendered.toDelete,
    item: rendered.item,
    vals,
    diff: diffOf(pair.head, row),
    hash: row.hash ?? "",
    headRev: pair.head?.edit_rev ?? 0,
  };
  const headNow = headSettings && { settings: headSettings, rev: layer.graphRev };
  const subs = patchedSubs(rules, layer.id, before.id, patch, headNow);
  if (headSettings !== undefined) {
    const head = { id: before.id, settings: headSettings, variantId: pair.head?.variant_id ?? "" };
    if (after.toDelete && !before.toDelete) subs.push(wholeSub(layer.id, head));
    if (variantId !== before.variantId) subs.push(variantSub(layer.id, head));
  }
  return { row, derived: false, renewed: isRenewed(row, pair.own), subs, after };
}

/** Removes a component from the change set at once; those that read it lose the values. Throws `componentNotFound`. */
export async function eraseComponent(
  change: LayerChange,
  rules: ComponentRules,
  componentId: string,
): Promise<ShownComponent> {
  const { tx, layer } = change;
  const { pair, shown } = await lockedPair(change, rules, componentId);
  if (pair.head === undefined) {
    await tx.db.deleteFrom("component").where("layer", "=", layer.id).where("id", "=", componentId).execute();
  } else {
    await putRows(tx, [tombstone(layer.id, componentId, layer.graphRev)]);
  }
  await tx.db.deleteFrom("sub").where("layer", "=", layer.id).where("subscriber", "=", componentId).execute();
  const settings = settingsOf(pair.head);
  if (settings !== undefined) {
    const head = { id: componentId, settings, variantId: pair.head?.variant_id ?? "" };
    await putSubs(tx, [wholeSub(layer.id, head)]);
  }
  change.roots.add(componentId);
  change.saved();
  return shown;
}

async function lockedPair(
  { tx, layer }: LayerChange,
  rules: ComponentRules,
  componentId: string,
): Promise<{ readonly pair: Pair<ComponentTable>; readonly shown: ShownComponent }> {
  const pairs = await loadPairs(tx, layer, [componentId]);
  const [pair, shown] = [pairs.get(componentId), (await showPairs(rules, layer, pairs)).get(componentId)];
  return pair === undefined || shown === undefined ? fail("componentNotFound") : { pair, shown };
}

/** A subscription that was just written has no last value: it stays unset until the propagation. */
function unpatched(definition: Definition, patch: Patch): Definition {
  const kept = Object.entries(definition.settings).filter(([key]) => !Object.hasOwn(patch, key));
  const settings: Settings = Object.fromEntries(kept);
  return { ...definition, settings };
}
