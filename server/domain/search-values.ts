import { isArray, isObject, type Json, memberOf } from "./json.ts";
import { formatPointer, isElement, keySegments, parsePointer } from "./pointers.ts";
import { findProp, isContainer, type Prop, stepTo } from "./props.ts";
import { asciiLower, type Searchable } from "./search-text.ts";
import type { Vals } from "./values.ts";

/** The attributes of a component that its values speak of: pointers, and what stands there. */
export interface SearchValues {
  readonly pointers: readonly string[];
  readonly values: readonly Searchable[];
}

/** An attribute by its pointer. */
export interface Path {
  readonly pointer: string;
  /** The same in lower case. */
  readonly lower: string;
}

/** The attributes of which a component's values speak: most components of a variant share one shape. */
export interface Shape {
  readonly paths: readonly Path[];
}

/** Attributes that a schema gives to a component, whether anything is set there or not. */
export interface SchemaPaths {
  readonly containers: readonly Path[];
  readonly scalars: readonly Path[];
}

/** What stands in a component's values, by pointer. Elements of arrays stand at their positions. */
export function searchValues(root: Prop | undefined, vals: Vals): SearchValues {
  const pointers: string[] = [];
  const values: Searchable[] = [];
  const positions = new Map<string, Map<string, number>>();
  const put = (pointer: string, value: Searchable): void => {
    pointers.push(pointer);
    values.push(typeof value === "string" ? asciiLower(value) : value);
  };
  // Values are kept in ascending order of key, so that elements come in their order.
  for (const [key, value] of Object.entries(vals)) {
    if (!key.startsWith("/")) continue;
    const pointer = pointerOfKey(key, positions);
    if (typeof value !== "object" || value === null) put(pointer, value);
    else spread(root && findProp(root, pointer), pointer, value, put);
  }
  return { pointers, values };
}

/** The pointer of a stored key; `positions` counts the elements met so far in each array. */
function pointerOfKey(key: string, positions: Map<string, Map<string, number>>): string {
  if (!key.includes("/#") && !key.includes("/~2")) return key;
  let array = "";
  let pointer = "";
  for (const segment of keySegments(key)) {
    if (isElement(segment)) {
      const elements = positions.get(array) ?? new Map<string, number>();
      positions.set(array, elements);
      const position = elements.get(segment) ?? elements.size;
      elements.set(segment, position);
      pointer += `/${position}`;
    } else pointer += `/${segment.startsWith("~2") ? `#${segment.slice(2)}` : segment}`;
    array += `/${segment}`;
  }
  return pointer;
}

/** A value that was copied whole from elsewhere, as the attributes that its property has. */
function spread(
  prop: Prop | undefined,
  pointer: string,
  value: Json,
  put: (pointer: string, value: Searchable) => void,
): void {
  const isScalar = typeof value !== "object" || value === null;
  // Of itself a container has no value, nor has JSON data.
  put(pointer, isScalar ? value : undefined);
  if (isScalar || prop === undefined || !isContainer(prop.kind)) return;
  const names = isArray(value) ? value.map((_, index) => String(index)) : Object.keys(value);
  for (const name of names) {
    const inner = isArray(value) ? value[Number(name)] : isObject(value) ? memberOf(value, name) : undefined;
    const next = stepTo(prop, name);
    if (next !== undefined) spread(next, pointer + formatPointer([name]), inner ?? null, put);
  }
}

/** The shape with these pointers. */
export const shapeOf = (pointers: readonly string[]): Shape => ({ paths: pointers.map(pathOf) });

const pathOf = (pointer: string): Path => ({ pointer, lower: asciiLower(pointer) });

/** The attributes of a property and of all that it holds in every component: not what is in arrays and maps. */
export function schemaPaths(prop: Prop, pointer = ""): SchemaPaths {
  const containers: Path[] = [];
  const scalars: Path[] = [];
  const visit = (at: Prop, path: string): void => {
    if (!isContainer(at.kind)) scalars.push(pathOf(path));
    else if (path !== "") containers.push(pathOf(path));
    for (const child of at.children.values()) visit(child, path + formatPointer([child.name]));
  };
  visit(prop, pointer);
  return { containers, scalars };
}

/** The attributes that elements of arrays and maps have, by their properties, for the elements of a shape. */
export function elementPaths(root: Prop, shape: Shape): SchemaPaths {
  const elements = new Map<string, Prop>();
  for (const { pointer } of shape.paths) {
    let prop: Prop | undefined = root;
    let path = "";
    for (const segment of parsePointer(pointer) ?? []) {
      const inside: boolean = prop.kind === "array" || prop.kind === "map";
      prop = stepTo(prop, segment);
      path += formatPointer([segment]);
      if (prop === undefined) break;
      if (inside) elements.set(path, prop);
    }
  }
  const below = [...elements].map(([pointer, prop]) => schemaPaths(prop, pointer));
  return {
    containers: below.flatMap((paths) => paths.containers),
    scalars: below.flatMap((paths) => paths.scalars),
  };
}
