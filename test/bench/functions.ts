import got from "got";
import type { StoredFunction } from "../../server/domain/functions.ts";
import type { JsonObject } from "../../server/domain/json.ts";
import { getSchemaNamed } from "../../server/read/variants.ts";
import { createFunctionRuns } from "../../server/runs/create-runs.ts";
import type { FunctionRuns } from "../../server/runs/runs.ts";
import { createSandbox } from "../../server/sandbox/sandbox.ts";
import { createEntities } from "../../server/store/entities.ts";
import { changeLayer, type Layer } from "../../server/store/layer.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import type { Fixture, Served } from "./fixture.ts";
import { type Ratio, rate, sideBySide, timed, typical } from "./measure.ts";
import { bareCall, bareEngine, eachOf, input, source } from "./sandbox.ts";
import { type Bench, createBench } from "./seeding.ts";

const qualification = (id: string, name: string, code: string): StoredFunction => ({
  id,
  name,
  displayName: null,
  description: null,
  link: null,
  kind: "Qualification",
  handler: "main",
  code,
  isLocked: true,
  arguments: [],
  isTransformation: false,
});

/** The qualification that is measured. */
export const checks = (id: string): StoredFunction => qualification(id, "checks", source);

/** Runs that a propagation has in line at once. */
export const together = 128;

/**
 * What a qualification of 2 KB with an input of 10 KB costs with everything that the server does for it, until its end
 * is in the database and whoever waits is told: each of many, and how many a second.
 */
export async function benchFunctions(fixture: Fixture): Promise<Ratio[]> {
  const { workspace, store } = await fixture.open(1_000);
  const bench = createBench(store, workspace.workspaceId, workspace.actor);
  const layer = await bench.changeSet();
  const engine = await bareEngine();
  const sandbox = createSandbox({ children: 2 });
  const runs = createFunctionRuns({ store, sandbox, clock: systemClock, log: silentLog });
  const func = checks(store.id());
  const run = async (): Promise<void> => checkedOnce(runs, layer, func, workspace.componentIds);
  try {
    await eachOf(500, together, run);
    for (let call = 0; call < 100; call++) bareCall(engine);
    const warm = await sideBySide({
      name: "a warm qualification, recorded, beside the same call in the bare engine",
      unit: "ms",
      wanted: "<= 3",
      rounds: 5,
      ours: () => eachOf(1_000, together, run),
      bare: () => typical(100, () => bareCall(engine)),
    });
    const many = await sideBySide({
      name: "qualifications recorded and acknowledged, beside the wanted 400",
      unit: "runs/s",
      wanted: ">= 1",
      rounds: 3,
      ours: async () => 1000 / (await eachOf(1_000, together, run)),
      bare: () => Promise.resolve(400),
    });
    return [warm, many];
  } finally {
    await runs.close();
    await sandbox.close();
  }
}

let asked = 0;

/** Runs a function once for one of the components, and waits until its end is in the database. */
export async function checkedOnce(
  runs: FunctionRuns,
  layer: Layer,
  func: StoredFunction,
  componentIds: readonly string[],
): Promise<void> {
  const id = componentIds[asked++ % componentIds.length] ?? "";
  const { verdict } = await runs.start({
    layer,
    func,
    input,
    component: { id, name: "server", schemaName: "Server" },
    fingerprint: `${asked}`,
    amongMany: true,
    judge: (outcome) =>
      outcome.ended === "ok"
        ? { state: "Success", result: outcome.value ?? null }
        : { state: "Failure", result: null, failure: outcome.message },
  }).ended;
  if (verdict.state !== "Success") throw new Error(`the function ended with ${JSON.stringify(verdict)}`);
}

const qualified = 1_000;
const qualifications = 3;
/** Components of the workspace beside those: the server that is measured is filled anew for it. */
const others = 2_000;

/**
 * One change that 1,000 components with three qualifications each feel, until all 3,000 have run and nothing is to be
 * computed, while a list page is asked for all the time; and that page against the same with nothing beside it.
 */
export async function benchSettle(fixture: Fixture): Promise<Ratio[]> {
  const hub = await fill(fixture);
  const served = await fixture.serve(others);
  const { changeSet } = await got
    .post(served.changeSets, { headers: served.headers, json: { changeSetName: "settle" } })
    .json<{ changeSet: { id: string } }>();
  const page = `${served.changeSets}/HEAD/components?limit=50&includeAll=true`;
  const settling = () => settle(served, changeSet.id, hub);
  // Functions and pages that nobody asked for before are slower.
  await settling();
  await rate(page, served.headers, 200);
  const pages: { busy: number[]; idle: number[] } = { busy: [], idle: [] };
  const settled = await sideBySide({
    name: `${qualified} components x ${qualifications} qualifications after one change, beside the wanted 300`,
    unit: "runs/s",
    wanted: ">= 1",
    rounds: 3,
    ours: async () => {
      const ended = settling();
      pages.busy.push(await rate(page, served.headers, 200));
      return await ended;
    },
    bare: async () => {
      pages.idle.push(await rate(page, served.headers, 200));
      return 300;
    },
  });
  const turn = (rates: number[]) => async (): Promise<number> => rates.shift() ?? Number.NaN;
  const asked = await sideBySide({
    name: "list page of 50, every include option, meanwhile, against the same at rest",
    unit: "requests/s",
    wanted: ">= 0.5",
    rounds: 3,
    ours: turn(pages.busy),
    bare: turn(pages.idle),
  });
  return [settled, asked];
}

/** Functions that ran in a second, from a change to the component that all others read until nothing is pending. */
async function settle({ changeSets, headers }: Served, changeSetId: string, hub: string): Promise<number> {
  const place = `${changeSets}/${changeSetId}`;
  const ms = await timed(async () => {
    const attributes = { "/domain/Region": `region-${asked++}` };
    await got.put(`${place}/components/${hub}`, { headers, json: { attributes } });
    const isReady = async (): Promise<boolean> =>
      (await got(`${place}/merge_status`, { headers }).json<{ changeSet: { status: string } }>()).changeSet
        .status === "Ready";
    while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50));
  });
  return (qualified * qualifications * 1000) / ms;
}

/** Puts the components and the functions into the head of a workspace; gives the one that all of them read. */
async function fill(fixture: Fixture): Promise<string> {
  const { workspace, store } = await fixture.open(others);
  const bench = createBench(store, workspace.workspaceId, workspace.actor);
  const layer = await bench.changeSet();
  const [hub = ""] = await bench.create(layer, 1, () => ({ "/domain/Region": { v: "first" } }));
  await bench.create(layer, qualified, () => ({ "/domain/Region": { s: [hub, "/domain/Region"] } }));
  await bench.apply(layer);
  await bind(bench, workspace.actor);
  return hub;
}

async function bind(bench: Bench, actor: string): Promise<void> {
  const { store } = bench;
  const layer = await bench.changeSet();
  await changeLayer(store, layer, { kind: "entity.changed", actor }, async (change) => {
    const schema = await getSchemaNamed(change.tx, change.layer, "Server");
    for (let at = 0; at < qualifications; at++) {
      const [id, funcId] = [store.id(), store.id()];
      const { id: _, ...func } = qualification(funcId, `check ${at}`, `${settling}\n// ${at}`);
      const binding = {
        kind: "qualification",
        schemaId: schema.id,
        variantId: schema.defaultVariantId,
        funcId,
      };
      await createEntities(change, [
        { kind: "func", id: funcId, name: func.name, body: json(func) },
        { kind: "binding", id, name: schema.id, body: binding },
      ]);
    }
  });
  await bench.apply(layer);
}

/** A qualification as people write them, of what a server has. */
const settling = `async function main({ domain }) {
  if (typeof domain.Region !== "string") return { result: "failure", message: "Region is missing" };
  return { result: "success" };
}`;

const json = (definition: object): JsonObject => JSON.parse(JSON.stringify(definition));
