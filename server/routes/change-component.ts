import type { ComponentView } from "../../src/contract/component-shapes.ts";
import { actorOf, type Context, layerOf } from "../context.ts";
import { componentView } from "../read/component-view.ts";
import { type Rules, rulesFor } from "../read/rules.ts";
import type { VariantCache } from "../read/variants.ts";
import { changeLayer, type Layer, type LayerChange, type LayerEvent } from "../store/layer.ts";
import type { Store } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";

/** Who writes, and where. */
export interface Writing {
  readonly store: Store;
  readonly variants: VariantCache;
  readonly layer: Layer;
  readonly actor: string;
}

/** A write to components that is under way. */
export interface ComponentWrite {
  readonly change: LayerChange;
  readonly rules: Rules;
  readonly cache: VariantCache;
}

/** The caller writes in the change set of the path. */
export const writingOf = (context: Context): Writing => ({
  store: context.server.store,
  variants: context.server.variants,
  layer: layerOf(context),
  actor: actorOf(context),
});

/**
 * One write to components in a change set, with rules and a cache that read through its transaction; it changes no
 * schema, variant or view that it has looked at.
 */
export function changeComponent<T>(
  { store, variants, layer, actor }: Writing,
  event: Omit<LayerEvent, "actor">,
  work: (change: LayerChange, rules: Rules, cache: VariantCache) => Promise<T>,
): Promise<T> {
  return changeLayer(store, layer, { ...event, actor }, (change) => {
    const cache = variants.holding(change.tx.shared, change.layer);
    return work(change, rulesFor(change.tx, cache), cache);
  });
}

/** The same for a write that is answered with a component: its view is read where it was written, before the commit. */
export const changeViewed = (
  writing: Writing,
  event: Omit<LayerEvent, "actor">,
  work: (write: ComponentWrite) => Promise<ShownComponent>,
): Promise<ComponentView> =>
  changeComponent(writing, event, async (change, rules, cache) =>
    componentView(change.tx, cache, change.layer, await work({ change, rules, cache })),
  );
