import { beforeAll, expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { bindFunctions } from "../../support/functions.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { eventually } from "../../support/until.ts";

describeEngines("a management job whose change set ends", (engine) => {
  const suite = suiteServer(engine, { worker: true });
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  const api = () => world.server.client(world.ada.key);

  /** A change set with a manager whose function makes three components after a while. */
  async function begin(milliseconds: number) {
    const changeSetId = await world.changeSet();
    const name = `manager ${changeSetId}`;
    const ops = { create: Object.fromEntries(["a", "b", "c"].map((key) => [`${key} ${changeSetId}`, {}])) };
    await bindFunctions(world.server, world.ada, changeSetId, "Machine", [
      {
        kind: "management",
        name: `build ${changeSetId}`,
        code: `async function main() {
          await new Promise((done) => setTimeout(done, ${milliseconds}));
          return { status: "ok", ops: ${JSON.stringify(ops)} };
        }`,
      },
    ]);
    const place = { workspaceId: world.ada.workspaceId, changeSetId };
    const componentId = await world.component(changeSetId, name);
    const body = { managementFunction: { function: `build ${changeSetId}` } };
    const start = () => api().managementJobs.execute({ ...place, componentId, body });
    const job = async (id: string) => {
      const row = suite.server.store.db.selectFrom("func_job").selectAll().where("id", "=", id);
      return row.executeTakeFirstOrThrow();
    };
    const ended = (id: string) =>
      eventually(async () => {
        const now = await job(id);
        return now.state === "Success" || now.state === "Failure" ? now : undefined;
      }, "the end of the job");
    const apply = async (): Promise<number> => {
      const path = `/v1/w/${place.workspaceId}/change-sets/${changeSetId}/force_apply`;
      return (await world.server.request("POST", path, { as: world.ada.key })).status;
    };
    /** How many of what it made the head has. */
    const arrived = async (): Promise<number> => {
      const head = { ...place, changeSetId: "HEAD" };
      const { componentDetails } = await api().components.list({ ...head, query: { limit: 300 } });
      return componentDetails.filter((one) => one.name !== name && one.name.includes(changeSetId)).length;
    };
    return { place, start, job, ended, apply, arrived };
  }

  const whileItRuns = async () => {
    const one = await begin(60_000);
    const { managementFuncJobStateId: id } = await one.start();
    const funcRunId = await eventually(async () => {
      const { state, func_run_id } = await one.job(id);
      return state === "Executing" ? (func_run_id ?? undefined) : undefined;
    }, "the function that takes long");
    const runState = async () =>
      (await api().functionRuns.get({ ...one.place, changeSetId: "HEAD", funcRunId })).funcRun.state;
    const killed = () =>
      eventually(async () => ((await runState()) === "Killed" ? true : undefined), "the end of its run");
    return { ...one, id, killed };
  };

  it("ends with an apply at once, says so, and leaves nothing", async () => {
    const { id, apply, ended, killed, arrived } = await whileItRuns();
    const applied = await eventually(async () => {
      const status = await apply();
      return status === 428 ? undefined : status;
    }, "the apply");
    expect(applied).toBe(200);
    expect(await ended(id)).toMatchObject({
      state: "Failure",
      failure: expect.stringMatching(/^the change set was applied before .* start it again in another/),
    });
    expect(await killed()).toBe(true);
    expect(await arrived()).toBe(0);
  });

  it("ends when the change set is abandoned", async () => {
    const { id, place, ended, killed } = await whileItRuns();
    await api().changeSets.abandon(place);
    expect(await ended(id)).toMatchObject({
      state: "Failure",
      failure: expect.stringContaining("abandoned before"),
    });
    expect(await killed()).toBe(true);
  });

  it("has done all or nothing, whenever the apply comes", async () => {
    for (const milliseconds of [0, 2, 5, 10, 20, 40, 80, 160]) {
      const { start, ended, apply, arrived } = await begin(milliseconds);
      const { managementFuncJobStateId: id } = await start();
      let status = 428;
      while (status === 428) status = await apply();
      expect(status).toBe(200);
      const { state, failure } = await ended(id);
      expect([state, await arrived()]).toEqual(state === "Success" ? ["Success", 3] : ["Failure", 0]);
      if (state === "Failure") expect(failure).toContain("the change set was applied before");
    }
  });
});
