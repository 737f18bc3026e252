import { ownCircle } from "../domain/attribute-sources.ts";
import { isPayload, renderItem, takesName } from "../domain/component.ts";
import { carriedOver, computeDriven, type Driven } from "../domain/driven-values.ts";
import type { Json } from "../domain/json.ts";
import {
  applyRow,
  deletionKey,
  editRow,
  effective,
  isMarked,
  managerOf,
  type Settings,
  sourcesOf,
} from "../domain/overlay.ts";
import { mergeWindows } from "../domain/pages.ts";
import { secretIn } from "../domain/secrets.ts";
import { settle } from "../domain/settle.ts";
import { type ReadValue, type Vals, valueAt } from "../domain/values.ts";
import type { MergeWindows } from "../store/component-pages.ts";
import type { Reads } from "../store/open.ts";
import type { ComponentRules, Definition, PreparedRules, Rendered } from "../store/rules.ts";
import { driveOf, makesValues } from "./drive.ts";
import { mergeBody, mergePatch } from "./entity-rules.ts";
import { recompute } from "./recomputing.ts";
import { findVariants, type Variant, type VariantCache, withFormats } from "./variants.ts";

/** The rules of `server/domain` as the store takes them, looking schemas up through `reads`. */
export type Rules = ComponentRules & { readonly mergeWindows: MergeWindows };

/**
 * Binds the rules to where they read from: a transaction's rules must read through that transaction, since a second
 * connection would not see what it wrote, and might have to wait for it.
 */
export const rulesFor = (reads: Reads, cache: VariantCache): Rules => ({
  prepare: async (layer, variantIds) => prepared(await findVariants(reads, cache, layer, variantIds)),
  finality: async (layer, components) => {
    const bindings = await cache.bindings(reads, layer, [...new Set(components.map((one) => one.schemaId))]);
    const variantIds = [...new Set(components.map(({ variantId }) => variantId))];
    const isDriven = driveOf(
      bindings.filter(makesValues),
      await withFormats(reads, cache, layer, variantIds),
    );
    return (component, vals) =>
      sourcesOf(component.settings).length === 0 && !isDriven(component) && carriedOver(vals).length === 0;
  },
  effective,
  editRow,
  applyRow,
  vanishes: (settings) => isMarked(settings) && !holdsResource(settings),
  holdsResource,
  takesName,
  sourcesOf,
  ownCircle,
  managerOf,
  secretIn,
  mergeBody,
  mergePatch,
  settle,
  mergeWindows,
});

/** A component that stands for something which exists goes only after its Destroy action. */
export const holdsResource = (settings: Settings): boolean => {
  const payload = settings["/resource/payload"];
  return payload !== undefined && "v" in payload && isPayload(payload.v);
};

function prepared(variants: ReadonlyMap<string, Variant>): PreparedRules {
  const variantOf = (id: string): Variant => {
    const variant = variants.get(id);
    if (variant === undefined) throw new Error(`the variant ${id} of a component is missing`);
    return variant;
  };
  const compute = (
    { id, variantId, settings }: Definition,
    read: ReadValue,
    driven: Driven["driven"],
  ): Vals => sorted(computeDriven({ root: variantOf(variantId).props, settings, read, id, driven }));
  const render = ({ id, variantId, settings }: Definition, vals: Vals): Rendered => {
    const { props, schema } = variantOf(variantId);
    const name = vals["/si/name"];
    return {
      name: typeof name === "string" ? name : "",
      toDelete: Object.hasOwn(settings, deletionKey),
      item: renderItem({ id, schemaName: schema.name, props, vals }),
    };
  };
  return {
    compute: (component, read, last = {}) => compute(component, read, carriedOver(last)),
    recompute: (component, read) => {
      const again = recompute(component, variantOf(component.variantId), read, (vals) =>
        render(component, vals),
      );
      if (again !== undefined) return again;
      const vals = compute(component, read, []);
      return { text: JSON.stringify(vals), vals: () => vals, rendered: render(component, vals) };
    },
    render,
    valueAt: ({ variantId, vals }, path) => valueAt(variantOf(variantId).props, vals, path),
  };
}

/** Keys in order, so that equal values have equal text and equal hashes. */
export const sorted = (vals: Vals): Vals => {
  const keys = Object.keys(vals);
  if (keys.every((key, at) => at === 0 || (keys[at - 1] ?? "") < key)) return vals;
  const ordered: Record<string, Json> = {};
  for (const key of inOrder(keys)) ordered[key] = vals[key] ?? null;
  return ordered;
};

/** The keys that were put in order last, and their order: those that are computed together are of few variants. */
let last: { readonly keys: readonly string[]; readonly ordered: readonly string[] } | undefined;

function inOrder(keys: readonly string[]): readonly string[] {
  const known = last?.keys;
  if (last !== undefined && known?.length === keys.length && keys.every((key, at) => key === known[at])) {
    return last.ordered;
  }
  last = { keys, ordered: [...keys].sort() };
  return last.ordered;
}
