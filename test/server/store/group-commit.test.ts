import { CompiledQuery } from "kysely";
import { describe, expect, it } from "vitest";
import { wantJob } from "../../../server/store/jobs.ts";
import { openStore, type Tx } from "../../../server/store/open.ts";
import { describeEngines, sqlite, suiteStore } from "../../support/engines.ts";

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
