import {
  isNamed,
  type KnownComponent,
  type Subscribable,
  sourceOf,
  subscribable,
} from "../domain/auto-subscriptions.ts";
import { hasResource } from "../domain/component.ts";
import { Refusal } from "../domain/refusal.ts";
import { valueAt } from "../domain/values.ts";
import { variantIdsOf } from "../read/schemas.ts";
import { findVariants, listSchemas, type Schema, type Variant } from "../read/variants.ts";
import { findComponents } from "../store/components.ts";
import { listComponentsOfVariants } from "../store/function-users.ts";
import type { ComponentWrite } from "./change-component.ts";
import { writeComponent } from "./update-component.ts";

/**
 * Lets components read from others what they were given as literals, where their schemas suggest a source and exactly
 * one component of the change set has the value there. What would close a circle stays a literal.
 */
export async function subscribeKnown(write: ComponentWrite, componentIds: readonly string[]): Promise<void> {
  const { change, rules, cache } = write;
  const { tx, layer } = change;
  const components = await findComponents(tx, rules, layer, componentIds);
  const schemas = await listSchemas(tx, layer);
  const variants = await findVariants(tx, cache, layer, [
    ...new Set([
      ...schemas.map(({ defaultVariantId }) => defaultVariantId),
      ...[...components.values()].map(({ variantId }) => variantId),
    ]),
  ]);
  const suggesting = schemas.flatMap(({ name, defaultVariantId }) => {
    const props = variants.get(defaultVariantId)?.props;
    return props === undefined ? [] : [{ name, props }];
  });
  const wishes = [...components.values()].flatMap((component) => {
    const variant = variants.get(component.variantId);
    if (variant === undefined || component.toDelete) return [];
    const { settings, vals } = component;
    const subscriber = { props: variant.props, settings, vals, hasResource: hasResource(vals) };
    const found = subscribable(variant.schema.name, subscriber, suggesting);
    return found.map((wish) => ({ componentId: component.id, wish }));
  });
  if (wishes.length === 0) return;
  const known = await componentsOf(
    write,
    schemas.filter(({ name }) =>
      wishes.some(({ wish }) => wish.sources.some((one) => isNamed(one.schema, name))),
    ),
  );
  for (const { componentId, wish } of wishes) await subscribe(write, componentId, wish, known);
}

/** Every component of these schemas that stays, with its values. */
async function componentsOf(
  { change, rules, cache }: ComponentWrite,
  schemas: readonly Schema[],
): Promise<KnownComponent[]> {
  const { tx, layer } = change;
  const ids: string[] = [];
  for (const schema of schemas) ids.push(...(await variantIdsOf(tx, layer, schema)));
  const variants: ReadonlyMap<string, Variant> = await findVariants(tx, cache, layer, ids);
  const shown = await findComponents(tx, rules, layer, await listComponentsOfVariants(tx, layer, ids));
  return [...shown.values()].flatMap(({ id, variantId, vals, toDelete }) => {
    const variant = variants.get(variantId);
    if (variant === undefined || toDelete) return [];
    const schemaName = variant.schema.name;
    return [{ id, schemaName, valueAt: (pointer) => valueAt(variant.props, vals, pointer) }];
  });
}

async function subscribe(
  write: ComponentWrite,
  componentId: string,
  wish: Subscribable,
  known: readonly KnownComponent[],
): Promise<void> {
  const source = sourceOf(
    wish,
    known.filter(({ id }) => id !== componentId),
  );
  if (source === undefined) return;
  try {
    await writeComponent(write, componentId, { attributes: { [wish.pointer]: { $source: source } } });
  } catch (error) {
    if (!(error instanceof Refusal && error.error === "subscriptionCycle")) throw error;
  }
}
