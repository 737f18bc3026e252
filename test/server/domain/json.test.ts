import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canonical,
  describe as inWords,
  isDeeperThan,
  type Json,
  sameJson,
  unstorable,
} from "../../../server/domain/json.ts";
import { anyJson } from "./arbitraries.ts";

/** The same value with the members of every object in the opposite order. */
function reversed(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  const members = Object.entries(value).reverse();
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]));
}

describe("canonical text", () => {
  test("does not depend on the order of members", () => {
    fc.assert(fc.property(anyJson, (value) => canonical(reversed(value)) === canonical(value)));
    expect(canonical({ b: 1, a: { d: 1, c: 2 } })).toBe('{"a":{"c":2,"d":1},"b":1}');
  });

  test("is JSON of the same value, so that different values have different texts", () => {
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        expect(canonical(JSON.parse(canonical(a)))).toBe(canonical(a));
        expect(sameJson(a, b)).toBe(canonical(a) === canonical(b));
      }),
    );
  });
});

test("depth is measured without recursion, whatever is nested", () => {
  let deep: Json = {};
  for (let level = 0; level < 200_000; level++) deep = [deep];
  expect(isDeeperThan(deep, 64)).toBe(true);
  expect(isDeeperThan([[[]]], 3)).toBe(false);
  expect(isDeeperThan([[[]]], 2)).toBe(true);
  expect(isDeeperThan("text", 0)).toBe(false);
});

test.each([
  [null, "null"],
  ["", "an empty string"],
  ["a\nb", 'the string "a\\nb"'],
  ["x".repeat(41), "a string of 41 characters"],
  [1.5, "the number 1.5"],
  [false, "false"],
  [[1, 2], "an array of 2"],
  [{}, "an object"],
] as const)("%j is called %s", (value, words) => {
  expect(inWords(value)).toBe(words);
});

test("text that cannot be stored is told", () => {
  expect(unstorable("a\u0000")).toMatch(/zero character/);
  expect(unstorable("\udc00")).toMatch(/surrogate/);
  expect(unstorable("🙂")).toBeUndefined();
});
