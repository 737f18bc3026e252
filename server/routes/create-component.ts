import type { Static } from "typebox";
import type { ComponentView } from "../../src/contract/component-shapes.ts";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import { firstSettings } from "../domain/component.ts";
import { checkComponentName } from "../domain/component-names.ts";
import { managerKey, mergeKeys, type Settings } from "../domain/overlay.ts";
import { checkReference, getReferenced } from "../read/component-references.ts";
import { getVariant, type Schema } from "../read/variants.ts";
import { createComponents } from "../store/component-writes.ts";
import type { ShownComponent } from "../store/show.ts";
import { attributePatch } from "./attribute-patch.ts";
import { type ComponentWrite, changeViewed, type Writing } from "./change-component.ts";
import { getDefaultView, getViewNamed } from "./choose-view.ts";
import { findOrInstall } from "./install-package.ts";
import { queueCreations } from "./queue-actions.ts";

/** What a request to create a component carries. */
export type NewComponent = Static<(typeof api.components.create)["body"]>;

/**
 * Creates a component of a schema in a view, with its manager and attributes: all or nothing. A schema that only the
 * catalogue has is installed with it.
 */
export function createComponent(writing: Writing, body: NewComponent): Promise<ComponentView> {
  if (body.managedBy !== undefined) checkReference(body.managedBy, "managedBy");
  const id = writing.store.id();
  const event = {
    kind: "component.created",
    subject: id,
    data: { name: body.name, schemaName: body.schemaName },
  } as const;
  return changeViewed(writing, event, async (write) => {
    const made = await addComponent(write, id, body);
    await queueCreations(write.change, [made]);
    return made;
  });
}

/** The same as a part of a write that does more, and queues its actions once it has said all. */
export async function addComponent(
  { change, rules, cache }: ComponentWrite,
  id: string,
  body: NewComponent,
): Promise<ShownComponent> {
  const { tx, layer } = change;
  const schema =
    (await findOrInstall(change, body.schemaName)) ??
    fail("schemaNotFound", `no schema is named ${JSON.stringify(body.schemaName.slice(0, 100))}`);
  const variantId = variantFor(schema, body.useWorkingCopy === true);
  const variant = await getVariant(tx, cache, layer, variantId);
  const { viewName, managedBy } = body;
  const view = await (typeof viewName === "string" ? getViewNamed(change, viewName) : getDefaultView(change));
  const manager = managedBy && (await getReferenced(tx, rules, layer, managedBy, "managedBy"));
  const first: Settings = {
    ...firstSettings(checkComponentName(body.name), view.id),
    ...(manager === undefined ? {} : { [managerKey(manager.id)]: { v: true } }),
  };
  const written = { id: undefined, variant, settings: first, vals: {} };
  const settings = mergeKeys(first, await attributePatch(change, cache, written, body));
  checkName(settings);
  const [made] = await createComponents(change, rules, [
    { id, schemaId: schema.id, variantId: variant.id, settings },
  ]);
  if (made === undefined) throw new Error("the store made no component");
  return made;
}

/** The default variant of a schema, or its unlocked one where the request asks for the working copy. */
function variantFor(schema: Schema, useWorkingCopy: boolean): string {
  if (!useWorkingCopy) return schema.defaultVariantId;
  return (
    schema.unlockedVariantId ??
    fail(
      "invalidRequest",
      `useWorkingCopy: the schema ${JSON.stringify(schema.name)} has no unlocked variant; unlock it first`,
    )
  );
}

/** An attribute may have set another name than the request's own member. */
function checkName(settings: Settings): void {
  const name = settings["/si/name"];
  if (name !== undefined && "v" in name && typeof name.v === "string") checkComponentName(name.v);
}
