import { expect, it } from "vitest";
import { createDefinitionCache } from "../../../server/store/definition-cache.ts";

it("keeps the stamps of four heads, and lets the one that was begun first go for another", () => {
  const cache = createDefinitionCache();
  const stampsOf = (head: number) => cache.head(`head ${head}`, 1);
  const first = [0, 1, 2, 3].map(stampsOf);
  for (const [head, stamps] of first.entries()) expect(stampsOf(head)).toBe(stamps);
  const fifth = stampsOf(4);
  for (const head of [1, 2, 3]) expect(stampsOf(head)).toBe(first[head]);
  expect(stampsOf(4)).toBe(fifth);
  expect(stampsOf(0)).not.toBe(first[0]);
});

it("begins the stamps of a head anew at another number of its graph, and leaves other heads alone", () => {
  const cache = createDefinitionCache();
  const [one, other] = [cache.head("one", 1), cache.head("other", 1)];
  expect(cache.head("one", 2)).not.toBe(one);
  expect(cache.head("other", 1)).toBe(other);
});
