import type { Setting, Settings } from "./overlay.ts";
import { formatPointer, isElement, keySegments, segmentName } from "./pointers.ts";
import { elementsOf, plant, type Tree } from "./tree.ts";

/**
 * Names stored keys by pointer: as the change set counts positions, and what only the head has as the head does. Where
 * such a place is taken by something else that is to be named, its element keeps the id (`/domain/ports/#01J…`).
 */
export function nameKeys(
  head: Settings | undefined,
  own: Settings | undefined,
  keys: readonly string[],
): Map<string, string> {
  // Without an element on the way a stored key has one pointer, whatever is set.
  if (!keys.some((key) => key.includes("/#"))) {
    return new Map(keys.map((key) => [key, formatPointer(keySegments(key).map(segmentName))]));
  }
  const [headTree, ownTree] = [plant(head ?? {}), plant(own ?? {})];
  const positions = new Map<Tree<Setting>, Map<string, number>>();
  const named = keys.map((key) => ({ key, ...nameOne(key, headTree, ownTree, positions) }));
  const taken = new Set(
    named.filter(({ removed }) => removed === undefined).flatMap(({ segments }) => pointersOf(segments)),
  );
  return new Map(
    named.map(({ key, segments, removed }) => {
      if (removed === undefined || !taken.has(formatPointer(segments.slice(0, removed.depth + 1))))
        return [key, formatPointer(segments)];
      return [key, formatPointer(segments.with(removed.depth, removed.element))];
    }),
  );
}

interface Named {
  readonly segments: readonly string[];
  /** The outermost element that the change set does not have. */
  readonly removed: { readonly depth: number; readonly element: string } | undefined;
}

function nameOne(
  key: string,
  headTree: Tree<Setting>,
  ownTree: Tree<Setting>,
  positions: Map<Tree<Setting>, Map<string, number>>,
): Named {
  const segments: string[] = [];
  let removed: Named["removed"];
  let [head, own]: (Tree<Setting> | undefined)[] = [headTree, ownTree];
  for (const [depth, segment] of keySegments(key).entries()) {
    if (isElement(segment)) {
      const position = removed === undefined ? positionIn(own, segment, positions) : undefined;
      if (position === undefined) removed ??= { depth, element: segment };
      segments.push(String(position ?? positionIn(head, segment, positions) ?? segment));
    } else segments.push(segmentName(segment));
    head = head?.children.get(segment);
    own = own?.children.get(segment);
  }
  return { segments, removed };
}

function positionIn(
  array: Tree<Setting> | undefined,
  element: string,
  positions: Map<Tree<Setting>, Map<string, number>>,
): number | undefined {
  if (array === undefined) return undefined;
  let known = positions.get(array);
  if (known === undefined) {
    known = new Map(elementsOf(array, "array").map(([segment], position) => [segment, position]));
    positions.set(array, known);
  }
  return known.get(element);
}

/** The pointers of a place and of everything it lies in. */
const pointersOf = (segments: readonly string[]): string[] =>
  segments.map((_, depth) => formatPointer(segments.slice(0, depth + 1)));
