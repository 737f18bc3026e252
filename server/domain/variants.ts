import { difference, type Patch, type Setting, type Settings } from "./overlay.ts";
import { isElement, keySegments, segmentName } from "./pointers.ts";
import type { Prop, SchemaDefinition } from "./props.ts";

type Current = Pick<SchemaDefinition, "defaultVariantId" | "unlockedVariantId">;

/** The variant that a schema's components are upgraded to: the unlocked one where there is one, else the default. */
export const latestVariantId = (schema: Current): string =>
  schema.unlockedVariantId ?? schema.defaultVariantId;

/** Whether a component of that variant is behind its schema. */
export const canBeUpgraded = (schema: Current, variantId: string): boolean =>
  latestVariantId(schema) !== variantId;

/** Replaced variants that a schema remembers: whoever still has the id of one has had it since one of the last changes. */
const rememberedReplacements = 20;

/** What a schema remembers once another variant has taken the place of one; the oldest is forgotten. */
export const withReplacement = (
  { replaced = {} }: Pick<SchemaDefinition, "replaced">,
  oldId: string,
  newId: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries([...Object.entries(replaced).slice(1 - rememberedReplacements), [oldId, newId]]);

/**
 * The variant that is there now in place of one that is gone; undefined when nothing is known of it. Where replacements
 * lead in a circle, the last before it closes.
 */
export function replacementOf(
  { replaced = {} }: Pick<SchemaDefinition, "replaced">,
  variantId: string,
): string | undefined {
  const met = new Set([variantId]);
  let found: string | undefined;
  for (let id = replaced[variantId]; id !== undefined && !met.has(id); id = replaced[id]) {
    met.add(id);
    found = id;
  }
  return found;
}

/**
 * The patch that moves a component's settings from one variant to another: what is set at a path that both have, all
 * the way down with the same kinds and for the same secrets, stays; everything else goes.
 */
export function upgradePatch(from: Prop, to: Prop, settings: Settings): Patch {
  const kept: Record<string, Setting> = {};
  for (const [key, setting] of Object.entries(settings)) {
    if (!key.startsWith("/") || staysAt(from, to, key)) kept[key] = setting;
  }
  return difference(settings, kept);
}

function staysAt(from: Prop, to: Prop, key: string): boolean {
  let [before, after]: [Prop | undefined, Prop | undefined] = [from, to];
  for (const segment of keySegments(key)) {
    [before, after] = [before && below(before, segment), after && below(after, segment)];
    if (before === undefined || after === undefined || before.kind !== after.kind) return false;
    if (before.definition.secret !== after.definition.secret) return false;
  }
  return true;
}

/** The property that a segment of a stored key leads to. */
function below(prop: Prop, segment: string): Prop | undefined {
  if (prop.kind === "object") return prop.children.get(segmentName(segment));
  return isElement(segment) === (prop.kind === "array") ? prop.entry : undefined;
}
