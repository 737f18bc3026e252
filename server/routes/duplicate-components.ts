import type { Static } from "typebox";
import type { api } from "../../src/contract/index.ts";
import { copyName, copySettings } from "../domain/copies.ts";
import { createComponents } from "../store/component-writes.ts";
import { findComponents } from "../store/components.ts";
import { changeComponent, type Writing } from "./change-component.ts";
import { getDefaultView, openView } from "./choose-view.ts";
import { batchOf, unknownIn } from "./component-ids.ts";
import { queueCreations } from "./queue-actions.ts";

/** What a request to copy components carries. */
export type Duplication = Static<(typeof api.components.duplicate)["body"]>;

/** Copies components, all or none; returns the ids of the copies in the order of the request. */
export async function duplicateComponents(writing: Writing, body: Duplication): Promise<string[]> {
  const ids = batchOf("components", body.components);
  const copies = new Map(ids.map((id) => [id, writing.store.id()]));
  const componentIds = [...copies.values()];
  const event = { kind: "component.duplicated", data: { componentIds } } as const;
  await changeComponent(writing, event, async (change, rules) => {
    if (ids.length === 0) return;
    const { tx, layer } = change;
    const shown = await findComponents(tx, rules, layer, ids);
    const { viewName } = body;
    const view = await (typeof viewName === "string" ? openView(change, viewName) : getDefaultView(change));
    const copyOf = (id: string): string | undefined => copies.get(id);
    const definitions = [...copies].map(([id, copyId]) => {
      const { name, settings, ...kept } = shown.get(id) ?? unknownIn("components", id);
      const copy = { name: copyName(body.prefix ?? undefined, name), viewId: view.id, copyOf };
      const { schemaId, variantId } = kept;
      return { id: copyId, schemaId, variantId, settings: copySettings(settings, copy) };
    });
    await queueCreations(change, await createComponents(change, rules, definitions), { areCopies: true });
  });
  return componentIds;
}
