import { expect } from "vitest";
import type { StoredFunction } from "../../../server/domain/functions.ts";
import type { RunRequest, StartedRun } from "../../../server/runs/runs.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import { eventually } from "../../support/until.ts";
import { functionOf, requestOf } from "../runs/running.ts";
import { layerIn } from "./component-inputs.ts";

const forever =
  "async function main() { console.log('here'); await new Promise((go) => setTimeout(go, 600_000)); }";
const quick = "function main() { return { result: 'success' }; }";

/** Begins a run in a new change set, once it is in the database. */
const begun = async (
  world: World,
  func: Partial<StoredFunction> = {},
  more: Partial<RunRequest> = {},
): Promise<{ readonly run: StartedRun; readonly changeSetId: string; readonly funcRunId: string }> => {
  const changeSetId = await world.changeSet();
  const run = await runIn(world, changeSetId, func, more);
  return { run, changeSetId, funcRunId: run.id };
};
const runIn = async (
  world: World,
  changeSetId: string,
  func: Partial<StoredFunction> = {},
  more: Partial<RunRequest> = {},
): Promise<StartedRun> => {
  const layer = await layerIn(world, changeSetId);
  const code = func.code ?? quick;
  const request = requestOf(layer, code, { func: functionOf(code, { id: world.fresh(), ...func }), ...more });
  const run = world.server.runs.start(request);
  await run.recorded;
  return run;
};
const ended = async (
  world: World,
  ...how: Parameters<typeof begun> extends [World, ...infer R] ? R : never
) => {
  const { run, ...input } = await begun(world, ...how);
  await run.ended;
  return input;
};
const nothing = (world: World): RowInput => ({ funcRunId: world.fresh() });
const strangers = async (world: World): Promise<RowInput> => {
  const { workspaceId, key } = world.eve;
  const body = { changeSetName: `set ${world.fresh()}` };
  const { changeSet } = await world.server.client(key).changeSets.create({ workspaceId, body });
  const run = await runIn(world, changeSet.id);
  await run.ended;
  return { funcRunId: run.id };
};
const web = (world: World) => ({ id: world.fresh(), name: "web", schemaName: "Machine" });
const listed = (answer: { readonly body: unknown }) =>
  answer.body as { funcRuns: { id: string }[]; nextCursor: string | null };

export const functionRunScenarios: readonly Scenario[] = [
  {
    name: "shows a run that has ended, with code, result and log",
    operation: "functionRuns.get",
    input: (world) =>
      ended(
        world,
        { code: "function main(i) { console.log('at', i.n); return i.n + 1; }", displayName: "Check" },
        { input: { n: 1 }, component: web(world), fingerprint: "f" },
      ),
    expect: 200,
    body: () => ({
      funcRun: {
        state: "Success",
        functionName: "test:function",
        functionDisplayName: "Check",
        functionDescription: null,
        functionLink: null,
        functionKind: "Qualification",
        backendKind: "JsAttribute",
        backendResponseType: "Qualification",
        functionCodeBase64: expect.stringMatching(/^[A-Za-z0-9+/]+$/),
        functionArgs: { n: 1 },
        resultValue: 2,
        componentName: "web",
        schemaName: "Machine",
        actionId: null,
        actionPrototypeId: null,
        actionKind: null,
        actionDisplayName: null,
        actionOriginatingChangeSetId: null,
        actionOriginatingChangeSetName: null,
        actionResultState: null,
        attributeValueId: null,
        failure: null,
        logs: {
          finalized: true,
          logs: [{ stream: "stdout", level: "info", group: "log", message: "at 1", executionId: "" }],
        },
      },
    }),
  },
  {
    name: "shows the log while the function runs",
    operation: "functionRuns.get",
    input: async (world) => {
      const { run, ...input } = await begun(world, { code: forever });
      const { workspaceId, key } = world.ada;
      const { functionRuns } = world.server.client(key);
      await eventually(
        async () => (await functionRuns.get({ workspaceId, ...input })).funcRun.logs ?? undefined,
      );
      return input;
    },
    expect: 200,
    body: () => ({
      funcRun: {
        state: "Running",
        resultValue: null,
        logs: { finalized: false, logs: [{ message: "here" }] },
      },
    }),
    check: (_answer, world, { funcRunId }) => world.server.runs.cancel([String(funcRunId)]),
  },
  {
    name: "names the action that it carried out",
    operation: "functionRuns.get",
    input: (world) =>
      ended(
        world,
        { kind: "Action" },
        {
          prototypeId: "PROTOTYPE",
          action: {
            id: "ACTION",
            kind: "Create",
            displayName: "create it",
            originChangeSetId: "SET",
            originChangeSetName: "first steps",
          },
          judge: () => ({ state: "Success", actionResult: "Failure", result: { status: "error" } }),
        },
      ),
    expect: 200,
    body: () => ({
      funcRun: {
        backendKind: "JsAction",
        actionId: "ACTION",
        actionPrototypeId: "PROTOTYPE",
        actionKind: "Create",
        actionDisplayName: "create it",
        actionOriginatingChangeSetId: "SET",
        actionOriginatingChangeSetName: "first steps",
        actionResultState: "Failure",
      },
    }),
  },
  {
    name: "shows it below any change set of the workspace, whatever the letter case",
    operation: "functionRuns.get",
    input: async (world) => ({ funcRunId: (await ended(world)).funcRunId.toLowerCase() }),
    expect: 200,
  },
  {
    name: "does not know an unknown run",
    operation: "functionRuns.get",
    input: nothing,
    expect: "functionRunNotFound",
  },
  {
    name: "does not show another workspace's run",
    operation: "functionRuns.get",
    input: strangers,
    expect: "functionRunNotFound",
  },
  {
    name: "lists the newest first, page by page",
    operation: "functionRuns.list",
    input: async (world) => {
      const { changeSetId } = await ended(world);
      for (const _ of [1, 2]) await (await runIn(world, changeSetId)).ended;
      return { changeSetId, query: { limit: 2 } };
    },
    expect: 200,
    check: async (answer, world, { changeSetId }) => {
      const { funcRuns, nextCursor } = listed(answer);
      const [first = "", second = ""] = funcRuns.map(({ id }) => id);
      expect(first > second).toBe(true);
      expect(nextCursor).toBe(second);
      const { workspaceId, key } = world.ada;
      const query = { limit: 2, cursor: nextCursor ?? "" };
      const { functionRuns } = world.server.client(key);
      const rest = await functionRuns.list({ workspaceId, changeSetId: String(changeSetId), query });
      expect(rest).toMatchObject({ funcRuns: [{ state: "Success" }], nextCursor: null });
    },
  },
  {
    name: "lists those for one component",
    operation: "functionRuns.list",
    input: async (world) => {
      const component = web(world);
      const { changeSetId } = await ended(world, {}, { component });
      await (await runIn(world, changeSetId)).ended;
      return { changeSetId, query: { componentId: component.id } };
    },
    expect: 200,
    check: (answer) => {
      expect(answer.body).toMatchObject({ funcRuns: [{ componentName: "web" }], nextCursor: null });
      expect(Object.keys(listed(answer).funcRuns[0] ?? {})).not.toContain("functionArgs");
    },
  },
  {
    name: "lists those in a state, in any letter case",
    operation: "functionRuns.list",
    input: async (world) => {
      const { changeSetId } = await ended(world);
      const run = await runIn(world, changeSetId, { code: forever });
      await eventually(async () => {
        const { workspaceId, key } = world.ada;
        const { functionRuns } = world.server.client(key);
        const { funcRun } = await functionRuns.get({ workspaceId, changeSetId, funcRunId: run.id });
        return funcRun.state === "Running" ? true : undefined;
      });
      return { changeSetId, query: { state: "running" }, funcRunId: run.id };
    },
    expect: 200,
    check: (answer, world, { funcRunId }) => {
      expect(listed(answer).funcRuns.map(({ id }) => id)).toEqual([funcRunId]);
      world.server.runs.cancel([String(funcRunId)]);
    },
  },
  {
    name: "knows no other states",
    operation: "functionRuns.list",
    input: () => ({ query: { state: "Done" } }),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("query.state: expected one of Created, Running"),
  },
  {
    name: "lists what failed, also where the function itself ended well",
    operation: "functionRuns.list",
    input: async (world) => {
      const { changeSetId } = await ended(world);
      const judge = () => ({ state: "Success", actionResult: "Failure", result: null }) as const;
      const refused = await runIn(world, changeSetId, { kind: "Action" }, { judge });
      const thrown = await runIn(world, changeSetId, { code: "function main() { throw new Error('no'); }" });
      for (const run of [refused, thrown]) await run.ended;
      return { changeSetId, failed: [thrown.id, refused.id], query: { result: "failure" } };
    },
    expect: 200,
    check: async (answer, world, { failed, changeSetId }) => {
      expect(listed(answer).funcRuns.map(({ id }) => id)).toEqual(failed);
      const { workspaceId, key } = world.ada;
      const query = { result: "Success" };
      const { functionRuns } = world.server.client(key);
      const well = await functionRuns.list({ workspaceId, changeSetId: String(changeSetId), query });
      expect(well.funcRuns).toHaveLength(1);
    },
  },
  {
    name: "knows no other results",
    operation: "functionRuns.list",
    input: () => ({ query: { result: "Unknown" } }),
    expect: "invalidRequest",
    check: ({ text }) => expect(text).toContain("query.result: expected one of Success, Failure"),
  },
  {
    name: "lists in the head what ran in change sets that were applied, as it ends, and in these still",
    operation: "functionRuns.list",
    input: async (world) => {
      const component = web(world);
      const { run, changeSetId } = await begun(world, { code: forever }, { component });
      const { workspaceId, key } = world.ada;
      const client = world.server.client(key);
      await client.changeSets.forceApply({ workspaceId, changeSetId });
      const ofHead = { workspaceId, changeSetId: "HEAD", query: {} };
      const ask = (etag?: string) => client.functionRuns.list.conditional(ofHead, { etag, waitSeconds: 0 });
      const alive = await ask();
      world.server.runs.cancel([run.id]);
      await run.ended;
      expect((await ask(alive.unchanged ? undefined : alive.etag)).unchanged).toBe(false);
      for (const place of [
        { changeSetId: "HEAD", query: { componentId: component.id } },
        { changeSetId, query: {} },
      ]) {
        const { funcRuns } = await client.functionRuns.list({ workspaceId, ...place });
        expect(funcRuns.map(({ id, state }) => [id, state])).toEqual([[run.id, "Killed"]]);
      }
      return {
        changeSetId: "HEAD",
        query: { limit: 300 },
        funcRunId: run.id,
        open: (await ended(world)).funcRunId,
      };
    },
    expect: 200,
    check: (answer, _world, { funcRunId, open }) => {
      const ids = listed(answer).funcRuns.map(({ id }) => id);
      expect(ids).toContain(funcRunId);
      expect(ids).not.toContain(open);
      expect(ids).toEqual([...ids].sort().reverse());
    },
  },
  {
    name: "takes the cursor of a page and nothing else",
    operation: "functionRuns.list",
    input: () => ({ query: { cursor: "2" } }),
    expect: "invalidRequest",
  },
  {
    name: "ends a run as killed",
    operation: "functionRuns.cancel",
    input: async (world) => {
      const { run: _, ...input } = await begun(world, { code: forever });
      return input;
    },
    expect: 200,
    body: () => ({ success: true }),
    check: async (_answer, world, { changeSetId, funcRunId }) => {
      const { workspaceId, key } = world.ada;
      const place = { workspaceId, changeSetId: String(changeSetId), funcRunId: String(funcRunId) };
      const { functionRuns } = world.server.client(key);
      await eventually(async () => {
        const { funcRun } = await functionRuns.get(place);
        return funcRun.state === "Killed" && funcRun.logs?.finalized === true ? true : undefined;
      });
    },
  },
  {
    name: "cannot end what has ended",
    operation: "functionRuns.cancel",
    input: (world) => ended(world),
    expect: "alreadyEnded",
    check: ({ text }) => expect(text).toContain("Success"),
  },
  {
    name: "does not know an unknown run",
    operation: "functionRuns.cancel",
    input: nothing,
    expect: "functionRunNotFound",
  },
  {
    name: "does not end another workspace's run",
    operation: "functionRuns.cancel",
    input: strangers,
    expect: "functionRunNotFound",
  },
];
