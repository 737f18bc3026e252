import { versionAt } from "./asset-functions.ts";
import type { JsonObject } from "./json.ts";

/** One of several things that an apply leaves in the head. */
interface Applied {
  readonly kind: string;
  readonly id: string;
  readonly body: JsonObject;
  /** What the head has under that id already, where the change set added it: both installed the same. */
  readonly met?: JsonObject;
}

/**
 * What an apply makes of entities: nothing in the head is unlocked. Variants are locked with a version of that moment
 * and become their schema's default, functions are locked; a schema of a catalogue that the head got meanwhile is what
 * became of it there, unless the change set has a working copy; everything else stays as the change set showed it.
 */
export function settle(entities: readonly Applied[], at: number): JsonObject[] {
  const unlocked = new Map(
    entities
      .filter(({ kind, body }) => kind === "variant" && body["isLocked"] === false)
      .map(({ id, body }) => [id, body]),
  );
  return entities.map(({ kind, id, body, met }) => {
    if (kind === "variant" && unlocked.has(id)) return { ...body, isLocked: true, version: versionAt(at) };
    if (kind === "func" && body["isLocked"] === false) return { ...body, isLocked: true };
    if (kind !== "schema") return body;
    const isUntouched = met !== undefined && typeof body["unlockedVariantId"] !== "string";
    return settledSchema(isUntouched ? met : body, unlocked);
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
