import {
  indexSources,
  type KnownSource,
  type SourceIndex,
  type Subscribable,
  subscribable,
  suggestionsOf,
} from "../domain/auto-subscriptions.ts";
import { hasResource } from "../domain/component.ts";
import { Refusal } from "../domain/refusal.ts";
import { valueAt } from "../domain/values.ts";
import { variantIdsOfAll } from "../read/schemas.ts";
import { findVariants, listSchemas, type Schema } from "../read/variants.ts";
import { findComponents } from "../store/components.ts";
import { listComponentsOfVariants } from "../store/function-users.ts";
import type { ComponentWrite } from "./change-component.ts";
import { writeComponent } from "./update-component.ts";

/** Components whose values are looked at in one go: about 500 × 4 KB = 2 MB. */
const batchSize = 500;

/**
 * Lets components read from others what they were given as literals, where their schemas suggest a source and exactly
 * one component of the change set has the value there. What may not be read so, as what would close a circle, stays a
 * literal. Each component is written once, unless one of its subscriptions is refused.
 */
export async function subscribeKnown(write: ComponentWrite, componentIds: readonly string[]): Promise<void> {
  const schemas = await listSchemas(write.change.tx, write.change.layer);
  const wishes = await wishesOf(write, schemas, componentIds);
  if (wishes.size === 0) return;
  const index = indexSources([...wishes.values()].flat());
  await addKnown(write, schemas, index);
  for (const [componentId, wished] of wishes) {
    const found = wished.flatMap((wish): Subscription[] => {
      const source = index.find(componentId, wish);
      return source === undefined ? [] : [[wish.pointer, source]];
    });
    if (found.length > 0) await subscribe(write, componentId, found);
  }
}

/** What these components could read, by their ids. */
async function wishesOf(
  { change: { tx, layer }, rules, cache }: ComponentWrite,
  schemas: readonly Schema[],
  componentIds: readonly string[],
): Promise<Map<string, Subscribable[]>> {
  const components = await findComponents(tx, rules, layer, componentIds);
  const variants = await findVariants(tx, cache, layer, [
    ...new Set([
      ...schemas.map(({ defaultVariantId }) => defaultVariantId),
      ...[...components.values()].map(({ variantId }) => variantId),
    ]),
  ]);
  const suggestions = suggestionsOf(
    schemas.flatMap(({ name, defaultVariantId }) => {
      const props = variants.get(defaultVariantId)?.props;
      return props === undefined ? [] : [{ name, props }];
    }),
  );
  const wishes = new Map<string, Subscribable[]>();
  for (const { id, variantId, settings, vals, toDelete } of components.values()) {
    const variant = variants.get(variantId);
    if (variant === undefined || toDelete) continue;
    const subscriber = { props: variant.props, settings, vals, hasResource: hasResource(vals) };
    const found = subscribable(variant.schema.name, subscriber, suggestions);
    if (found.length > 0) wishes.set(id, found);
  }
  return wishes;
}

/** Tells the index of every component that stays of the schemas that it asks for. */
async function addKnown(
  { change: { tx, layer }, rules, cache }: ComponentWrite,
  schemas: readonly Schema[],
  index: SourceIndex,
): Promise<void> {
  const asked = schemas.filter(({ name }) => index.asksFor(name));
  const variantIds = await variantIdsOfAll(tx, layer, asked);
  const variants = await findVariants(tx, cache, layer, variantIds);
  const ids = await listComponentsOfVariants(tx, layer, variantIds);
  for (let from = 0; from < ids.length; from += batchSize) {
    // SQLite answers at once, so without this no socket would be served meanwhile.
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    const shown = await findComponents(tx, rules, layer, ids.slice(from, from + batchSize));
    for (const { id, variantId, vals, toDelete } of shown.values()) {
      const variant = variants.get(variantId);
      if (variant === undefined || toDelete) continue;
      const { props, schema } = variant;
      index.add({ id, schemaName: schema.name, valueAt: (pointer) => valueAt(props, vals, pointer) });
    }
  }
}

/** The pointer of an attribute, and what it is to read. */
type Subscription = readonly [pointer: string, source: KnownSource];

async function subscribe(
  write: ComponentWrite,
  componentId: string,
  subscriptions: readonly Subscription[],
): Promise<void> {
  const attributes = Object.fromEntries(subscriptions.map(([pointer, $source]) => [pointer, { $source }]));
  try {
    await writeComponent(write, componentId, { attributes });
  } catch (error) {
    // Refused before anything of it was written.
    if (!(error instanceof Refusal)) throw error;
    if (subscriptions.length === 1) return;
    for (const one of subscriptions) await subscribe(write, componentId, [one]);
  }
}
