import { type Context, layerOf, userOf } from "../context.ts";
import { type Rules, rulesFor } from "../read/rules.ts";
import type { VariantCache } from "../read/variants.ts";
import { changeLayer, type Layer, type LayerChange, type LayerEvent } from "../store/layer.ts";
import type { Store } from "../store/open.ts";

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
  actor: userOf(context).id,
});

/** One write in a change set, with rules that read through its transaction. */
export const changeComponent = <T>(
  { store, variants, layer, actor }: Writing,
  event: Omit<LayerEvent, "actor">,
  work: (change: LayerChange, rules: Rules) => Promise<T>,
): Promise<T> =>
  changeLayer(store, layer, { ...event, actor }, (change) => work(change, rulesFor(change.tx, variants)));
