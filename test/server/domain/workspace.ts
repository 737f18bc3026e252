import fc from "fast-check";
import { expect } from "vitest";
import { writeAttributes } from "../../../server/domain/attributes.ts";
import type { Json } from "../../../server/domain/json.ts";
import {
  applyRow,
  editRow,
  effective,
  markPatch,
  type OwnRow,
  type Patch,
  restorePatch,
  type Settings,
} from "../../../server/domain/overlay.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import { computeValues, type Vals, valueAt } from "../../../server/domain/values.ts";
import { literalChange, subscriptionTo } from "./arbitraries.ts";
import { idMaker, props, writing } from "./sample.ts";

/** A workspace in memory: the head, and what each open change set holds over it. */
export interface Workspace {
  readonly head: Map<string, Settings>;
  readonly sets: Map<string, Map<string, OwnRow>>;
  /** What the head said of a component when a key of it was last edited in a change set: by set, component and key. */
  readonly seen: Map<string, Seen>;
  readonly newId: () => string;
}

/** What somebody saw of the head at an edit; later edits have greater numbers. */
export interface Seen {
  readonly head: Settings | undefined;
  readonly at: number;
}

/** The components that there can be. */
export const ids = ["C1", "C2", "C3", "C4"];
const setIds = ["S1", "S2", "S3"];

/** What a change set shows of every component. */
export function viewOf(workspace: Workspace, set: string): Map<string, Settings> {
  const own = workspace.sets.get(set);
  const view = new Map<string, Settings>();
  for (const id of ids) {
    const settings = effective(workspace.head.get(id), own?.get(id));
    if (settings !== undefined) view.set(id, settings);
  }
  return view;
}

/** Every component's values from scratch; subscriptions lead to smaller ids only, so one pass in order is enough. */
export function valuesOf(view: ReadonlyMap<string, Settings>): Map<string, Vals> {
  const values = new Map<string, Vals>();
  const read = (id: string, path: string): Json | undefined => {
    const vals = values.get(id);
    return vals && valueAt(props, vals, path);
  };
  for (const [id, settings] of [...view].sort()) values.set(id, computeValues(props, settings, read, id));
  return values;
}

const plain = (map: ReadonlyMap<string, unknown>): unknown => Object.fromEntries([...map].sort());

/** The patch that attributes make. */
export function attributesPatch(
  workspace: Workspace,
  settings: Settings,
  changes: readonly (readonly [string, Json])[],
): Patch {
  return writeAttributes({
    ...writing(settings, {}),
    changes,
    newId: workspace.newId,
    findComponent: (reference) => (ids.includes(reference) ? { id: reference, props } : undefined),
  });
}

/** One thing that somebody does. */
export type Step = (workspace: Workspace) => void;
const set = fc.constantFrom(...setIds);
const component = fc.constantFrom(...ids);

const latestIn = ({ seen }: Workspace): number =>
  [...seen.values()].reduce((latest, { at }) => Math.max(latest, at), 0);

const edit =
  (setId: string, id: string, patchOf: (workspace: Workspace, shown: Settings) => Patch): Step =>
  (workspace) => {
    const own = workspace.sets.get(setId) ?? new Map<string, OwnRow>();
    const shown = effective(workspace.head.get(id), own.get(id));
    if (shown === undefined) return;
    const patch = patchOf(workspace, shown);
    const row = editRow(workspace.head.get(id), own.get(id), patch);
    if (row !== undefined) own.set(id, row);
    const seen: Seen = { head: workspace.head.get(id), at: latestIn(workspace) + 1 };
    for (const key of Object.keys(patch)) workspace.seen.set(`${setId} ${id} ${key}`, seen);
    workspace.sets.set(setId, own);
  };

const writeTo = (s: string, id: string, changes: readonly (readonly [string, Json])[]): Step =>
  edit(s, id, (workspace, shown) => {
    try {
      return attributesPatch(workspace, shown, changes);
    } catch (error) {
      if (error instanceof Refusal) return {};
      throw error;
    }
  });
const changes = fc.array(literalChange, { minLength: 1, maxLength: 3 });
const write = fc.tuple(set, component, changes).map(([s, id, all]) => writeTo(s, id, all));
const subscribe = fc
  .integer({ min: 1, max: ids.length - 1 })
  .chain((n) => fc.tuple(set, fc.constant(ids[n] ?? ""), subscriptionTo(fc.constantFrom(...ids.slice(0, n)))))
  .map(([s, id, change]) => writeTo(s, id, [change]));
const mark = fc
  .tuple(set, component)
  .map(([s, id]) => edit(s, id, (_, shown) => restorePatch(shown) ?? markPatch(shown)));
const createIn =
  (s: string, id: string): Step =>
  (workspace) => {
    const own = workspace.sets.get(s) ?? new Map<string, OwnRow>();
    // An id is made once: it is free only while neither the head nor any change set has it.
    if (workspace.head.has(id) || [...workspace.sets.values()].some((rows) => rows.has(id))) return;
    workspace.sets.set(s, own.set(id, { op: "add", settings: { "/si/name": { v: id } } }));
  };
const create = fc.tuple(set, component).map(([s, id]) => createIn(s, id));
const remove = fc.tuple(set, component).map(
  ([s, id]): Step =>
    (workspace) => {
      const own = workspace.sets.get(s) ?? new Map<string, OwnRow>();
      if (effective(workspace.head.get(id), own.get(id)) === undefined) return;
      if (workspace.head.has(id)) own.set(id, { op: "del", settings: null });
      else own.delete(id);
      workspace.seen.set(`${s} ${id}`, { head: workspace.head.get(id), at: latestIn(workspace) + 1 });
      workspace.sets.set(s, own);
    },
);
const applyOf =
  (s: string): Step =>
  (workspace) => {
    const showed = viewOf(workspace, s);
    const others = JSON.stringify(
      [...workspace.sets].filter(([id]) => id !== s).map(([id, rows]) => [id, [...rows]]),
    );
    for (const [id, row] of workspace.sets.get(s) ?? []) {
      const result = applyRow(workspace.head.get(id), row);
      if (result?.does === "delete") workspace.head.delete(id);
      if (result?.does === "put") workspace.head.set(id, result.settings);
    }
    workspace.sets.delete(s);
    expect(plain(workspace.head)).toEqual(plain(showed));
    expect(plain(valuesOf(workspace.head))).toEqual(plain(valuesOf(showed)));
    expect(JSON.stringify([...workspace.sets].map(([id, rows]) => [id, [...rows]]))).toBe(others);
  };
const apply = set.map(applyOf);

/** Random histories. */
export const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: create },
    { weight: 12, arbitrary: write },
    { weight: 6, arbitrary: subscribe },
    { weight: 1, arbitrary: remove },
    { weight: 1, arbitrary: mark },
    { weight: 3, arbitrary: apply },
  ),
  { minLength: 10, maxLength: 60 },
);

/** Random histories of a workspace that has components already, so that its head moves below every change set. */
export const laterSteps = steps.map((all) => [...ids.map((id) => createIn("S1", id)), applyOf("S1"), ...all]);

const [source = "", shared = ""] = ids;
const contested = fc.constantFrom("S1", "S2");
const removal = fc.constantFrom("/domain/tags/0", "/domain/tags", "/domain/tagsByName/x", "/domain/network");

/** Sets something of each kind, so that there is something to edit inside, and to take away. */
const full = writeTo("S1", shared, [
  ["/domain/tags", [{ Key: "a", Parts: [1, 2] }, { Key: "b", Value: "a" }, null]],
  ["/domain/tagsByName", { x: { Key: "a" }, y: null }],
  ["/domain/network", { cidr: "a" }],
  ["/domain/ports", [0, 1]],
  ["/domain/grid", [["a"], []]],
  ["/domain/labels", { x: "a" }],
]);

/** Random histories of two change sets that edit the same component all the time, below and around each other. */
export const closeSteps = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.tuple(contested, changes).map(([s, all]) => writeTo(s, shared, all)) },
      {
        weight: 3,
        arbitrary: fc
          .tuple(contested, subscriptionTo(fc.constant(source)))
          .map(([s, change]) => writeTo(s, shared, [change])),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(contested, removal)
          .map(([s, pointer]) => writeTo(s, shared, [[pointer, { $source: null }]])),
      },
      { weight: 1, arbitrary: fc.tuple(contested, changes).map(([s, all]) => writeTo(s, source, all)) },
      { weight: 4, arbitrary: contested.map(applyOf) },
    ),
    { minLength: 10, maxLength: 40 },
  )
  .map((all) => [createIn("S1", source), createIn("S1", shared), full, applyOf("S1"), ...all]);

/** Runs steps from an empty workspace and calls `check` for every open change set after each. */
export function run(all: readonly Step[], check: (workspace: Workspace, set: string) => void): void {
  const workspace: Workspace = { head: new Map(), sets: new Map(), seen: new Map(), newId: idMaker() };
  for (const step of all) {
    step(workspace);
    for (const id of workspace.sets.keys()) check(workspace, id);
  }
}
