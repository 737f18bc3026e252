import type { Json, JsonObject } from "../domain/json.ts";
import type { Applied, OwnRow, Patch, Setting, Settings, Subscription } from "../domain/overlay.ts";
import type { ReadValue, Vals } from "../domain/values.ts";
import type { Layer } from "./layer.ts";

/** What a layer says a component is. */
export interface Definition {
  readonly id: string;
  readonly schemaId: string;
  readonly variantId: string;
  readonly settings: Settings;
}

/** The finished values of a component that others read. */
export interface SourceValues {
  readonly id: string;
  readonly variantId: string;
  readonly vals: Vals;
}

/** What lists show of a component, kept beside its values. */
export interface Rendered {
  readonly name: string;
  readonly toDelete: boolean;
  /** The list item's own members as JSON text, `{` included, `}` not; nothing that belongs to another component. */
  readonly item: string;
}

/** How bodies and patches of entities merge: members replace. What many may add to at once has rows or keys of its own. */
export interface EntityRules {
  /** A body with a patch over it: null removes. */
  mergeBody(body: JsonObject, patch: JsonObject): JsonObject;
  /** A patch with a later one over it: null stays, so that it still removes. */
  mergePatch(patch: JsonObject, later: JsonObject): JsonObject;
}

/** An entity as an apply is about to leave it in the head. */
export interface AppliedEntity {
  readonly kind: string;
  readonly id: string;
  readonly body: JsonObject;
  /** What the head has under that id already, where the change set added it: both installed the same. */
  readonly met?: JsonObject;
}

/** What becomes of entities that an apply moves to the head. */
export interface ApplyRules extends EntityRules {
  /** Their bodies in the head, in the same order; `at` is the time of the apply in milliseconds. */
  settle(entities: readonly AppliedEntity[], at: number): readonly JsonObject[];
}

/** What the store is told about components instead of importing the rules of `server/domain`. */
export interface ComponentRules extends ApplyRules {
  /** Loads what the synchronous rules need to know of these variants in this layer. */
  prepare(layer: Layer, variantIds: readonly string[]): Promise<PreparedRules>;
  /**
   * Tells whether values are all that will ever be computed of one of these components, as it is and however long nobody
   * edits it: it reads no other, and no function makes any of them.
   */
  finality(
    layer: Layer,
    components: readonly Definition[],
  ): Promise<(component: Definition, vals: Vals) => boolean>;
  /** What a layer shows: the head's settings under its own row. */
  effective(head: Settings | undefined, own: OwnRow | undefined): Settings | undefined;
  /** The own row after one more edit. */
  editRow(head: Settings | undefined, own: OwnRow | undefined, changes: Patch): OwnRow | undefined;
  /** What applying an own row does to the head. */
  applyRow(head: Settings | undefined, own: OwnRow): Applied | undefined;
  /** Whether an apply removes a component with these settings for good: it is marked and has no resource of its own. */
  vanishes(settings: Settings): boolean;
  /** Whether a component with these settings stands for something that exists: then what it reads from stays. */
  holdsResource(settings: Settings): boolean;
  /** Whether the name among settings is text that the head gives: what a change set says of its own has none. */
  takesName(settings: Settings, own: OwnRow["settings"]): boolean;
  /** The subscriptions among settings. */
  sourcesOf(settings: Settings): readonly Subscription[];
  /** The attributes of a component that read each other in a circle, the first one last again; undefined without one. */
  ownCircle(settings: Settings, componentId: string): readonly string[] | undefined;
  /** The component that manages, if the key of a setting says so of one. */
  managerOf(key: string): string | undefined;
  /** The secret that a component with this setting holds, if it says so of one. */
  secretIn(key: string, setting: Setting): string | undefined;
}

/** What a component was computed to. */
export interface Recomputed {
  /** Its values as JSON. */
  readonly text: string;
  readonly rendered: Rendered;
  /** Its values, for whoever looks at them. */
  readonly vals: () => Vals;
}

/** The rules that look into a variant. The keys of computed values come in an order that depends on the keys alone. */
export interface PreparedRules {
  /** What functions make of the component is taken over from `last`, its values so far, until they run again. */
  compute(component: Definition, read: ReadValue, last?: Vals): Vals;
  /** The same of a component that no function makes values of; its settings may be remembered, to be faster again. */
  recompute(component: Definition, read: ReadValue): Recomputed;
  render(component: Definition, vals: Vals): Rendered;
  /** The value at a pointer of another component, through `func` when one is named. */
  valueAt(source: SourceValues, path: string, func?: string): Json | undefined;
}

/** Other components, as a component that is computed reads them. */
export interface OtherComponents {
  readonly read: ReadValue;
  /** Whether the layer shows a component. */
  readonly shows: (componentId: string) => boolean;
}

/** What makes values by running functions, which takes time: handed to the propagation by who can run them. */
export interface FunctionRules {
  /** Loads what is at work in these components, in a number of statements that does not depend on how many they are. */
  prepare(layer: Layer, components: readonly Definition[]): Promise<PreparedFunctions>;
}

/** The functions at work in the components that they were prepared for. */
export interface PreparedFunctions {
  /** Whether functions make values of a component; the others are computed by {@link PreparedRules}. */
  drive(component: Definition): boolean;
  /**
   * The values of components that do not read each other, by id, in the order of keys that {@link PreparedRules} has.
   * Runs what is not known, several functions at once. Those whose functions take long are left out: they go on, and
   * are joined when the components are computed again. Rejects once `signal` aborts, when nothing runs any more.
   */
  compute(
    components: readonly Definition[],
    others: OtherComponents,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Vals>>;
}
