import { fail } from "../../src/contract/errors.ts";
import { findComponents, listNames } from "./components.ts";
import { managedBy } from "./edges.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";
import { downstream, levelsOf } from "./propagation-plan.ts";
import type { ComponentRules } from "./rules.ts";

/** An edge as an apply moved it to the head: a subscription, or without a path who manages or which secret is held. */
export interface MovedEdge {
  readonly source: string;
  readonly subscriber: string;
  readonly to_path: string;
  readonly from_path: string | null;
}

/** Who depends on whom, by the component that is depended on. */
type Dependents = ReadonlyMap<string, readonly { readonly subscriber: string }[]>;

const wayOut = (edge: string): string =>
  `nothing was applied; discard or change one of these ${edge} in this change set, or the head's in another one`;

/**
 * Refuses an apply that closes a circle in the head, which no write in a change set could see while another one held
 * the rest of it. Nothing is asked where no edges moved, else one statement for each level of what depends on them.
 * Throws `subscriptionCycle` or `managementCycle` with the names on the circle, sources and managers first.
 */
export async function refuseCircles(
  reads: Reads,
  rules: ComponentRules,
  head: Layer,
  moved: readonly MovedEdge[],
): Promise<void> {
  await refuseOwnCircles(reads, rules, head, moved);
  const read = moved.filter((edge) => edge.from_path !== null && edge.source !== edge.subscriber);
  const readers = circleThrough(read, await downstream(reads, head, dependentsIn(read)));
  if (readers !== undefined) {
    const names = await namesOf(reads, rules, head, readers);
    fail(
      "subscriptionCycle",
      `components would wait for each other in a circle: ${names}; ${wayOut("subscriptions")}`,
    );
  }
  const manage = moved.filter(
    (edge) => edge.from_path === null && rules.managerOf(edge.to_path) !== undefined,
  );
  const managed = circleThrough(manage, await allManaged(reads, head, dependentsIn(manage)));
  if (managed !== undefined) {
    const names = await namesOf(reads, rules, head, managed);
    fail(
      "managementCycle",
      `components would manage each other in a circle: ${names}; ${wayOut("managers")}`,
    );
  }
}

/** What a component reads of itself is judged by all its settings; one statement, where any such edge moved. */
async function refuseOwnCircles(
  reads: Reads,
  rules: ComponentRules,
  head: Layer,
  moved: readonly MovedEdge[],
): Promise<void> {
  const own = moved.filter((edge) => edge.from_path !== null && edge.source === edge.subscriber);
  if (own.length === 0) return;
  for (const { id, name, settings } of (
    await findComponents(reads, rules, head, dependentsIn(own))
  ).values()) {
    const circle = rules.ownCircle(settings, id);
    if (circle === undefined) continue;
    const way = circle.join(" → ");
    fail(
      "subscriptionCycle",
      `attributes of "${name}" would wait for each other in a circle: ${way}; ${wayOut("subscriptions")}`,
    );
  }
}

const dependentsIn = (edges: readonly MovedEdge[]): string[] => [
  ...new Set(edges.map(({ subscriber }) => subscriber)),
];

/** Everything that these manage, directly or through others; one statement per level of depth. */
async function allManaged(reads: Reads, head: Layer, managerIds: readonly string[]): Promise<Dependents> {
  const all = new Map<string, { subscriber: string }[]>();
  const seen = new Set(managerIds);
  for (let level = [...seen]; level.length > 0; ) {
    const next: string[] = [];
    for (const { manager, managed } of await managedBy(reads, head, level)) {
      all.set(manager, [...(all.get(manager) ?? []), { subscriber: managed }]);
      if (seen.has(managed)) continue;
      seen.add(managed);
      next.push(managed);
    }
    level = next;
  }
  return all;
}

/** The circle that one of the edges closes, its first id last again; one that was there before is not looked at. */
function circleThrough(edges: readonly MovedEdge[], dependents: Dependents): string[] | undefined {
  const { circular } = levelsOf(dependentsIn(edges), dependents);
  for (const { source, subscriber } of edges) {
    if (!circular.has(source) || !circular.has(subscriber)) continue;
    const way = wayBetween(subscriber, source, dependents);
    if (way !== undefined) return [...way, subscriber];
  }
  return undefined;
}

/** A shortest way from a component to one that depends on it. */
function wayBetween(from: string, to: string, dependents: Dependents): string[] | undefined {
  const before = new Map<string, string | undefined>([[from, undefined]]);
  // A set is walked while it grows.
  const open = new Set([from]);
  for (const id of open) {
    if (id === to) break;
    for (const { subscriber } of dependents.get(id) ?? []) {
      if (!before.has(subscriber)) before.set(subscriber, id);
      open.add(subscriber);
    }
  }
  if (!before.has(to)) return undefined;
  const way: string[] = [];
  for (let id: string | undefined = to; id !== undefined; id = before.get(id)) way.unshift(id);
  return way;
}

async function namesOf(
  reads: Reads,
  rules: ComponentRules,
  head: Layer,
  ids: readonly string[],
): Promise<string> {
  const names = await listNames(reads, rules, head, [...new Set(ids)]);
  return ids.map((id) => names.get(id) || id).join(" → ");
}
