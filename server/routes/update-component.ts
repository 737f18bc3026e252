import type { Static } from "typebox";
import type { ComponentView } from "../../src/contract/component-shapes.ts";
import type { api } from "../../src/contract/index.ts";
import { asksForUpdate } from "../domain/auto-actions.ts";
import { checkComponentName, checkRename } from "../domain/component-names.ts";
import { difference, mergeKeys, type Patch, type Settings } from "../domain/overlay.ts";
import { bindSecrets } from "../domain/secrets.ts";
import { holdParts } from "../read/component-view.ts";
import type { Rules } from "../read/rules.ts";
import { listSecrets } from "../read/secrets.ts";
import { getVariant, type Variant } from "../read/variants.ts";
import { editComponent } from "../store/component-writes.ts";
import { listComponentsNamed } from "../store/components.ts";
import type { LayerChange } from "../store/layer.ts";
import type { ShownComponent } from "../store/show.ts";
import { attributePatch } from "./attribute-patch.ts";
import { type ComponentWrite, changeViewed, type Writing } from "./change-component.ts";
import { settleUpdates } from "./settle-updates.ts";

/** What a request to update a component carries. */
export type ComponentUpdate = Static<(typeof api.components.update)["body"]>;

/** Renames a component, writes its attributes and gives it its secret, all or nothing; what changes nothing leaves no trace. */
export function updateComponent(
  writing: Writing,
  componentId: string,
  body: ComponentUpdate,
): Promise<ComponentView> {
  return changeViewed(writing, { kind: "component.changed", subject: componentId }, (write) =>
    writeComponent(write, componentId, body),
  );
}

/** The same as a part of a write that does more; without `queuesUpdate` where that brings the resource along. */
export async function writeComponent(
  { change, rules, cache }: ComponentWrite,
  componentId: string,
  body: ComponentUpdate,
  { queuesUpdate = true }: { readonly queuesUpdate?: boolean } = {},
): Promise<ShownComponent> {
  let before: ShownComponent | undefined;
  const after = await editComponent(change, rules, componentId, async (shown) => {
    before = shown;
    await holdParts(change.tx, cache, change.layer, shown);
    const variant = await getVariant(change.tx, cache, change.layer, shown.variantId);
    const { settings, vals } = shown;
    const written = { id: componentId, variant, settings, vals };
    const attributes = await attributePatch(change, cache, written, body);
    const bound = await secretPatch(change, variant, mergeKeys(settings, attributes), body.secrets);
    const patch = difference(settings, mergeKeys(settings, { ...attributes, ...bound }));
    await checkNewName(change, rules, shown, patch);
    return patch;
  });
  if (queuesUpdate && before !== undefined && !after.toDelete && asksForUpdate(before, after)) {
    await settleUpdates(change, [after], () => true);
  }
  return after;
}

/** The patch of the request's `secrets`; without any nothing is looked up. */
async function secretPatch(
  { tx, layer }: LayerChange,
  variant: Variant,
  settings: Settings,
  secrets: Readonly<Record<string, string>> = {},
): Promise<Patch> {
  if (Object.keys(secrets).length === 0) return {};
  return bindSecrets(variant, settings, secrets, await listSecrets(tx, layer));
}

/** Refuses the name of another component, by whichever member of the request it came. */
async function checkNewName(
  change: LayerChange,
  rules: Rules,
  shown: ShownComponent,
  patch: Patch,
): Promise<void> {
  const setting = patch["/si/name"];
  if (setting === undefined || setting === null || !("v" in setting) || typeof setting.v !== "string") return;
  const name = checkComponentName(setting.v);
  if (name === shown.name) return;
  const others = await listComponentsNamed(change.tx, rules, change.layer, name);
  checkRename(name, () => others.some((other) => other.id !== shown.id));
}
