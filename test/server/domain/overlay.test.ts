import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyRow,
  deletionKey,
  difference,
  editPatch,
  editRow,
  effective,
  isMarked,
  markPatch,
  mergeKeys,
  type OwnRow,
  type Patch,
  restorePatch,
  type Setting,
  type Settings,
  sourcesOf,
} from "../../../server/domain/overlay.ts";

// Few keys and few values on purpose: overlays break where things are equal by accident.
const key = fc.constantFrom("/domain/a", "/domain/in", "/domain/in2", "/si/name", deletionKey);
const setting: fc.Arbitrary<Setting> = fc.oneof(
  fc.integer({ min: 0, max: 2 }).map((v) => ({ v })),
  fc.constantFrom<Setting>({ s: ["A", "/domain/out"] }, { s: ["B", "/domain/out"] }, { u: 1 }),
);
const settings: fc.Arbitrary<Settings> = fc.dictionary(key, setting);
const patch: fc.Arbitrary<Patch> = fc.dictionary(key, fc.option(setting, { nil: null }));
const ownRow: fc.Arbitrary<OwnRow> = fc.oneof(
  settings.map((all): OwnRow => ({ op: "add", settings: all })),
  patch.map((changes): OwnRow => ({ op: "edit", settings: changes })),
  fc.constantFrom<OwnRow>({ op: "calc", settings: null }, { op: "del", settings: null }),
);
const headSettings = fc.option(settings, { nil: undefined });

/** Values mod 3 of settings, other components' values constant: lossy, so that different settings give equal values. */
const compute = (all: Settings | undefined): number | undefined => {
  if (all === undefined) return undefined;
  let sum = 0;
  for (const one of Object.values(all)) sum += "v" in one ? Number(one.v) : "s" in one ? one.s[0].length : 2;
  return sum % 3;
};

/** The head after one change set was applied, as the store does it. */
function applied(head: Settings | undefined, own: OwnRow): Settings | undefined {
  const result = applyRow(head, own);
  if (result === undefined) return head;
  return result.does === "delete" ? undefined : result.settings;
}

describe("a change set over the head", () => {
  test("applying makes the head show what the change set showed", () => {
    fc.assert(
      fc.property(headSettings, ownRow, (head, own) => {
        const showed = effective(head, own);
        expect(applied(head, own)).toEqual(showed);
        expect(compute(applied(head, own))).toBe(compute(showed));
      }),
    );
  });

  test("without a row of its own shows the head, as it is now", () => {
    fc.assert(
      fc.property(headSettings, (head) => {
        expect(effective(head, undefined)).toEqual(head);
      }),
    );
  });

  test("two change sets that edit different attributes both survive, in either order", () => {
    fc.assert(
      fc.property(settings, patch, patch, (head, one, two) => {
        const other = Object.fromEntries(Object.entries(two).filter(([name]) => !Object.hasOwn(one, name)));
        const a: OwnRow = { op: "edit", settings: one };
        const b: OwnRow = { op: "edit", settings: other };
        const ab = applied(applied(head, a), b);
        expect(ab).toEqual(applied(applied(head, b), a));
        for (const [name, wanted] of Object.entries({ ...one, ...other })) {
          expect(ab?.[name]).toEqual(wanted ?? undefined);
        }
      }),
    );
  });

  test("on the same attribute the last apply wins", () => {
    fc.assert(
      fc.property(settings, key, setting, setting, (head, name, first, last) => {
        const after = applied(applied(head, { op: "edit", settings: { [name]: first } }), {
          op: "edit",
          settings: { [name]: last },
        });
        expect(after?.[name]).toEqual(last);
      }),
    );
  });

  test("deleting wins over editing, whichever is applied first", () => {
    fc.assert(
      fc.property(settings, patch, (head, changes) => {
        const edit: OwnRow = { op: "edit", settings: changes };
        const del: OwnRow = { op: "del", settings: null };
        expect(applied(applied(head, edit), del)).toBeUndefined();
        expect(applied(applied(head, del), edit)).toBeUndefined();
      }),
    );
  });

  test("sees the head move at once, except where it has its own edit, and its patch stays as it was", () => {
    fc.assert(
      fc.property(settings, settings, patch, (head, moved, changes) => {
        const own: OwnRow = { op: "edit", settings: changes };
        const before = structuredClone(own);
        effective(head, own);
        const shown = effective(moved, own);
        for (const name of new Set([...Object.keys(moved), ...Object.keys(changes)])) {
          const wanted = Object.hasOwn(changes, name) ? (changes[name] ?? undefined) : moved[name];
          expect(shown?.[name]).toEqual(wanted);
        }
        expect(own).toEqual(before);
      }),
    );
  });

  test("edits of one change set add up to what was shown after each", () => {
    fc.assert(
      fc.property(
        headSettings,
        fc.option(ownRow, { nil: undefined }),
        fc.array(patch),
        (head, first, edits) => {
          let own = first;
          let shown = effective(head, own);
          for (const changes of edits) {
            const next = editRow(head, own, changes);
            shown = shown && mergeKeys(shown, changes);
            expect(next === undefined).toBe(shown === undefined);
            if (next === undefined) return;
            own = next;
            expect(effective(head, own)).toEqual(shown);
          }
        },
      ),
    );
  });

  test("a patch that is edited never contains what only the head has", () => {
    fc.assert(
      fc.property(patch, patch, (one, two) => {
        const names = new Set([...Object.keys(one), ...Object.keys(two)]);
        expect(new Set(Object.keys(editPatch(one, two)))).toEqual(names);
      }),
    );
  });
});

describe("a difference", () => {
  test("turns one into the other and is empty only between equals", () => {
    fc.assert(
      fc.property(settings, settings, (from, to) => {
        expect(mergeKeys(from, difference(from, to))).toEqual(to);
        expect(difference(to, to)).toEqual({});
      }),
    );
  });
});

describe("the deletion mark", () => {
  test("is a setting like any other: set once, taken away once", () => {
    const marked = mergeKeys({}, markPatch({}));
    expect(isMarked(marked)).toBe(true);
    expect(markPatch(marked)).toEqual({});
    expect(isMarked(mergeKeys(marked, restorePatch(marked) ?? {}))).toBe(false);
    expect(restorePatch({})).toBeUndefined();
  });
});

test("subscriptions are found in order of their keys", () => {
  const all: Settings = { "/b": { s: ["X", "/p"], f: "F" }, "/a": { s: ["Y", "/q"] }, "/c": { v: 1 } };
  expect(sourcesOf(all)).toEqual([
    { key: "/a", source: "Y", path: "/q", func: undefined },
    { key: "/b", source: "X", path: "/p", func: "F" },
  ]);
});
