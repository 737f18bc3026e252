import { beforeAll, expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { startTestServer, suiteServer } from "../../support/server.ts";
import { eventually } from "../../support/until.ts";
import { requestOf } from "../runs/running.ts";
import { layerIn } from "./component-inputs.ts";
import { functionRunScenarios } from "./function-runs.scenarios.ts";

const forever =
  "async function main() { console.log('here'); await new Promise((go) => setTimeout(go, 600_000)); }";

describeEngines("runs of functions", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });

  runScenarios(functionRunScenarios, () => world);

  it("are followed by one held request after the other: each line comes at once, and so does the end", async () => {
    const changeSetId = await world.changeSet();
    const code = `async function main() {
      for (const line of ["one", "two", "three"]) { console.log(line); await new Promise((go) => setTimeout(go, 60)); }
      return 7;
    }`;
    const run = world.server.runs.start(requestOf(await layerIn(world, changeSetId), code));
    await run.recorded;
    const path = `/v1/w/${world.ada.workspaceId}/change-sets/${changeSetId}/funcs/runs/${run.id}`;
    const seen: number[] = [];
    let etag = "";
    for (let isOver = false; !isOver; ) {
      const headers = { prefer: "wait=30", ...(etag === "" ? {} : { "if-none-match": etag }) };
      const answer = await world.server.request("GET", path, { as: world.ada.key, headers });
      expect(answer.status).toBe(200);
      const { funcRun } = answer.body as {
        funcRun: { logs: { finalized: boolean; logs: unknown[] } | null };
      };
      etag = answer.headers.get("etag") ?? "";
      seen.push(funcRun.logs?.logs.length ?? 0);
      isOver = funcRun.logs?.finalized === true;
    }
    expect(seen.at(-1)).toBe(3);
    expect(seen.length).toBeGreaterThanOrEqual(3);
    const unchanged = await world.server.request("GET", path, {
      as: world.ada.key,
      headers: { "if-none-match": etag },
    });
    expect(unchanged.status).toBe(304);
  });

  it("leave the change set's own tag alone with a line, and move it with a state", async () => {
    const changeSetId = await world.changeSet();
    const layer = await layerIn(world, changeSetId);
    const path = `/v1/w/${layer.workspaceId}/change-sets/${changeSetId}/funcs/runs`;
    const tag = async () =>
      (await world.server.request("GET", path, { as: world.ada.key })).headers.get("etag");
    const before = await tag();
    const run = world.server.runs.start(requestOf(layer, forever));
    await run.recorded;
    expect(await tag()).not.toBe(before);
    world.server.runs.cancel([run.id]);
    await run.ended;
  });

  it.skipIf(engine.name === "SQLite")(
    "are shown, followed and ended by every process of a database",
    async () => {
      const other = await startTestServer(engine, { beside: suite.server });
      const layer = await layerIn(world, await world.changeSet());
      const run = world.server.runs.start(requestOf(layer, forever));
      await run.recorded;
      const { functionRuns } = other.client(world.ada.key);
      const place = { workspaceId: layer.workspaceId, changeSetId: layer.id, funcRunId: run.id };
      await eventually(async () => (await functionRuns.get(place)).funcRun.logs ?? undefined);
      expect(await functionRuns.cancel(place)).toEqual({ success: true });
      expect((await run.ended).verdict.state).toBe("Killed");
      expect((await functionRuns.get(place)).funcRun.state).toBe("Killed");
      await other.stop();
    },
  );
});
