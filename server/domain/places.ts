import type { Setting, Settings } from "./overlay.ts";
import {
  formatPointer,
  isElement,
  keySegments,
  nameSegment,
  parseIndex,
  parsePointer,
  segmentName,
} from "./pointers.ts";
import { type Prop, stepTo } from "./props.ts";
import { elementsOf, emptyTree, plant, type Tree } from "./tree.ts";

/** The stored key that a pointer names at present; undefined when the schema or the array has nothing there. */
export function keyAt(root: Prop, settings: Settings, pointer: string): string | undefined {
  const segments = parsePointer(pointer);
  let prop: Prop | undefined = root;
  let node: Tree<Setting> = plant(settings);
  let key = "";
  for (const segment of segments ?? []) {
    const inArray: boolean = prop.kind === "array";
    const stored: string | undefined = inArray
      ? elementsOf(node, "array")[parseIndex(segment) ?? -1]?.[0]
      : nameSegment(segment);
    prop = stepTo(prop, segment);
    if (prop === undefined || stored === undefined) return undefined;
    node = node.children.get(stored) ?? emptyTree();
    key += `/${stored}`;
  }
  return segments && key;
}

/** The pointer that a stored key has at present; undefined when it lies in an element that is not there. */
export function pointerOf(settings: Settings, key: string): string | undefined {
  let node: Tree<Setting> = plant(settings);
  const segments: string[] = [];
  for (const segment of keySegments(key)) {
    if (isElement(segment)) {
      const position = elementsOf(node, "array").findIndex(([element]) => element === segment);
      if (position < 0) return undefined;
      segments.push(String(position));
    } else segments.push(segmentName(segment));
    node = node.children.get(segment) ?? emptyTree();
  }
  return formatPointer(segments);
}
