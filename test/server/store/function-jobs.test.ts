import { expect, it } from "vitest";
import { isEnded, statesBefore } from "../../../server/domain/function-jobs.ts";
import { getHead } from "../../../server/store/change-sets.ts";
import {
  findFunctionJob,
  forgetFunctionJobs,
  listFunctionJobs,
  moveFunctionJob,
} from "../../../server/store/function-jobs.ts";
import { startFunctionJob } from "../../../server/store/start-job.ts";
import { jobStates } from "../../../src/contract/jobs.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";

it("a job moves on and never back: what has ended stays as it is", () => {
  for (const kind of ["management", "debug"] as const) {
    for (const state of jobStates.filter(isEnded))
      for (const next of jobStates) expect(statesBefore(next, kind)).not.toContain(state);
    expect(statesBefore("Pending", kind)).toEqual([]);
  }
  expect(statesBefore("Operating", "management")).toEqual(["Executing"]);
});

describeEngines("jobs of functions", (engine) => {
  const suite = suiteServer(engine);
  let world: World | undefined;
  const started = async (prototypeId: string) => {
    world ??= await createWorld(suite.server);
    const { store } = world.server;
    const { workspaceId, id: actor } = world.ada;
    const head = await getHead(store, workspaceId);
    const layer = { ...head, id: await world.changeSet() };
    const job = { kind: "management", componentId: store.id(), prototypeId, request: {}, actor } as const;
    const start = () => startFunctionJob(store, layer, job, {});
    return { store, layer, start, id: await start() };
  };

  it("run one at a time for a function and a component, again once the one before has ended", async () => {
    const { store, layer, start, id } = await started("01J0000000000000000000000P");
    await expect(start()).rejects.toMatchObject({ error: "managementRunning" });
    const over = { from: statesBefore("Failure", "management"), to: "Failure", failure: "no" } as const;
    expect(await moveFunctionJob(store, { id, layerId: layer.id }, over)).toBe(true);
    expect(await moveFunctionJob(store, { id, layerId: layer.id }, over)).toBe(false);
    expect(await findFunctionJob(store, id)).toMatchObject({ state: "Failure", failure: "no" });
    expect(await start()).not.toBe(id);
  });

  it("are forgotten when they ended long ago, never while they run", async () => {
    const { store, layer, id, start } = await started("01J0000000000000000000000Q");
    const over = { from: statesBefore("Failure", "management"), to: "Failure" } as const;
    await moveFunctionJob(store, { id, layerId: layer.id }, over);
    const next = await start();
    expect(await forgetFunctionJobs(store, 0)).toBe(0);
    await forgetFunctionJobs(store, Date.now() + 60_000);
    const filter = {
      limit: 10,
      cursor: undefined,
      componentId: undefined,
      kind: undefined,
      state: undefined,
    };
    expect((await listFunctionJobs(store, layer, filter)).map((job) => job.id)).toEqual([next]);
  });
});
