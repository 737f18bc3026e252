import {
  type Geometries,
  type Geometry,
  getComponentName,
  isByView,
  isRecord,
  type Spec,
} from "./managed.ts";

/** How components are set out: the corner where the first stands, the room that each has, and what lies between. */
interface Options {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly gap?: number;
  /** The view that the geometries are for; without one that at hand. */
  readonly view?: string;
  /** Of a grid: how many stand in a row. */
  readonly columns?: number;
  /** Of a tree: where what reads from others stands, `down` or `right` of them. */
  readonly direction?: string;
}

/** Where each stands, by its key: what `geometry` of an op takes. */
type Places = Readonly<Record<string, Geometries>>;

/** Of the component's own size in a view, which is no frame. */
const usual = { x: 0, y: 0, width: 240, height: 120, gap: 60 };

/** A line of the layout: one component, or several side by side. */
type Line = string | readonly string[];

/** A place of the layout, counted in components. */
type Cell = readonly [column: number, row: number];

/** The global `layout`, what of it is there. */
export const layout = {
  rows: (lines: readonly Line[], options?: Options): Places =>
    setOut("rows", lines, options, (line, at) => [at, line]),
  columns: (lines: readonly Line[], options?: Options): Places =>
    setOut("columns", lines, options, (line, at) => [line, at]),
  grid,
  tree,
  place,
};

function setOut(
  name: string,
  lines: readonly Line[],
  options: Options | undefined,
  cellAt: (line: number, at: number) => Cell,
): Places {
  const cell = cellOf(name, options);
  const places: Record<string, Geometries> = {};
  for (const [line, keys] of listOf(name, lines).entries())
    for (const [at, key] of (Array.isArray(keys) ? keys : [keys]).entries())
      put(name, places, key, cell(cellAt(line, at)));
  return places;
}

/** Row by row, as many in each; without a number about as many rows as columns. */
function grid(keys: readonly string[], options?: Options): Places {
  const list = listOf("grid", keys);
  const columns = options?.columns ?? Math.max(1, Math.ceil(Math.sqrt(list.length)));
  if (!Number.isInteger(columns) || columns < 1)
    throw new RangeError(`layout.grid takes a whole number of columns from 1, found ${String(columns)}`);
  const cell = cellOf("grid", options);
  const places: Record<string, Geometries> = {};
  for (const [at, key] of list.entries())
    put("grid", places, key, cell([at % columns, Math.floor(at / columns)]));
  return places;
}

/** What is said of who reads from whom: what is wanted, or what a management function is given. */
type Items = Readonly<Record<string, Spec | Parameters<typeof getComponentName>[0]>>;

/**
 * What reads from others stands one line further than the farthest of them, each line in the middle, in the order of
 * what it reads from. Subscriptions to what is not among the items do not count, nor does what closes a circle.
 */
function tree(items: Items, options?: Options): Places {
  if (!isRecord(items))
    throw new TypeError("layout.tree takes components, or what is wanted of them, by key");
  const direction = options?.direction ?? "down";
  if (direction !== "down" && direction !== "right")
    throw new RangeError(
      `layout.tree takes "down" or "right" as direction, found ${JSON.stringify(direction)}`,
    );
  const cell = cellOf("tree", options);
  const lines = linesOf(readingOf(items));
  const longest = Math.max(0, ...lines.map((line) => line.length));
  const places: Record<string, Geometries> = {};
  for (const [depth, line] of lines.entries()) {
    const first = (longest - line.length) / 2;
    for (const [at, key] of line.entries())
      put("tree", places, key, cell(direction === "down" ? [first + at, depth] : [depth, first + at]));
  }
  return places;
}

/** Who reads from whom, by key. */
type Reading = ReadonlyMap<string, readonly string[]>;

function readingOf(items: Items): Reading {
  const keys = new Map<string, string>();
  for (const [key, item] of Object.entries(items)) keys.set(getComponentName(item as object) ?? key, key);
  for (const key of Object.keys(items)) keys.set(key, key);
  return new Map(
    Object.entries(items).map(([key, item]) => {
      const named = [...Object.values(Reflect.get(item, "sources") ?? {}), ...subscribedIn(item)];
      const from = named.flatMap((source) =>
        isRecord(source) ? (keys.get(String(source["component"])) ?? []) : [],
      );
      return [key, [...new Set(from)].filter((one) => one !== key)];
    }),
  );
}

const subscribedIn = (item: object): unknown[] =>
  Object.values(Reflect.get(item, "attributes") ?? {}).flatMap((value) =>
    isRecord(value) ? [value["$source"]] : [],
  );

function linesOf(reading: Reading): string[][] {
  const depths = new Map<string, number>();
  const open = new Set<string>();
  const depthOf = (key: string): number => {
    const known = depths.get(key);
    if (known !== undefined) return known;
    open.add(key);
    const before = (reading.get(key) ?? []).filter((one) => !open.has(one)).map(depthOf);
    open.delete(key);
    const depth = Math.max(-1, ...before) + 1;
    depths.set(key, depth);
    return depth;
  };
  const lines: string[][] = [];
  for (const key of reading.keys()) {
    const depth = depthOf(key);
    while (lines.length <= depth) lines.push([]);
    lines[depth]?.push(key);
  }
  const middle = new Map<string, number>();
  for (const line of lines) {
    const wanted = new Map(line.map((key, at) => [key, meanOf(reading.get(key) ?? [], middle) ?? at]));
    line.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    for (const [at, key] of line.entries()) middle.set(key, at - (line.length - 1) / 2);
  }
  return lines;
}

function meanOf(keys: readonly string[], places: ReadonlyMap<string, number>): number | undefined {
  const known = keys.flatMap((key) => places.get(key) ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, one) => sum + one, 0) / known.length;
}

/** What is wanted of components, each with where it stands; those that have no place keep what they say. */
function place(specs: Readonly<Record<string, Spec>>, places: Places): Readonly<Record<string, Spec>> {
  if (!isRecord(specs) || !isRecord(places))
    throw new TypeError(
      "layout.place takes what is wanted of components by key, and where they stand by the same keys",
    );
  for (const key of Object.keys(places))
    if (!Object.hasOwn(specs, key))
      throw new Error(`layout.place has a place for "${key}", which is not wanted`);
  return Object.fromEntries(
    Object.entries(specs).map(([key, spec]) => {
      const geometry = places[key];
      return [key, geometry === undefined ? spec : { ...spec, geometry: merged(spec.geometry, geometry) }];
    }),
  );
}

const merged = (said: Geometries | undefined, geometry: Geometries): Geometries =>
  said !== undefined && isByView(said) && isByView(geometry) ? { ...said, ...geometry } : geometry;

function put(name: string, places: Record<string, Geometries>, key: unknown, geometry: Geometries): void {
  if (typeof key !== "string") throw new TypeError(`layout.${name} takes keys, found ${typeof key}`);
  if (Object.hasOwn(places, key)) throw new Error(`layout.${name} was given "${key}" twice`);
  places[key] = geometry;
}

function listOf<Item>(name: string, list: readonly Item[]): readonly Item[] {
  if (!Array.isArray(list)) throw new TypeError(`layout.${name} takes a list of keys, found ${typeof list}`);
  return list;
}

/** Where a cell of the layout lies, counted from the corner. */
function cellOf(name: string, given: Options = {}): (at: Cell) => Geometries {
  const { x, y, width, height, gap } = { ...usual, ...given };
  for (const [option, value] of Object.entries({ x, y, width, height, gap }))
    if (typeof value !== "number" || !Number.isFinite(value))
      throw new RangeError(`layout.${name} takes a number as ${option}, found ${String(value)}`);
  return ([column, row]) => {
    const geometry: Geometry = {
      x: Math.round(x + column * (width + gap)),
      y: Math.round(y + row * (height + gap)),
    };
    return given.view === undefined ? geometry : { [given.view]: geometry };
  };
}
