import { ApiError } from "../../src/contract/errors.ts";
import { hasResource } from "../domain/component.ts";
import type { JsonObject } from "../domain/json.ts";
import type { ManagementKind } from "../domain/management-kinds.ts";
import { geometries, Placeholders } from "../domain/management-ops.ts";
import { attributesOfProperties } from "../domain/management-properties.ts";
import type { Geometry, ManagedComponent, ManagementOps } from "../domain/management-result.ts";
import { type Patch, viewIdsOf, viewKey } from "../domain/overlay.ts";
import { Refusal, refuse } from "../domain/refusal.ts";
import { placeIn, viewNamed } from "../read/management-input.ts";
import { getVariant, listViews, type View } from "../read/variants.ts";
import { editComponent, eraseComponent } from "../store/component-writes.ts";
import { findComponents, getComponent } from "../store/components.ts";
import { removeEntity } from "../store/entity-removal.ts";
import type { ShownComponent } from "../store/show.ts";
import { membersOfView } from "../store/view-members.ts";
import type { ComponentWrite } from "./change-component.ts";
import { getDefaultView, openView } from "./choose-view.ts";
import { addComponent } from "./create-component.ts";
import { type WantedActions, wantActions } from "./management-actions.ts";
import { markComponent } from "./mark-component.ts";
import { queueCreations } from "./queue-actions.ts";
import { subscribeKnown } from "./subscribe-known.ts";
import { writeComponent } from "./update-component.ts";

/** What ops are applied to: the manager, what it managed before, and the view that its function worked in. */
export interface OpsTarget {
  readonly manager: ShownComponent;
  readonly managed: readonly ShownComponent[];
  /** Undefined for the default view. */
  readonly viewName: string | undefined;
  /** What the function is for: what it found out there reads from what is known already. */
  readonly kind: ManagementKind;
}

/** An op that could not be done, with its place; nothing of the ops is kept then. */
export class OpsRefused extends Error {}

/**
 * Does to the change set what a management function returned, in the order erase, delete, new views, create, update,
 * out of views, views removed, actions; then what an import or a discovery brought reads what is known of others
 * instead of repeating it. Throws {@link OpsRefused} for what cannot be done.
 */
export async function applyManagementOps(
  write: ComponentWrite,
  target: OpsTarget,
  ops: ManagementOps,
): Promise<void> {
  const placeholders = new Placeholders(target.manager, target.managed);
  const work = new Ops(write, target, placeholders);
  const at = (where: string, op: () => Promise<unknown>) => saying(where, placeholders, op);
  for (const key of ops.erase) await at(`ops.erase ${key}`, () => work.erase(key));
  for (const key of ops.delete) await at(`ops.delete ${key}`, () => work.delete(key));
  for (const name of ops.views.create)
    await at(`ops.views.create ${name}`, () => openView(write.change, name));
  const created = Object.entries(ops.create);
  for (const [key, one] of created) await at(`ops.create.${key}`, () => work.create(key, one));
  for (const [key, one] of created) await at(`ops.create.${key}`, () => work.fill(key, one, true));
  await work.queueCreations();
  for (const [key, one] of Object.entries(ops.update))
    await at(`ops.update.${key}`, () => work.fill(key, one, false));
  for (const [view, keys] of Object.entries(ops.remove))
    for (const key of keys) await at(`ops.remove.${view} ${key}`, () => work.takeOut(view, key));
  for (const name of ops.views.remove) await at(`ops.views.remove ${name}`, () => work.removeView(name));
  for (const [key, wanted] of Object.entries(ops.actions))
    await at(`ops.actions.${key}`, () => work.actions(key, wanted));
  await at("ops.create, where it could read what is known", () => work.subscribe());
}

/** Says where in the ops a refusal arose, as its author wrote them; every other error is none of theirs. */
async function saying(
  where: string,
  placeholders: Placeholders,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal || error instanceof ApiError)
      throw new OpsRefused(`${where}: ${placeholders.asWritten(error.message)}`, { cause: error });
    throw error;
  }
}

class Ops {
  readonly #write: ComponentWrite;
  readonly #target: OpsTarget;
  readonly #placeholders: Placeholders;
  readonly #made: string[] = [];

  constructor(write: ComponentWrite, target: OpsTarget, placeholders: Placeholders) {
    this.#write = write;
    this.#target = target;
    this.#placeholders = placeholders;
  }

  async erase(key: string): Promise<void> {
    await eraseComponent(this.#write.change, this.#write.rules, this.#placeholders.get(key));
  }

  async delete(key: string): Promise<void> {
    await markComponent(this.#write, this.#placeholders.get(key));
  }

  async create(key: string, { kind }: ManagedComponent): Promise<void> {
    const { change, cache } = this.#write;
    const { manager, viewName } = this.#target;
    const id = change.tx.store.id();
    this.#placeholders.add(key, id);
    const schemaName =
      kind ?? (await getVariant(change.tx, cache, change.layer, manager.variantId)).schema.name;
    this.#made.push(id);
    await addComponent(this.#write, id, {
      name: key,
      schemaName,
      managedBy: { componentId: manager.id },
      ...(viewName === undefined ? {} : { viewName }),
    });
  }

  /** Queues what makes the resources of those that were made, once it is known which have one already. */
  async queueCreations(): Promise<void> {
    const { change, rules } = this.#write;
    const made = await findComponents(change.tx, rules, change.layer, this.#made);
    await queueCreations(change, [...made.values()]);
  }

  /** Writes what is said of a component: properties, then attributes, then its places. */
  async fill(key: string, one: ManagedComponent, isNew: boolean): Promise<void> {
    const { change, rules, cache } = this.#write;
    const id = this.#placeholders.get(key);
    const shown = await getComponent(change.tx, rules, change.layer, id);
    // What is said of a component together with its resource is what that was found to be.
    const queuesUpdate = hasResource(shown.vals);
    if (one.properties !== undefined) {
      const { props } = await getVariant(change.tx, cache, change.layer, shown.variantId);
      const target = { props, settings: shown.settings, vals: shown.vals, isNew };
      const attributes = attributesOfProperties(target, one.properties);
      if (Object.keys(attributes).length > 0)
        await writeComponent(this.#write, id, { attributes }, { queuesUpdate });
    }
    if (one.attributes !== undefined) {
      const attributes = this.#placeholders.resolve(one.attributes);
      await writeComponent(this.#write, id, { attributes }, { queuesUpdate });
    }
    await this.#place(id, one);
  }

  async #place(id: string, one: ManagedComponent): Promise<void> {
    const { change, rules } = this.#write;
    const current = (await this.#currentView()).name;
    const wanted = geometries(one, current);
    if (wanted.length === 0) return;
    const views = await listViews(change.tx, change.layer);
    const patches = wanted.map(([name, geometry]) => {
      const view = viewNamed(views, name);
      if (view === undefined) return refuse("viewNotFound", `no view is named ${JSON.stringify(name)}`);
      return this.#placePatch(view, geometry);
    });
    await editComponent(change, rules, id, () => Object.assign({}, ...patches));
  }

  /** Places are kept as they are seen from the default corner; functions see them from the manager. */
  #placePatch(view: View, geometry: Geometry): Patch {
    const origin = placeIn(this.#target.manager.settings, view.id);
    const [x, y] = [numberOf(origin, "x"), numberOf(origin, "y")];
    const place: JsonObject = { ...geometry, x: x + (geometry.x ?? 0), y: y + (geometry.y ?? 0) };
    return { [viewKey(view.id)]: { v: place } };
  }

  /** Takes a component out of a view; the last one that it is in keeps it, an unknown view has nobody. */
  async takeOut(viewName: string, key: string): Promise<void> {
    const { change, rules } = this.#write;
    const view = viewNamed(await listViews(change.tx, change.layer), viewName);
    if (view === undefined) return;
    await editComponent(change, rules, this.#placeholders.get(key), ({ settings }): Patch => {
      const views = viewIdsOf(settings);
      return views.has(view.id) && views.size > 1 ? { [viewKey(view.id)]: null } : {};
    });
  }

  /** Removes a view that nothing is in; the default one, and one that is not empty, stay. */
  async removeView(name: string): Promise<void> {
    const { change, rules } = this.#write;
    const view = (await listViews(change.tx, change.layer)).find((one) => one.name === name);
    if (view === undefined || view.isDefault) return;
    const members = await membersOfView(change.tx, rules, change.layer, view.id);
    if (members.length === 0) await removeEntity(change, "view", view.id);
  }

  async actions(key: string, wanted: WantedActions): Promise<void> {
    await wantActions(this.#write, this.#placeholders.get(key), wanted);
  }

  /** Lets what was made, and with an import the component itself, read what is known of others. */
  async subscribe(): Promise<void> {
    const { kind, manager } = this.#target;
    if (kind === "import") await subscribeKnown(this.#write, [manager.id, ...this.#made]);
    if (kind === "discover") await subscribeKnown(this.#write, this.#made);
  }

  async #currentView(): Promise<View> {
    const { change } = this.#write;
    const views = await listViews(change.tx, change.layer);
    const { viewName } = this.#target;
    return (
      (viewName === undefined ? undefined : viewNamed(views, viewName)) ?? (await getDefaultView(change))
    );
  }
}

const numberOf = (place: JsonObject, name: string): number => {
  const value = place[name];
  return typeof value === "number" ? value : 0;
};
