/** What the order of actions depends on. */
export interface OrderedAction {
  readonly id: string;
  readonly kind: string;
  /** Undefined for one that belongs to no component and waits for nothing. */
  readonly componentId: string | undefined;
}

/** By component, the components next to it along subscriptions. */
export type Neighbours = ReadonlyMap<string, readonly string[]>;

/** Which components read from which: `sources` of a component, and its `readers`. */
export interface ReadingGraph {
  readonly sources: Neighbours;
  readonly readers: Neighbours;
}

/** Whether it takes away what others may still read from. */
export const isDestroy = ({ kind }: { readonly kind: string }): boolean => kind === "Destroy";

/**
 * By id of an action, the ids of those that must be gone before it may run, whatever their state. A Destroy waits for
 * the actions of the nearest readers of its component, every other one for those of the nearest sources but for their
 * Destroys, which wait for it in turn; the search passes through components without such actions and stops at the first
 * with any.
 */
export function blockersOf(
  actions: readonly OrderedAction[],
  { sources, readers }: ReadingGraph,
): Map<string, ReadonlySet<string>> {
  const upwards = searchIn(sources, byComponent(actions.filter((action) => !isDestroy(action))));
  const downwards = searchIn(readers, byComponent(actions));
  return new Map(
    actions.map((action) => {
      const { id, componentId } = action;
      if (componentId === undefined) return [id, new Set()];
      return [id, isDestroy(action) ? downwards(componentId) : upwards(componentId)];
    }),
  );
}

/** Ids of actions by the component that they belong to. */
function byComponent(actions: readonly OrderedAction[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, componentId } of actions) {
    if (componentId === undefined) continue;
    const known = found.get(componentId);
    if (known === undefined) found.set(componentId, [id]);
    else known.push(id);
  }
  return found;
}

/** Finds the nearest actions from a component on, each component searched from once. */
function searchIn(
  next: Neighbours,
  actions: ReadonlyMap<string, readonly string[]>,
): (componentId: string) => ReadonlySet<string> {
  const reached = new Map<string, ReadonlySet<string>>();
  return (componentId) => {
    const known = reached.get(componentId) ?? nearestActions(componentId, next, actions);
    reached.set(componentId, known);
    return known;
  };
}

function nearestActions(
  start: string,
  next: Neighbours,
  actionsOf: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set([start]);
  const open = [...(next.get(start) ?? [])];
  for (let component = open.pop(); component !== undefined; component = open.pop()) {
    if (seen.has(component)) continue;
    seen.add(component);
    const actions = actionsOf.get(component);
    if (actions === undefined) open.push(...(next.get(component) ?? []));
    else for (const id of actions) found.add(id);
  }
  return found;
}

/** The actions in the order in which they would run: those that wait for nothing first, those in a circle last; else by id. */
export function inOrder<T extends OrderedAction>(
  actions: readonly T[],
  blockers: ReadonlyMap<string, ReadonlySet<string>>,
): T[] {
  const waitingFor = new Map(actions.map(({ id }) => [id, blockers.get(id)?.size ?? 0]));
  const blocked = new Map<string, T[]>();
  for (const action of actions) {
    for (const blocker of blockers.get(action.id) ?? []) {
      const known = blocked.get(blocker);
      if (known === undefined) blocked.set(blocker, [action]);
      else known.push(action);
    }
  }
  const ordered: T[] = [];
  let layer = actions.filter(({ id }) => waitingFor.get(id) === 0);
  while (layer.length > 0) {
    ordered.push(...byId(layer));
    const freed: T[] = [];
    for (const { id } of layer) {
      for (const action of blocked.get(id) ?? []) {
        const left = (waitingFor.get(action.id) ?? 0) - 1;
        waitingFor.set(action.id, left);
        if (left === 0) freed.push(action);
      }
    }
    layer = freed;
  }
  return [...ordered, ...byId(actions.filter(({ id }) => (waitingFor.get(id) ?? 0) > 0))];
}

const byId = <T extends OrderedAction>(actions: readonly T[]): T[] =>
  [...actions].sort((a, b) => (a.id < b.id ? -1 : 1));
