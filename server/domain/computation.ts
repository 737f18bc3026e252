import { componentProperties } from "./component-properties.ts";
import { computeDriven, type DrivenValue, resultKey } from "./driven-values.ts";
import {
  type BoundPlace,
  boundPlaces,
  isCircular,
  ownLinks,
  type Place,
  waitsOf,
  wayOf,
  wayOfKey,
} from "./function-places.ts";
import type { Binding, StoredFunction } from "./functions.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Settings } from "./overlay.ts";
import { findProp, type Prop } from "./props.ts";
import { judgedMembers, validationInput } from "./validations.ts";
import { type ReadValue, type Vals, valueAt } from "./values.ts";

/** A function that must run before the component's values are finished. */
export interface FunctionCall {
  /** What its result is known by: a place in the component, whose inputs do not change any more. */
  readonly place: string;
  readonly kind: "attribute" | "transformation" | "codegen" | "qualification";
  readonly func: StoredFunction;
  /** The binding that asks for it; a subscription's function has none, nor what judges validation formats. */
  readonly prototypeId?: string;
  readonly input: JsonObject;
  /** The property that takes the result, where the schema has it. */
  readonly prop: Prop | undefined;
  /** The stored key where the result stands. */
  readonly key: string;
}

/** What functions made so far, by place; undefined for one that made nothing. */
export type Results = ReadonlyMap<string, Json | undefined>;

/** How far a computation came: without calls, `vals` are finished. */
export interface Step {
  readonly vals: Vals;
  /** In ascending order of place; they do not wait for each other. */
  readonly calls: readonly FunctionCall[];
}

/** Goes on with what is known by now. */
export type Computation = (results: Results) => Step;

/** What a component is computed from. */
export interface Work {
  readonly id: string;
  readonly root: Prop;
  readonly settings: Settings;
  /** What is at work in the component. */
  readonly bindings: readonly Binding[];
  /** Reads other components; those that are not there are not shown. */
  readonly read: ReadValue;
  readonly shows: (componentId: string) => boolean;
  /** The transformation functions that subscriptions name, by id; without one the subscription counts as unset. */
  readonly functions: ReadonlyMap<string, StoredFunction>;
  /** What a function that every workspace has makes of a value; undefined for all other functions. */
  readonly builtIn: (funcId: string) => ((input: Json) => Json | undefined) | undefined;
  /** What judges values by their validation formats, as one more qualification; absent where no property has any. */
  readonly validation?: StoredFunction;
  /** What functions are given instead of a secret's id. */
  readonly standIn: (secretId: string) => string;
}

/** A subscription through a function, whatever attributes have it. */
interface Transformation extends Place {
  readonly source: string;
  readonly path: string;
  readonly funcId: string;
  readonly key: string;
}

/** Where it stands whether values keep to their formats. */
interface Validation extends Place {
  readonly judge: StoredFunction;
  readonly key: string;
}

type Driver = BoundPlace | Validation | Transformation;

const isBound = (driver: Driver): driver is BoundPlace => "binding" in driver;
const isJudging = (driver: Driver): driver is Validation => "judge" in driver;

/**
 * Begins to compute a component: what is set, subscribed and the schema's, then what functions make of it as soon as
 * all that they read is there. A function on a circle is left out, and what it would fill is unset.
 */
export function beginComputation(work: Work): Computation {
  const drivers: Driver[] = [
    ...boundPlaces(work.bindings, work.settings),
    ...validations(work),
    ...transformations(work),
  ];
  const waits = waitsOf(drivers, ownLinks(work.settings, work.id));
  const running = drivers.filter((driver) => !isCircular(driver, waits));
  return (results) => {
    const known = new Map(results);
    for (;;) {
      const asked = new Set<string>();
      const vals = valuesWith(work, running, known, asked);
      const open = running.filter(
        (driver) => !known.has(driver.id) && (isBound(driver) || isJudging(driver) || asked.has(driver.id)),
      );
      const ready = open.filter(
        (driver) => !(waits.get(driver) ?? []).some((before) => open.includes(before)),
      );
      const shown = memoized(() => shownTo(work, vals));
      const calls = ready.flatMap((driver) => callOf(work, driver, vals, shown, known) ?? []);
      // What needed no call has settled something: whoever waited for it may be ready now.
      if (calls.length === ready.length) return { vals, calls: calls.sort(byPlace) };
    }
  };
}

const byPlace = (a: FunctionCall, b: FunctionCall): number => (a.place < b.place ? -1 : 1);

function validations({ validation: judge }: Work): Validation[] {
  if (judge === undefined) return [];
  const key = resultKey("qualification", judge.name);
  return [{ id: key, key, judge, writes: [wayOfKey(key)], reads: judgedMembers.map((name) => [name]) }];
}

function transformations({ settings, id }: Work): Transformation[] {
  const found = new Map<string, Transformation>();
  for (const [key, setting] of Object.entries(settings)) {
    if (!("s" in setting) || setting.f === undefined) continue;
    const [source, path] = setting.s;
    const place = placeOf(source, path, setting.f);
    const known = found.get(place);
    found.set(place, {
      id: place,
      key: known?.key ?? key,
      writes: [...(known?.writes ?? []), wayOfKey(key)],
      reads: source === id ? [wayOf(path)] : [],
      source,
      path,
      funcId: setting.f,
    });
  }
  return [...found.values()];
}

const placeOf = (source: string, path: string, func: string): string => JSON.stringify([source, path, func]);

function valuesWith(
  { root, settings, id, read }: Work,
  running: readonly Driver[],
  known: Results,
  asked: Set<string>,
): Vals {
  const driven = running.flatMap((driver): DrivenValue[] => {
    const value = known.get(driver.id);
    if (value === undefined || !(isBound(driver) || isJudging(driver))) return [];
    if (isJudging(driver)) return [{ key: driver.key, value }];
    const by = driver.binding.kind === "attribute" ? { by: driver.binding.func.name } : {};
    return [{ key: driver.key, value, ...by }];
  });
  const through: ReadValue = (source, path, func) => {
    if (func === undefined) return read(source, path);
    const place = placeOf(source, path, func);
    asked.add(place);
    return known.get(place);
  };
  return computeDriven({ root, settings, id, read: through, driven });
}

/** The call that a place needs; undefined where its result could be told at once, which is then among the known. */
function callOf(
  work: Work,
  driver: Driver,
  vals: Vals,
  shown: () => Shown,
  known: Map<string, Json | undefined>,
): FunctionCall | undefined {
  if (isBound(driver)) {
    const { binding } = driver;
    const builtIn = binding.kind === "attribute" ? work.builtIn(binding.funcId) : undefined;
    if (builtIn === undefined) return boundCall(work, driver, shown());
    const [given = null] = Object.values(argumentsOf(work.root, binding, shown().vals));
    // Nothing passed on is nothing, while null would be a value.
    known.set(driver.id, builtIn(given) ?? undefined);
    return undefined;
  }
  if (isJudging(driver)) return judgingCall(work, driver, shown());
  const { id: place, source, path, funcId, key } = driver;
  const isOwn = source === work.id;
  const value = isOwn ? valueAt(work.root, vals, path) : work.read(source, path);
  const builtIn = work.builtIn(funcId);
  const isThere = isOwn || work.shows(source);
  const func = builtIn === undefined && isThere ? work.functions.get(funcId) : undefined;
  if (func === undefined) {
    known.set(place, isThere ? builtIn?.(value ?? null) : undefined);
    return undefined;
  }
  return {
    place,
    kind: "transformation",
    func,
    input: { input: value ?? null },
    prop: propAt(work.root, key),
    key,
  };
}

function boundCall(
  { root }: Work,
  { id: place, key, binding, reads }: BoundPlace,
  shown: Shown,
): FunctionCall {
  const { kind, func, id: prototypeId } = binding;
  const about = { place, func, prototypeId, prop: propAt(root, key), key };
  if (kind !== "codegen" && kind !== "qualification") {
    return { ...about, kind: "attribute", input: argumentsOf(root, binding, shown.vals) };
  }
  const members = reads.map(([name = ""]) => [name, shown.properties[name] ?? null] as const);
  return { ...about, kind, input: Object.fromEntries(members) };
}

const judgingCall = (
  { root, settings, id, shows }: Work,
  { id: place, judge: func, key }: Validation,
  { properties }: Shown,
): FunctionCall => ({
  place,
  kind: "qualification",
  func,
  input: validationInput({
    root,
    properties,
    settings,
    shows: (source) => source === id || shows(source),
  }),
  prop: propAt(root, key),
  key,
});

const argumentsOf = (root: Prop, binding: Binding, vals: Vals): JsonObject =>
  Object.fromEntries(
    (binding.arguments ?? []).map(({ name, path, value }) => [
      name,
      (path === undefined ? value : valueAt(root, vals, path)) ?? null,
    ]),
  );

/** A component as functions see it. */
interface Shown {
  readonly vals: Vals;
  readonly properties: JsonObject;
}

/** What functions are given: secrets are stand-ins, which change with what they hold. */
function shownTo({ root, standIn }: Work, vals: Vals): Shown {
  const secrets = Object.entries(vals).filter(([key]) => key.startsWith("/secrets/"));
  const hidden =
    secrets.length === 0
      ? vals
      : {
          ...vals,
          ...Object.fromEntries(
            secrets.map(([key, value]) => [key, typeof value === "string" ? standIn(value) : null]),
          ),
        };
  return { vals: hidden, properties: componentProperties(root, hidden) };
}

/** The property at a stored key. */
const propAt = (root: Prop, key: string): Prop | undefined =>
  findProp(root, key.replaceAll(/\/#[^/]*/g, "/0").replaceAll("/~2", "/#"));

function memoized<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
