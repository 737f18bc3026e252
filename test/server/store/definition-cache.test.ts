import { expect, it } from "vitest";
import { createDefinitionCache, type DefinitionCache } from "../../../server/store/definition-cache.ts";
import type { HeadMemory } from "../../../server/store/head-memory.ts";

/** What is known of a head with as many components. */
function filled(cache: DefinitionCache, head: string, components = 9_000): HeadMemory {
  const memory = cache.head(head, 1);
  const ids = Array.from({ length: components }, (_, at) => `${head} ${at}`);
  memory.keepComponents(new Map(ids.map((id) => [id, undefined])));
  return memory;
}

it("keeps what it knows of heads until there is no room, and lets what was begun first go", () => {
  const cache = createDefinitionCache();
  const heads = ["one", "two", "three"];
  const known = heads.map((head) => filled(cache, head));
  cache.head("four", 1);
  expect(heads.map((head) => cache.head(head, 1) === known[heads.indexOf(head)])).toEqual([
    false,
    true,
    true,
  ]);
});

it("keeps no more of one head than there is room for, and begins it anew then", () => {
  const cache = createDefinitionCache();
  const memory = filled(cache, "one", 30_000);
  expect(memory.components.size).toBe(20_000);
  memory.keepReaders(new Map([["A", []]]));
  expect(memory.readers.size).toBe(0);
  expect(cache.head("one", 1)).not.toBe(memory);
});

it("counts each reader that it knows", () => {
  const memory = createDefinitionCache().head("one", 1);
  const ids = Array.from({ length: 20_000 }, (_, at) => `C${at}`);
  memory.keepReaders(
    new Map([["A", [{ source: "A", from_path: "/domain/out", subscribers: ids, places: ids }]]]),
  );
  expect(memory.isFull).toBe(true);
});

it("begins what it knows of a head anew at another number of its graph, and leaves other heads alone", () => {
  const cache = createDefinitionCache();
  const [one, other] = [cache.head("one", 1), cache.head("other", 1)];
  expect(cache.head("one", 2)).not.toBe(one);
  expect(cache.head("other", 1)).toBe(other);
});
