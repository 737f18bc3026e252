/** A list's items by key, each as its JSON text: compared, cached and sent to readers without being written again. */
export type Items = ReadonlyMap<string, string>;

/** Keys of what differs between two snapshots of a list. */
export interface Delta {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What changed between two snapshots. The order of an object's members never counts as a change. */
export function diff(before: Items, after: Items): Delta {
  const added: string[] = [];
  const changed: string[] = [];
  for (const [key, text] of after) {
    const old = before.get(key);
    if (old === undefined) added.push(key);
    else if (old !== text && !sameJson(old, text)) changed.push(key);
  }
  const removed: string[] = [];
  // Nothing can be missing when what was added accounts for the whole difference in size.
  if (before.size + added.length !== after.size)
    for (const key of before.keys()) if (!after.has(key)) removed.push(key);
  return { added, changed, removed };
}

export const isEmpty = (delta: Delta): boolean =>
  delta.added.length === 0 && delta.changed.length === 0 && delta.removed.length === 0;

/** The keys that a delta names. */
export const keysOf = (delta: Delta): string[] => [...delta.added, ...delta.changed, ...delta.removed];

const sameJson = (a: string, b: string): boolean =>
  a.length === b.length && sameValue(JSON.parse(a), JSON.parse(b));

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b))
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => sameValue(item, b[index]))
    );
  const entries = Object.entries(a);
  const other = new Map<string, unknown>(Object.entries(b));
  return (
    entries.length === other.size &&
    entries.every(([key, value]) => other.has(key) && sameValue(value, other.get(key)))
  );
}
