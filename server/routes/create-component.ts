import type { Static } from "typebox";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import { firstSettings } from "../domain/component.ts";
import { checkComponentName } from "../domain/component-names.ts";
import { mergeKeys, type Settings } from "../domain/overlay.ts";
import { getSchemaNamed, getVariant, listViews, type View } from "../read/variants.ts";
import { createComponents } from "../store/component-writes.ts";
import type { LayerChange } from "../store/layer.ts";
import type { ShownComponent } from "../store/show.ts";
import { attributePatch } from "./attribute-patch.ts";
import { changeComponent, type Writing } from "./change-component.ts";

/** What a request to create a component carries. */
export type NewComponent = Static<(typeof api.components.create)["body"]>;

/** Creates a component of a schema's default variant, in a view, with its attributes: all or nothing. */
export function createComponent(writing: Writing, body: NewComponent): Promise<ShownComponent> {
  const { store, variants: cache } = writing;
  const id = store.id();
  const event = {
    kind: "component.created",
    subject: id,
    data: { name: body.name, schemaName: body.schemaName },
  } as const;
  return changeComponent(writing, event, async (change, rules) => {
    const { tx, layer } = change;
    const schema = await getSchemaNamed(tx, layer, body.schemaName);
    const variant = await getVariant(tx, cache, layer, schema.defaultVariantId);
    const view = await viewFor(change, body.viewName ?? undefined);
    const first = firstSettings(checkComponentName(body.name), view.id);
    const patch = await attributePatch(
      change,
      cache,
      { id: undefined, variant, settings: first, vals: {} },
      body,
    );
    const settings = mergeKeys(first, patch);
    checkName(settings);
    const [made] = await createComponents(change, rules, [
      { id, schemaId: schema.id, variantId: variant.id, settings },
    ]);
    if (made === undefined) throw new Error("the store made no component");
    return made;
  });
}

/** The view of that name, else the default one; throws `viewNotFound`. */
async function viewFor({ tx, layer }: LayerChange, name: string | undefined): Promise<View> {
  const views = await listViews(tx, layer);
  if (name !== undefined) {
    return (
      views.find((view) => view.name === name) ??
      fail("viewNotFound", `no view is named ${JSON.stringify(name.slice(0, 100))}; add_to_view creates one`)
    );
  }
  return (
    views.find((view) => view.isDefault) ?? views[0] ?? fail("viewNotFound", "the workspace has no view")
  );
}

/** An attribute may have set another name than the request's own member. */
function checkName(settings: Settings): void {
  const name = settings["/si/name"];
  if (name !== undefined && "v" in name && typeof name.v === "string") checkComponentName(name.v);
}
