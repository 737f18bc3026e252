import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { rulesFor } from "../../../server/read/rules.ts";
import { VariantCache } from "../../../server/read/variants.ts";
import { createComponentFunctions } from "../../../server/runs/component-functions.ts";
import { createFunctionRuns } from "../../../server/runs/create-runs.ts";
import type { FunctionRuns } from "../../../server/runs/runs.ts";
import type { Sandbox } from "../../../server/sandbox/sandbox.ts";
import type { Store } from "../../../server/store/open.ts";
import { createPropagate } from "../../../server/store/propagate.ts";
import { hasRoots } from "../../../server/store/roots.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { describeEngines } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { bindFunctions } from "../../support/functions.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { until } from "../../support/until.ts";

const full = "database or disk is full";
/** More than are begun in one turn of the event loop. */
const components = 60;
/** Past the last attempt at writing a run. */
const givenUpMs = 9_000;

/** A store that is written to while the disk has room, and read always. */
function withDisk(store: Store) {
  const disk = { isFull: false };
  const write: Store["write"] = (work) => (disk.isFull ? Promise.reject(new Error(full)) : store.write(work));
  return { disk, store: { ...store, write } };
}

/** A sandbox in which every function succeeds at once, and how many did. */
function quickSandbox() {
  const ran = { count: 0 };
  const sandbox: Sandbox = {
    run: async ({ onStart }) => {
      onStart?.();
      ran.count++;
      return { ended: "ok", value: { result: "success" } };
    },
    prepare: async () => {},
    close: async () => {},
    processIds: () => [],
  };
  return { ran, sandbox };
}

describeEngines("components computed on a disk that is full for a while", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });

  const unheard: unknown[] = [];
  const note = (reason: unknown): void => void unheard.push(reason);
  beforeEach(() => void process.on("unhandledRejection", note));
  afterEach(() => void process.off("unhandledRejection", note));

  /** A change set of components with a function that has not run yet. */
  const made = async (): Promise<string> => {
    const changeSetId = await world.changeSet();
    await bindFunctions(world.server, world.ada, changeSetId, "Machine", [
      { kind: "qualification", name: "check", code: "function main() { return { result: 'success' }; }" },
    ]);
    await Promise.all(Array.from({ length: components }, () => world.component(changeSetId)));
    return changeSetId;
  };
  const propagationWith = (start: FunctionRuns["start"], patienceMs: number) => {
    const { store, runs } = suite.server;
    const variants = new VariantCache();
    const functions = createComponentFunctions(
      { store, variants, runs: { ...runs, start }, patienceMs },
      async () => {},
    );
    return createPropagate(store, rulesFor(store, variants), { functions });
  };

  it("are computed anew once there is room, when their runs were given up after the pass had left them", async () => {
    const layerId = await made();
    const { disk, store } = withDisk(suite.server.store);
    const { ran, sandbox } = quickSandbox();
    const clock = fakeClock();
    const runs = createFunctionRuns({ store, sandbox, clock, log: silentLog });
    const propagate = propagationWith(runs.start, 1);

    disk.isFull = true;
    expect(await propagate(layerId)).toBe("done");
    await clock.advance(givenUpMs);
    const given = ran.count;
    expect(given).toBeGreaterThanOrEqual(components);

    disk.isFull = false;
    await until(async () => {
      await propagate(layerId);
      await clock.advance(100);
      return !(await hasRoots(suite.server.store, layerId));
    }, "values of all components");
    expect(ran.count).toBe(2 * given);
    expect(unheard).toEqual([]);
    await runs.close();
  });

  it("fail together when a function fails before all of them have begun, and no failure is unheard of", async () => {
    const layerId = await made();
    const { disk, store } = withDisk(suite.server.store);
    const { runs } = suite.server;
    const ended = (): Promise<never> => Promise.reject(new Error(full));
    const start: FunctionRuns["start"] = (request) =>
      disk.isFull ? { id: store.id(), recorded: Promise.resolve(), ended: ended() } : runs.start(request);
    const propagate = propagationWith(start, 20_000);

    disk.isFull = true;
    await expect(propagate(layerId)).rejects.toThrow(full);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);

    disk.isFull = false;
    while ((await propagate(layerId)) !== "idle");
    expect(await hasRoots(suite.server.store, layerId)).toBe(false);
  });
});
