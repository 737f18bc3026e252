import { expect, it } from "vitest";
import { findStoredRun } from "../../../server/store/func-run-reads.ts";
import { forgetRunCode, forgetRuns } from "../../../server/store/func-run-sweep.ts";
import type { Layer } from "../../../server/store/layer.ts";
import type { Store } from "../../../server/store/open.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { headOf, newChangeSet, newWorkspace } from "../store/model.ts";
import { functionOf, requestOf, runsOn, suiteSandbox } from "./running.ts";

describeEngines("forgetting runs", (engine) => {
  const suite = suiteStore(engine);
  const own = suiteSandbox();
  const begin = async () => {
    const { store } = suite;
    const workspace = await newWorkspace(store);
    const layer = await newChangeSet(store, workspace);
    const runs = runsOn(store, own.sandbox);
    const made = async (
      count: number,
      where: Layer,
      componentId: string | undefined,
      code = "function main() {}",
    ) => {
      const ids: string[] = [];
      for (let index = 0; index < count; index++) {
        const component =
          componentId === undefined ? {} : { component: { id: componentId, name: "c", schemaName: "S" } };
        const judge = () => ({ state: "Success", result: null }) as const;
        const request = requestOf(where, code, { func: functionOf(code), judge, ...component });
        const run = runs.start(request);
        await run.ended;
        ids.push(run.id);
      }
      return ids;
    };
    return { store, workspace, layer, runs, made };
  };
  const kept = async (store: Store, layer: Layer, ids: readonly string[]): Promise<boolean[]> =>
    Promise.all(ids.map(async (id) => (await findStoredRun(store, layer.workspaceId, id)) !== undefined));
  const later = (): number => systemClock.now() + 1_000;
  const all = (count: number, value: boolean): boolean[] => Array.from({ length: count }, () => value);

  it("keeps the newest ten of a function on a component, and everything that is young", async () => {
    const { store, layer, made, runs } = await begin();
    const [own, other, none] = [
      await made(13, layer, "A"),
      await made(3, layer, "B"),
      await made(11, layer, undefined),
    ];
    await forgetRuns(store, 0);
    expect(await kept(store, layer, own)).toEqual(all(13, true));
    expect(await forgetRuns(store, later())).toBe(4);
    expect(await kept(store, layer, own)).toEqual([...all(3, false), ...all(10, true)]);
    expect(await kept(store, layer, other)).toEqual(all(3, true));
    expect(await kept(store, layer, none)).toEqual([false, ...all(10, true)]);
    await runs.close();
  });

  it("counts those of applied change sets as the head's, and keeps none of deleted ones", async () => {
    const { store, workspace, layer, made, runs } = await begin();
    const deleted = await newChangeSet(store, workspace);
    const before = await made(6, layer, "A");
    const since = await made(6, headOf(workspace), "A");
    const gone = await made(2, deleted, "A");
    await store.write(async (tx) => {
      await tx.db.updateTable("change_set").set({ status: "Applied" }).where("id", "=", layer.id).execute();
      await tx.db.updateTable("change_set").set({ deleted_at: 1 }).where("id", "=", deleted.id).execute();
    });
    expect(await forgetRuns(store, later())).toBe(4);
    expect(await kept(store, layer, before)).toEqual([false, false, ...all(4, true)]);
    expect(await kept(store, layer, since)).toEqual(all(6, true));
    expect(await kept(store, layer, gone)).toEqual([false, false]);
    await runs.close();
  });

  it("leaves no line of a log, and no code that nothing runs any more", async () => {
    const { store, layer, made, runs } = await begin();
    const code = "function main() { console.log('line of it'); /* once */ }";
    const [first = ""] = await made(1, layer, "L", code);
    const codes = () => store.db.selectFrom("func_code").select("hash").where("code", "=", code).execute();
    await forgetRunCode(store, later());
    expect(await codes()).toHaveLength(1);
    await made(10, layer, "L");
    await forgetRuns(store, later());
    expect(await kept(store, layer, [first])).toEqual([false]);
    expect(await store.db.selectFrom("func_log").selectAll().where("run_id", "=", first).execute()).toEqual(
      [],
    );
    await forgetRunCode(store, 0);
    expect(await codes()).toHaveLength(1);
    await forgetRunCode(store, later());
    expect(await codes()).toEqual([]);
    await runs.close();
  });
});
