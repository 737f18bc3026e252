import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import type { Json } from "../../../server/domain/json.ts";
import { editPatch, mergeKeys, type Patch, type Settings } from "../../../server/domain/overlay.ts";
import { idMaker, patchOf, props, written } from "./sample.ts";

const removed: Json = { $source: null };
const valuesShown = (settings: Settings): Json[] => Object.values(showAttributes(props, settings));

/** Both change sets start from the same head; their elements get ids from different processes. */
function merged(head: Settings, one: Record<string, Json>, two: Record<string, Json>): Settings {
  const a = patchOf(head, one, { newId: idMaker("01K") });
  const b = patchOf(head, two, { newId: idMaker("01M") });
  const ab = mergeKeys(mergeKeys(head, a), b);
  expect(mergeKeys(mergeKeys(head, b), a)).toEqual(ab);
  return ab;
}

describe("the elements of an array, changed by two change sets", () => {
  const head = written({ "/domain/ports": [1, 2, 3] });

  test("are all there when both append", () => {
    expect(valuesShown(merged(head, { "/domain/ports/-": 10 }, { "/domain/ports/-": 20 }))).toEqual([
      1, 2, 3, 10, 20,
    ]);
  });

  test("are all there when both append by sending the whole list", () => {
    const shown = merged(head, { "/domain/ports": [1, 2, 3, 10] }, { "/domain/ports": [1, 2, 3, 20] });
    expect(valuesShown(shown)).toEqual([1, 2, 3, 10, 20]);
  });

  test("go and come independently", () => {
    expect(valuesShown(merged(head, { "/domain/ports/0": removed }, { "/domain/ports/-": 20 }))).toEqual([
      2, 3, 20,
    ]);
  });

  test("are the ones that were meant, although positions shift", () => {
    expect(valuesShown(merged(head, { "/domain/ports/0": removed }, { "/domain/ports/2": 30 }))).toEqual([
      2, 30,
    ]);
  });

  test("stay removed when the other edits inside them", () => {
    const tags = written({ "/domain/tags": [{ Key: "a" }, { Key: "b" }] });
    const after = merged(tags, { "/domain/tags/0": removed }, { "/domain/tags/0/Value": "x" });
    expect(showAttributes(props, after)).toEqual({ "/domain/tags/0/Key": "b" });
  });

  test("stay removed with everything that was put into them meanwhile", () => {
    const grid = written({ "/domain/grid": [["a"], ["b"]] });
    const after = merged(grid, { "/domain/grid/0": removed }, { "/domain/grid/0/-": "c" });
    expect(showAttributes(props, after)).toEqual({ "/domain/grid/0/0": "b" });
  });

  test("merge whatever each removes and appends: what is left of the head, then both appendices", () => {
    const all = [0, 1, 2, 3, 4];
    const removal = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 5 });
    const append = fc.array(fc.integer({ min: 10, max: 12 }), { maxLength: 3 });
    fc.assert(
      fc.property(removal, append, removal, append, (gone, added, goneToo, addedToo) => {
        const head = written({ "/domain/ports": all });
        const kept = (without: readonly number[]): number[] => all.filter((n) => !without.includes(n));
        const shownAs = (values: readonly number[]): Json[] => (values.length === 0 ? [[]] : [...values]);

        const both = mergeKeys(
          mergeKeys(head, patchOfSession(head, gone, added, "01K")),
          patchOfSession(head, goneToo, addedToo, "01M"),
        );
        expect(valuesShown(both)).toEqual(shownAs([...kept([...gone, ...goneToo]), ...added, ...addedToo]));

        const list = [...kept(gone), ...added];
        const whole = mergeKeys(head, patchOf(head, { "/domain/ports": list }, { newId: idMaker("01K") }));
        expect(valuesShown(whole)).toEqual(shownAs(list));
      }),
    );
  });
});

/** The patch of a change set that removes positions, the last first so that none shifts before its turn, and appends. */
function patchOfSession(
  head: Settings,
  gone: readonly number[],
  added: readonly number[],
  prefix: string,
): Patch {
  const newId = idMaker(prefix);
  const requests = [
    ...[...gone].sort((a, b) => b - a).map((index) => ({ [`/domain/ports/${index}`]: removed })),
    ...added.map((value) => ({ "/domain/ports/-": value })),
  ];
  return requests.reduce<Patch>((patch, request) => {
    return editPatch(patch, patchOf(mergeKeys(head, patch), request, { newId }));
  }, {});
}
