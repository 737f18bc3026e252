import { fork } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countJobs, wantJob } from "../../../server/store/jobs.ts";
import { migrations } from "../../../server/store/migrations/index.ts";
import type { Migration } from "../../../server/store/migrations/migration.ts";
import { openStore, StoreError } from "../../../server/store/open.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { denied } from "../../support/denied.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";

const failure = async (opening: Promise<unknown>): Promise<Error> =>
  opening.then(
    () => new Error("it opened"),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );

describeEngines("opening the store", (engine) => {
  const suite = suiteStore(engine);

  it("applies every migration once: a second opening finds nothing to do", async () => {
    const database = await engine.create();
    const said: string[] = [];
    const log = { info: (_: object, message: string) => void said.push(message) };
    for (let time = 0; time < 2; time++) {
      const store = await openStore({ url: database.url, clock: systemClock, log });
      await store.close();
    }
    expect(said).toEqual(["migrated the database"]);
    await database.remove();
  });

  it("refuses a database from a newer version in one line and leaves it alone", async () => {
    const database = await engine.create();
    const first = await openStore({ url: database.url, clock: systemClock });
    await first.write((tx) =>
      tx.db.insertInto("migration").values({ name: "9999-from-the-future", applied_at: 1 }).execute(),
    );
    await first.close();
    const error = await failure(openStore({ url: database.url, clock: systemClock }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toMatch(/newer version of svc.*9999-from-the-future.*restore a backup/);
    expect(error.message).not.toContain("\n");
    await database.remove();
  });

  it("applies new migrations to an existing database, all of them or none", async () => {
    const database = await engine.create();
    await (await openStore({ url: database.url, clock: systemClock })).close();
    const added: Migration = { name: "9999-later", statements: () => [sql`create table later(id text)`] };
    const broken: Migration = { name: "0003-broken", statements: () => [sql`create table later(id text)`] };
    const open = (more: Migration[]) =>
      openStore({ url: database.url, clock: systemClock, migrations: [...migrations, ...more] });
    await expect(open([added, broken])).rejects.toThrow(/later.*already exists/);
    const store = await open([added]);
    expect(
      (await store.db.selectFrom("migration").select("name").execute()).map((row) => row.name).sort(),
    ).toEqual([...migrations.map((migration) => migration.name), "9999-later"]);
    await store.close();
    await database.remove();
  });

  it("reads times and counters beyond 32 bits as numbers", async () => {
    const at = Date.UTC(2200, 0, 1);
    await suite.store.write((tx) =>
      tx.db.insertInto("migration").values({ name: "0", applied_at: at }).execute(),
    );
    const rows = await suite.store.db.selectFrom("migration").selectAll().where("name", "=", "0").execute();
    expect(rows).toEqual([{ name: "0", applied_at: at }]);
    await suite.store.write((tx) => tx.db.deleteFrom("migration").where("name", "=", "0").execute());
  });

  it("compares ids and names bytewise, whatever the database's language", async () => {
    await suite.store.write((tx) =>
      suite.store.engine.bulk(
        tx.db,
        "migration",
        ["name", "applied_at"],
        ["b", "B", "a", "A", "_"].map((name) => ({ name, applied_at: -1 })),
      ),
    );
    const rows = await suite.store.db
      .selectFrom("migration")
      .select("name")
      .where("applied_at", "=", -1)
      .orderBy("name")
      .execute();
    expect(rows.map((row) => row.name)).toEqual(["A", "B", "_", "a", "b"]);
    await suite.store.write((tx) => tx.db.deleteFrom("migration").where("applied_at", "=", -1).execute());
  });

  it("bulk-inserts any number of rows, updates on conflict, and selects by any number of ids", async () => {
    const { store } = suite;
    const names = Array.from({ length: 4_567 }, (_, index) => `n${String(index).padStart(5, "0")}`);
    const put = (applied_at: number, update: ["applied_at"] | []) =>
      store.write((tx) =>
        store.engine.bulk(
          tx.db,
          "migration",
          ["name", "applied_at"],
          names.map((name) => ({ name, applied_at })),
          { key: ["name"], update },
        ),
      );
    await put(-2, ["applied_at"]);
    await put(-3, []);
    const count = async (applied_at: number) =>
      (
        await sql<{
          n: number;
        }>`select count(*) as n from migration where applied_at=${applied_at} and name ${store.engine.within(names)}`.execute(
          store.db,
        )
      ).rows[0]?.n;
    expect([await count(-2), await count(-3)]).toEqual([names.length, 0]);
    await put(-3, ["applied_at"]);
    expect([await count(-2), await count(-3)]).toEqual([0, names.length]);
    await store.write((tx) => tx.db.deleteFrom("migration").where("applied_at", "=", -3).execute());
  });

  it("rolls everything back when the work throws, and goes on working", async () => {
    const { store } = suite;
    await expect(
      store.write(async (tx) => {
        await tx.db.insertInto("migration").values({ name: "x", applied_at: -4 }).execute();
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    await expect(
      store.write(async (tx) => {
        await tx.db.insertInto("migration").values({ name: "x", applied_at: -4 }).execute();
        await tx.db.insertInto("migration").values({ name: "x", applied_at: -4 }).execute();
      }),
    ).rejects.toThrow();
    expect(
      await store.db.selectFrom("migration").select("name").where("applied_at", "=", -4).execute(),
    ).toEqual([]);
  });

  it("wakes the watchers of a key after the commit, and nobody else", async () => {
    const { store } = suite;
    const woken: string[] = [];
    const stops = ["A", "B"].map((key) => store.watch([key], () => void woken.push(key)));
    const next = store.changed(["A", "C"]);
    await store.write(async (tx) => {
      tx.changed("A");
      expect(woken).toEqual([]);
    });
    await next;
    expect(woken).toEqual(["A"]);
    await expect(
      store.write(async (tx) => {
        tx.changed("B");
        throw new Error("rolled back");
      }),
    ).rejects.toThrow("rolled back");
    expect(woken).toEqual(["A"]);
    for (const stop of stops) stop();
    const abort = new AbortController();
    const aborted = store.changed("A", abort.signal);
    abort.abort();
    await aborted;
  });
});

describeEngines("a second process", (engine) => {
  const suite = suiteStore(engine);

  it(`is ${engine.name === "SQLite" ? "refused, naming the owner" : "welcome and hears of changes"}`, async () => {
    const second = openStore({ url: suite.url, clock: systemClock });
    if (!suite.store.engine.shared) {
      const error = await failure(second);
      expect(error).toBeInstanceOf(StoreError);
      expect(error.message).toContain(`in use by process ${process.pid}`);
      return;
    }
    const other = await second;
    const heard = other.changed("layer");
    await suite.store.write(async (tx) => tx.changed("layer"));
    await heard;
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'`.execute(
      suite.store.db,
    );
    await other.changed("any key: those who may have missed something are all woken");
    const again = other.changed("layer");
    await suite.store.write(async (tx) => tx.changed("layer"));
    await again;
    await other.close();
  });
});

describe("a SQLite file", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "svc-file-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("is created with its folder, readable by its owner only", async () => {
    const path = join(folder, "deep", "svc.db");
    const store = await openStore({ url: `sqlite:${path}`, clock: systemClock });
    for (const suffix of ["", "-wal", "-shm", ".pid"]) expect(statSync(path + suffix).mode & 0o077).toBe(0);
    await store.close();
  });

  it("that is no database is refused in one line and not touched", async () => {
    const path = join(folder, "letter.db");
    writeFileSync(path, "Dear reader, this is not a database. ".repeat(100));
    const error = await failure(openStore({ url: `sqlite:${path}`, clock: systemClock }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toMatch(/cannot be used as a database .*not a database.*restore/);
    expect(statSync(path).size).toBe(3_700);
  });

  it.each(["", "-wal"])(
    "that is refused by the mode or owner of svc.db%s: tells of rights, not of backups",
    async (suffix) => {
      const place = mkdtempSync(join(folder, "rights-"));
      const path = join(place, "svc.db");
      await (await openStore({ url: `sqlite:${path}`, clock: systemClock })).close();
      rmSync(`${path}.lock`);
      writeFileSync(path + suffix, "", { flag: "a" });
      chmodSync(path + suffix, 0o400);
      for (const open of [folder, place]) chmodSync(open, 0o777);
      const error = await denied(() => failure(openStore({ url: `sqlite:${path}`, clock: systemClock })));
      expect(error).toBeInstanceOf(StoreError);
      expect(error.message).toMatch(
        /^no permission to read and write the database \S+ \((EACCES|EPERM): .*\): run this as the user /,
      );
      expect(error.message).not.toMatch(/backup|\n/);
    },
  );

  it("that is a folder is refused in one line and left as it is", async () => {
    const path = join(folder, "folder");
    mkdirSync(path, { mode: 0o755 });
    const error = await failure(openStore({ url: `sqlite:${path}`, clock: systemClock }));
    expect(error.message).toMatch(/is a folder: give a file, such as .*svc\.db$/);
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it("is whole by itself once the store is closed", async () => {
    const path = join(folder, "closed.db");
    await (await openStore({ url: `sqlite:${path}`, clock: systemClock })).close();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  it("keeps its log from other programs also when it was closed and opened again", async () => {
    const path = join(folder, "again.db");
    const url = `sqlite:${path}`;
    await (await openStore({ url, clock: systemClock })).close();
    const store = await openStore({ url, clock: systemClock });
    await wantJob(store, "kind", "subject");
    const script = join(folder, "visitor.mjs");
    writeFileSync(
      script,
      `import { DatabaseSync } from ${JSON.stringify(import.meta.resolve("@photostructure/sqlite"))};
       const visitor = new DatabaseSync(${JSON.stringify(path)}); visitor.exec("select count(*) from job"); visitor.close();`,
    );
    await new Promise((resolve) => fork(script, { execArgv: [] }).once("exit", resolve));
    // The last one out removes the log: a visitor that is not the last leaves it.
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size).toBeGreaterThan(0);
    expect(await countJobs(store)).toBe(1);
    await store.close();
  });

  it("is free again when its owner was killed, whatever files that left", async () => {
    const path = join(folder, "killed.db");
    const script = join(folder, "owner.mjs");
    writeFileSync(
      script,
      `import { DatabaseSync } from ${JSON.stringify(import.meta.resolve("@photostructure/sqlite"))}; import { writeFileSync } from "node:fs";
       const lock = new DatabaseSync(${JSON.stringify(`${path}.lock`)}); lock.exec("begin exclusive");
       writeFileSync(${JSON.stringify(`${path}.pid`)}, String(process.pid)); process.send("held"); setInterval(() => {}, 1e6);`,
    );
    const owner = fork(script, { execArgv: [] });
    await new Promise((resolve) => owner.once("message", resolve));
    const error = await failure(openStore({ url: `sqlite:${path}`, clock: systemClock }));
    expect(error.message).toContain(`in use by process ${owner.pid}`);
    const gone = new Promise((resolve) => owner.once("exit", resolve));
    owner.kill("SIGKILL");
    await gone;
    await (await openStore({ url: `sqlite:${path}`, clock: systemClock })).close();
  });
});

describe("a database url", () => {
  it.each([
    ["sqlite::memory:", /needs a file/],
    ["mysql://user:secret@host/db", /sqlite:<path> or postgres:/],
    ["postgres://user:secret@127.0.0.1:1/db", /cannot use the database .*ECONNREFUSED.*is it running/],
  ])("%s that cannot be used gets one line without its password", async (url, expected) => {
    const error = await failure(openStore({ url, clock: systemClock }));
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toMatch(expected);
    expect(error.message).not.toMatch(/secret|\n/);
  });
});
