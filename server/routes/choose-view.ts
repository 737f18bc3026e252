import { fail } from "../../src/contract/errors.ts";
import { isReadable } from "../domain/json.ts";
import { idOf } from "../read/ids.ts";
import { listViews, type View } from "../read/variants.ts";
import { createEntities } from "../store/entities.ts";
import type { LayerChange } from "../store/layer.ts";

/** The view of that name; throws `viewNotFound`. */
export async function getViewNamed({ tx, layer }: LayerChange, name: string): Promise<View> {
  const found = (await listViews(tx, layer)).find((view) => view.name === name);
  return (
    found ??
    fail("viewNotFound", `no view is named ${JSON.stringify(name.slice(0, 100))}; add_to_view creates one`)
  );
}

/** The view that components are put in when none is named. */
export async function getDefaultView({ tx, layer }: LayerChange): Promise<View> {
  const views = await listViews(tx, layer);
  return (
    views.find((view) => view.isDefault) ?? views[0] ?? fail("viewNotFound", "the workspace has no view")
  );
}

/**
 * The view of that name, made when there is none. Its id is made of its name: two change sets that each make one of a
 * name make the same view, and what they put into it comes together when both are applied.
 */
export async function openView(change: LayerChange, name: string): Promise<View> {
  const { tx, layer } = change;
  const found = (await listViews(tx, layer)).find((view) => view.name === name);
  if (found !== undefined) return found;
  if (!isReadable(name)) fail("invalidRequest", "viewName: expected a name that can be read");
  const view: View = { id: idOf(`view ${layer.headId} ${name}`), name, isDefault: false };
  await createEntities(change, [{ kind: "view", id: view.id, name, body: { isDefault: false } }]);
  return view;
}
