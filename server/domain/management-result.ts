import { accept, type Judged, membersOf, presentOf, type Returned, reject } from "./function-results.ts";
import { isArray, isObject, type Json, type JsonObject } from "./json.ts";

/** Where a component stands in a view. */
export interface Geometry {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
}

/** A component to be made or changed. */
export interface ManagedComponent {
  /** Schema name; only of components to be made. */
  readonly kind?: string;
  readonly properties?: JsonObject;
  readonly attributes?: JsonObject;
  /** For the current view, or for each view by name. */
  readonly geometry?: Geometry | { readonly byView: Readonly<Record<string, Geometry>> };
}

/** What a management function wants done; members that it did not give are empty. */
export interface ManagementOps {
  readonly create: Readonly<Record<string, ManagedComponent>>;
  readonly update: Readonly<Record<string, ManagedComponent>>;
  readonly delete: readonly string[];
  readonly erase: readonly string[];
  readonly remove: Readonly<Record<string, readonly string[]>>;
  readonly actions: Readonly<
    Record<string, { readonly add: readonly string[]; readonly remove: readonly string[] }>
  >;
  readonly views: { readonly create: readonly string[]; readonly remove: readonly string[] };
}

/** How a management function ended. */
export interface ManagementResult {
  readonly status: "ok" | "error";
  readonly message?: string;
  readonly ops: ManagementOps;
}

/** A place in the ops that is not as it should be. */
class Wrong extends Error {}

/** Reads the result of a management function; unknown members of `ops` are ignored, wrong ones are named. */
export function managementResult(returned: Returned): Judged<ManagementResult> {
  const status = isObject(returned) ? presentOf(returned, "status") : undefined;
  if (returned === undefined || status === undefined)
    return reject("Management functions must return an object with a status field");
  if (status !== "ok" && status !== "error")
    return reject('Management functions must return a status of either "ok" or "error"');
  const message = presentOf(returned, "message");
  if (message !== undefined && typeof message !== "string")
    return reject("The message field type must be a string");
  try {
    const ops = opsOf(objectAt(returned, "ops", "ops"));
    return accept({ status, ops, ...(message === undefined ? {} : { message }) });
  } catch (error) {
    if (error instanceof Wrong) return reject(error.message);
    throw error;
  }
}

function opsOf(ops: JsonObject): ManagementOps {
  const views = objectAt(ops, "views", "ops.views");
  return {
    create: mapped(ops, "create", (value, at) => componentOf(value, at)),
    update: mapped(ops, "update", (value, at) => componentOf(value, at)),
    delete: textsAt(ops, "delete", "ops.delete"),
    erase: textsAt(ops, "erase", "ops.erase"),
    remove: mapped(ops, "remove", (value, at) => texts(value, at)),
    actions: mapped(ops, "actions", (value, at) => {
      const lists = object(value, at);
      return { add: textsAt(lists, "add", `${at}.add`), remove: textsAt(lists, "remove", `${at}.remove`) };
    }),
    views: {
      create: textsAt(views, "create", "ops.views.create"),
      remove: textsAt(views, "remove", "ops.views.remove"),
    },
  };
}

function componentOf(value: Json, at: string): ManagedComponent {
  const given = object(value, at);
  const kind = presentOf(given, "kind");
  if (kind !== undefined && typeof kind !== "string") throw wrong(`${at}.kind`, "a schema name", kind);
  const geometry = presentOf(given, "geometry");
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(presentOf(given, "properties") === undefined
      ? {}
      : { properties: objectAt(given, "properties", `${at}.properties`) }),
    ...(presentOf(given, "attributes") === undefined
      ? {}
      : { attributes: objectAt(given, "attributes", `${at}.attributes`) }),
    ...(geometry === undefined
      ? {}
      : { geometry: geometryOf(object(geometry, `${at}.geometry`), `${at}.geometry`) }),
  };
}

/** One geometry, or one for each view: told apart by whether its members are numbers. */
function geometryOf(given: JsonObject, at: string): ManagedComponent["geometry"] & object {
  const isByView = Object.values(given).some((inner) => isObject(inner));
  if (!isByView) return place(given, at);
  const byView = membersOf(given).map(([view, inner]) => [
    view,
    place(object(inner, `${at}.${view}`), `${at}.${view}`),
  ]);
  return { byView: Object.fromEntries(byView) };
}

function place(given: JsonObject, at: string): Geometry {
  const sides = ["x", "y", "width", "height"].flatMap((side) => {
    const value = presentOf(given, side);
    if (value !== undefined && typeof value !== "number") throw wrong(`${at}.${side}`, "a number", value);
    return value === undefined ? [] : [[side, value] as const];
  });
  return Object.fromEntries(sides);
}

function mapped<Value>(
  ops: JsonObject,
  name: string,
  read: (value: Json, at: string) => Value,
): Record<string, Value> {
  const members = membersOf(objectAt(ops, name, `ops.${name}`));
  return Object.fromEntries(members.map(([key, value]) => [key, read(value, `ops.${name}.${key}`)]));
}

function objectAt(holder: Json, name: string, at: string): JsonObject {
  return object(presentOf(holder, name) ?? {}, at);
}

function object(value: Json, at: string): JsonObject {
  if (!isObject(value)) throw wrong(at, "an object", value);
  return value;
}

const textsAt = (holder: JsonObject, name: string, at: string): readonly string[] =>
  texts(presentOf(holder, name) ?? [], at);

function texts(value: Json, at: string): readonly string[] {
  if (!isArray(value)) throw wrong(at, "an array of strings", value);
  return value.map((inner, index) => {
    if (typeof inner !== "string") throw wrong(`${at}[${index}]`, "a string", inner);
    return inner;
  });
}

const wrong = (at: string, expected: string, found: Json): Wrong =>
  new Wrong(`expected ${expected} in ${at}, found ${kindOf(found)}`);

function kindOf(value: Json): string {
  if (value === null) return "null";
  if (isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
