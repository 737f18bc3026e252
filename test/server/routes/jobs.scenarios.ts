import { expect } from "vitest";
import { bindFunctions, type TestFunction } from "../../support/functions.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import type { HttpAnswer } from "../../support/server.ts";
import { eventually } from "../../support/until.ts";
import { places } from "./component-inputs.ts";

/** A function that makes a component of the manager's schema. */
const makes: TestFunction = {
  kind: "management",
  name: "makeOne",
  displayName: "Make one",
  code: `async function main({ thisComponent, currentView }) {
    console.log("making one in", currentView);
    return { status: "ok", ops: { create: { child: { properties: { domain: { size: 3 } } } } } };
  }`,
};
const waits: TestFunction = {
  kind: "management",
  name: "waitLong",
  code: "async function main() { await new Promise((done) => setTimeout(done, 60000)); return { status: 'ok' }; }",
};

/** A change set with a component whose schema has these management functions. */
async function managed(world: World, ...functions: TestFunction[]) {
  const changeSetId = await world.changeSet();
  const componentId = await world.component(changeSetId, "manager");
  const bindings = await bindFunctions(world.server, world.ada, changeSetId, "Machine", functions);
  return { changeSetId, componentId, prototypeIds: bindings.map(({ id }) => id) };
}

const client = (world: World) => world.server.client(world.ada.key);

/** Starts a management job and returns its id. */
async function started(world: World, at: { changeSetId: string; componentId: string }, name: string) {
  const { workspaceId } = world.ada;
  const body = { managementFunction: { function: name } };
  const answer = await client(world).managementJobs.execute({ workspaceId, ...at, body });
  return answer.managementFuncJobStateId;
}

/** The state in which a management job ends. */
const ended = (world: World, changeSetId: string, managementFuncJobStateId: string) =>
  eventually(async () => {
    const { workspaceId } = world.ada;
    const job = await client(world).managementJobs.get({
      workspaceId,
      changeSetId,
      managementFuncJobStateId,
    });
    return job.state === "Success" || job.state === "Failure" ? job : undefined;
  });

const executeBody = (name: string) => ({ managementFunction: { function: name } });

export const managementJobScenarios: readonly Scenario[] = [
  ...places("managementJobs.execute", executeBody("makeOne")),
  {
    name: "answers at once, runs the function and does what it returned",
    operation: "managementJobs.execute",
    input: async (world) => {
      const { changeSetId, componentId } = await managed(world, makes);
      return { changeSetId, componentId, body: executeBody("makeOne") };
    },
    expect: 200,
    body: () => ({ status: "ok", funcRunId: null, message: "enqueued" }),
    check: async (answer, world, { changeSetId }) => {
      const job = await ended(world, String(changeSetId), answer.at("managementFuncJobStateId"));
      expect(job).toEqual({ state: "Success", funcRunId: expect.any(String) });
      const { workspaceId } = world.ada;
      const query = { component: "child" };
      const found = await client(world).components.find({
        workspaceId,
        changeSetId: String(changeSetId),
        query,
      });
      expect(found.component.attributes).toMatchObject({ "/domain/size": 3 });
      expect(found.component.connections).toMatchObject([{ managedBy: { componentName: "manager" } }]);
      const run = await client(world).functionRuns.get({
        workspaceId,
        changeSetId: String(changeSetId),
        funcRunId: job.funcRunId ?? "",
      });
      expect(run.funcRun).toMatchObject({
        state: "Success",
        functionKind: "Management",
        functionName: "makeOne",
        actionResultState: "Success",
        resultValue: { health: "ok", error: null },
      });
    },
  },
  {
    name: "takes the display name, the prototype, and a view that is there",
    operation: "managementJobs.execute",
    input: async (world) => {
      const { changeSetId, componentId, prototypeIds } = await managed(world, makes);
      const managementFunction = { managementPrototypeId: prototypeIds[0] };
      return { changeSetId, componentId, body: { managementFunction, viewName: "DEFAULT" } };
    },
    expect: 200,
    check: async (answer, world, { changeSetId, componentId }) => {
      const at = { changeSetId: String(changeSetId), componentId: String(componentId) };
      const job = await ended(world, at.changeSetId, answer.at("managementFuncJobStateId"));
      expect(job).toMatchObject({ state: "Success" });
      const second = await started(world, at, "Make one");
      expect(await ended(world, at.changeSetId, second)).toMatchObject({ state: "Success" });
    },
  },
  {
    name: "refuses a reference by neither name nor prototype",
    operation: "managementJobs.execute",
    input: async (world) => ({ ...(await managed(world, makes)), body: { managementFunction: {} } }),
    expect: "invalidRequest",
  },
  {
    name: "refuses a function that the component does not have, and names those that it has",
    operation: "managementJobs.execute",
    input: async (world) => ({ ...(await managed(world, makes)), body: executeBody("gone") }),
    expect: "functionNotFound",
    check: ({ text }) => expect(text).toContain("makeOne"),
  },
  {
    name: "refuses a name that several functions have",
    operation: "managementJobs.execute",
    input: async (world) => ({
      ...(await managed(world, makes, { ...makes, name: "other" })),
      body: executeBody("Make one"),
    }),
    expect: "duplicateFunctionName",
  },
  {
    name: "refuses a view that is not there",
    operation: "managementJobs.execute",
    input: async (world) => ({
      ...(await managed(world, makes)),
      body: { ...executeBody("makeOne"), viewName: "nowhere" },
    }),
    expect: "viewNotFound",
  },
  {
    name: "changes nothing in an applied change set",
    operation: "managementJobs.execute",
    input: async (world) => {
      const { changeSetId, componentId } = await managed(world, {
        ...makes,
        name: "makeLate",
        displayName: "Make late",
      });
      await world.server.apply(world.ada, changeSetId);
      return { changeSetId, componentId, body: executeBody("makeLate") };
    },
    expect: "changeSetNotActive",
  },
  {
    name: "runs a function once at a time for a component",
    operation: "managementJobs.execute",
    input: async (world) => {
      const { changeSetId, componentId } = await managed(world, waits);
      const jobId = await started(world, { changeSetId, componentId }, "waitLong");
      return { changeSetId, componentId, jobId, body: executeBody("waitLong") };
    },
    expect: "managementRunning",
    check: async (_answer, world, { changeSetId, jobId }) => {
      const { workspaceId } = world.ada;
      const place = { workspaceId, changeSetId: String(changeSetId) };
      await client(world).jobs.cancel({ ...place, jobId: String(jobId) });
    },
  },
  {
    name: "tells where a job stands",
    operation: "managementJobs.get",
    input: async (world) => {
      const { changeSetId, componentId } = await managed(world, makes);
      const managementFuncJobStateId = await started(world, { changeSetId, componentId }, "makeOne");
      await ended(world, changeSetId, managementFuncJobStateId);
      return { changeSetId, managementFuncJobStateId };
    },
    expect: 200,
    body: () => ({ state: "Success", funcRunId: expect.any(String) }),
  },
  {
    name: "knows no job of another change set, nor a debug job",
    operation: "managementJobs.get",
    input: async (world) => {
      const { changeSetId, componentId } = await managed(world, makes);
      const managementFuncJobStateId = await started(world, { changeSetId, componentId }, "makeOne");
      await ended(world, changeSetId, managementFuncJobStateId);
      return { changeSetId: await world.changeSet(), managementFuncJobStateId };
    },
    expect: "jobNotFound",
  },
];

const debugBody = (code: string, componentId: string, more: object = {}) => ({
  name: "look",
  handler: "debug",
  code,
  componentId,
  ...more,
});
const looks =
  "async function debug({ component, debugInput }) { return { size: component.properties.domain.size, debugInput }; }";

/** How a debug job ends. */
const debugged = (world: World, changeSetId: unknown, answer: HttpAnswer) =>
  eventually(async () => {
    const job = await client(world).debugJobs.get({
      workspaceId: world.ada.workspaceId,
      changeSetId: String(changeSetId),
      debugFuncJobStateId: answer.at("debugFuncJobStateId"),
    });
    return job.state === "success" || job.state === "failure" ? job : undefined;
  });

export const debugJobScenarios: readonly Scenario[] = [
  {
    name: "runs a function over a component, with an input",
    operation: "debugJobs.create",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const componentId = await world.component(changeSetId, "looked at", { "/domain/size": 4 });
      return { changeSetId, body: debugBody(looks, componentId, { debugInput: { n: 1 } }) };
    },
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const job = await debugged(world, changeSetId, answer);
      expect(job).toMatchObject({
        state: "success",
        failure: null,
        result: { executionId: job.funcRunId, output: { size: 4, debugInput: { n: 1 } }, error: null },
      });
    },
  },
  {
    name: "says what a function threw, and where",
    operation: "debugJobs.create",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const componentId = await world.component(changeSetId);
      return {
        changeSetId,
        body: debugBody("function debug() {\n  throw new Error('no luck');\n}", componentId),
      };
    },
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const job = await debugged(world, changeSetId, answer);
      expect(job).toMatchObject({
        state: "failure",
        failure: expect.stringMatching(/no luck.*line 2/),
        result: null,
      });
    },
  },
  {
    name: "runs in the head too",
    operation: "debugJobs.create",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const componentId = await world.component(changeSetId, undefined, { "/domain/size": 7 });
      await world.server.apply(world.ada, changeSetId);
      return { changeSetId: "HEAD", body: debugBody(looks, componentId) };
    },
    expect: 200,
    check: async (answer, world, { changeSetId }) =>
      expect(await debugged(world, changeSetId, answer)).toMatchObject({
        state: "success",
        result: { output: { size: 7, debugInput: null } },
      }),
  },
  {
    name: "refuses a component that is not there",
    operation: "debugJobs.create",
    input: (world) => ({ body: debugBody(looks, world.fresh()) }),
    expect: "componentNotFound",
  },
  {
    name: "refuses a handler that is none, as a bad request",
    operation: "debugJobs.create",
    input: (world) => ({ body: { ...debugBody(looks, world.fresh()), handler: 7 } }),
    expect: "badRequest",
  },
  {
    name: "knows no job that nobody started",
    operation: "debugJobs.get",
    input: (world) => ({ debugFuncJobStateId: world.fresh() }),
    expect: "jobNotFound",
  },
  {
    name: "tells where a job stands",
    operation: "debugJobs.get",
    input: async (world) => {
      const changeSetId = await world.changeSet();
      const body = debugBody(looks, await world.component(changeSetId));
      const { workspaceId } = world.ada;
      const { debugFuncJobStateId } = await client(world).debugJobs.create({
        workspaceId,
        changeSetId,
        body,
      });
      return { changeSetId, debugFuncJobStateId };
    },
    expect: 200,
    body: () => ({ id: expect.any(String), state: expect.stringMatching(/^(pending|running|success)$/) }),
  },
];

export const jobScenarios: readonly Scenario[] = [
  {
    name: "lists jobs of both kinds, the newest first, in pages",
    operation: "jobs.list",
    input: async (world) => {
      const { changeSetId, componentId } = await managed(world, makes);
      const jobId = await started(world, { changeSetId, componentId }, "makeOne");
      await ended(world, changeSetId, jobId);
      const { workspaceId } = world.ada;
      const body = debugBody(looks, componentId);
      await client(world).debugJobs.create({ workspaceId, changeSetId, body });
      return { changeSetId, componentId, jobId, query: { limit: 1 } };
    },
    expect: 200,
    check: async (answer, world, { changeSetId, componentId, jobId }) => {
      expect(answer.body).toMatchObject({ jobs: [{ kind: "debug", functionName: "look" }] });
      const place = { workspaceId: world.ada.workspaceId, changeSetId: String(changeSetId) };
      const rest = await client(world).jobs.list({ ...place, query: { cursor: answer.at("nextCursor") } });
      expect(rest.nextCursor).toBeNull();
      expect(rest.jobs).toEqual([
        {
          id: jobId,
          kind: "management",
          state: "Success",
          functionName: "makeOne",
          componentId,
          componentName: "manager",
          prototypeId: expect.any(String),
          funcRunId: expect.any(String),
          failure: null,
          actor: world.ada.id,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ]);
      const filtered = async (query: object) =>
        (await client(world).jobs.list({ ...place, query })).jobs.map(({ kind }) => kind);
      expect(await filtered({ kind: "MANAGEMENT", state: "success", componentId })).toEqual(["management"]);
      expect(await filtered({ componentId: world.fresh() })).toEqual([]);
    },
  },
  ...(
    [
      ["state", "done"],
      ["kind", "other"],
      ["cursor", "x"],
      ["componentId", "x"],
    ] as const
  ).map(
    ([member, value]): Scenario => ({
      name: `refuses a ${member} that is none`,
      operation: "jobs.list",
      input: () => ({ query: { [member]: value } }),
      expect: "invalidRequest",
      check: ({ text }) => expect(text).toContain(`query.${member}`),
    }),
  ),
  {
    name: "ends a job, whether its function runs yet or not",
    operation: "jobs.cancel",
    input: async (world) => {
      const { changeSetId, componentId } = await managed(world, waits);
      return { changeSetId, jobId: await started(world, { changeSetId, componentId }, "waitLong") };
    },
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world, { changeSetId, jobId }) =>
      expect(await ended(world, String(changeSetId), String(jobId))).toMatchObject({ state: "Failure" }),
  },
  {
    name: "refuses one that has ended",
    operation: "jobs.cancel",
    input: async (world) => {
      const { changeSetId, componentId } = await managed(world, makes);
      const jobId = await started(world, { changeSetId, componentId }, "makeOne");
      await ended(world, changeSetId, jobId);
      return { changeSetId, jobId };
    },
    expect: "alreadyEnded",
  },
  {
    name: "knows no job that nobody started",
    operation: "jobs.cancel",
    input: (world) => ({ jobId: world.fresh() }),
    expect: "jobNotFound",
  },
];
