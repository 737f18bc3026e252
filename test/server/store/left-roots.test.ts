import { expect, it } from "vitest";
import { hasRoots, listRoots } from "../../../server/store/roots.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { change, newChangeSet, newWorkspace } from "./model.ts";

describeEngines("roots that writers leave", (engine) => {
  const suite = suiteStore(engine);
  const world = async () => {
    const { store } = suite;
    const layer = await newChangeSet(store, await newWorkspace(store));
    const leave = (component: string, fails = false) =>
      change(store, layer, async ({ roots, saved }) => {
        roots.add(component);
        saved();
        if (fails) throw new Error("refused");
      });
    const job = () =>
      store.db
        .selectFrom("job")
        .select("wanted")
        .where("key", "=", `propagate:${layer.id}`)
        .executeTakeFirst();
    return { store, layer, leave, job };
  };

  it("are those of everybody who succeeded, and one job works them off", async () => {
    const { store, layer, leave, job } = await world();
    const all = ["a", "b", "c", "d", "e"];
    await Promise.allSettled(all.map((component) => leave(component, component === "c")));
    expect((await listRoots(store, layer.id)).sort()).toEqual(["a", "b", "d", "e"]);
    expect(await job()).toBeDefined();
  });

  it("are seen by whoever comes after, and stay where that one fails", async () => {
    const { store, layer, leave } = await world();
    const seen: boolean[] = [];
    const looks = (fails: boolean) =>
      store.write(async (tx) => {
        seen.push(await hasRoots(tx, layer.id));
        if (fails) throw new Error("refused");
      });
    // In one commit where there is one for several.
    const outcomes = await Promise.allSettled([leave("a"), looks(true), leave("b"), looks(false)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    if (engine.name === "SQLite") expect(seen).toEqual([true, true]);
    expect((await listRoots(store, layer.id)).sort()).toEqual(["a", "b"]);
  });

  it("go with a change set that is taken away in the same commit", async () => {
    const { store, layer, leave } = await world();
    await Promise.all([
      leave("a"),
      store.write(async (tx) => {
        await tx.db.deleteFrom("root").where("layer", "=", layer.id).execute();
      }),
    ]);
    if (engine.name === "SQLite") expect(await hasRoots(store, layer.id)).toBe(false);
  });
});
