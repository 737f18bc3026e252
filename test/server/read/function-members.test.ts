import { beforeAll, expect, it } from "vitest";
import { getSchemaNamed } from "../../../server/read/variants.ts";
import type { RunVerdict } from "../../../server/runs/runs.ts";
import { createEntities } from "../../../server/store/entities.ts";
import type { ComponentDetails } from "../../../src/contract/component-shapes.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { layerIn, writeIn } from "../routes/component-inputs.ts";
import { functionOf, requestOf } from "../runs/running.ts";

const kinds = {
  action: { kind: "Action", name: "create it" },
  management: { kind: "Management", name: "import" },
  qualification: { kind: "Qualification", name: "is sound", displayName: "Is it sound?" },
} as const;
type Kind = keyof typeof kinds;

describeEngines("functions of components in lists", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });

  /** A change set in which the schema Machine has a function of each kind, and a component of it. */
  const begin = async () => {
    const changeSetId = await world.changeSet();
    const layer = await layerIn(world, changeSetId);
    const ids = { action: world.fresh(), management: world.fresh(), qualification: world.fresh() };
    const bindings = { action: world.fresh(), management: world.fresh(), qualification: world.fresh() };
    const { id: schemaId, defaultVariantId: variantId } = await getSchemaNamed(
      suite.server.store,
      layer,
      "Machine",
    );
    await writeIn(world, changeSetId, (change) =>
      createEntities(
        change,
        (["action", "management", "qualification"] as const).flatMap((kind) => {
          const { id: _, ...body } = functionOf("function main() {}", kinds[kind]);
          const binding = { kind, schemaId, variantId, funcId: ids[kind] };
          // One of another kind would be queued by itself.
          const more = kind === "action" ? { actionKind: "Manual" } : {};
          return [
            { kind: "func", id: ids[kind], name: kinds[kind].name, body: { ...body, arguments: [] } },
            { kind: "binding", id: bindings[kind], name: schemaId, body: { ...binding, ...more } },
          ];
        }),
      ),
    );
    const componentId = await world.component(changeSetId);
    const { components, actions, changeSets } = suite.server.client(world.ada.key);
    const at = { workspaceId: world.ada.workspaceId, changeSetId };
    return {
      at,
      componentId,
      bindings,
      components,
      actions,
      changeSets,
      run: async (kind: Kind, verdict: RunVerdict, inLayer = layer) => {
        const run = suite.server.runs.start(
          requestOf(inLayer, "function main() {}", {
            func: functionOf("function main() { return 1; }", { ...kinds[kind], id: ids[kind] }),
            component: { id: componentId, name: "web", schemaName: "Machine" },
            prototypeId: bindings[kind],
            judge: () => verdict,
          }),
        );
        await run.ended;
        return run.id;
      },
      item: async (query: object, place = at): Promise<ComponentDetails | undefined> => {
        const page = await components.list({ ...place, query });
        return page.componentDetails.find((one) => one.componentId === componentId);
      },
    };
  };
  const result = (word: string): RunVerdict => ({ state: "Success", result: { result: word } });

  it("are named in a component's own answer, by kind", async () => {
    const { components, at, componentId, bindings } = await begin();
    expect(await components.get({ ...at, componentId })).toMatchObject({
      actionFunctions: [{ funcName: "create it", prototypeId: bindings.action }],
      managementFunctions: [{ funcName: "import", managementPrototypeId: bindings.management }],
    });
  });

  it("are there where they are asked for, and say that nothing ran yet", async () => {
    const { item } = await begin();
    expect(Object.keys((await item({})) ?? {})).not.toContain("actionFunctions");
    const { managementFunctions, ...others } = (await item({ includeManagementFunctions: true })) ?? {};
    expect(managementFunctions).toEqual([
      { functionName: "import", executionStatus: { state: "Available", hasActiveRun: false } },
    ]);
    expect(Object.keys(others)).not.toContain("qualificationFunctions");
    expect(await item({ includeFunctions: true, includeExecutionHistory: true })).toMatchObject({
      actionFunctions: [
        {
          functionName: "create it",
          executionStatus: { state: "Idle", hasActiveRun: false },
          executionHistory: [],
        },
      ],
      managementFunctions: [{ functionName: "import" }],
      qualificationFunctions: [{ functionName: "Is it sound?", executionStatus: null, executionHistory: [] }],
    });
  });

  it("tell the last ten runs, newest first, how each came out, and how the latest did", async () => {
    const { item, run } = await begin();
    const words = [...Array(8).fill("success"), "unknown", "warning", "failure", "success"];
    const ids: string[] = [];
    for (const word of words) ids.push(await run("qualification", result(word)));
    const failed = await run("qualification", { state: "Failure", result: null });
    const shown = await item({ includeAll: true });
    const [qualification] = shown?.qualificationFunctions ?? [];
    expect(qualification?.executionStatus).toEqual({
      state: "Failed",
      hasActiveRun: false,
      funcRunId: failed,
    });
    expect(qualification?.executionHistory?.map(({ funcRunId }) => funcRunId)).toEqual(
      [...ids, failed].reverse().slice(0, 10),
    );
    expect(qualification?.executionHistory?.slice(0, 6).map(({ state }) => state)).toEqual([
      "Failed",
      "Succeeded",
      "Failed",
      "Warning",
      "Completed",
      "Succeeded",
    ]);
    const without = await item({ includeQualificationFunctions: true });
    expect(without?.qualificationFunctions).toEqual([
      { functionName: "Is it sound?", executionStatus: qualification?.executionStatus },
    ]);
  });

  it("tell what an action and a management function did, which may fail without throwing", async () => {
    const { item, run } = await begin();
    for (const actionResult of ["Success", "Failure"] as const) {
      await run("action", { state: "Success", result: null, actionResult });
      await run("management", { state: "Success", result: null, actionResult });
    }
    expect(await item({ includeAll: true })).toMatchObject({
      actionFunctions: [{ executionHistory: [{ state: "Failed" }, { state: "Succeeded" }] }],
      managementFunctions: [
        {
          executionStatus: { state: "Failed", hasActiveRun: false },
          executionHistory: [{ state: "Failed" }, { state: "Succeeded" }],
        },
      ],
    });
  });

  it("keep their runs once the change set is part of the head, and show none of other change sets", async () => {
    const { item, run, at } = await begin();
    await run("qualification", result("success"));
    const historyIn = async (place: typeof at) =>
      (await item({ includeAll: true }, place))?.qualificationFunctions?.[0]?.executionHistory?.map(
        ({ funcRunId }) => funcRunId,
      );
    await suite.server.propagate(at.changeSetId);
    const own = (await historyIn(at)) ?? [];
    expect(own.length).toBeGreaterThan(0);
    await suite.server.apply(world.ada, at.changeSetId);
    const later = { ...at, changeSetId: await world.changeSet() };
    const stranger = { ...at, changeSetId: await world.changeSet() };
    const newest = await run("qualification", result("warning"), await layerIn(world, later.changeSetId));
    expect(await historyIn({ ...at, changeSetId: "HEAD" })).toEqual(own);
    expect(await historyIn(later)).toEqual([newest, ...own]);
    expect(await historyIn(stranger)).toEqual(own);
  });
});
