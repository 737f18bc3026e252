import { expect, it } from "vitest";
import {
  createDefinitionCache,
  type DefinitionCache,
  type HeadMemory,
} from "../../../server/store/definition-cache.ts";

/** What is known of a head, of 9,000 components. */
function filled(cache: DefinitionCache, head: string): HeadMemory {
  const memory = cache.head(head, 1);
  for (let at = 0; at < 9_000; at++) memory.components.set(`${head} ${at}`, undefined);
  return memory;
}

it("keeps what it knows of heads until there is no room, and lets what was begun first go", () => {
  const cache = createDefinitionCache();
  const [one, two, three] = ["one", "two", "three"].map((head) => filled(cache, head));
  expect(cache.head("two", 1)).toBe(two);
  expect(cache.head("three", 1)).toBe(three);
  expect(cache.head("one", 1)).not.toBe(one);
});

it("begins what it knows of a head anew at another number of its graph, and leaves other heads alone", () => {
  const cache = createDefinitionCache();
  const [one, other] = [cache.head("one", 1), cache.head("other", 1)];
  expect(cache.head("one", 2)).not.toBe(one);
  expect(cache.head("other", 1)).toBe(other);
});
