import { formatPointer } from "./pointers.ts";
import type { Prop } from "./props.ts";

/** A property of a variant, found by its id. */
export interface FoundProp {
  readonly prop: Prop;
  /** The pointer of its value, `""` for the whole component; undefined for what an array or a map holds. */
  readonly pointer: string | undefined;
  /** The nearest property around it that has a pointer, or its own. */
  readonly within: string;
}

/** The property with that id, read in any letter case; undefined when the variant has none. */
export function findPropById(root: Prop, propId: string): FoundProp | undefined {
  const wanted = propId.toUpperCase();
  const open: FoundProp[] = [{ prop: root, pointer: "", within: "" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { prop, pointer, within } = next;
    if (prop.id === wanted) return next;
    for (const child of prop.children.values()) {
      const below = pointer === undefined ? undefined : pointer + formatPointer([child.name]);
      open.push({ prop: child, pointer: below, within: below ?? within });
    }
    if (prop.entry !== undefined) open.push({ prop: prop.entry, pointer: undefined, within });
  }
  return undefined;
}
