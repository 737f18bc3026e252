import type { Static } from "typebox";
import type { api } from "../../src/contract/index.ts";
import { viewKey } from "../domain/overlay.ts";
import { editComponents } from "../store/component-writes.ts";
import { listNames } from "../store/components.ts";
import { changeComponent, type Writing } from "./change-component.ts";
import { openView } from "./choose-view.ts";
import { batchOf, unknownIn } from "./component-ids.ts";

/** What a request to put components into a view carries. */
export type ViewAddition = Static<(typeof api.components.addToView)["body"]>;

/** Puts components into a view, made when there is none of that name; those that are in it already stay as they are. */
export function addToView(writing: Writing, body: ViewAddition): Promise<void> {
  const { viewName } = body;
  const componentIds = batchOf("componentIds", [...new Set(body.componentIds.map((id) => id.toUpperCase()))]);
  const event = { kind: "component.added_to_view", data: { viewName, componentIds } } as const;
  return changeComponent(writing, event, async (change, rules) => {
    const { tx, layer } = change;
    const names = await listNames(tx, rules, layer, componentIds);
    for (const id of componentIds) if (!names.has(id)) unknownIn("componentIds", id);
    const key = viewKey((await openView(change, viewName)).id);
    await editComponents(change, rules, componentIds, ({ settings }) => ({
      patch: Object.hasOwn(settings, key) ? {} : { [key]: { v: true } },
    }));
  });
}
