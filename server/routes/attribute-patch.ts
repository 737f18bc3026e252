import { toTimestamp } from "../../src/lib/clock.ts";
import { writeAttributes } from "../domain/attributes.ts";
import { hasResource, pointerOfValueId } from "../domain/component.ts";
import type { Json } from "../domain/json.ts";
import type { Patch, Settings } from "../domain/overlay.ts";
import type { Vals } from "../domain/values.ts";
import { valueIdOf } from "../read/ids.ts";
import { lookUpSources } from "../read/sources.ts";
import type { Variant, VariantCache } from "../read/variants.ts";
import type { LayerChange } from "../store/layer.ts";

/** The component that is written, as the change set shows it; without id while it is being created. */
export interface Written {
  readonly id: string | undefined;
  readonly variant: Variant;
  readonly settings: Settings;
  readonly vals: Vals;
}

/** What a request says about a component, in the order in which it counts. */
export interface Wishes {
  readonly name?: string | null | undefined;
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
  readonly resourceId?: string | null | undefined;
}

/** The patch that a request's name, attributes and resource id make; a null name or resource id changes nothing. */
export async function attributePatch(
  { tx, layer }: LayerChange,
  cache: VariantCache,
  written: Written,
  wishes: Wishes,
): Promise<Patch> {
  const changes = changesOf(wishes);
  const lookups = await lookUpSources(tx, cache, layer, { id: written.id, changes });
  // Each by its name: to spread them takes as long as to write an attribute.
  const { componentId, findComponent, findFunction, circleThrough } = lookups;
  return writeAttributes({
    componentId,
    findComponent,
    findFunction,
    circleThrough,
    props: written.variant.props,
    settings: written.settings,
    changes,
    newId: tx.store.id,
    get now() {
      return toTimestamp(tx.now);
    },
    hasResource: hasResource(written.vals),
    pointerOfValueId: (valueId) => pointerOfValue(written, valueId),
  });
}

function changesOf({ name, attributes, resourceId }: Wishes): (readonly [string, Json])[] {
  return [
    ...(name === undefined || name === null ? [] : [["/si/name", name] as const]),
    // The body was parsed as JSON: what a member of it holds is JSON.
    ...Object.entries(attributes ?? {}).map(([key, value]) => [key, value as Json] as const),
    ...(resourceId === undefined || resourceId === null ? [] : [["/si/resourceId", resourceId] as const]),
  ];
}

/** The pointer of the value with that id: what `domainProps` and `resourceProps` list can be written by id too. */
function pointerOfValue({ id, variant, vals }: Written, valueId: string): string | undefined {
  if (id === undefined) return undefined;
  const idOf = (key: string): string => valueIdOf(id, key);
  return pointerOfValueId({ props: variant.props, vals, idOf }, valueId);
}
