import fc from "fast-check";
import Type from "typebox";
import { describe, expect, it } from "vitest";
import { explain, matches } from "../../src/contract/check.ts";
import { optionalNull } from "../../src/contract/shapes.ts";
import { findUnstorable, maximumDepth } from "../../src/contract/text.ts";

const Person = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  age: Type.Optional(Type.Integer({ minimum: 0 })),
  note: optionalNull(Type.String()),
  tags: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Boolean()))),
});

describe("explain", () => {
  it.each([
    ["a good value", { name: "ana" }, undefined],
    ["null where null may be", { name: "ana", note: null }, undefined],
    ["unknown members", { name: "ana", extra: 1 }, undefined],
    ["nothing", undefined, "body: expected an object, found nothing"],
    ["an array", [], "body: expected an object, found an array of 0"],
    ["a missing member", {}, "body.name: expected a string of 1 to 5 characters, found nothing"],
    ["a wrong type", { name: 7 }, "body.name: expected a string of 1 to 5 characters, found 7"],
    ["an empty text", { name: "" }, 'body.name: expected a string of 1 to 5 characters, found ""'],
    [
      "null elsewhere",
      { name: "a", age: null },
      "body.age: expected a whole number of 0 or more, found null",
    ],
    ["a fraction", { name: "a", age: 1.5 }, "body.age: expected a whole number of 0 or more, found 1.5"],
    ["a bad union", { name: "a", note: 3 }, "body.note: expected a string or null, found 3"],
    ["depth", { name: "a", tags: { x: [true, "no"] } }, 'body.tags.x.1: expected true or false, found "no"'],
    [
      "a zero",
      { name: "a\u0000" },
      "body.name: expected plain text and data, found a zero character (U+0000)",
    ],
    [
      "half a pair",
      { name: "\ud800" },
      "body.name: expected plain text and data, found half of a surrogate pair",
    ],
  ])("says what is wrong with %s", (_name, value, expected) => {
    expect(explain(Person, value, "body")).toBe(expected);
  });

  it("repeats nothing of what the schema calls write-only, at whatever depth it is wrong", () => {
    const Key = Type.Object({
      data: optionalNull(Type.Record(Type.String(), Type.String(), { writeOnly: true })),
    });
    for (const data of ["hunter2", 77112233, { pin: 77112233 }, { pin: ["hunter2"] }]) {
      expect(explain(Key, { data }, "body")).toMatch(/^body\.data.*, found something else$/);
    }
  });

  it("shows the name of a member only as far as a line goes", () => {
    expect(explain(Person, { name: "a", tags: { ["x".repeat(5_000)]: 1 } }, "body")?.length).toBeLessThan(
      200,
    );
  });

  it("agrees with matches for whatever JSON holds", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(explain(Person, value, "body") === undefined).toBe(
          matches(Person, value) && findUnstorable(value) === undefined,
        );
      }),
    );
  });
});

describe("findUnstorable", () => {
  it("refuses nesting beyond the limit and takes what is within", () => {
    const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
    expect(findUnstorable(nest(maximumDepth))).toBeUndefined();
    expect(findUnstorable(nest(maximumDepth + 1))?.found).toContain("levels of nesting");
  });

  it("refuses a member named __proto__ wherever it is", () => {
    expect(findUnstorable(JSON.parse('{"a":[{"__proto__":{}}]}'))?.found).toBe("a member named __proto__");
  });
});
