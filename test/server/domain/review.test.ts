import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import { canonical, type Json, sameJson } from "../../../server/domain/json.ts";
import { type OwnRow, type Patch, type Settings, sameSetting } from "../../../server/domain/overlay.ts";
import { keyAt, pointerOf } from "../../../server/domain/places.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import { type AttributeChange, attributeChanges } from "../../../server/domain/review.ts";
import type { ReviewSide, ShownAttribute } from "../../../server/domain/review-attributes.ts";
import { discardAttribute } from "../../../server/domain/review-discard.ts";
import { isBelow } from "../../../server/domain/review-keys.ts";
import { type Vals, valueAt } from "../../../server/domain/values.ts";
import { props } from "./sample.ts";
import { ids, laterSteps, run, steps, valuesOf, viewOf, type Workspace } from "./workspace.ts";

/** One component on both sides, as a review is given it. */
interface Compared {
  readonly head: ReviewSide | undefined;
  readonly own: ReviewSide | undefined;
  readonly patch: Patch | undefined;
  readonly row: OwnRow | undefined;
  /** What the head said of the component when a key was last edited here. */
  readonly seen: (key: string) => Settings | undefined;
}

function sideOf(id: string, view: ReadonlyMap<string, Settings>, vals: ReadonlyMap<string, Vals>) {
  const settings = view.get(id);
  return (
    settings && { props, settings, vals: vals.get(id) ?? {}, exists: (other: string) => view.has(other) }
  );
}

function compare(workspace: Workspace, set: string, id: string): Compared {
  const [headView, ownView] = [workspace.head, viewOf(workspace, set)];
  const row = workspace.sets.get(set)?.get(id);
  return {
    head: sideOf(id, headView, valuesOf(headView)),
    own: sideOf(id, ownView, valuesOf(ownView)),
    patch: row?.op === "del" ? undefined : (row?.settings ?? {}),
    row,
    seen: (key) => workspace.seen.get(row?.op === "del" ? `${set} ${id}` : `${set} ${id} ${key}`),
  };
}

const at = (settings: Settings | undefined, key: string): string =>
  canonical((settings?.[key] ?? null) as Json);

const changesIn = (compared: Compared): AttributeChange[] =>
  attributeChanges({
    ...compared,
    moved: (key) =>
      compared.row?.op !== "add" && at(compared.head?.settings, key) !== at(compared.seen(key), key),
  });

/** The attributes as people read them, by stored key. */
function attributesByKey(side: ReviewSide | undefined): Map<string, Json> {
  if (side === undefined) return new Map();
  const shown = showAttributes(props, side.settings, side.exists);
  return new Map(
    Object.entries(shown).map(([pointer, value]) => [keyAt(props, side.settings, pointer) ?? "", value]),
  );
}

/** What an attribute looks like among the attributes, undefined when it is not one of them. */
function asAttribute(shown: ShownAttribute | undefined): Json | undefined {
  const setting = shown?.setting;
  if (setting === undefined || "u" in setting) return undefined;
  if ("v" in setting) return setting.v;
  const [component, path] = setting.s;
  return { $source: { component, path } };
}

const each = (check: (compared: Compared, workspace: Workspace, id: string) => void, numRuns = 150): void =>
  fc.assert(
    fc.property(fc.oneof(steps, laterSteps), (all) =>
      run(all, (workspace, set) => {
        for (const id of ids) check(compare(workspace, set, id), workspace, id);
      }),
    ),
    { numRuns },
  );

describe("the review of a component", () => {
  test("turns the head's attributes into the change set's, and lists nothing else", () => {
    each((compared) => {
      const [before, after] = [attributesByKey(compared.head), attributesByKey(compared.own)];
      const changed = new Map(before);
      for (const change of changesIn(compared)) {
        const [was, is] = [asAttribute(change.old), asAttribute(change.new)];
        const same = was !== undefined && is !== undefined && sameJson(was, is);
        // The attribute says the same while its source gives something else, or the schema does.
        if (same || (change.old?.setting === undefined && change.new?.setting === undefined)) {
          expect(change.old?.value).not.toEqual(change.new?.value);
        }
        if (is === undefined) changed.delete(change.key);
        else changed.set(change.key, is);
      }
      // An empty container below which something is unset is there, but is no attribute to be sent back.
      for (const [key, value] of changed) {
        const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
        if (isEmpty && !after.has(key)) changed.delete(key);
      }
      for (const [key, value] of [...after]) {
        const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
        if (isEmpty && !changed.has(key)) after.delete(key);
      }
      expect(Object.fromEntries([...changed].sort())).toEqual(Object.fromEntries([...after].sort()));
    });
  });

  test("shows the values of both sides", () => {
    each(({ head, own, ...rest }) => {
      for (const { pointer, key, old, new: is } of changesIn({ head, own, ...rest })) {
        if (is !== undefined && own !== undefined) {
          expect([pointer, keyAt(props, own.settings, pointer)]).toEqual([pointer, key]);
          if (is.setting === undefined || "s" in is.setting || !isContainer(is.value)) {
            expect([pointer, is.value ?? null]).toEqual([pointer, valueAt(props, own.vals, pointer) ?? null]);
          }
        } else if (old !== undefined && head !== undefined) {
          const there = pointerOf(head.settings, key) ?? "";
          if (old.setting !== undefined && "v" in old.setting && isContainer(old.value)) continue;
          expect([there, old.value ?? null]).toEqual([there, valueAt(props, head.vals, there) ?? null]);
        }
      }
    }, 60);
  });

  test("names every attribute once", () => {
    each((compared) => {
      const pointers = changesIn(compared).map(({ pointer }) => pointer);
      expect(new Set(pointers).size).toBe(pointers.length);
    }, 60);
  });

  test("marks exactly what the head has changed since the edit", () => {
    const counts = { moved: 0, unmoved: 0, followed: 0 };
    each((compared) => {
      const { head, own, patch, seen, row } = compared;
      for (const { key, edited, headMoved, old, new: is } of changesIn(compared)) {
        const by = patch === undefined || Object.hasOwn(patch, key) ? key : hiding(patch, key);
        // An empty container that is set on both sides only comes and goes with what is in it.
        if (
          by !== key &&
          isContainer(old?.value ?? is?.value) &&
          at(own?.settings, key) === at(head?.settings, key)
        ) {
          expect([key, headMoved]).toEqual([key, false]);
          continue;
        }
        if (by === undefined || !edited) {
          expect(headMoved).toBe(false);
          counts.followed++;
          continue;
        }
        const changed = row?.op !== "add" && at(seen(by), key) !== at(head?.settings, key);
        expect([key, is, headMoved]).toEqual([key, is, changed]);
        counts[changed ? "moved" : "unmoved"]++;
      }
    });
    // A history in which nothing moved proves nothing.
    for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
  });

  test("is empty exactly where both sides show the same", () => {
    each(({ head, own, ...rest }) => {
      if (head === undefined || own === undefined) return;
      const changes = changesIn({ head, own, ...rest });
      if (canonical(head.vals as Json) !== canonical(own.vals as Json)) {
        const onlyFacts = [...Object.keys(head.vals), ...Object.keys(own.vals)].every(
          (key) => !key.startsWith("/") || sameValue(head.vals[key], own.vals[key]),
        );
        expect(changes.length > 0 || onlyFacts).toBe(true);
      } else if (changes.length > 0) {
        expect(visible(head)).not.toBe(visible(own));
      }
    }, 60);
  });
});

/** What is set and not left hanging. */
const visible = ({ settings, exists }: ReviewSide): string =>
  canonical(
    Object.fromEntries(
      Object.entries(settings).filter(([, setting]) => !("s" in setting) || exists(setting.s[0])),
    ) as Json,
  );
const sameValue = (a: Json | undefined, b: Json | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameJson(a, b);
const isContainer = (value: Json | undefined): boolean => typeof value === "object" && value !== null;

/** The nearest key of a patch that takes away what stands below it: a subscribed whole, or a removed element. */
const hiding = (patch: Patch, key: string): string | undefined =>
  Object.keys(patch)
    .filter((one) => key.startsWith(`${one}/`) && !("v" in (patch[one] ?? {})))
    .filter((one) => patch[one] !== null || /(#[^/]*|labels\/[^/]*|tagsByName\/[^/]*)$/.test(one))
    .sort((a, b) => b.length - a.length)[0];

describe("discarding an attribute", () => {
  test("brings the head's back and leaves all others as they were, or says what stands in the way", () => {
    const counts = { done: 0, refused: 0 };
    each((compared, _workspace, id) => {
      const { head, own, patch, row } = compared;
      if (own === undefined || patch === undefined || row === undefined) return;
      for (const change of changesIn(compared)) {
        const { left, refusal } = discard(compared, id, change.pointer);
        if (left === undefined) {
          // Only what somebody edited can go back; of that, only what nothing around it was changed for.
          const isName = row.op === "add" && change.key === "/si/name";
          if (change.edited && !isName) expect(refusal?.message).toMatch(/: discard \//);
          counts.refused++;
          continue;
        }
        counts.done++;
        const everything = { exists: () => true };
        const before = head && { ...head, ...everything };
        const after = changesIn({
          ...compared,
          patch: left,
          row: { op: row.op, settings: left },
          head: before,
          own: { ...own, ...everything, settings: settingsWith(head?.settings ?? {}, left) },
        }).filter(({ old, new: is }) => !sameShown(old, is));
        const edits = changesIn({ ...compared, head: before, own: { ...own, ...everything } }).filter(
          ({ old, new: is }) => !sameShown(old, is),
        );
        const kept = edits.filter(({ key }) => !isBelow(key, change.key) && !isBelow(change.key, key));
        const still = after.filter(({ key }) => !isBelow(change.key, key));
        expect(still.map(bySource).sort()).toEqual(kept.map(bySource).sort());
        expect(after.some(({ key }) => isBelow(key, change.key))).toBe(false);
      }
    }, 40);
    for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
  });
});

/** Settings alone: the values of what is discarded follow later. */
const sameShown = (a: ShownAttribute | undefined, b: ShownAttribute | undefined): boolean =>
  a?.setting === undefined || b?.setting === undefined
    ? a?.setting === b?.setting
    : sameSetting(a.setting, b.setting);

const bySource = ({ key, old, new: is }: AttributeChange): string =>
  `${key} ${JSON.stringify([old?.setting, is?.setting])}`;

const settingsWith = (head: Settings, patch: Patch): Settings =>
  Object.fromEntries(
    Object.entries({ ...head, ...patch }).flatMap(([key, setting]) =>
      setting === null ? [] : [[key, setting]],
    ),
  );

function discard(compared: Compared, name: string, pointer: string) {
  const { head, patch = {}, row } = compared;
  try {
    const { left } = discardAttribute({
      name,
      props,
      head: head?.settings ?? {},
      patch,
      isNew: row?.op === "add",
      pointer,
    });
    return { left, refusal: undefined };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { left: undefined, refusal: error };
  }
}
