import { type Context, layerOf, userOf } from "../context.ts";
import { type Rules, rulesFor } from "../read/rules.ts";
import { changeLayer, type LayerChange, type LayerEvent } from "../store/layer.ts";

/** One write of the caller in the change set of the path, with rules that read through its transaction. */
export const changeComponent = <T>(
  context: Context,
  event: Omit<LayerEvent, "actor">,
  work: (change: LayerChange, rules: Rules) => Promise<T>,
): Promise<T> => {
  const { store, variants } = context.server;
  return changeLayer(store, layerOf(context), { ...event, actor: userOf(context).id }, (change) =>
    work(change, rulesFor(change.tx, variants)),
  );
};
