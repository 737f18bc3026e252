import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ActionView } from "../../src/contract/actions.ts";
import type { JobView } from "../../src/contract/jobs.ts";
import { callThroughDaemon, readThroughDaemon } from "../../src/ipc/connect.ts";
import type { ListHealth } from "../../src/ipc/contract.ts";
import { TestDaemon } from "../support/daemon.ts";
import {
  type Ability,
  headId,
  ScriptedServer,
  scriptedRun,
  workspaceId,
} from "../support/scripted-server.ts";

const runs = `functionRuns/${headId}`;
const jobs = `jobs/${headId}`;
const idOf = (serial: number): string => `01JRVN0000000000000000${String(serial).padStart(4, "0")}`;
const runId = idOf(1);
const jobId = "01JJBX00000000000000000001";

const action: ActionView = {
  id: "01JACT00000000000000000001",
  kind: "Create",
  name: "create network",
  state: "Running",
  prototypeId: "01JPRT00000000000000000001",
  originatingChangeSetId: headId,
  componentId: null,
  funcRunId: runId,
};
const job: JobView = {
  id: jobId,
  kind: "management",
  state: "Pending",
  functionName: "importSubnets",
  componentId: "01A0",
  componentName: "web",
  funcRunId: null,
  failure: null,
  actor: "ana",
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString(),
};

describe("runs and jobs", () => {
  let server: ScriptedServer;
  let daemon: TestDaemon;
  const setUp = async (listing: boolean, ability: Ability = "holds"): Promise<void> => {
    server = new ScriptedServer(ability);
    server.listing = listing;
    await server.start();
    daemon = await TestDaemon.at(server.url, server.key);
    server.setComponent(headId, "01A0", "web");
  };
  beforeEach(() => setUp(false));
  afterEach(async () => {
    await daemon.remove();
    await server.stop();
  });
  const restart = async (listing: boolean, ability?: Ability): Promise<void> => {
    await daemon.remove();
    await server.stop();
    await setUp(listing, ability);
  };

  const items = async (list: string): Promise<ReadonlyMap<string, unknown>> =>
    (await daemon.read()).lists.get(list) ?? new Map();
  const health = async (list: string): Promise<ListHealth | undefined> =>
    (await daemon.status()).lists.find(({ resource }) => resource === list);
  const isIn = async (list: string, id: string, state: string): Promise<boolean> =>
    JSON.stringify((await items(list)).get(id) ?? {}).includes(`"state":"${state}"`);
  const setRun = (id: string, state: string): void =>
    server.edit(() => server.runs.set(id, scriptedRun(id, state)));
  const asked = (part: string): number => server.requests.filter((request) => request.includes(part)).length;
  const missing = (): Promise<void> =>
    daemon.eventually(async () => (await health(runs))?.note !== undefined, "a server without lists");

  it.each(["holds", "tags", "plain"] as const)(
    "are mirrored from their lists, with a server of this kind: %s",
    async (ability) => {
      await restart(true, ability);
      setRun(runId, "Running");
      server.jobs.set(jobId, job);
      await daemon.start();
      await daemon.eventually(() => isIn(runs, runId, "Running"));
      await daemon.eventually(() => isIn(jobs, jobId, "Pending"));
      setRun(runId, "Success");
      await daemon.eventually(() => isIn(runs, runId, "Success"));
      expect(asked(`/runs/${runId}`)).toBe(0);
      const told = [...(await items("events")).values()].map((event) => JSON.stringify(event));
      expect(told.filter((event) => event.includes("functionRuns"))).toEqual([]);
    },
  );

  it("an action's run is asked for by its id until it has ended, where the server lists none", async () => {
    setRun(runId, "Running");
    server.actions.set(headId, [action]);
    await daemon.start();
    await daemon.eventually(() => isIn(runs, runId, "Running"));
    expect(await health(runs)).toMatchObject({
      failures: 0,
      error: null,
      note: "not offered by this server",
    });
    expect(JSON.stringify((await items(runs)).get(runId))).not.toContain("functionCodeBase64");
    setRun(runId, "Success");
    await daemon.eventually(() => isIn(runs, runId, "Success"));
    const before = asked(`/runs/${runId}`);
    await daemon.clock.advance(120_000);
    expect(asked(`/runs/${runId}`)).toBe(before);
  });

  it("one that begins later is learnt from what comes later", async () => {
    await daemon.start();
    await missing();
    server.runs.set(runId, scriptedRun(runId, "Running"));
    server.edit(() => server.actions.set(headId, [action]));
    await daemon.eventually(() => isIn(runs, runId, "Running"));
  });

  it("what components tell of their functions is learnt, the newest 100 and no more", async () => {
    const history = Array.from({ length: 130 }, (_, serial) => {
      server.runs.set(idOf(serial), scriptedRun(idOf(serial), "Success"));
      return { funcRunId: idOf(serial), startedAt: new Date(0).toISOString(), state: "Success" };
    });
    server.edit(({ components }) => {
      components.get(headId)?.set("01A0", {
        componentId: "01A0",
        name: "web",
        schemaName: "Test",
        qualificationFunctions: [{ functionName: "check", executionHistory: history }],
      });
    });
    await daemon.start();
    await daemon.eventually(async () => (await items(runs)).size === 100);
    expect([...(await items(runs)).keys()].sort()[0]).toBe(idOf(30));
    const before = asked("/funcs/runs/");
    expect(before).toBe(100);
    await daemon.clock.advance(120_000);
    expect(asked("/funcs/runs/")).toBe(before);
  });

  it("without news one is asked for less and less, and never more than once in 15 s at last", async () => {
    setRun(runId, "Running");
    server.actions.set(headId, [action]);
    await daemon.start();
    await daemon.eventually(() => isIn(runs, runId, "Running"));
    await daemon.clock.advance(120_000);
    const before = asked(`/runs/${runId}`);
    await daemon.clock.advance(60_000);
    const more = asked(`/runs/${runId}`) - before;
    expect(more).toBeGreaterThanOrEqual(3);
    expect(more).toBeLessThanOrEqual(5);
  });

  it("a job that a reader starts through the daemon is followed with the run of its function", async () => {
    await daemon.start();
    await missing();
    server.jobs.set(jobId, job);
    await callThroughDaemon(daemon.client, "managementJobs.execute", {
      workspaceId,
      changeSetId: "HEAD",
      componentId: "01A0",
      body: { managementFunction: { function: "importSubnets" } },
    });
    await daemon.eventually(() => isIn(jobs, jobId, "Pending"));
    expect((await items(jobs)).get(jobId)).toMatchObject({
      kind: "management",
      functionName: "importSubnets",
      componentId: "01A0",
    });
    server.runs.set(runId, scriptedRun(runId, "Running"));
    server.edit(() => server.jobs.set(jobId, { ...job, state: "Executing", funcRunId: runId }));
    await daemon.eventually(() => isIn(runs, runId, "Running"));
    setRun(runId, "Success");
    server.edit(() => server.jobs.set(jobId, { ...job, state: "Success", funcRunId: runId }));
    await daemon.eventually(() => isIn(jobs, jobId, "Success"));
  });

  it("one that a reader names is found, whatever it is, and followed where the server does not list it", async () => {
    await daemon.start();
    await missing();
    setRun(runId, "Running");
    server.jobs.set(jobId, job);
    const track = (id: string) => daemon.client.daemon.track({ body: { changeSetId: "HEAD", id } });
    expect(await track(runId)).toEqual({ kind: "run", state: "Running", list: runs, tracked: true });
    expect(await track(jobId)).toMatchObject({ kind: "managementJob", tracked: true });
    await expect(track(idOf(99))).rejects.toThrow(/no run and no job/);
    setRun(runId, "Killed");
    await daemon.eventually(() => isIn(runs, runId, "Killed"));
    expect(await track(runId)).toMatchObject({ state: "Killed", tracked: false });
    await restart(true);
    setRun(runId, "Running");
    await daemon.start();
    await daemon.eventually(() => isIn(runs, runId, "Running"));
    expect(await track(runId)).toMatchObject({ tracked: false });
  });

  it("one that is gone is asked for no more, and one that fails is asked for again", async () => {
    server.actions.set(headId, [{ ...action, funcRunId: idOf(7) }]);
    await daemon.start();
    await daemon.eventually(() => asked(`/runs/${idOf(7)}`) === 1);
    await daemon.clock.advance(50_000);
    expect(asked(`/runs/${idOf(7)}`)).toBe(1);
    setRun(runId, "Running");
    server.edit(() => server.actions.set(headId, [action]));
    await daemon.eventually(() => isIn(runs, runId, "Running"));
    await server.stop();
    await daemon.eventually(async () => (await daemon.status()).server.state === "offline");
    expect(await isIn(runs, runId, "Running")).toBe(true);
    setRun(runId, "Failure");
    await server.start();
    await daemon.eventually(() => isIn(runs, runId, "Failure"));
  });

  it("survive a restart of the daemon: what had not ended is asked for again", async () => {
    setRun(runId, "Running");
    server.actions.set(headId, [action]);
    await daemon.start();
    await daemon.eventually(() => isIn(runs, runId, "Running"));
    await daemon.stop();
    server.actions.set(headId, []);
    setRun(runId, "Success");
    await daemon.start();
    await daemon.eventually(() => isIn(runs, runId, "Success"));
  });

  it("a reader may have one read held until it has news, and its leaving ends that", async () => {
    await restart(true);
    setRun(runId, "Running");
    await daemon.start();
    await daemon.eventually(() => isIn(runs, runId, "Running"));
    const read = (etag: string | undefined, signal?: AbortSignal) =>
      readThroughDaemon(
        daemon.client,
        "functionRuns.get",
        { workspaceId, changeSetId: headId, funcRunId: runId },
        { etag, waitSeconds: 30, ...(signal === undefined ? {} : { signal }) },
      );
    const first = await read(undefined);
    if (first.unchanged) throw new Error("expected a run");
    await daemon.eventually(() => server.held === 2);
    const leaving = new AbortController();
    const left = read(first.etag, leaving.signal).catch(() => "left");
    await daemon.eventually(() => server.held === 3);
    leaving.abort();
    expect(await left).toBe("left");
    await daemon.eventually(() => server.held === 2);
    const held = read(first.etag);
    await daemon.eventually(() => server.held === 3);
    setRun(runId, "Success");
    expect(await held).toMatchObject({ unchanged: false, body: { funcRun: { state: "Success" } } });
    expect(daemon.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});
