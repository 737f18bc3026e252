import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { RawJson } from "../../src/http/raw.ts";
import { type Context, layerOf } from "../context.ts";
import { markPatch, restorePatch } from "../domain/overlay.ts";
import { refuse } from "../domain/refusal.ts";
import { componentPage } from "../read/component-page.ts";
import { componentView } from "../read/component-view.ts";
import { rulesFor } from "../read/rules.ts";
import { editComponent, eraseComponent } from "../store/component-writes.ts";
import { getComponent, getComponentNamed } from "../store/components.ts";
import type { ShownComponent } from "../store/show.ts";
import { changeComponent, writingOf } from "./change-component.ts";
import { createComponent } from "./create-component.ts";
import { updateComponent } from "./update-component.ts";

/** Handlers of the rows in `src/contract/components.ts`. */
export const componentHandlers: GroupHandlers<typeof api.components, Context> = {
  list: async ({ query }, context) => {
    const { store, variants } = context.server;
    return new RawJson(await componentPage(store, variants, layerOf(context), query));
  },
  create: async ({ body }, context) => ({
    component: await view(context, await createComponent(writingOf(context), body)),
  }),
  find: async ({ query }, context) => {
    const { component: name, componentId } = query;
    if ((name === undefined) === (componentId === undefined)) {
      fail("invalidRequest", "query: expected component (a name) or componentId, one of the two");
    }
    if (componentId !== undefined) return details(context, await shownById(context, componentId));
    const { store, variants } = context.server;
    const rules = rulesFor(store, variants);
    return details(context, await getComponentNamed(store, rules, layerOf(context), name ?? ""));
  },
  get: async ({ componentId }, context) => details(context, await shownById(context, componentId)),
  update: async ({ componentId, body }, context) => ({
    component: await view(context, await updateComponent(writingOf(context), idOf(componentId), body)),
  }),
  delete: async ({ componentId }, context) => {
    const id = idOf(componentId);
    await changeComponent(
      writingOf(context),
      { kind: "component.marked_for_deletion", subject: id },
      (change, rules) => editComponent(change, rules, id, ({ settings }) => markPatch(settings)),
    );
    return { status: "MarkedForDeletion" };
  },
  restore: async ({ componentId }, context) => {
    const id = idOf(componentId);
    await changeComponent(writingOf(context), { kind: "component.restored", subject: id }, (change, rules) =>
      editComponent(
        change,
        rules,
        id,
        ({ settings, name }) =>
          restorePatch(settings) ??
          refuse("componentNotMarkedForDeletion", `${JSON.stringify(name)} is not marked for deletion`),
      ),
    );
    return { status: true };
  },
  erase: async ({ componentId }, context) => {
    const id = idOf(componentId);
    await changeComponent(writingOf(context), { kind: "component.erased", subject: id }, (change, rules) =>
      eraseComponent(change, rules, id),
    );
    return { status: true };
  },
};

/** Ids are read in any letter case; what cannot be one names no component. */
const idOf = (text: string): string => (looksLikeUlid(text) ? text.toUpperCase() : fail("componentNotFound"));

function shownById(context: Context, componentId: string): Promise<ShownComponent> {
  const { store, variants } = context.server;
  return getComponent(store, rulesFor(store, variants), layerOf(context), idOf(componentId));
}

const view = (context: Context, shown: ShownComponent) =>
  componentView(context.server.store, context.server.variants, layerOf(context), shown);

/** A component with the functions of its variant; none can be bound to one yet. */
const details = async (context: Context, shown: ShownComponent) => ({
  component: await view(context, shown),
  actionFunctions: [],
  managementFunctions: [],
});
