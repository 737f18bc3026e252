import { showAttributes } from "../domain/attribute-view.ts";
import { componentProperties } from "../domain/component-properties.ts";
import { isObject, type Json, type JsonObject, memberOf } from "../domain/json.ts";
import { type Settings, viewIdsOf, viewKey } from "../domain/overlay.ts";
import { findComponents } from "../store/components.ts";
import { managedBy } from "../store/edges.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";
import type { Rules } from "./rules.ts";
import { findVariants, listViews, type Variant, type VariantCache, type View } from "./variants.ts";

/** What the default view is called inside functions. */
const defaultViewName = "DEFAULT";

/** What a management function is called with, and the components it speaks of. */
export interface ManagementInput {
  readonly input: JsonObject;
  /** In ascending order of id. */
  readonly managed: readonly ShownComponent[];
}

/** Reads what a management function of a component is given: itself, what it manages by id, and the view. */
export async function managementInput(
  reads: Reads,
  { rules, cache }: { readonly rules: Rules; readonly cache: VariantCache },
  layer: Layer,
  component: ShownComponent,
  viewName: string | undefined,
): Promise<ManagementInput> {
  const ids = (await managedBy(reads, layer, [component.id])).map(({ managed }) => managed);
  const found = await findComponents(reads, rules, layer, ids);
  const managed = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const all = [component, ...managed];
  const variants = await findVariants(reads, cache, layer, [...new Set(all.map((one) => one.variantId))]);
  const views = await listViews(reads, layer);
  const described = (one: ShownComponent, from?: ShownComponent): JsonObject =>
    describeComponent(one, variants.get(one.variantId), views, from);
  const kinds = [...variants.values()].map(({ schema }) => schema.name).sort();
  return {
    managed,
    input: {
      thisComponent: described(component),
      components: Object.fromEntries(managed.map((one) => [one.id, described(one, component)])),
      currentView: viewName ?? defaultViewName,
      variantSocketMap: Object.fromEntries(kinds.map((kind) => [kind, 0])),
    },
  };
}

function describeComponent(
  { settings, vals }: ShownComponent,
  variant: Variant | undefined,
  views: readonly View[],
  relativeTo: ShownComponent | undefined,
): JsonObject {
  if (variant === undefined) return {};
  const sources = Object.entries(showAttributes(variant.props, settings)).flatMap(([pointer, value]) => {
    const source = isObject(value) ? memberOf(value, "$source") : undefined;
    return source === undefined ? [] : [[pointer, source] as const];
  });
  return {
    kind: variant.schema.name,
    properties: componentProperties(variant.props, vals),
    sources: Object.fromEntries(sources),
    geometry: geometryOf(settings, views, relativeTo?.settings),
    incomingConnections: {},
  };
}

/** View name → where the component stands in it, seen from its manager where one is given. */
function geometryOf(settings: Settings, views: readonly View[], origin: Settings | undefined): JsonObject {
  const inViews = viewIdsOf(settings);
  const places = views
    .filter(({ id }) => inViews.has(id))
    .map(({ id, name, isDefault }) => {
      const [own, from] = [placeIn(settings, id), placeIn(origin ?? {}, id)];
      const seen = {
        ...own,
        x: numberAt(own, "x") - numberAt(from, "x"),
        y: numberAt(own, "y") - numberAt(from, "y"),
      };
      return [isDefault ? defaultViewName : name, seen] as const;
    });
  return Object.fromEntries(places);
}

/** Where a component stands in a view: the value of the key that puts it there, where a function has said so. */
export function placeIn(settings: Settings, viewId: string): JsonObject {
  const setting = settings[viewKey(viewId)];
  const value: Json = setting !== undefined && "v" in setting ? setting.v : null;
  return isObject(value) ? value : {};
}

const numberAt = (place: JsonObject, name: string): number => {
  const value = memberOf(place, name);
  return typeof value === "number" ? value : 0;
};

/** The view of a name as functions spell it; undefined when there is none. */
export const viewNamed = (views: readonly View[], name: string): View | undefined =>
  views.find((view) => view.name === name) ??
  (name === defaultViewName ? views.find((view) => view.isDefault) : undefined);
