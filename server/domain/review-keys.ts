import type { Patch, Setting } from "./overlay.ts";
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

/** Whether a stored key is another one, or lies below it. */
export const isBelow = (key: string, other: string): boolean => key === other || key.startsWith(`${other}/`);

/** What a patch does at a key to all that stands below it, if anything. */
export function covers(props: Prop, patch: Patch, key: string): "all" | "defaults" | undefined {
  const setting: Setting | null | undefined = Object.hasOwn(patch, key) ? patch[key] : undefined;
  if (setting === undefined) return undefined;
  // Only an element is there because of its own key: what stands below any other stays.
  if (setting === null) return isElementOf(props, key) ? "all" : undefined;
  if ("s" in setting) return "all";
  return "u" in setting ? "defaults" : undefined;
}

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
