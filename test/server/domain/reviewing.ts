import fc from "fast-check";
import { canonical, type Json } from "../../../server/domain/json.ts";
import { effective, type OwnRow, type Settings } from "../../../server/domain/overlay.ts";
import type { Prop } from "../../../server/domain/props.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import {
  type AttributeChange,
  attributeChanges,
  type ReviewedComponent,
} from "../../../server/domain/review.ts";
import { type Discarded, discardAttribute } from "../../../server/domain/review-discard.ts";
import { droppedAttributes } from "../../../server/domain/review-dropped.ts";
import { isBelow } from "../../../server/domain/review-keys.ts";
import { computeValues, type Vals, valueAt } from "../../../server/domain/values.ts";
import { props } from "./sample.ts";
import {
  closeSteps,
  laterSteps,
  run,
  type Seen,
  type Step,
  steps,
  valuesOf,
  viewOf,
  type Workspace,
} from "./workspace.ts";

/** One component on both sides, as a review is given it, and what was seen of the head as it was edited. */
export interface Reviewed extends ReviewedComponent {
  readonly id: string;
  readonly row: OwnRow | undefined;
  readonly seen: (key: string) => Seen | undefined;
}

/** A change set with the values that it and the head show. */
export interface Scene {
  readonly workspace: Workspace;
  readonly set: string;
  readonly view: ReadonlyMap<string, Settings>;
  readonly vals: ReadonlyMap<string, Vals>;
  readonly headVals: ReadonlyMap<string, Vals>;
}

function sceneOf(workspace: Workspace, set: string): Scene {
  const view = viewOf(workspace, set);
  return { workspace, set, view, vals: valuesOf(view), headVals: valuesOf(workspace.head) };
}

/** Both sides of a component; with `row` as if that were what the change set says of it, of the variant `ownProps`. */
export function reviewIn(
  { workspace, set, view, vals, headVals }: Scene,
  id: string,
  row: OwnRow | undefined = workspace.sets.get(set)?.get(id),
  ownProps: Prop = props,
): Reviewed {
  const [was, is] = [workspace.head.get(id), effective(workspace.head.get(id), row)];
  const seen = (key: string): Seen | undefined =>
    workspace.seen.get(row?.op === "del" ? `${set} ${id}` : `${set} ${id} ${key}`);
  // Subscriptions lead to smaller ids only, so the values of others are what they are whatever this one says.
  const read = (other: string, path: string): Json | undefined => valueAt(props, vals.get(other) ?? {}, path);
  return {
    id,
    head: was && {
      props,
      settings: was,
      vals: headVals.get(id) ?? {},
      exists: (one) => workspace.head.has(one),
    },
    own: is && {
      props: ownProps,
      settings: is,
      vals: computeValues(ownProps, is, read, id),
      exists: (one) => view.has(one),
    },
    patch: row?.op === "del" ? undefined : (row?.settings ?? {}),
    row,
    seen,
    moved: (headKey, by) => row?.op !== "add" && hasMoved(was, headKey, by.length === 0 ? [""] : by, seen),
  };
}

/** Whether settings say something else at or below a key than the head did as one of these was last edited. */
export function hasMoved(
  settings: Settings | undefined,
  headKey: string,
  by: readonly string[],
  seen: Reviewed["seen"],
): boolean {
  const last = by
    .flatMap((key) => seen(key) ?? [])
    .reduce((a, b) => (b.at > a.at ? b : a), { head: {}, at: 0 });
  return saidAt(settings, headKey) !== saidAt(last.head, headKey);
}

const saidAt = (settings: Settings = {}, place: string): string =>
  canonical(Object.fromEntries(Object.entries(settings).filter(([key]) => isBelow(key, place))) as Json);

/** The outermost element around a key that only the change set has, else the key. */
export function newElementAround({ head, own }: Reviewed, key: string): string {
  const segments = key.split("/");
  const places = segments.map((_, depth) => segments.slice(0, depth + 1).join("/"));
  const isEntry = (place: string): boolean => /\/#[^/]*$|^\/domain\/(labels|tagsByName)\/[^/]*$/.test(place);
  return (
    places.find(
      (place) => isEntry(place) && own?.settings[place] !== undefined && head?.settings[place] === undefined,
    ) ?? key
  );
}

/** What the review lists of a component, and what it lists as dropped. */
export function listed(reviewed: Reviewed): {
  readonly changes: readonly AttributeChange[];
  readonly dropped: readonly { readonly key: string; readonly pointer: string }[];
} {
  const { head, own, patch } = reviewed;
  return {
    changes: attributeChanges(reviewed),
    dropped: own === undefined || patch === undefined ? [] : droppedAttributes({ head, own, patch }),
  };
}

/** What is left when a pointer is discarded, or why it cannot be. */
export function discard(reviewed: Reviewed, pointer: string): Discarded | Refusal {
  const { own, patch, id, row } = reviewed;
  if (own === undefined || patch === undefined) throw new Error("expected a component that is shown");
  try {
    return discardAttribute({ ...reviewed, own, patch, name: id, isNew: row?.op === "add", pointer });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Checks every component of every open change set after each step of random histories that touches it, or the head. */
export const each = (
  check: (reviewed: Reviewed, scene: Scene) => void,
  numRuns = 60,
  histories: fc.Arbitrary<Step[]> = fc.oneof(steps, laterSteps, closeSteps),
): void =>
  fc.assert(
    fc.property(histories, (all) => {
      const checked = new Map<string, readonly unknown[]>();
      run(all, (workspace, set) => {
        const rows = workspace.sets.get(set) ?? new Map<string, OwnRow>();
        const state = [...rows.values(), ...workspace.head.values()];
        const last = checked.get(set);
        if (last?.length === state.length && state.every((one, at) => one === last[at])) return;
        checked.set(set, state);
        const scene = sceneOf(workspace, set);
        for (const id of rows.keys()) checkOne(reviewIn(scene, id), scene, check);
      });
    }),
    { numRuns },
  );

/** A history is a list of functions: what it led to says more when it fails. */
function checkOne(reviewed: Reviewed, scene: Scene, check: (reviewed: Reviewed, scene: Scene) => void): void {
  try {
    check(reviewed, scene);
  } catch (error) {
    const { id, head, own, patch, row } = reviewed;
    const said = { id, op: row?.op, head: head?.settings, own: own?.settings, patch };
    throw new Error(`${error instanceof Error ? error.message : error}\n${JSON.stringify(said)}`);
  }
}
