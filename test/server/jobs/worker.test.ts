import { expect, it } from "vitest";
import type { JobHandler } from "../../../server/jobs/handlers.ts";
import { propagateJob } from "../../../server/jobs/propagate.ts";
import { startWorker, type WorkerLog } from "../../../server/jobs/worker.ts";
import { abandonChangeSet } from "../../../server/store/change-sets.ts";
import { createComponents, editComponent } from "../../../server/store/component-writes.ts";
import { getComponent } from "../../../server/store/components.ts";
import { countJobs, renewMs, wantJob } from "../../../server/store/jobs.ts";
import type { Store } from "../../../server/store/open.ts";
import { createPropagate } from "../../../server/store/propagate.ts";
import { hasRoots, jobsKey, propagateKind } from "../../../server/store/roots.ts";
import { setSwitch } from "../../../server/store/switches.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import {
  actor,
  change,
  defined,
  from,
  literal,
  newChangeSet,
  newWorkspace,
  lossyRules as rules,
} from "../store/model.ts";

const silent: WorkerLog = { warn: () => {} };

/** Resolves when the condition holds. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}

const propagation = (store: Store) => new Map([[propagateKind, propagateJob(createPropagate(store, rules))]]);

const workerWith = (store: Store, handlers: ReadonlyMap<string, JobHandler>, log = silent) =>
  startWorker({ store, clock: store.clock, log, handlers });

describeEngines("the worker", (engine) => {
  const suite = suiteStore(engine);

  it("starts on new work at once, without polling, and leaves neither roots nor jobs", async () => {
    const { store } = suite;
    const worker = await workerWith(store, propagation(store));
    const layer = await newChangeSet(store, await newWorkspace(store));
    const [source, reader] = [store.id(), store.id()];
    await change(store, layer, (one) =>
      createComponents(one, rules, [
        defined(source, { "/domain/a": literal(1) }),
        defined(reader, { "/domain/in": from(source, "/domain/a") }),
      ]),
    );
    await until(async () => !(await hasRoots(store, layer.id)));
    expect((await getComponent(store, rules, layer, reader)).vals).toMatchObject({ "/domain/in": 1 });
    await Promise.all(
      Array.from({ length: 10 }, (_, value) =>
        change(store, layer, (one) =>
          editComponent(one, rules, source, () => ({ "/domain/a": literal(value) })),
        ),
      ),
    );
    await until(async () => (await countJobs(store)) === 0);
    expect(await hasRoots(store, layer.id)).toBe(false);
    const shown = async (id: string) => (await getComponent(store, rules, layer, id)).vals;
    expect((await shown(reader))["/domain/in"]).toBe((await shown(source))["/domain/a"]);
    await worker.stop();
  });

  it("wakes those who hold a request on the layer when its values are there", async () => {
    const { store } = suite;
    const layer = await newChangeSet(store, await newWorkspace(store));
    await change(store, layer, (one) => createComponents(one, rules, [defined(store.id(), {})]));
    const told = store.changed(layer.id);
    const worker = await workerWith(store, propagation(store));
    await told;
    await until(async () => (await countJobs(store)) === 0);
    await worker.stop();
  });

  it("drops the work of a change set that was abandoned meanwhile", async () => {
    const { store } = suite;
    const workspace = await newWorkspace(store);
    const layer = await newChangeSet(store, workspace);
    await change(store, layer, (one) => createComponents(one, rules, [defined(store.id(), {})]));
    await abandonChangeSet(store, { workspaceId: workspace.id, changeSetId: layer.id, actor });
    const worker = await workerWith(store, propagation(store));
    await until(async () => (await countJobs(store)) === 0);
    await worker.stop();
  });

  it("runs jobs side by side: one that waits holds up no other, of its kind or of another", async () => {
    const { store } = suite;
    const waiting = new Set<string>();
    let letGo = (): void => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let quick = 0;
    const handlers = new Map<string, JobHandler>([
      [
        "slow",
        async (subject) => {
          waiting.add(subject);
          await gate;
        },
      ],
      ["quick", async () => void quick++],
    ]);
    const wanted = Array.from({ length: 70 }, (_, index) => `${index}`);
    for (const subject of wanted) await wantJob(store, "slow", subject);
    const worker = await workerWith(store, handlers);
    await until(() => waiting.size === 64);
    await wantJob(store, "quick", "x");
    await until(async () => quick === 1);
    expect(waiting.size).toBe(64);
    letGo();
    await until(async () => (await countJobs(store)) === 0);
    expect(waiting.size).toBe(70);
    await worker.stop();
  });

  it("never runs one job twice at once, and again when it was wanted while it ran", async () => {
    const { store } = suite;
    let [runs, atOnce, most] = [0, 0, 0];
    const handlers = new Map<string, JobHandler>([
      [
        "one",
        async () => {
          runs++;
          most = Math.max(most, ++atOnce);
          if (runs === 1) {
            await wantJob(store, "one", "x");
            // As when its lease could not be renewed in time.
            await store.write((tx) => tx.db.updateTable("job").set({ lease_until: 0 }).execute());
            await wantJob(store, "other", "y");
            await until(() => others === 1);
          }
          atOnce--;
        },
      ],
      ["other", async () => void others++],
    ]);
    let others = 0;
    await wantJob(store, "one", "x");
    const worker = await workerWith(store, handlers);
    await until(async () => (await countJobs(store)) === 0);
    expect({ runs, most }).toEqual({ runs: 2, most: 1 });
    await worker.stop();
  });

  it("says so when a job fails, and goes on with the others", async () => {
    const { store } = suite;
    const warned: object[] = [];
    const done: string[] = [];
    const handlers = new Map<string, JobHandler>([
      [
        "fragile",
        async (subject) => {
          if (subject === "bad") throw new Error("broken");
          done.push(subject);
        },
      ],
    ]);
    await wantJob(store, "fragile", "bad");
    await wantJob(store, "fragile", "good");
    const worker = await workerWith(store, handlers, { warn: (details) => void warned.push(details) });
    await until(() => done.length === 1 && warned.length === 1);
    expect(warned).toMatchObject([{ job: "fragile:bad", delayMs: 1_000 }]);
    await worker.stop();
    expect(await countJobs(store)).toBe(1);
    await store.write((tx) => tx.db.deleteFrom("job").execute());
  });

  it("tells a job that lost its lease to stop, and keeps renewing one that has it", async () => {
    const { store, clock } = suite;
    let lease: AbortSignal | undefined;
    const handlers = new Map<string, JobHandler>([
      [
        "long",
        (_, lost) => {
          lease = lost;
          return new Promise((resolve) => lost.addEventListener("abort", () => resolve(), { once: true }));
        },
      ],
    ]);
    await wantJob(store, "long", "x");
    const worker = await workerWith(store, handlers);
    await until(() => lease !== undefined);
    const leaseUntil = async () =>
      (await store.db.selectFrom("job").select("lease_until").executeTakeFirst())?.lease_until ?? 0;
    const first = await leaseUntil();
    // PostgreSQL leases by its own clock, where a renewal may come in the same millisecond.
    await until(async () => {
      await clock.advance(renewMs);
      return (await leaseUntil()) > first;
    });
    expect(lease?.aborted).toBe(false);
    await store.write((tx) => tx.db.updateTable("job").set({ owner: "thief", lease_until: 8e15 }).execute());
    // The wait for the next renewal may begin a moment after the last one was committed.
    await until(async () => {
      await clock.advance(renewMs);
      return lease?.aborted === true;
    });
    await worker.stop();
    expect(await store.db.selectFrom("job").select("owner").execute()).toEqual([{ owner: "thief" }]);
    await store.write((tx) => tx.db.deleteFrom("job").execute());
  });

  it("gives a running job back when it is stopped", async () => {
    const { store } = suite;
    let running = false;
    const handlers = new Map<string, JobHandler>([
      [
        "long",
        (_, lost) => {
          running = true;
          return new Promise((resolve) => lost.addEventListener("abort", () => resolve(), { once: true }));
        },
      ],
    ]);
    await wantJob(store, "long", "x");
    const worker = await workerWith(store, handlers);
    await until(() => running);
    await worker.stop();
    expect(await store.db.selectFrom("job").select("owner").execute()).toEqual([{ owner: null }]);
    await store.write((tx) => tx.db.deleteFrom("job").execute());
  });

  it("begins nothing while it may not, and at once when it may", async () => {
    const { store } = suite;
    const order: string[] = [];
    let open = false;
    const worker = await startWorker({
      store,
      clock: store.clock,
      log: silent,
      handlers: new Map<string, JobHandler>([["some", async () => void order.push("ran")]]),
      mayBegin: () => {
        order.push(open ? "may" : "may not");
        return open;
      },
    });
    await wantJob(store, "some", "x");
    await store.write(async (tx) => tx.changed(jobsKey));
    await until(() => order.length >= 2);
    open = true;
    await store.write((tx) => setSwitch(tx, "maintenance", { on: false, message: null }));
    await until(() => order.includes("ran"));
    expect(order.slice(0, order.indexOf("ran")).filter((word) => word === "may")).toHaveLength(1);
    await worker.stop();
    await store.write((tx) => tx.db.deleteFrom("job").execute());
  });

  it("leaves no timer behind when it is stopped", async () => {
    const before = suite.clock.pending();
    const worker = await workerWith(suite.store, new Map());
    await worker.stop();
    expect(suite.clock.pending()).toBe(before);
  });
});
