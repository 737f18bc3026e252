import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keyAt, pointerOf } from "../../../server/domain/places.ts";
import {
  elementIdAfter,
  formatPointer,
  isElement,
  nameSegment,
  parseIndex,
  parsePointer,
  segmentName,
} from "../../../server/domain/pointers.ts";
import { findProp } from "../../../server/domain/props.ts";
import { flatten, plant } from "../../../server/domain/tree.ts";
import { props, written } from "./sample.ts";

const name = fc.string({ unit: fc.constantFrom("a", "/", "~", "#", "0", "1", "2", "é", " ", "-") });

describe("a pointer", () => {
  test("and its segments are the same thing", () => {
    fc.assert(
      fc.property(fc.array(name), (segments) => {
        expect(parsePointer(formatPointer(segments))).toEqual(segments);
      }),
    );
  });

  test.each(["domain", "/a~", "/a~2", "/~x/b", " /a"])("%j is none", (text) => {
    expect(parsePointer(text)).toBeUndefined();
  });

  test("finds the property, whatever values there are", () => {
    expect(findProp(props, "/domain/tags/7/Key")?.path).toBe("root/domain/tags/Tag/Key");
    expect(findProp(props, "/domain/tagsByName/any/Parts/0")?.kind).toBe("integer");
    expect(findProp(props, "/domain/tags/x")).toBeUndefined();
    expect(findProp(props, "/domain/size/x")).toBeUndefined();
    expect(findProp(props, "domain")).toBeUndefined();
  });
});

describe("a segment of a stored key", () => {
  test("stands for its name and is never taken for an element", () => {
    fc.assert(
      fc.property(name, (text) => {
        const segment = nameSegment(text);
        expect(segmentName(segment)).toBe(text);
        expect(isElement(segment)).toBe(false);
        expect(segment).not.toContain("/");
      }),
    );
  });
});

test.each([
  ["0", 0],
  ["10", 10],
  ["01", undefined],
  ["-", undefined],
  ["1e3", undefined],
  ["", undefined],
  ["9999999999", undefined],
] as const)("%j as a position is %s", (text, position) => {
  expect(parseIndex(text)).toBe(position);
});

describe("an appended element", () => {
  const id = fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  test("always comes last, whatever the clocks of the servers say", () => {
    fc.assert(fc.property(id, id, (last, made) => elementIdAfter(last, made) > last));
    expect(elementIdAfter("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "0")).toBe("80000000000000000000000000");
    expect(elementIdAfter("ZZ", "0") > "ZZ").toBe(true);
    expect(elementIdAfter(undefined, "0")).toBe("0");
  });
});

describe("a flat map", () => {
  test("is the same after being a tree", () => {
    const segment = fc.constantFrom("a", "b", "#1", "~2x");
    const keys = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => `/${segments.join("/")}`);
    fc.assert(
      fc.property(fc.dictionary(keys, fc.integer()), (flat) => {
        expect(flatten(plant(flat))).toEqual({ ...flat });
      }),
    );
  });
});

describe("positions and identities", () => {
  const settings = written({ "/domain/grid": [["a", "b"], ["c"]], "/domain/labels": { "#x": "1" } });

  test("translate into each other for everything that is there", () => {
    for (const key of Object.keys(settings)) {
      const pointer = pointerOf(settings, key);
      expect(pointer).toBeDefined();
      expect(keyAt(props, settings, pointer ?? "")).toBe(key);
    }
    expect(pointerOf(settings, keyAt(props, settings, "/domain/grid/1/0") ?? "")).toBe("/domain/grid/1/0");
  });

  test("of what is not there are undefined", () => {
    expect(keyAt(props, settings, "/domain/grid/2")).toBeUndefined();
    expect(keyAt(props, settings, "/domain/nope")).toBeUndefined();
    expect(keyAt(props, settings, "nope")).toBeUndefined();
    expect(pointerOf(settings, "/domain/grid/#01J")).toBeUndefined();
  });
});
