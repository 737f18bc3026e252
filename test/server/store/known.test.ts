import fc from "fast-check";
import { expect, it } from "vitest";
import { putRows } from "../../../server/store/component-rows.ts";
import { createDefinitionCache } from "../../../server/store/definition-cache.ts";
import { type Readers, readersFrom } from "../../../server/store/edges.ts";
import { knownReaders } from "../../../server/store/known-readers.ts";
import { OwnStamps } from "../../../server/store/own-stamps.ts";
import { layerStamps } from "../../../server/store/stamps.ts";
import { putSubs } from "../../../server/store/subs.ts";
import type { ComponentTable, SubTable } from "../../../server/store/tables.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";

const ids = ["A", "B", "C", "D"];

const setting: fc.Arbitrary<Omit<SubTable, "layer" | "func" | "base">> = fc.record({
  subscriber: fc.constantFrom(...ids),
  to_path: fc.constantFrom("/domain/in", "/domain/tags/a b", "/domain/tags/a%20b"),
  source: fc.constantFrom(...ids, null),
  from_path: fc.constantFrom("/domain/out", "/domain/a b", null),
});
const settings = fc.uniqueArray(setting, {
  maxLength: 8,
  selector: ({ subscriber, to_path }) => `${subscriber} ${to_path}`,
});

const edgesOf = (readers: readonly Readers[]): string[] =>
  readers
    .flatMap(({ source, from_path, subscribers, places }) =>
      subscribers.map((subscriber, at) => `${subscriber} ${places[at]} reads ${source} ${from_path}`),
    )
    .sort();

const rowOf = (layer: string, id: string, graph: number, value: number): ComponentTable => ({
  layer,
  id,
  op: value % 2 === 0 ? "calc" : "edit",
  hash: value === 0 ? null : `hash${value}`,
  edit_rev: value % 2 === 0 ? graph : 1,
  base_rev: 0,
  to_delete: 0,
  name: value === 3 ? null : ` n %20 ${value}`,
  named: 0,
  schema_id: null,
  variant_id: value === 5 ? "v" : null,
  item: null,
  settings: null,
  vals: null,
  row_rev: graph,
  search_seal: null,
});

type Step =
  | { readonly does: "look" }
  | { readonly does: "put" | "pass"; readonly rows: readonly (readonly [string, number])[] }
  | { readonly does: "remove" | "drop"; readonly id: string };
const rows = fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.nat(6)), { selector: ([id]) => id });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant("look" as const) }),
  fc.record({ does: fc.constantFrom("put" as const, "pass" as const), rows }),
  fc.record({ does: fc.constantFrom("remove" as const, "drop" as const), id: fc.constantFrom(...ids) }),
);

describeEngines("what is known from one pass to the next", (engine) => {
  const suite = suiteStore(engine);

  it("are the readers that a look at the database finds, in the head and in change sets", async () => {
    const { store } = suite;
    await fc.assert(
      fc.asyncProperty(settings, settings, settings, async (head, one, other) => {
        const headId = store.id();
        const layers = [headId, store.id(), store.id()].map((id) => ({ id, headId, workspaceId: "w" }));
        const said = [head, one, other].flatMap((all, at) =>
          all.map((row): SubTable => ({ ...row, layer: layers[at]?.id ?? "", func: null, base: null })),
        );
        await store.write((tx) => putSubs(tx, said));
        const memory = createDefinitionCache().head(headId, 1);
        for (const sources of [["A"], ["A", "B"], ids]) {
          for (const layer of layers) {
            const known = await (await knownReaders(store, layer, memory))(sources);
            expect(edgesOf(known)).toEqual(edgesOf(await readersFrom(store, layer, sources)));
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are the readers, however much a change set says itself", async () => {
    const { store } = suite;
    const headId = store.id();
    const layer = { id: store.id(), headId, workspaceId: "w" };
    const readerIn = (layerId: string, at: number, source: string): SubTable => ({
      layer: layerId,
      subscriber: `reader-${at}`,
      to_path: "/domain/in",
      source,
      from_path: "/domain/out",
      func: null,
      base: null,
    });
    const all = Array.from({ length: 100 }, (_, at) => at);
    await store.write((tx) =>
      putSubs(tx, [
        ...all.map((at) => readerIn(headId, at, "A")),
        ...all.slice(30).map((at) => readerIn(layer.id, at, "B")),
      ]),
    );
    const known = await knownReaders(store, layer, createDefinitionCache().head(headId, 1));
    expect(edgesOf(await known(["A"]))).toHaveLength(30);
    expect(edgesOf(await known(["B"]))).toHaveLength(70);
  });

  it("are the stamps of a change set's rows, whoever writes and removes them", async () => {
    const { store } = suite;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.constantFrom(1, 2, 3, 100),
        async (steps, limit) => {
          const layer = store.id();
          const own = new OwnStamps(layer, limit);
          let graph = 0;
          const look = async (): Promise<void> => {
            const found = await own.find(store, graph, ids);
            const stored = await layerStamps(store, layer, ids);
            expect(ids.map((id) => found.get(id))).toEqual(ids.map((id) => stored.get(id)));
          };
          const write = async (
            written: readonly ComponentTable[],
            gone: readonly string[],
          ): Promise<void> => {
            await store.write(async (tx) => {
              await putRows(tx, written);
              for (const id of gone) {
                await tx.db.deleteFrom("component").where("layer", "=", layer).where("id", "=", id).execute();
              }
            });
            graph++;
          };
          for (const one of steps) {
            if (one.does === "look") await look();
            const isPass = one.does === "pass" || one.does === "drop";
            if (isPass) await look();
            const written =
              "rows" in one ? one.rows.map(([id, value]) => rowOf(layer, id, graph + 1, value)) : [];
            const dropped = "id" in one ? [one.id] : [];
            if (one.does !== "look") await write(written, dropped);
            if (isPass) own.wrote({ graph, written, dropped });
          }
          await look();
        },
      ),
      { numRuns: 150 },
    );
  });

  it("are the stamps that are asked for, of a change set with many rows", async () => {
    const { store } = suite;
    const layer = store.id();
    const own = new OwnStamps(layer);
    const many = Array.from({ length: 2_001 }, (_, at) => `C${at}`);
    await store.write((tx) =>
      putRows(
        tx,
        many.map((id) => rowOf(layer, id, 1, 2)),
      ),
    );
    expect([...(await own.find(store, 1, ["C1", "C2000", "D"])).keys()].sort()).toEqual(["C1", "C2000"]);
    await store.write(async (tx) => {
      await tx.db.deleteFrom("component").where("layer", "=", layer).where("id", "=", "C1").execute();
    });
    expect((await own.find(store, 2, many)).size).toBe(2_000);
    expect((await own.find(store, 2, ["C1"])).has("C1")).toBe(false);
  });
});
