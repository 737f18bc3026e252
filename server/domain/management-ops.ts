import { isObject, type Json, type JsonObject, memberOf } from "./json.ts";
import type { Geometry, ManagedComponent, ManagementOps } from "./management-result.ts";
import { refuse } from "./refusal.ts";

/** A component that ops may speak of by name or id: the manager, what it manages, and what the ops have made. */
export interface Placed {
  readonly id: string;
  readonly name: string;
}

/** Who is meant by the placeholders of a management function's ops. */
export class Placeholders {
  readonly #byKey = new Map<string, string>();
  readonly #managed: readonly Placed[];
  /** How the function named the components behind the ids that went into its attributes. */
  readonly #written = new Map<string, string>();

  constructor(manager: Placed, managed: readonly Placed[]) {
    this.#byKey.set("self", manager.id);
    this.#managed = managed;
  }

  /** Takes a component in that the ops have made; refuses `self`, and a key twice. */
  add(key: string, id: string): void {
    if (this.#byKey.has(key)) refuse("invalidRequest", "expected a key of its own, found one that is taken");
    this.#byKey.set(key, id);
  }

  /** The component that a placeholder names: `self`, one made by these ops, else a managed one by id or name. */
  find(key: string): string | undefined {
    const made = this.#byKey.get(key);
    if (made !== undefined) return made;
    const byId = this.#managed.find(({ id }) => id === key.toUpperCase());
    if (byId !== undefined) return byId.id;
    const named = this.#managed.filter(({ name }) => name === key);
    if (named.length > 1)
      refuse(
        "duplicateComponentName",
        `several managed components are named ${JSON.stringify(key)}: use an id`,
      );
    return named[0]?.id;
  }

  /** The same; refuses one that nobody stands behind. */
  get(key: string): string {
    return (
      this.find(key) ??
      refuse("componentNotFound", `Component with management placeholder ${key} could not be found`)
    );
  }

  /** Attributes with the placeholders of their sources replaced by ids; what is none is left to the attribute language. */
  resolve(attributes: JsonObject): Record<string, Json> {
    return Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, this.#resolveOne(value)]),
    );
  }

  #resolveOne(value: Json): Json {
    const source = isObject(value) ? memberOf(value, "$source") : undefined;
    const component = isObject(source ?? null) ? memberOf(source as JsonObject, "component") : undefined;
    const id = typeof component === "string" ? this.find(component) : undefined;
    if (id === undefined || typeof component !== "string") return value;
    this.#written.set(id, component);
    return { $source: { ...(source as JsonObject), component: id } };
  }

  /** A sentence about resolved attributes in the words of the function that wrote them. */
  asWritten(sentence: string): string {
    let said = sentence;
    for (const [id, key] of this.#written) said = said.replaceAll(id, key);
    return said;
  }
}

/** Where a component is to stand, by view name; `current` stands for the view that the function works in. */
export function geometries(
  { geometry }: ManagedComponent,
  current: string,
): readonly (readonly [view: string, geometry: Geometry])[] {
  if (geometry === undefined) return [];
  return "byView" in geometry ? Object.entries(geometry.byView) : [[current, geometry as Geometry]];
}

/** Whether a function that returned these ops wants nothing done. */
export const isIdle = (ops: ManagementOps): boolean =>
  Object.keys(ops.create).length === 0 &&
  Object.keys(ops.update).length === 0 &&
  ops.delete.length === 0 &&
  ops.erase.length === 0 &&
  Object.keys(ops.remove).length === 0 &&
  Object.keys(ops.actions).length === 0 &&
  ops.views.create.length === 0 &&
  ops.views.remove.length === 0;
