import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical, type Json } from "../../../server/domain/json.ts";
import type { Setting, Settings } from "../../../server/domain/overlay.ts";
import { baseOf, fingerprintsIn, movedSince } from "../../../server/store/review-bases.ts";

const places = ["/a", "/a/b", "/a/b/#1", "/a/b/#1/c", "/a/b/#2", "/a/b0", "/a/b c", "/ab", "/ab/~1"];
const place = fc.constantFrom(...places);
const setting: fc.Arbitrary<Setting> = fc.constantFrom<Setting>(
  { v: 1 },
  { v: "1" },
  { v: {} },
  { u: 1 },
  { s: ["X", "/a"] },
  { s: ["X", "/a"], f: "F" },
);
const settings: fc.Arbitrary<Settings> = fc.dictionary(place, setting, { maxKeys: 5 });

const isAt = (key: string, around: string): boolean => key === around || key.startsWith(`${around}/`);
const saidAt = (said: Settings, around: string): string =>
  canonical(Object.fromEntries(Object.entries(said).filter(([key]) => isAt(key, around))) as Json);

describe("what is remembered of the head at an edit", () => {
  test("tells exactly whether it says something else of any place that the edit lies in", () => {
    fc.assert(
      fc.property(settings, settings, place, (before, now, key) => {
        const bases = new Map([[key, baseOf(fingerprintsIn(before), key, 7)]]);
        for (const around of places.filter((one) => isAt(key, one))) {
          const moved = movedSince(bases, fingerprintsIn(now), around, [key]);
          expect([around, moved]).toEqual([around, saidAt(before, around) !== saidAt(now, around)]);
        }
      }),
    );
  });

  test("counts from the last edit of a place", () => {
    const [first, then, now]: Settings[] = [
      {},
      { "/a/b": { v: {} } },
      { "/a/b": { v: {} }, "/a/c": { v: 1 } },
    ];
    const bases = new Map([
      ["/a/b/#1", baseOf(fingerprintsIn(first ?? {}), "/a/b/#1", 9)],
      ["/a/b/#2", baseOf(fingerprintsIn(then ?? {}), "/a/b/#2", 10)],
    ]);
    const moved = (around: string, keys: readonly string[]) =>
      movedSince(bases, fingerprintsIn(now ?? {}), around, keys);
    expect(moved("/a/b", ["/a/b/#1"])).toBe(true);
    expect(moved("/a/b", ["/a/b/#1", "/a/b/#2"])).toBe(false);
    expect(moved("/a", ["/a/b/#2", "/a/b/#1"])).toBe(true);
  });

  test("what nobody remembers has not moved", () => {
    expect(movedSince(undefined, fingerprintsIn({ "/a": { v: 1 } }), "/a", ["/a"])).toBe(false);
    expect(movedSince(new Map(), fingerprintsIn({ "/a": { v: 1 } }), "/a", ["/a"])).toBe(false);
  });
});
