import type { Settings } from "./overlay.ts";
import { keySegments, segmentName } from "./pointers.ts";
import type { Prop } from "./props.ts";

/** The keys that a key lies below, the nearest first. */
export function ancestorsOf(key: string): string[] {
  const found: string[] = [];
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    found.push(key.slice(0, end));
  }
  return found;
}

/** Finds the outermost place that a key lies below and for which something holds; each place is asked once at most. */
export function outermostAround(holds: (place: string) => boolean): (key: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  const find = (key: string): string | undefined => {
    const end = key.lastIndexOf("/");
    if (end <= 0) return undefined;
    const place = key.slice(0, end);
    if (known.has(place)) return known.get(place);
    const found = find(place) ?? (holds(place) ? place : undefined);
    known.set(place, found);
    return found;
  };
  return find;
}

/** Whether a stored key is another one, or lies below it. */
export const isBelow = (key: string, other: string): boolean => key === other || key.startsWith(`${other}/`);

/** The property that a stored key names; undefined where the schema has none. */
export function propAt(root: Prop, key: string): Prop | undefined {
  let prop: Prop | undefined = root;
  for (const segment of keySegments(key)) prop = prop && propBelow(prop, segment);
  return prop;
}

/** The property that a segment of a stored key leads to; undefined where the schema has none. */
export const propBelow = (prop: Prop, segment: string): Prop | undefined =>
  prop.kind === "object" ? prop.children.get(segmentName(segment)) : prop.entry;

/** Whether a stored key names an element of an array or an entry of a map. */
export function isElementOf(root: Prop, key: string): boolean {
  const end = key.lastIndexOf("/");
  const holder = end > 0 ? propAt(root, key.slice(0, end)) : undefined;
  return holder?.kind === "array" || holder?.kind === "map";
}

/** Tells whether settings hide what stands at a key: around it is something subscribed as a whole, or an element that is not there. */
export function hiddenIn(props: Prop, settings: Settings): (key: string) => boolean {
  const hiding = outermostAround((place) => {
    const setting = settings[place];
    return setting === undefined ? isElementOf(props, place) : "s" in setting;
  });
  return (key) => hiding(key) !== undefined;
}
