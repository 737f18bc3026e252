import { isObject, type JsonObject, memberOf } from "../domain/json.ts";

/** Members whose values are maps that two change sets may both add to; all other members replace each other. */
const mergeable: Readonly<Record<string, readonly string[]>> = { view: ["components"] };

/** A body with a patch over it: members replace, null removes, and mergeable maps do the same entry by entry. */
export const mergeBody = (kind: string, body: JsonObject, patch: JsonObject): JsonObject =>
  over(body, patch, mergeable[kind] ?? [], true);

/** A patch with a later one over it: as {@link mergeBody}, but null stays, so that it still removes. */
export const mergePatch = (kind: string, patch: JsonObject, later: JsonObject): JsonObject =>
  over(patch, later, mergeable[kind] ?? [], false);

function over(base: JsonObject, patch: JsonObject, maps: readonly string[], removing: boolean): JsonObject {
  const merged = new Map(Object.entries(base));
  for (const [name, value] of Object.entries(patch)) {
    const before = memberOf(base, name);
    if (maps.includes(name) && isObject(value)) {
      merged.set(name, over(isObject(before) ? before : {}, value, [], removing));
    } else if (value === null && removing) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}
