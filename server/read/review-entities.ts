import type { Review } from "../../src/contract/review.ts";
import { type JsonObject, memberOf, sameJson } from "../domain/json.ts";
import { showEntity } from "../store/entities.ts";
import type { EntityPair } from "../store/review.ts";
import { mergeBody, mergePatch } from "./entity-rules.ts";

/** How a change set differs from the head in one entity; undefined when it does not. */
export function reviewEntity({ own, head }: EntityPair): Review["entities"][number] | undefined {
  const before = showEntity({ mergeBody, mergePatch }, head, undefined);
  const after = showEntity({ mergeBody, mergePatch }, head, own);
  const shown = after ?? before;
  if (shown === undefined) return undefined;
  const named = { kind: own.kind, id: own.id, name: shown.name ?? nameIn(shown.body) ?? own.id };
  if (after === undefined) return { ...named, diffStatus: "Removed" };
  if (before === undefined) return { ...named, diffStatus: "Added" };
  const same = before.name === after.name && sameJson(before.body, after.body);
  return same ? undefined : { ...named, diffStatus: "Modified" };
}

/** What people call an entity that carries no name beside its body. */
function nameIn(body: JsonObject): string | undefined {
  const name = memberOf(body, "displayName") ?? memberOf(body, "name");
  return typeof name === "string" && name !== "" ? name : undefined;
}
