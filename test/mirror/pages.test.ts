import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allPages, type Page } from "../../src/mirror/pages.ts";
import type { ListOptions } from "../../src/mirror/resources.ts";

/** A list of a server whose state moves on before chosen requests; items are `key@state`. */
class MovingList {
  readonly states: readonly (readonly number[])[];
  readonly moves: ReadonlySet<number>;
  readonly tagged: boolean;
  asked: ListOptions[] = [];
  #state = 0;

  constructor(states: readonly (readonly number[])[], moves: readonly number[], tagged: boolean) {
    this.states = states;
    this.moves = new Set(moves);
    this.tagged = tagged;
  }

  readonly page = async (cursor: string | undefined, options: ListOptions): Promise<Page<string>> => {
    if (this.moves.has(this.asked.length)) this.#state = Math.min(this.#state + 1, this.states.length - 1);
    this.asked.push(options);
    const etag = this.tagged ? `e${this.#state}` : undefined;
    if (etag !== undefined && options.etag === etag) return { unchanged: true };
    const keys = (this.states[this.#state] ?? []).filter(
      (key) => cursor === undefined || key > Number(cursor),
    );
    const items = keys.slice(0, 2).map((key) => `${key}@${this.#state}`);
    return { unchanged: false, items, next: keys.length > 2 ? String(keys[1]) : undefined, etag };
  };
}

const signal = new AbortController().signal;
const keyOf = (item: string): number => Number(item.split("@")[0]);
const stateOf = (item: string): string => item.split("@")[1] ?? "";
const sortedKeys = fc.uniqueArray(fc.nat({ max: 12 })).map((keys) => keys.toSorted((a, b) => a - b));

describe("reading a list in pages", () => {
  it("gives one state of the list when it stands still long enough, else every item that was there throughout", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sortedKeys, { minLength: 1, maxLength: 8 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 12 })),
        fc.boolean(),
        async (states, moves, tagged) => {
          const list = new MovingList(states, moves, tagged);
          const handed: string[] = [];
          const onPage = (items: readonly unknown[], index: number): void => {
            if (index === 0) handed.length = 0;
            handed.push(...items.map(String));
          };
          const listed = await allPages({ etag: undefined, waitSeconds: 0, signal, onPage }, list.page);
          if (listed.unchanged) throw new Error("asked without a tag");
          expect(handed).toEqual(listed.items);
          if (listed.etag !== undefined) {
            const state = Number(listed.etag.slice(1));
            expect(listed.items).toEqual((states[state] ?? []).map((key) => `${key}@${state}`));
          }
          const keys = new Set(listed.items.map(keyOf));
          const always = (states[0] ?? []).filter((key) => states.every((state) => state.includes(key)));
          for (const key of always) expect(keys).toContain(key);
          if (tagged && new Set(listed.items.map(stateOf)).size > 1) expect(listed.etag).toBeUndefined();
        },
      ),
      { numRuns: 500 },
    );
  });

  it("asks the first page conditionally and held, the others neither", async () => {
    const list = new MovingList([[1, 2, 3, 4, 5]], [], true);
    await allPages({ etag: "old", waitSeconds: 45, signal }, list.page);
    expect(list.asked.map(({ etag, waitSeconds }) => [etag, waitSeconds])).toEqual([
      ["old", 45],
      [undefined, 0],
      [undefined, 0],
    ]);
  });

  it("says unchanged without asking for more when the first page is", async () => {
    const list = new MovingList([[1, 2, 3]], [], true);
    expect(await allPages({ etag: "e0", waitSeconds: 45, signal }, list.page)).toEqual({ unchanged: true });
    expect(list.asked).toHaveLength(1);
  });

  it("fails as a whole when any page fails", async () => {
    const list = new MovingList([[1, 2, 3, 4, 5]], [], true);
    const page: typeof list.page = (cursor, options) =>
      cursor === "4" ? Promise.reject(new Error("lost")) : list.page(cursor, options);
    await expect(allPages({ etag: undefined, waitSeconds: 0, signal }, page)).rejects.toThrow("lost");
  });
});
