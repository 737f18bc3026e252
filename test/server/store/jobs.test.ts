import { sql } from "kysely";
import { expect, it } from "vitest";
import {
  countJobs,
  deferJob,
  finishJob,
  type Job,
  leaseJob,
  leaseMs,
  renewJob,
  takeOverJobs,
  wantJob,
} from "../../../server/store/jobs.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";

describeEngines("jobs", (engine) => {
  const suite = suiteStore(engine);
  let count = 0;
  /** Kinds of its own for each test, so that they do not take each other's work. */
  const newKind = () => `kind${count++}`;
  const leased = async (kind: string, owner: string): Promise<Job> => {
    const job = await leaseJob(suite.store, [kind], { owner });
    if (job === undefined) throw new Error("there is a job to lease");
    return job;
  };
  /** Ends leases as time would; the database's clock cannot be moved. */
  const expire = (kind: string) =>
    suite.store.write((tx) => sql`update job set lease_until = 0 where kind = ${kind}`.execute(tx.db));

  it("are one row however often they are wanted, and gone when finished", async () => {
    const kind = newKind();
    for (let time = 0; time < 3; time++) await wantJob(suite.store, kind, "x");
    const job = await leased(kind, "me");
    expect(job).toMatchObject({ key: `${kind}:x`, kind, wanted: 3 });
    await finishJob(suite.store, job, "me");
    expect(await countJobs(suite.store)).toBe(0);
  });

  it("wanted again while they run are not lost by the finish", async () => {
    const kind = newKind();
    await wantJob(suite.store, kind, "x");
    const job = await leased(kind, "me");
    await wantJob(suite.store, kind, "x");
    const told = suite.store.changed("jobs");
    await finishJob(suite.store, job, "me");
    await told;
    await finishJob(suite.store, await leased(kind, "you"), "you");
    expect(await leaseJob(suite.store, [kind], { owner: "me" })).toBeUndefined();
  });

  it("never have two owners, however many ask at once", async () => {
    const kind = newKind();
    for (let index = 0; index < 10; index++) await wantJob(suite.store, kind, String(index));
    const owners = Array.from({ length: 8 }, (_, index) => `owner ${index}`);
    const taken: string[] = [];
    await Promise.all(
      owners.map(async (owner) => {
        for (let job = await leaseJob(suite.store, [kind], { owner }); job !== undefined; ) {
          taken.push(job.key);
          job = await leaseJob(suite.store, [kind], { owner });
        }
      }),
    );
    expect(taken).toHaveLength(10);
    expect(new Set(taken).size).toBe(10);
    await suite.store.write((tx) => sql`delete from job where kind = ${kind}`.execute(tx.db));
  });

  it("of an owner that stopped renewing go to another, and the late finish of the first does nothing", async () => {
    const kind = newKind();
    await wantJob(suite.store, kind, "x");
    const first = await leased(kind, "first");
    expect(await leaseJob(suite.store, [kind], { owner: "second" })).toBeUndefined();
    expect(await renewJob(suite.store, first, "first")).toBe(true);
    await expire(kind);
    const second = await leased(kind, "second");
    expect(await renewJob(suite.store, first, "first")).toBe(false);
    await finishJob(suite.store, first, "first");
    expect(await renewJob(suite.store, second, "second")).toBe(true);
    await finishJob(suite.store, second, "second");
    expect(await leaseJob(suite.store, [kind], { owner: "first" })).toBeUndefined();
  });

  it("are leased by the clock that all processes share", async () => {
    const kind = newKind();
    await wantJob(suite.store, kind, "x");
    await leased(kind, "me");
    const { rows } = await sql<{ left: number }>`
      select lease_until - ${suite.store.engine.now()} as left from job where kind = ${kind}`.execute(
      suite.store.db,
    );
    const left = rows[0]?.left ?? 0;
    expect(left > 0 && left <= leaseMs).toBe(true);
    await suite.store.write((tx) => sql`delete from job where kind = ${kind}`.execute(tx.db));
  });

  it("that failed come back no sooner than told", async () => {
    const kind = newKind();
    await wantJob(suite.store, kind, "x");
    await deferJob(suite.store, await leased(kind, "me"), 60_000, "me");
    expect(await leaseJob(suite.store, [kind], { owner: "me" })).toBeUndefined();
    await expire(kind);
    await finishJob(suite.store, await leased(kind, "me"), "me");
  });

  it("are leased by kind: a process takes only what it can do", async () => {
    const [kind, other] = [newKind(), newKind()];
    await wantJob(suite.store, kind, "x");
    expect(await leaseJob(suite.store, [other], { owner: "me" })).toBeUndefined();
    await finishJob(suite.store, await leased(kind, "me"), "me");
  });

  it("left behind are taken over at start where no other process can hold them, and only there", async () => {
    const kind = newKind();
    await wantJob(suite.store, kind, "x");
    const left = await leased(kind, "died");
    await takeOverJobs(suite.store);
    const taken = await leaseJob(suite.store, [kind], { owner: "new" });
    expect(taken === undefined).toBe(suite.store.engine.shared);
    await finishJob(suite.store, taken ?? left, taken === undefined ? "died" : "new");
  });
});
