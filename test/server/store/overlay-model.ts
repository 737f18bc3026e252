import { managerIdsOf, type Setting, type Settings } from "../../../server/domain/overlay.ts";
import type { ReadValue, Vals } from "../../../server/domain/values.ts";
import type { Layer } from "../../../server/store/layer.ts";
import { firstVariant } from "./model.ts";
import { type ModelDefinition, type ModelDefinitions, modelValues } from "./model-functions.ts";

/** What a change set says of one definition. */
export type OwnDefinition =
  | { readonly op: "add"; readonly definition: ModelDefinition }
  | { readonly op: "edit"; readonly patch: object }
  | { readonly op: "del" };

/** What the model knows of one change set. */
export interface Patches {
  readonly layer: Layer;
  readonly added: Map<string, Settings>;
  readonly edited: Map<string, Map<string, Setting | null>>;
  readonly erased: Set<string>;
  /** Variants that components were upgraded to here. */
  readonly upgraded: Map<string, string>;
  readonly definitions: Map<string, OwnDefinition>;
}

/** Numerical Recipes' generator: the same seed gives the same run. */
export function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What every layer must show, by rules of its own: all it shares with the store is how values are computed. */
export class Model {
  head = new Map<string, Settings>();
  headVariants = new Map<string, string>();
  headDefinitions = new Map<string, ModelDefinition>();
  readonly sets = new Map<string, Patches>();

  view(layerId: string): Map<string, Settings> {
    const own = this.sets.get(layerId);
    if (own === undefined) return new Map(this.head);
    const view = new Map<string, Settings>();
    for (const [id, settings] of this.head) {
      if (own.erased.has(id)) continue;
      const merged = new Map(Object.entries(settings));
      for (const [key, setting] of own.edited.get(id) ?? []) {
        if (setting === null) merged.delete(key);
        else merged.set(key, setting);
      }
      view.set(id, Object.fromEntries(merged));
    }
    for (const [id, settings] of own.added) view.set(id, settings);
    return view;
  }

  variant(layerId: string, id: string): string {
    return this.sets.get(layerId)?.upgraded.get(id) ?? this.headVariants.get(id) ?? firstVariant;
  }

  definitions(layerId: string): ModelDefinitions {
    const shown = new Map(this.headDefinitions);
    for (const [id, own] of this.sets.get(layerId)?.definitions ?? []) {
      const before = shown.get(id);
      if (own.op === "add") shown.set(id, own.definition);
      else if (own.op === "del") shown.delete(id);
      else if (before !== undefined) shown.set(id, { ...before, ...own.patch });
    }
    return shown;
  }

  define(set: Patches, id: string, patch: object): void {
    const own = set.definitions.get(id);
    if (own?.op === "add")
      set.definitions.set(id, { op: "add", definition: { ...own.definition, ...patch } });
    else
      set.definitions.set(id, { op: "edit", patch: { ...(own?.op === "edit" ? own.patch : {}), ...patch } });
  }

  undefine(set: Patches, id: string): void {
    if (set.definitions.get(id)?.op === "add") set.definitions.delete(id);
    else set.definitions.set(id, { op: "del" });
  }

  /** From scratch; sources have smaller ids than their readers. */
  values(layerId: string): Map<string, Vals> {
    const view = this.view(layerId);
    const values = new Map<string, Vals>();
    const definitions = this.definitions(layerId);
    for (const id of [...view.keys()].sort()) {
      const read: ReadValue = (source, path) => values.get(source)?.[path];
      const component = { settings: view.get(id) ?? {}, variantId: this.variant(layerId, id) };
      values.set(id, modelValues(component, read, definitions));
    }
    return values;
  }

  /** Pairs of manager and managed, both of which the layer shows. */
  managed(layerId: string): string[] {
    const view = this.view(layerId);
    return [...view].flatMap(([id, settings]) =>
      managerIdsOf(settings)
        .filter((manager) => view.has(manager))
        .map((manager) => `${manager} ${id}`),
    );
  }

  edit(set: Patches, id: string, key: string, setting: Setting | null): void {
    const added = set.added.get(id);
    if (added !== undefined) {
      const { [key]: _, ...rest } = added;
      set.added.set(id, setting === null ? rest : { ...rest, [key]: setting });
      return;
    }
    const patch = set.edited.get(id) ?? new Map();
    set.edited.set(id, patch.set(key, setting));
  }

  erase(set: Patches, id: string): void {
    set.upgraded.delete(id);
    if (set.added.delete(id)) return;
    set.erased.add(id);
    set.edited.delete(id);
  }

  apply(set: Patches): void {
    const view = this.view(set.layer.id);
    this.headVariants = new Map([...view.keys()].map((id) => [id, this.variant(set.layer.id, id)]));
    this.headDefinitions = new Map(this.definitions(set.layer.id));
    this.head = new Map([...view].filter(([, settings]) => settings[":delete"] === undefined));
    this.sets.delete(set.layer.id);
  }
}
