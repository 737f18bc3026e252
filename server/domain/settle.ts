import { versionAt } from "./asset-functions.ts";
import type { JsonObject } from "./json.ts";

/** One of several things that an apply leaves in the head. */
interface Applied {
  readonly kind: string;
  readonly id: string;
  readonly body: JsonObject;
}

/**
 * What an apply makes of entities: nothing in the head is unlocked. Variants are locked with a version of that moment
 * and become their schema's default, functions are locked; everything else stays as the change set showed it.
 */
export function settle(entities: readonly Applied[], at: number): JsonObject[] {
  const unlocked = new Map(
    entities
      .filter(({ kind, body }) => kind === "variant" && body["isLocked"] === false)
      .map(({ id, body }) => [id, body]),
  );
  return entities.map(({ kind, id, body }) => {
    if (kind === "variant" && unlocked.has(id)) return { ...body, isLocked: true, version: versionAt(at) };
    if (kind === "func" && body["isLocked"] === false) return { ...body, isLocked: true };
    return kind === "schema" ? settledSchema(body, unlocked) : body;
  });
}

function settledSchema(body: JsonObject, unlocked: ReadonlyMap<string, JsonObject>): JsonObject {
  const { unlockedVariantId, ...rest } = body;
  const variant = typeof unlockedVariantId === "string" ? unlocked.get(unlockedVariantId) : undefined;
  if (typeof unlockedVariantId !== "string" || variant === undefined) return body;
  return {
    ...rest,
    defaultVariantId: unlockedVariantId,
    category: variant["category"] ?? body["category"] ?? "",
  };
}
