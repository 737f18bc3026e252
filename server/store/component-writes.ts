import { fail } from "../../src/contract/errors.ts";
import type { Patch, Settings } from "../domain/overlay.ts";
import {
  componentRow,
  loadPairs,
  ownRowOf,
  type Pair,
  putRows,
  settingsOf,
  tombstone,
} from "./component-rows.ts";
import type { LayerChange } from "./layer.ts";
import type { ComponentRules, Definition } from "./rules.ts";
import { lastFinished, type ShownComponent, showPairs } from "./show.ts";
import type { ComponentTable, SubTable } from "./tables.ts";

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
    change,
    components.flatMap(({ id, settings }) =>
      rules.sourcesOf(settings).map(({ key, source, path, func }) => ({
        layer: layer.id,
        subscriber: id,
        to_path: key,
        source,
        from_path: path,
        func: func ?? null,
      })),
    ),
  );
  touch(change, ...components.map((one) => one.id));
  return made.map(({ definition, vals, rendered, row }) => ({
    ...definition,
    ...rendered,
    vals,
    hash: row.hash ?? "",
    diff: "Added",
    headRev: 0,
  }));
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
  const { tx, layer } = change;
  const { pair, shown } = await lockedPair(change, rules, componentId);
  const patch = await decide(shown);
  if (Object.keys(patch).length === 0) return shown;
  const headSettings = settingsOf(pair.head);
  const own = rules.editRow(headSettings, ownRowOf(pair.own), patch) ?? fail("componentNotFound");
  const settings = rules.effective(headSettings, own) ?? fail("componentNotFound");
  const definition: Definition = { ...shown, settings };
  const prepared = await rules.prepare(layer, [shown.variantId]);
  const vals = prepared.compute(definition, lastFinished(rules, unpatched(definition, patch), pair));
  const rendered = prepared.render(definition, vals);
  const text = JSON.stringify(vals);
  const row = componentRow(definition, text, rendered, {
    layer: layer.id,
    op: own.op,
    editRev: layer.graphRev,
    baseRev: pair.head?.edit_rev ?? 0,
    settings: own.settings,
    variantId: pair.own?.variant_id ?? null,
  });
  await putRows(tx, [row]);
  await putSubs(change, patchedSubs(layer.id, componentId, patch));
  touch(change, componentId);
  const diff = pair.head === undefined ? "Added" : pair.head.hash === row.hash ? "None" : "Modified";
  const hash = row.hash ?? "";
  return { ...definition, ...rendered, vals, diff, hash, headRev: pair.head?.edit_rev ?? 0 };
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
  touch(change, componentId);
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

/** One row per patched key: without a source it hides a subscription of the head, also one that comes later. */
const patchedSubs = (layer: string, subscriber: string, patch: Patch): SubTable[] =>
  Object.entries(patch)
    .filter(([key]) => key.startsWith("/"))
    .map(([to_path, setting]) => {
      const [source, from_path] = setting !== null && "s" in setting ? setting.s : [null, null];
      const func = setting !== null && "s" in setting ? (setting.f ?? null) : null;
      return { layer, subscriber, to_path, source, from_path, func };
    });

const putSubs = ({ tx }: LayerChange, rows: readonly SubTable[]): Promise<void> =>
  tx.engine.bulk(tx.db, "sub", ["layer", "subscriber", "to_path", "source", "from_path", "func"], rows, {
    key: ["layer", "subscriber", "to_path"],
    update: ["source", "from_path", "func"],
  });

function touch(change: LayerChange, ...componentIds: string[]): void {
  for (const id of componentIds) change.roots.add(id);
  change.saved();
}
