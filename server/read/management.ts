import type { ComponentView } from "../../src/contract/component-shapes.ts";
import { managerIdsOf, type Settings } from "../domain/overlay.ts";
import { findComponents, listNames } from "../store/components.ts";
import { managedBy } from "../store/edges.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { Rules } from "./rules.ts";

type Names = ReadonlyMap<string, string>;

/** A component's place among managers: ids of its managers and of what it manages, in ascending order. */
export interface Relations {
  readonly managers: readonly string[];
  readonly managed: readonly string[];
}

/** Who manages a component and whom it manages, also where they are gone: names say who is there. */
export async function relationsOf(
  reads: Reads,
  layer: Layer,
  component: { readonly id: string; readonly settings: Settings },
): Promise<Relations> {
  const managed = await managedBy(reads, layer, [component.id]);
  return {
    managers: managerIdsOf(component.settings),
    managed: managed.map((one) => one.managed).sort(),
  };
}

/** The `connections` of a view: managers first, then what it manages, without those that have no name here. */
export function connectionsOf({ managers, managed }: Relations, names: Names): ComponentView["connections"] {
  const named = (componentId: string) => {
    const componentName = names.get(componentId);
    return componentName === undefined ? [] : [{ componentId, componentName }];
  };
  return [
    ...managers.flatMap(named).map((managedBy) => ({ managedBy })),
    ...managed.flatMap(named).map((managing) => ({ managing })),
  ];
}

/** The member `manages` of each component that manages others, as JSON text; in two statements for all. */
export async function managesMembers(
  reads: Reads,
  rules: Rules,
  layer: Layer,
  componentIds: readonly string[],
): Promise<Map<string, string>> {
  const pairs = await managedBy(reads, layer, componentIds);
  const names = await listNames(reads, rules, layer, [...new Set(pairs.map(({ managed }) => managed))]);
  const byManager = new Map<string, { toComponentId: string; toComponentName: string }[]>();
  for (const { manager, managed } of pairs.sort((a, b) => (a.managed < b.managed ? -1 : 1))) {
    const name = names.get(managed);
    if (name === undefined) continue;
    const list = byManager.get(manager) ?? [];
    list.push({ toComponentId: managed, toComponentName: name });
    byManager.set(manager, list);
  }
  return new Map([...byManager].map(([manager, list]) => [manager, `"manages":${JSON.stringify(list)}`]));
}

/**
 * The names on the way up from a component to itself that a new manager would close, the component first and last;
 * undefined when the manager stands nowhere below it. One statement for each level of managers.
 */
export async function circleThroughManager(
  reads: Reads,
  rules: Rules,
  layer: Layer,
  { managerId, managedId }: { readonly managerId: string; readonly managedId: string },
): Promise<string[] | undefined> {
  /** Everything above the new manager, with the one below that led there. */
  const below = new Map<string, string | undefined>([[managerId, undefined]]);
  const names = new Map<string, string>();
  for (let level = [managerId]; level.length > 0 && !below.has(managedId); ) {
    const next = new Set<string>();
    for (const [id, { name, settings }] of await findComponents(reads, rules, layer, level)) {
      names.set(id, name);
      for (const manager of managerIdsOf(settings)) {
        if (below.has(manager)) continue;
        below.set(manager, id);
        next.add(manager);
      }
    }
    level = [...next];
  }
  if (!below.has(managedId)) return undefined;
  const path: string[] = [];
  for (let id: string | undefined = managedId; id !== undefined; id = below.get(id)) path.push(id);
  if (!names.has(managedId)) {
    const top = await listNames(reads, rules, layer, [managedId]);
    if (!top.has(managedId)) return undefined;
    for (const [id, name] of top) names.set(id, name);
  }
  return [...path, managedId].map((id) => names.get(id) ?? id);
}
