import { isOverridden, resultKey } from "./driven-values.ts";
import { type Binding, codegenInputs, qualificationInputs } from "./functions.ts";
import type { Settings } from "./overlay.ts";
import { isElement, keySegments, nameSegment, parsePointer, segmentName } from "./pointers.ts";

/** The names on the way to an attribute; `*` for an element of an array, whatever its position. */
export type Way = readonly string[];

const anyElement = "*";

/** Something in a component that is made of other parts of it: by a function, or by a subscription to itself. */
export interface Place {
  /** What it is known by among results. */
  readonly id: string;
  readonly writes: readonly Way[];
  readonly reads: readonly Way[];
}

/** A place that a binding's function fills, under one stored key. */
export interface BoundPlace extends Place {
  readonly key: string;
  readonly binding: Binding;
}

/** The way that a pointer names. */
export const wayOf = (pointer: string): Way => parsePointer(pointer) ?? [];

/** The way of a stored key. */
export const wayOfKey = (key: string): Way =>
  keySegments(key).map((segment) => (isElement(segment) ? anyElement : segmentName(segment)));

/** Whether one of them is the other, or lies in it. */
const touches = (a: Way, b: Way): boolean => {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    if (a[at] !== b[at] && a[at] !== anyElement && b[at] !== anyElement) return false;
  }
  return true;
};

/** The places that the bindings at work in a component fill; not where it says itself what stands there. */
export const boundPlaces = (bindings: readonly Binding[], settings: Settings): BoundPlace[] =>
  bindings.flatMap((binding) => boundPlace(binding) ?? []).filter(({ key }) => !isOverridden(settings, key));

function boundPlace(binding: Binding): BoundPlace | undefined {
  switch (binding.kind) {
    case "attribute": {
      const way = wayOf(binding.output ?? "");
      if (way.length === 0) return undefined;
      const key = way.map((name) => `/${nameSegment(name)}`).join("");
      const reads = (binding.arguments ?? []).flatMap(({ path }) =>
        path === undefined ? [] : [wayOf(path)],
      );
      return { id: key, key, binding, writes: [way], reads };
    }
    case "codegen":
    case "qualification": {
      const key = resultKey(binding.kind, binding.func.name);
      const inputs = binding.inputs ?? (binding.kind === "codegen" ? codegenInputs : qualificationInputs);
      return { id: key, key, binding, writes: [wayOfKey(key)], reads: inputs.map((input) => [input]) };
    }
    default:
      return undefined;
  }
}

/** Subscriptions of a component to itself that nothing stands between, and what `/resource_value` is filled from. */
export function ownLinks(settings: Settings, componentId: string): Place[] {
  const links: Place[] = [{ id: "", writes: [["resource_value"]], reads: [["resource", "payload"]] }];
  for (const [key, setting] of Object.entries(settings)) {
    if (!("s" in setting) || setting.s[0] !== componentId || setting.f !== undefined) continue;
    links.push({ id: key, writes: [wayOfKey(key)], reads: [wayOf(setting.s[1])] });
  }
  return links;
}

/** Who must be there before others: for each place those that fill what it reads, directly or through links. */
export function waitsOf<P extends Place>(
  places: readonly P[],
  links: readonly Place[],
): ReadonlyMap<P, readonly P[]> {
  const feeds = (one: Place, to: Place): boolean =>
    one.writes.some((way) => to.reads.some((read) => touches(way, read)));
  return new Map(places.map((place) => [place, feedersOf(place, places, links, feeds)]));
}

function feedersOf<P extends Place>(
  place: P,
  places: readonly P[],
  links: readonly Place[],
  feeds: (one: Place, to: Place) => boolean,
): P[] {
  const through = new Set<Place>([place]);
  const found = new Set<P>();
  for (const to of through) {
    for (const other of places) if (feeds(other, to)) found.add(other);
    for (const link of links) if (feeds(link, to)) through.add(link);
  }
  return [...found];
}

/** Whether a place would wait for itself. */
export function isCircular<P extends Place>(place: P, waits: ReadonlyMap<P, readonly P[]>): boolean {
  const before = new Set<P>(waits.get(place));
  // A set is walked with what is added on the way.
  for (const one of before) for (const other of waits.get(one) ?? []) before.add(other);
  return before.has(place);
}
