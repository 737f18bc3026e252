import type { JsonObject } from "../domain/json.ts";
import type { EntityRules } from "../store/rules.ts";

/** A body with a patch over it: members replace, null removes. */
export const mergeBody = (body: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...body, ...patch }).filter(([, value]) => value !== null));

/** A patch with a later one over it: as {@link mergeBody}, but null stays, so that it still removes. */
export const mergePatch = (patch: JsonObject, later: JsonObject): JsonObject => ({ ...patch, ...later });

/** Both, as the store takes them. */
export const entityRules: EntityRules = { mergeBody, mergePatch };
