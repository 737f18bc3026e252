import type { Review } from "../../src/contract/review.ts";
import { isObject, type Json, type JsonObject, memberOf, sameJson } from "../domain/json.ts";
import { type Entity, listEntities, showEntity } from "../store/entities.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { EntityPair } from "../store/review.ts";
import { entityRules } from "./entity-rules.ts";

type EntityReview = Review["entities"][number];
type Differences = NonNullable<EntityReview["differences"]>;

/** One entity as the head and as the change set shows it, at least one of them. */
interface Sides {
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
  readonly shown: Entity;
}

/** How a change set differs from the head in these entities; two statements more where bindings are among them. */
export async function reviewEntities(
  reads: Reads,
  layer: Layer,
  pairs: readonly EntityPair[],
): Promise<EntityReview[]> {
  const all = pairs.flatMap((pair) => sidesOf(pair) ?? []);
  const names = await namesAround(
    reads,
    layer,
    all.map(({ shown }) => shown).filter(({ kind }) => kind === "binding"),
  );
  return all.flatMap((sides) => reviewEntity(sides, names) ?? []);
}

function sidesOf({ own, head }: EntityPair): Sides | undefined {
  const before = showEntity(entityRules, head, undefined);
  const after = showEntity(entityRules, head, own);
  const shown = after ?? before;
  return shown && { before, after, shown };
}

function reviewEntity({ before, after, shown }: Sides, names: Names): EntityReview | undefined {
  const named = { kind: shown.kind, id: shown.id, name: nameOf(shown, names) };
  const code = shown.kind === "func" ? memberOf(shown.body, "code") : undefined;
  if (after === undefined) {
    return {
      ...named,
      diffStatus: "Removed",
      ...(code === undefined ? {} : { differences: { code: { old: code } } }),
    };
  }
  if (before === undefined) {
    return {
      ...named,
      diffStatus: "Added",
      ...(code === undefined ? {} : { differences: { code: { new: code } } }),
    };
  }
  if (before.name === after.name && sameJson(before.body, after.body)) return undefined;
  const differences = open.has(shown.kind) ? differencesOf(before.body, after.body) : {};
  const some = Object.keys(differences).length > 0 ? { differences } : {};
  return { ...named, diffStatus: "Modified", ...some };
}

/** Kinds whose members anybody may see; what a secret holds is nobody's business. */
const open: ReadonlySet<string> = new Set(["schema", "variant", "func", "binding"]);

function differencesOf(before: JsonObject, after: JsonObject): Differences {
  const differences: Record<string, { old?: Json; new?: Json }> = {};
  for (const member of Object.keys({ ...before, ...after })) {
    const [old, now] = [memberOf(before, member), memberOf(after, member)];
    if (sameJson(old ?? null, now ?? null)) continue;
    differences[member] = {
      ...(old === undefined ? {} : { old }),
      ...(now === undefined ? {} : { new: now }),
    };
  }
  return differences;
}

/** Names of functions and schemas by id. */
type Names = ReadonlyMap<string, string>;

/** The names that bindings are told by; of what the change set removes as well. */
async function namesAround(reads: Reads, layer: Layer, bindings: readonly Entity[]): Promise<Names> {
  const ids = bindings.flatMap(({ body }) =>
    ["funcId", "schemaId"].flatMap((member) => textIn(body, member) ?? []),
  );
  const names = new Map<string, string>();
  if (ids.length === 0) return names;
  const head = { ...layer, id: layer.headId };
  for (const from of [head, layer]) {
    for (const entity of await listEntities(reads, entityRules, from, { kind: ["func", "schema"], ids })) {
      const name = entity.name ?? nameIn(entity.body);
      if (name !== undefined) names.set(entity.id, name);
    }
  }
  return names;
}

function nameOf(entity: Entity, names: Names): string {
  if (entity.kind !== "binding") return entity.name ?? nameIn(entity.body) ?? entity.id;
  const { body } = entity;
  const nameAt = (member: string): string =>
    names.get(textIn(body, member) ?? "") ?? "something that is gone";
  const kind = textIn(body, "kind") ?? "function";
  const actionKind = textIn(body, "actionKind");
  const what = actionKind === undefined ? (textIn(body, "output") ?? kind) : `${actionKind} action`;
  const where = textIn(body, "variantId") === undefined ? " in all variants" : "";
  const place = textIn(body, "componentId") === undefined ? where : " in one component";
  return `${nameAt("funcId")}: ${what} of ${nameAt("schemaId")}${place}`;
}

/** What people call an entity that carries no name beside its body. */
const nameIn = (body: JsonObject): string | undefined => textIn(body, "displayName") ?? textIn(body, "name");

function textIn(body: JsonObject, member: string): string | undefined {
  const text = isObject(body) ? memberOf(body, member) : undefined;
  return typeof text === "string" && text !== "" ? text : undefined;
}
