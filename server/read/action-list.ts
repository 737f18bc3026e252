import { blockersOf, inOrder, isDestroy, type Neighbours } from "../domain/action-order.ts";
import { listActions, type QueuedAction } from "../store/actions.ts";
import { type Edge, edgesFrom, edgesTo } from "../store/edges.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";

/** Queued actions of a layer in the order in which they would run, each with the ids of those that it waits for. */
export async function actionsInOrder(
  reads: Reads,
  layer: Layer,
): Promise<{
  readonly actions: readonly QueuedAction[];
  readonly blockers: ReadonlyMap<string, ReadonlySet<string>>;
}> {
  const actions = await listActions(reads, layer);
  const componentsOf = (some: readonly QueuedAction[]): Set<string> =>
    new Set(some.flatMap(({ componentId }) => componentId ?? []));
  const acting = componentsOf(actions);
  const destroyed = componentsOf(actions.filter(isDestroy));
  const others = componentsOf(actions.filter((action) => !isDestroy(action)));
  // One component's actions wait for nothing but other components'.
  const alone = acting.size < 2;
  const graph = {
    sources: alone ? nobody : await walk([...others], others, (ids) => edgesTo(reads, layer, ids), upwards),
    readers: alone
      ? nobody
      : await walk([...destroyed], acting, (ids) => edgesFrom(reads, layer, ids), downwards),
  };
  const blockers = blockersOf(actions, graph);
  return { actions: inOrder(actions, blockers), blockers };
}

const nobody: Neighbours = new Map();

/** From which component to which one walks along a subscription. */
type Direction = (edge: Edge) => readonly [from: string, to: string];
const upwards: Direction = ({ subscriber, source }) => [subscriber, source];
const downwards: Direction = ({ subscriber, source }) => [source, subscriber];

/** The neighbours of the starting components and of all that lies behind them up to the first with actions: one query a step. */
async function walk(
  starts: readonly string[],
  acting: ReadonlySet<string>,
  edgesOf: (ids: readonly string[]) => Promise<readonly Edge[]>,
  direction: Direction,
): Promise<Neighbours> {
  const next = new Map<string, string[]>();
  const seen = new Set(starts);
  for (let frontier = starts; frontier.length > 0; ) {
    const beyond = new Set<string>();
    for (const edge of await edgesOf(frontier)) {
      const [from, to] = direction(edge);
      const known = next.get(from);
      if (known === undefined) next.set(from, [to]);
      else known.push(to);
      if (!acting.has(to) && !seen.has(to)) beyond.add(to);
    }
    for (const id of beyond) seen.add(id);
    frontier = [...beyond];
  }
  return next;
}
