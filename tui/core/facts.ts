import type { ComponentView } from "../../src/contract/components.ts";
import { sideOf } from "./sides.ts";

/** One attribute of a component: what it is, and where it comes from. */
export interface Property {
  /** JSON pointer from the component's root. */
  readonly path: string;
  /** The value as text; null when unset. */
  readonly value: string | null;
  /** Where the value is subscribed to: the component by id or name, and the path there. */
  readonly source: { readonly component: string; readonly path: string } | null;
}

/** How a property differs between two readings. */
export interface PropertyChange {
  readonly path: string;
  readonly kind: "added" | "changed" | "removed" | "same";
  readonly before: string | null;
  readonly after: string | null;
  /** The component that the value is subscribed to, by id or name. */
  readonly source: string | null;
}

/**
 * The properties of a component, by path: the effective values of the domain, with the settings over them.
 * Containers are left out, since what they contain is listed by itself.
 */
export function propertiesOf(view: ComponentView): ReadonlyMap<string, Property> {
  const found = new Map<string, Property>();
  if (view.attributes["/si/name"] === undefined)
    found.set("name", { path: "name", value: view.name, source: null });
  if (view.toDelete) found.set("toDelete", { path: "toDelete", value: "true", source: null });
  for (const { path, value } of view.domainProps) {
    const pointer = pointerOf(path);
    if (!isContainer(value)) found.set(pointer, { path: pointer, value: valueText(value), source: null });
  }
  for (const [path, setting] of Object.entries(view.attributes)) {
    const source = sourceOf(setting);
    if (source !== undefined) {
      found.set(path, { path, value: found.get(path)?.value ?? null, source });
    } else if (!isContainer(setting) && !found.has(path)) {
      found.set(path, { path, value: valueText(setting), source: null });
    }
  }
  return found;
}

/** The name of a component by its id, where it is known. */
export type NameOf = (componentId: string) => string | undefined;
const unnamed: NameOf = () => undefined;

/** What tells whether a property was set otherwise: its source when it has one, else its value; null with neither. */
export function shownValue(property: Property | undefined, nameOf: NameOf = unnamed): string | null {
  if (property === undefined || property.source === null) return property?.value ?? null;
  const { component, path } = property.source;
  return `← ${nameOf(component) ?? component} ${path}`;
}

/** What a person reads for a property: its value, and where that comes from when it is subscribed. */
export const fullValue = (property: Property | undefined, nameOf: NameOf): string | null =>
  property === undefined || property.source === null
    ? (property?.value ?? null)
    : sideOf(property.value, shownValue(property, nameOf));

/** What differs between two readings of a component, in order of path. */
export function changesBetween(
  before: ComponentView | null,
  after: ComponentView,
  nameOf: NameOf = unnamed,
): readonly PropertyChange[] {
  const old = before === null ? new Map<string, Property>() : propertiesOf(before);
  const now = propertiesOf(after);
  return [...new Set([...now.keys(), ...old.keys()])]
    .sort(byPath)
    .flatMap((path): readonly PropertyChange[] => {
      const was = shownValue(old.get(path), nameOf);
      const is = shownValue(now.get(path), nameOf);
      const before = fullValue(old.get(path), nameOf);
      const after = fullValue(now.get(path), nameOf);
      const source = now.get(path)?.source?.component ?? null;
      if (was === is) return was === null ? [] : [{ path, kind: "same", before, after, source }];
      const kind = was === null ? "added" : is === null ? "removed" : "changed";
      return [{ path, kind, before, after, source }];
    });
}

/** `root/domain/Tags/TagItem[0]/Key` → `/domain/Tags/0/Key`; a pointer stays as it is. */
export function pointerOf(path: string): string {
  if (!path.startsWith("root/")) return path;
  const segments = path.slice("root/".length).split("/");
  return `/${segments.map((segment) => /\[([^\]]*)\]$/.exec(segment)?.[1] ?? segment).join("/")}`;
}

/** A JSON value in one line; text without quotes, and null for nothing. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

const isContainer = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

/** The subscription a setting stands for; undefined when it is a value. */
function sourceOf(setting: unknown): Property["source"] | undefined {
  if (typeof setting !== "object" || setting === null || !("$source" in setting)) return undefined;
  const source = setting.$source;
  if (typeof source !== "object" || source === null) return undefined;
  const part = (name: "component" | "path"): string => {
    const text = name in source ? Reflect.get(source, name) : undefined;
    return typeof text === "string" ? text : "?";
  };
  return { component: part("component"), path: part("path") };
}

const rank = (path: string): number => (path === "name" ? 0 : path === "toDelete" ? 1 : 2);
const byPath = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
