import { describe, expect, it } from "vitest";
import { actionVerdict } from "../../../server/jobs/action-verdict.ts";
import { createHandlers } from "../../../server/jobs/handlers.ts";
import { VariantCache } from "../../../server/read/variants.ts";
import type { EndedRun, FunctionRuns, RunRequest } from "../../../server/runs/runs.ts";
import type { RunOutcome } from "../../../server/sandbox/outcome.ts";
import { leftBehind } from "../../../server/store/func-runs.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import type { Log } from "../../../src/lib/log.ts";
import { describeEngines, engines } from "../../support/engines.ts";
import { postgresMissing } from "../../support/postgres.ts";
import { startTestServer, suiteServer, type TestServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";
import { actingOn } from "./acting.ts";

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, with: () => silent };

/** The jobs of a process, to be run by hand. */
function jobsOf({ store, keys, runs }: TestServer, others: { readonly runs?: FunctionRuns } = {}) {
  const context = {
    store,
    keys,
    runs,
    clock: systemClock,
    log: silent,
    variants: new VariantCache(),
    ...others,
  };
  const handlers = createHandlers(context);
  return async (kind: string, subject: string, lost = new AbortController().signal): Promise<void> =>
    handlers.get(kind)?.(subject, lost);
}

/** Runs that end as the test says, when it says so. */
function scripted() {
  const started: { readonly request: RunRequest; readonly end: (outcome: RunOutcome) => void }[] = [];
  const runs: FunctionRuns = {
    start: (request) => {
      const id = request.id ?? "";
      const ended = new Promise<EndedRun>((resolve) => {
        const end = (outcome: RunOutcome): void =>
          resolve({ id, began: outcome.ended !== "refused", outcome, verdict: request.judge(outcome, id) });
        started.push({ request, end });
      });
      return { id, recorded: Promise.resolve(), ended };
    },
    cancel: () => {},
    close: () => Promise.resolve(),
  };
  return { runs, started };
}

describeEngines("an action", (engine) => {
  const suite = suiteServer(engine);

  /** Somebody whose component "a" waits to be created, dispatched already. */
  const dispatched = async (labels = {}) => {
    const { server } = suite;
    const acting = await actingOn(server);
    const { ada } = acting.world;
    const changeSetId = await acting.changeSet();
    const componentId = await acting.component(changeSetId, "a", { "/domain/labels": labels });
    await server.apply(ada, changeSetId);
    const { head_id: headId } = await server.store.db
      .selectFrom("change_set")
      .select("head_id")
      .where("id", "=", changeSetId)
      .executeTakeFirstOrThrow();
    const [action] = await acting.actions();
    await jobsOf(server)("dispatch", headId);
    const state = async () => (await acting.actions()).map(({ kind, state: now }) => `${kind} ${now}`);
    const hasResource = async () =>
      (
        await server.request(
          "GET",
          `/v1/w/${ada.workspaceId}/change-sets/HEAD/components/${componentId}/resource`,
          { as: ada.key },
        )
      ).status === 200;
    return { ...acting, server, headId, actionId: action?.id ?? "", state, hasResource };
  };
  /** What a process does before the function begins, and then it is gone. */
  const begun = (server: TestServer, actionId: string, runId: string | null) =>
    server.store.write(({ db }) =>
      db
        .updateTable("action")
        .set({ state: "Running", func_run_id: runId })
        .where("id", "=", actionId)
        .execute(),
    );

  it("that is dispatched has a job of its own, which runs it", async () => {
    const { server, actionId, state, ran, hasResource } = await dispatched();
    expect(await state()).toEqual(["Create Dispatched"]);
    await jobsOf(server)("action", actionId);
    expect(await state()).toEqual(["Refresh Pending"]);
    expect(await ran()).toEqual(["Create a Success"]);
    expect(await hasResource()).toBe(true);
    await jobsOf(server)("action", actionId);
    expect(await ran()).toHaveLength(1);
  });

  it("whose process is gone has failed, and its function never begins again by itself", async () => {
    const { server, actionId, state, ran, client, head, headId } = await dispatched();
    await begun(server, actionId, server.store.id());
    await jobsOf(server)("action", actionId);
    expect(await state()).toEqual(["Create Failed"]);
    await jobsOf(server)("action", actionId);
    await jobsOf(server)("dispatch", headId);
    expect(await state()).toEqual(["Create Failed"]);
    expect(await ran()).toEqual([]);
    const { events } = await client.events.list({ workspaceId: head.workspaceId, query: { limit: 300 } });
    expect(events.at(-1)).toMatchObject({
      kind: "action.failed",
      subject: actionId,
      actor: { id: "server", name: null },
      data: { name: "create", kind: "Create", reason: leftBehind },
    });
    await client.actions.retry({ ...head, actionId });
    await jobsOf(server)("dispatch", headId);
    await jobsOf(server)("action", actionId);
    expect(await ran()).toEqual(["Create a Success"]);
  });

  it("whose process is gone after its function ended does to the head what was returned", async () => {
    const { server, actionId, state, hasResource, head, world } = await dispatched();
    const func = { id: server.store.id(), name: "create", kind: "Action", handler: "main" } as const;
    const rest = {
      displayName: null,
      description: null,
      link: null,
      isLocked: true,
      isTransformation: false,
    };
    const layer = { id: head.changeSetId, headId: head.changeSetId, workspaceId: world.ada.workspaceId };
    const run = server.runs.start({
      layer,
      func: {
        ...func,
        ...rest,
        arguments: [],
        code: 'function main() { return { status: "ok", payload: { made: true } }; }',
      },
      input: {},
      judge: actionVerdict,
    });
    await run.ended;
    await begun(server, actionId, run.id);
    await jobsOf(server)("action", actionId);
    expect(await state()).toEqual(["Refresh Pending"]);
    expect(await hasResource()).toBe(true);
  });

  it("that was given up on stays failed, whatever its function returns later", async () => {
    const { server, actionId, state, hasResource } = await dispatched();
    const { runs, started } = scripted();
    const running = jobsOf(server, { runs })("action", actionId);
    await until(() => started.length === 1);
    expect(await state()).toEqual(["Create Running"]);
    await jobsOf(server)("action", actionId);
    expect(await state()).toEqual(["Create Failed"]);
    started[0]?.end({ ended: "ok", value: { status: "ok", payload: { late: true } } });
    await running;
    expect(await state()).toEqual(["Create Failed"]);
    expect(await hasResource()).toBe(false);
  });

  it("is in the database as running, with its run, before its function begins", async () => {
    const { server, actionId, actions } = await dispatched();
    const { runs, started } = scripted();
    const running = jobsOf(server, { runs })("action", actionId);
    await until(() => started.length === 1);
    const request = started[0]?.request;
    expect(request?.recordFirst).toBe(true);
    expect(await actions()).toMatchObject([{ state: "Running", funcRunId: request?.id }]);
    expect(request?.input).toMatchObject({ properties: { si: { name: "a" }, domain: { region: "eu-1" } } });
    started[0]?.end({ ended: "threw", name: "Error", message: "x" });
    await running;
  });

  it("fails when its run is cancelled", async () => {
    const { server, actionId, state, inState } = await dispatched({ create: "wait" });
    const running = jobsOf(server)("action", actionId);
    const { funcRunId } = await inState("Create", "Running");
    await until(async () => (await runState(server, funcRunId)) === "Running");
    server.runs.cancel([funcRunId ?? ""]);
    await running;
    expect(await state()).toEqual(["Create Failed"]);
    expect(await runState(server, funcRunId)).toBe("Killed");
  });

  it("that had not begun when the process stopped is carried out by the next one", async () => {
    const { server, actionId, state, ran } = await dispatched();
    const { runs, started } = scripted();
    const stopping = new AbortController();
    const running = jobsOf(server, { runs })("action", actionId, stopping.signal);
    await until(() => started.length === 1);
    stopping.abort();
    started[0]?.end({ ended: "refused", message: "the server is stopping" });
    await running;
    expect(await state()).toEqual(["Create Dispatched"]);
    await jobsOf(server)("action", actionId);
    expect(await ran()).toEqual(["Create a Success"]);
  });

  it("fails where its function is no longer bound", async () => {
    const { server, actionId, state } = await dispatched();
    await server.store.write(({ db }) => db.deleteFrom("entity").where("kind", "=", "binding").execute());
    await jobsOf(server)("action", actionId);
    expect(await state()).toEqual(["Create Failed"]);
  });
});

const defined = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error("expected something");
  return value;
};

const runState = async ({ store }: TestServer, runId: string | null | undefined) =>
  (
    await store.db
      .selectFrom("func_run")
      .select("state")
      .where("id", "=", runId ?? "")
      .executeTakeFirst()
  )?.state;

describe.skipIf(postgresMissing !== undefined)("actions and several processes", () => {
  const engine = defined(engines.find(({ name }) => name === "PostgreSQL"));
  const suite = suiteServer(engine);

  it("run once each, however many processes there are", async () => {
    const others = await Promise.all(
      [1, 2].map(() => startTestServer(engine, { beside: suite.server, worker: true })),
    );
    const { component, changeSet, apply, settled, ran } = await actingOn(suite.server);
    const changeSetId = await changeSet();
    const names = Array.from({ length: 8 }, (_, index) => `c${index}`);
    for (const name of names) await component(changeSetId, name);
    await apply(changeSetId);
    expect(await settled()).toEqual([]);
    const expected = names.flatMap((name) => [`Create ${name} Success`, `Refresh ${name} Success`]);
    expect((await ran()).sort()).toEqual(expected.sort());
    for (const other of others) await other.stop();
  });

  it("fail when their process stops, and go on with another one", async () => {
    const first = await startTestServer(engine, { beside: suite.server, worker: true });
    const { component, applied, inState, settled, ran } = await actingOn(suite.server);
    await applied(({ changeSetId }) => component(changeSetId, "a", { "/domain/labels": { create: "wait" } }));
    const { funcRunId } = await inState("Create", "Running");
    await until(async () => (await runState(suite.server, funcRunId)) === "Running");
    await first.stop();
    const second = await startTestServer(engine, { beside: suite.server, worker: true });
    await applied(({ changeSetId }) => component(changeSetId, "b"));
    expect(await settled()).toEqual(["Create Failed a"]);
    expect(await ran()).toEqual(["Create a Failure", "Create b Success", "Refresh b Success"]);
    expect(await runState(second, funcRunId)).toBe("Failure");
    await second.stop();
  });
});
