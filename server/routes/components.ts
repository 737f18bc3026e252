import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { RawJson } from "../../src/http/raw.ts";
import { type Context, layerOf } from "../context.ts";
import { restorePatch } from "../domain/overlay.ts";
import { refuse } from "../domain/refusal.ts";
import { resourceOf } from "../domain/resource.ts";
import { componentPage } from "../read/component-page.ts";
import { getReferenced } from "../read/component-references.ts";
import { componentView } from "../read/component-view.ts";
import { functionsOf } from "../read/function-members.ts";
import { rulesFor } from "../read/rules.ts";
import { removeActionsOf } from "../store/actions.ts";
import { editComponent, eraseComponent } from "../store/component-writes.ts";
import { getComponent } from "../store/components.ts";
import type { ShownComponent } from "../store/show.ts";
import { addToView } from "./add-to-view.ts";
import { changeComponent, writingOf } from "./change-component.ts";
import { componentIdOf } from "./component-ids.ts";
import { createComponent } from "./create-component.ts";
import { duplicateComponents } from "./duplicate-components.ts";
import { manageComponent } from "./manage-component.ts";
import { markComponent } from "./mark-component.ts";
import { updateComponent } from "./update-component.ts";
import { upgradeComponent } from "./upgrade-component.ts";

/** Handlers of the rows in `src/contract/components.ts`. */
export const componentHandlers: GroupHandlers<typeof api.components, Context> = {
  list: async ({ query }, context) => {
    const { store, variants } = context.server;
    return new RawJson(await componentPage(store, variants, layerOf(context), query));
  },
  create: async ({ body }, context) => ({
    component: await createComponent(writingOf(context), body),
  }),
  addToView: async ({ body }, context) => {
    await addToView(writingOf(context), body);
    return undefined;
  },
  duplicate: async ({ body }, context) => ({
    components: await duplicateComponents(writingOf(context), body),
  }),
  find: async ({ query }, context) => {
    const { store, variants } = context.server;
    const rules = rulesFor(store, variants);
    return details(context, await getReferenced(store, rules, layerOf(context), query, "query"));
  },
  get: async ({ componentId }, context) => details(context, await shownById(context, componentId)),
  update: async ({ componentId, body }, context) => ({
    component: await updateComponent(writingOf(context), componentIdOf(componentId), body),
  }),
  delete: async ({ componentId }, context) => {
    const id = componentIdOf(componentId);
    const event = { kind: "component.marked_for_deletion", subject: id } as const;
    await changeComponent(writingOf(context), event, (change, rules) => markComponent({ change, rules }, id));
    return { status: "MarkedForDeletion" };
  },
  restore: async ({ componentId }, context) => {
    const id = componentIdOf(componentId);
    const event = { kind: "component.restored", subject: id } as const;
    await changeComponent(writingOf(context), event, async (change, rules) => {
      await editComponent(
        change,
        rules,
        id,
        ({ settings, name }) =>
          restorePatch(settings) ??
          refuse("componentNotMarkedForDeletion", `${JSON.stringify(name)} is not marked for deletion`),
      );
      await removeActionsOf(change, [id], ["Destroy"]);
    });
    return { status: true };
  },
  erase: async ({ componentId }, context) => {
    const id = componentIdOf(componentId);
    const event = { kind: "component.erased", subject: id } as const;
    await changeComponent(writingOf(context), event, async (change, rules) => {
      await eraseComponent(change, rules, id);
      await removeActionsOf(change, [id]);
    });
    return { status: true };
  },
  manage: async ({ componentId, body }, context) => {
    const managerId = componentIdOf(componentId);
    const managedId = componentIdOf(body.componentId);
    return {
      component: await manageComponent(writingOf(context), { managerId, managedId }),
    };
  },
  resource: async ({ componentId }, context) => {
    const { name, vals } = await shownById(context, componentId);
    return resourceOf(vals) ?? fail("noResource", `${JSON.stringify(name)} has no resource`);
  },
  upgrade: async ({ componentId }, context) => ({
    component: await upgradeComponent(writingOf(context), componentIdOf(componentId)),
  }),
};

function shownById(context: Context, componentId: string): Promise<ShownComponent> {
  const { store, variants } = context.server;
  return getComponent(store, rulesFor(store, variants), layerOf(context), componentIdOf(componentId));
}

/** A component with the functions that can be run for it. */
async function details(context: Context, shown: ShownComponent) {
  const { store, variants } = context.server;
  const layer = layerOf(context);
  const component = await componentView(store, variants, layer, shown);
  return { component, ...(await functionsOf(store, variants, layer, shown)) };
}
