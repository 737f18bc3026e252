import { CompiledQuery } from "kysely";
import { describe, expect, it } from "vitest";
import { createEntities, findEntity, patchEntity } from "../../../server/store/entities.ts";
import { listEvents, lockWorkspaces, recordEvent } from "../../../server/store/events.ts";
import { wantJob } from "../../../server/store/jobs.ts";
import { openStore, type Tx } from "../../../server/store/open.ts";
import { describeEngines, sqlite, suiteStore } from "../../support/engines.ts";
import { actor, change, lossyRules, newChangeSet, newWorkspace } from "./model.ts";

const jobs = (tx: Tx, key: string) =>
  tx.db.insertInto("job").values({ key, kind: "test", wanted: 1, owner: null, lease_until: 0 }).execute();

describeEngines("writers at once", (engine) => {
  const suite = suiteStore(engine);
  const keys = async (prefix: string): Promise<string[]> => {
    const rows = await suite.store.db
      .selectFrom("job")
      .select("key")
      .where("key", "like", `${prefix}%`)
      .orderBy("key")
      .execute();
    return rows.map(({ key }) => key);
  };

  it("each write all or nothing: one that fails takes back only its own", async () => {
    const writers = Array.from({ length: 80 }, (_, index) =>
      suite.store.write(async (tx) => {
        await jobs(tx, `each ${String(index).padStart(2, "0")}`);
        if (index % 3 === 1) throw new Error(`writer ${index}`);
        return index;
      }),
    );
    const outcomes = await Promise.allSettled(writers);
    for (const [index, outcome] of outcomes.entries()) {
      if (index % 3 === 1) expect(outcome).toMatchObject({ reason: { message: `writer ${index}` } });
      else expect(outcome).toMatchObject({ value: index });
    }
    const left = outcomes.flatMap((_, index) =>
      index % 3 === 1 ? [] : `each ${String(index).padStart(2, "0")}`,
    );
    expect(await keys("each")).toEqual(left);
  });
  it("find what they were told is written, whoever asks", async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await suite.store.write((tx) => jobs(tx, `told ${index}`));
        return (await keys("told")).includes(`told ${index}`);
      }),
    );
    expect(seen).not.toContain(false);
  });
  it("lose no count", async () => {
    await Promise.all(Array.from({ length: 50 }, () => wantJob(suite.store, "count", "one")));
    const row = await suite.store.db
      .selectFrom("job")
      .select("wanted")
      .where("key", "=", "count:one")
      .executeTakeFirstOrThrow();
    expect(row.wanted).toBe(50);
  });
});

describeEngines("whoever reads beside a writer", (engine) => {
  const suite = suiteStore(engine);
  it("waits for nobody, and sees nothing that may yet be taken back", async () => {
    const { store } = suite;
    const seen = async (): Promise<boolean> =>
      (await store.db.selectFrom("job").select("key").where("key", "=", "beside").execute()).length > 0;
    const steps: boolean[] = [await seen()];
    await store.write(async (tx) => {
      await jobs(tx, "beside");
      // A transaction that waits for something outside the database stays open meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(await seen());
    });
    steps.push(await seen());
    expect(steps).toEqual([false, false, true]);
  });
});

describe("a write outside transactions", () => {
  const suite = suiteStore(sqlite);
  const write = () => suite.store.db.deleteFrom("job").returning("key").execute();
  it("is refused, whether a transaction is open or not", async () => {
    await suite.store.write((tx) => jobs(tx, "kept"));
    await expect(write()).rejects.toThrow("readonly");
    await suite.store.write(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await expect(write()).rejects.toThrow("readonly");
    });
    await expect(write()).rejects.toThrow("readonly");
    expect(await suite.store.db.selectFrom("job").select("key").execute()).toEqual([{ key: "kept" }]);
  });
});

describeEngines("events of writers at once", (engine) => {
  const suite = suiteStore(engine);
  it("are numbered without gaps in the order of their writers, but for those that failed", async () => {
    const { store } = suite;
    const workspaces = [await newWorkspace(store), await newWorkspace(store)];
    const writers = Array.from({ length: 40 }, (_, index) =>
      store.write(async (tx) => {
        const some = index % 2 === 0 ? workspaces : workspaces.slice(0, 1);
        await lockWorkspaces(
          tx,
          some.map(({ id }) => id),
        );
        for (const { id } of some) {
          recordEvent(tx, { workspaceId: id, actor, kind: "entity.changed", subject: `${index}` });
        }
        if (index % 5 === 3) throw new Error("refused");
      }),
    );
    const outcomes = await Promise.allSettled(writers);
    const kept = outcomes.flatMap(({ status }, index) => (status === "fulfilled" ? [index] : []));
    for (const [at, { id }] of workspaces.entries()) {
      const [, ...events] = await listEvents(store, id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 2));
      const subjects = events.map(({ subject }) => Number(subject));
      const expected = kept.filter((index) => at === 0 || index % 2 === 0);
      expect(subjects.toSorted((a, b) => a - b)).toEqual(expected);
      if (engine.name === "SQLite") expect(subjects).toEqual(expected);
    }
  });
});

describeEngines("what writers at once look at", (engine) => {
  const suite = suiteStore(engine);
  const rules = lossyRules;
  it("stands for all of them until one has changed it, and again when that one failed", async () => {
    const { store } = suite;
    const layer = await newChangeSet(store, await newWorkspace(store));
    const view = { kind: "view", id: store.id(), name: "first", body: {} };
    await change(store, layer, (write) => createEntities(write, [view]));
    const seen: { readonly entities: object; readonly name: string | undefined }[] = [];
    const look = (name?: string, fails = false) =>
      change(store, layer, async (write) => {
        write.saved();
        if (name !== undefined) await patchEntity(write, rules, { ...view, name, patch: {} });
        const found = await findEntity(write.tx, rules, write.layer, "view", view.id);
        seen.push({ entities: write.tx.shared.entities, name: found?.name });
        if (fails) throw new Error("refused");
      });
    await Promise.allSettled([look(), look(), look("second", true), look(), look("third"), look()]);
    // Whoever finds the same object finds the same name.
    for (const { entities, name } of seen) {
      for (const other of seen) if (other.entities === entities) expect(other.name).toBe(name);
    }
    // On PostgreSQL everybody commits alone, in any order.
    if (engine.name !== "SQLite") return;
    expect(seen.map(({ name }) => name)).toEqual(["first", "first", "second", "first", "third", "third"]);
    expect(new Set(seen.map(({ entities }) => entities)).size).toBe(4);
  });
});

describe("writers that share a commit", () => {
  const suite = suiteStore(sqlite);

  it("are told only after it, and see what those before them wrote", async () => {
    let isTold = false;
    const first = suite.store
      .write((tx) => jobs(tx, "first"))
      .then(() => {
        isTold = true;
      });
    const second = suite.store.write(async (tx) => {
      const found = await tx.db.selectFrom("job").select("key").where("key", "=", "first").execute();
      return [isTold, found.length];
    });
    expect(await second).toEqual([false, 1]);
    await first;
    expect(isTold).toBe(true);
  });
  it("all fail when the database gives the transaction up, and leave nothing", async () => {
    const outcomes = await Promise.allSettled([
      suite.store.write((tx) => jobs(tx, "lost 1")),
      // What SQLite does by itself when the disk is full.
      suite.store.write((tx) => tx.db.executeQuery(CompiledQuery.raw("rollback"))),
      suite.store.write((tx) => jobs(tx, "lost 2")),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await suite.store.write((tx) => jobs(tx, "kept"));
    const rows = await suite.store.db.selectFrom("job").select("key").execute();
    expect(rows.map(({ key }) => key).filter((key) => /lost|kept/.test(key))).toEqual(["kept"]);
  });
  it("cannot go on once they are told", async () => {
    const kept = await suite.store.write(async (tx) => tx);
    await expect(jobs(kept, "too late")).rejects.toThrow("the transaction is over");
  });
  it("finish before the store is closed", async () => {
    const database = await sqlite.create();
    const store = await openStore({ url: database.url, clock: suite.clock });
    const writes = [1, 2, 3].map((n) => store.write((tx) => jobs(tx, `late ${n}`)));
    await store.close();
    await Promise.all(writes);
    await database.remove();
  });
});
