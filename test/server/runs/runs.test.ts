import { expect, it } from "vitest";
import { unpackLines } from "../../../server/runs/run-log.ts";
import { findRunRev, findStoredRun, type StoredRun } from "../../../server/store/func-run-reads.ts";
import { askToCancelRun, endLeftRuns, leftBehind, runKey } from "../../../server/store/func-runs.ts";
import type { Layer } from "../../../server/store/layer.ts";
import type { Store } from "../../../server/store/open.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { eventually, until } from "../../support/until.ts";
import { headOf, newChangeSet, newWorkspace } from "../store/model.ts";
import { functionOf, requestOf, runsOn, suiteSandbox } from "./running.ts";

const forever = "function main() { return new Promise((done) => setTimeout(done, 600_000)); }";

describeEngines("runs of functions", (engine) => {
  const suite = suiteStore(engine);
  const own = suiteSandbox();
  const begin = async () => {
    const { store } = suite;
    const workspace = await newWorkspace(store);
    const layer = await newChangeSet(store, workspace);
    return { store, workspace, layer, runs: runsOn(store, own.sandbox) };
  };
  const stored = async (store: Store, layer: Layer, id: string): Promise<StoredRun> => {
    const run = await findStoredRun(store, layer.workspaceId, id);
    if (run === undefined) throw new Error(`the run ${id} is in the database`);
    return run;
  };
  const linesOf = (run: StoredRun) => run.logs.flatMap((part) => unpackLines(part, run.id));
  const revOf = async (store: Store, layerId: string) =>
    (await store.db.selectFrom("change_set").select("rev").where("id", "=", layerId).executeTakeFirst())
      ?.rev ?? 0;

  it("are remembered with code, arguments, result, log and end before anybody is told of the end", async () => {
    const { store, layer, runs } = await begin();
    const code = `async function main(input: { n: number }) { console.log("at", input.n); console.error("hm"); return { result: "success" }; }`;
    const run = runs.start(
      requestOf(layer, code, {
        input: { n: 7 },
        component: { id: "C", name: "web", schemaName: "Server" },
        judge: (outcome, id) => ({
          state: "Success",
          result: outcome.ended === "ok" ? (outcome.value ?? null) : null,
          output: { status: "success", executionId: id },
        }),
      }),
    );
    const { verdict } = await run.ended;
    expect(verdict.state).toBe("Success");
    const row = await stored(store, layer, run.id);
    expect(row).toMatchObject({ state: "Success", code, finalized: 1, owner: null, component_id: "C" });
    expect(JSON.parse(row.args)).toEqual({ n: 7 });
    expect(JSON.parse(row.result)).toEqual({ result: "success" });
    expect(JSON.parse(row.about)).toMatchObject({ componentName: "web", schemaName: "Server" });
    expect(linesOf(row)).toMatchObject([
      { stream: "stdout", level: "info", group: "log", message: "at 7", executionId: "" },
      { stream: "stderr", level: "error", message: "hm" },
      {
        stream: "output",
        level: "info",
        executionId: run.id,
        message: expect.stringMatching(/^Output: \{\n {2}"status"/),
      },
    ]);
    await runs.close();
  });

  it("show their log while they run, and wake those who wait for them", async () => {
    const { store, layer, runs } = await begin();
    const code = `async function main() { console.log("first"); await new Promise((go) => setTimeout(go, 600_000)); }`;
    const run = runs.start(requestOf(layer, code));
    await run.recorded;
    await eventually(async () => linesOf(await stored(store, layer, run.id)).at(0));
    const row = await stored(store, layer, run.id);
    expect(row).toMatchObject({ state: "Running", finalized: 0, result: "null" });
    const told = store.changed(runKey(run.id));
    runs.cancel([run.id]);
    await told;
    expect((await run.ended).outcome.ended).toBe("killed");
    expect(await stored(store, layer, run.id)).toMatchObject({ state: "Killed", finalized: 1 });
    await runs.close();
  });

  it("give their layer a new revision with every state, and with a line of a log only themselves", async () => {
    const { store, workspace, layer, runs } = await begin();
    const before = [await revOf(store, layer.id), await revOf(store, workspace.headId)];
    const code = `async function main() { await new Promise((go) => setTimeout(go, 300)); console.log("x"); await new Promise((go) => setTimeout(go, 600_000)); }`;
    const told = store.changed(layer.id);
    const run = runs.start(requestOf(layer, code));
    await told;
    await eventually(async () =>
      (await stored(store, layer, run.id)).state === "Running" ? true : undefined,
    );
    const running = await revOf(store, layer.id);
    const rev = await findRunRev(store, layer.workspaceId, run.id);
    expect(running).toBeGreaterThan(before[0] ?? 0);
    await until(async () => linesOf(await stored(store, layer, run.id)).length === 1);
    expect(await revOf(store, layer.id)).toBe(running);
    expect(await findRunRev(store, layer.workspaceId, run.id)).toBeGreaterThan(rev ?? 0);
    runs.cancel([run.id]);
    await run.ended;
    expect(await revOf(store, layer.id)).toBe(running + 1);
    expect(await revOf(store, workspace.headId)).toBe(before[1]);
    await runs.close();
  });

  it("that end together are written together", async () => {
    const { store, layer, runs } = await begin();
    const before = await revOf(store, layer.id);
    const code = "function main() { return 1; }";
    const all = Array.from({ length: 200 }, () => runs.start(requestOf(layer, code)));
    await Promise.all(all.map(({ ended }) => ended));
    expect((await revOf(store, layer.id)) - before).toBeLessThan(150);
    const { rows } = {
      rows: await store.db.selectFrom("func_run").selectAll().where("layer", "=", layer.id).execute(),
    };
    expect(rows).toHaveLength(200);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["Success"]));
    expect(
      await store.db.selectFrom("func_code").selectAll().where("code", "=", code).execute(),
    ).toHaveLength(1);
    await runs.close();
  });

  it("are ended as killed when anybody asks another process for it", async () => {
    const { store, layer, runs } = await begin();
    const run = runs.start(requestOf(layer, forever));
    await run.recorded;
    expect(await askToCancelRun(store, run.id)).toBe(true);
    expect((await run.ended).verdict.state).toBe("Killed");
    expect(await askToCancelRun(store, run.id)).toBe(false);
    await runs.close();
  });

  it("end as failed with the reason when the server stops, and leave nothing afterwards", async () => {
    const { store, layer, runs } = await begin();
    const run = runs.start(requestOf(layer, forever, { fingerprint: "same" }));
    await run.recorded;
    await runs.close();
    expect((await run.ended).verdict).toMatchObject({ state: "Failure", failure: leftBehind });
    expect(await stored(store, layer, run.id)).toMatchObject({ failure: leftBehind, fingerprint: null });
    const late = runs.start(requestOf(layer, forever));
    expect((await late.ended).outcome.ended).toBe("refused");
    expect(await findStoredRun(store, layer.workspaceId, late.id)).toBeUndefined();
  });

  it("that a process left behind are ended, where no other process can have them any more", async () => {
    const { store, layer, runs } = await begin();
    const [left, cancelled, alive] = [1, 2, 3].map(() =>
      runs.start(requestOf(layer, forever, { fingerprint: "f" })),
    );
    if (left === undefined || cancelled === undefined || alive === undefined) throw new Error("three runs");
    await Promise.all([left, cancelled, alive].map(({ recorded }) => recorded));
    const gone = { owner: "gone", lease_until: 0 };
    await store.write(async (tx) => {
      await tx.db.updateTable("func_run").set(gone).where("id", "=", left.id).execute();
      await tx.db
        .updateTable("func_run")
        .set({ ...gone, cancelled: 1 })
        .where("id", "=", cancelled.id)
        .execute();
    });
    const before = await revOf(store, layer.id);
    const told = store.changed(runKey(left.id));
    expect(await endLeftRuns(store)).toBe(2);
    await told;
    expect(await stored(store, layer, left.id)).toMatchObject({
      state: "Failure",
      failure: leftBehind,
      finalized: 1,
      fingerprint: null,
    });
    expect(await stored(store, layer, cancelled.id)).toMatchObject({ state: "Killed", failure: null });
    expect(await stored(store, layer, alive.id)).toMatchObject({ finalized: 0 });
    expect(await revOf(store, layer.id)).toBe(before + 1);
    await runs.close();
  });

  it("that this process knows nothing of any more are ended as well, those that it runs are not", async () => {
    const { store, layer, runs } = await begin();
    const [lost, alive] = [1, 2].map(() => runs.start(requestOf(layer, forever)));
    if (lost === undefined || alive === undefined) throw new Error("two runs");
    await Promise.all([lost.recorded, alive.recorded]);
    await store.write((tx) => tx.db.updateTable("func_run").set({ lease_until: 0 }).execute());
    await endLeftRuns(store, [alive.id]);
    expect(await stored(store, layer, lost.id)).toMatchObject({ state: "Failure", failure: leftBehind });
    expect(await stored(store, layer, alive.id)).toMatchObject({ finalized: 0 });
    await runs.close();
  });

  it("keep no secret in any row", async () => {
    const { store, layer, runs } = await begin();
    const secret = "correct-horse-battery";
    const run = runs.start(
      requestOf(layer, `function main({ text }) { console.log(text); return { text }; }`, {
        input: { text: secret },
        before: [{ code: "function main() {}", handler: "main", argument: { token: secret } }],
        judge: (outcome) => ({
          state: "Success",
          result: outcome.ended === "ok" ? (outcome.value ?? null) : null,
          failure: `not ${secret}`,
          output: { secret },
        }),
      }),
    );
    await run.ended;
    expect(JSON.stringify(await stored(store, layer, run.id))).not.toContain(secret);
    await runs.close();
  });

  it("cut what no row should hold, and say so", async () => {
    const { store, layer, runs } = await begin();
    const run = runs.start(
      requestOf(layer, `function main({ n }) { return "x".repeat(n.length * 8); }`, {
        input: { n: "y".repeat(150_000) },
        fingerprint: "long",
      }),
    );
    await run.ended;
    const row = await stored(store, layer, run.id);
    expect(row.args.length).toBeLessThan(110_000);
    expect(JSON.parse(row.args)).toMatch(/… \(cut: \d+ of \d+ characters are missing\)$/);
    expect(JSON.parse(row.result)).toMatch(/cut: \d+ of 1200002 characters are missing/);
    expect(row.fingerprint).toBeNull();
    await runs.close();
  });

  it("run in layers of any status, the head and abandoned change sets among them", async () => {
    const { store, workspace, layer, runs } = await begin();
    await store.write((tx) =>
      tx.db.updateTable("change_set").set({ status: "Abandoned" }).where("id", "=", layer.id).execute(),
    );
    const code = "function main() { throw new TypeError('no'); }";
    const ended = await Promise.all(
      [layer, headOf(workspace)].map((where) => runs.start(requestOf(where, code)).ended),
    );
    expect(ended.map(({ verdict }) => verdict)).toMatchObject([
      { state: "Failure", failure: "no" },
      { state: "Failure", failure: "no" },
    ]);
    await runs.close();
  });

  it("begin only once they are in the database where that is asked for, under the id that was told", async () => {
    const { store, layer, runs } = await begin();
    const id = store.id();
    const run = runs.start({
      ...requestOf(layer, "function main() { return 1; }"),
      func: functionOf("function main() { return 1; }", { kind: "Action" }),
      id,
      recordFirst: true,
    });
    expect(run.id).toBe(id);
    await run.recorded;
    expect(await stored(store, layer, id)).toMatchObject({ action_result: "Unknown" });
    await run.ended;
    await runs.close();
  });
});
