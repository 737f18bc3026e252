import { expect, it } from "vitest";
import { lockLayer } from "../../../server/store/layer.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { change, newChangeSet, newWorkspace } from "./model.ts";

describeEngines("the numbers of a layer, for those who write in it at the same time", (engine) => {
  const suite = suiteStore(engine);
  const world = async () => {
    const { store } = suite;
    const layer = await newChangeSet(store, await newWorkspace(store));
    const row = () =>
      store.db
        .selectFrom("change_set")
        .select(["rev", "graph_rev"])
        .where("id", "=", layer.id)
        .executeTakeFirstOrThrow();
    /** Writes, or fails to, and tells the number it was given. */
    const write = (fails = false) =>
      change(store, layer, async (one) => {
        one.saved();
        if (fails) throw new Error("refused");
        return one.layer.graphRev;
      });
    /** What whoever is not one of them finds in the row, and takes for itself. */
    const lock = (fails = false) =>
      store.write(async (tx) => {
        const found = await tx.db
          .selectFrom("change_set")
          .select("graph_rev")
          .where("id", "=", layer.id)
          .executeTakeFirstOrThrow();
        const { graphRev } = await lockLayer(tx, layer.id);
        if (fails) throw new Error("refused");
        return [found.graph_rev, graphRev];
      });
    return { before: await row(), row, write, lock };
  };

  it("are given one after the other, and stand in its row", async () => {
    const { before, row, write } = await world();
    const given = await Promise.all([write(), write(), write(), write()]);
    const first = before.graph_rev + 1;
    expect([...given].sort((a, b) => a - b)).toEqual([first, first + 1, first + 2, first + 3]);
    expect(await row()).toEqual({ rev: before.rev + 4, graph_rev: before.graph_rev + 4 });
  });

  it("are not used up by who fails", async () => {
    const { before, row, write } = await world();
    const ends = await Promise.allSettled([write(true), write(), write(true), write(), write(true)]);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await row()).toEqual({ rev: before.rev + 2, graph_rev: before.graph_rev + 2 });
  });

  it("are found in the row by every other writer, also after one that failed", async () => {
    const { before, row, write, lock } = await world();
    const given = before.graph_rev;
    const all = [write(), write(), lock(true), write(), lock(), write(), write()];
    const ends = (await Promise.allSettled(all)).map((end) =>
      end.status === "fulfilled" ? end.value : "failed",
    );
    // On PostgreSQL they come in any order.
    if (engine.name === "SQLite") {
      expect(ends).toEqual([
        given + 1,
        given + 2,
        "failed",
        given + 3,
        [given + 3, given + 4],
        given + 5,
        given + 6,
      ]);
    }
    expect(await row()).toEqual({ rev: before.rev + 6, graph_rev: given + 6 });
  });
});
