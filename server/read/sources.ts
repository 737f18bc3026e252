import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { AttributeWrite } from "../domain/attributes.ts";
import { isObject, type Json, memberOf } from "../domain/json.ts";
import { findComponents, listComponentsNamed } from "../store/components.ts";
import { edgesFrom } from "../store/edges.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import type { ShownComponent } from "../store/show.ts";
import { lookUpTransformations } from "./functions.ts";
import { type Rules, rulesFor } from "./rules.ts";
import { findVariants, type VariantCache } from "./variants.ts";

type Changes = AttributeWrite["changes"];
/** What the rules ask about other components while they write attributes. */
export type Lookups = Pick<
  AttributeWrite,
  "componentId" | "findComponent" | "findFunction" | "circleThrough"
>;

/** Loads everything that the subscriptions among `changes` name, so that the rules can be asked at once. */
export async function lookUpSources(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  written: { readonly id: string | undefined; readonly changes: Changes },
): Promise<Lookups> {
  const references = namesIn(written.changes, "component");
  const componentId = written.id;
  if (references.length === 0) return { componentId, findComponent: () => undefined };
  const rules = rulesFor(reads, cache);
  const found = await findReferences(reads, rules, layer, references);
  const variantIds = [...found.values()].flatMap((component) =>
    component === "ambiguous" ? [] : [component.variantId],
  );
  const variants = await findVariants(reads, cache, layer, [...new Set(variantIds)]);
  const readers = componentId === undefined ? undefined : await readersOf(reads, layer, componentId);
  const findFunction = await lookUpTransformations(reads, layer, namesIn(written.changes, "func"));
  const names =
    readers && (await findComponents(reads, rules, layer, [componentId ?? "", ...readers.keys()]));
  return {
    componentId,
    findComponent: (reference) => {
      const component = found.get(reference);
      if (component === undefined || component === "ambiguous") return component;
      const props = variants.get(component.variantId)?.props;
      return props && { id: component.id, props };
    },
    findFunction,
    circleThrough: (sourceId) => {
      if (readers === undefined || !readers.has(sourceId)) return undefined;
      return pathTo(readers, sourceId).map((id) => names?.get(id)?.name ?? id);
    },
  };
}

/** What `$source` objects name as their `component` or `func`, each once. */
function namesIn(changes: Changes, member: "component" | "func"): string[] {
  const references = changes.flatMap(([, value]: readonly [string, Json]) => {
    const source = isObject(value) ? memberOf(value, "$source") : undefined;
    const name = isObject(source) ? memberOf(source, member) : undefined;
    return typeof name === "string" ? [name] : [];
  });
  return [...new Set(references)];
}

/** The components by id, else by exact name. */
async function findReferences(
  reads: Reads,
  rules: Rules,
  layer: Layer,
  references: readonly string[],
): Promise<Map<string, ShownComponent | "ambiguous">> {
  const ids = references.filter(looksLikeUlid).map((reference) => reference.toUpperCase());
  const byId = await findComponents(reads, rules, layer, ids);
  const found = new Map<string, ShownComponent | "ambiguous">();
  for (const reference of references) {
    const component = byId.get(reference.toUpperCase());
    if (component !== undefined) found.set(reference, component);
    else {
      const [first, second] = await listComponentsNamed(reads, rules, layer, reference);
      if (first !== undefined) found.set(reference, second === undefined ? first : "ambiguous");
    }
  }
  return found;
}

/** Everything that reads a component, directly or through others, each with the one it reads: level by level. */
async function readersOf(reads: Reads, layer: Layer, componentId: string): Promise<Map<string, string>> {
  const readers = new Map<string, string>();
  for (let level = [componentId]; level.length > 0; ) {
    const next: string[] = [];
    for (const { source, subscriber } of await edgesFrom(reads, layer, level)) {
      if (subscriber === componentId || readers.has(subscriber)) continue;
      readers.set(subscriber, source);
      next.push(subscriber);
    }
    level = next;
  }
  return readers;
}

/** The way from the component that is read to one of its readers, and back to it. */
function pathTo(readers: ReadonlyMap<string, string>, reader: string): string[] {
  const path = [reader];
  for (let source = readers.get(reader); source !== undefined; source = readers.get(source))
    path.unshift(source);
  return [...path, path[0] ?? reader];
}
