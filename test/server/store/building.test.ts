import { sql } from "kysely";
import { expect, it } from "vitest";
import { type BuildingPlace, isBuilding, whileBuilding } from "../../../server/store/building.ts";
import { leaseMs } from "../../../server/store/jobs.ts";
import { openStore, type Store } from "../../../server/store/open.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { newWorkspace } from "./model.ts";

/** Work that ends when it is told to. */
const pausing = () => {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = (): void => {};
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const work = async (): Promise<string> => {
    begun();
    await over;
    return "done";
  };
  return { work, end, hasBegun };
};

const revOf = async (store: Store, id: string): Promise<number> =>
  (await store.db.selectFrom("change_set").select("rev").where("id", "=", id).executeTakeFirstOrThrow()).rev;

describeEngines("a running definition", (engine) => {
  const suite = suiteStore(engine);
  const place = async (): Promise<BuildingPlace> => {
    const { headId } = await newWorkspace(suite.store);
    return { layerId: headId, schemaId: suite.store.id() };
  };

  it("is known while it runs, of its schema in its layer alone, and moves the tag at both ends", async () => {
    const { store, clock } = suite;
    const here = await place();
    const { work, end, hasBegun } = pausing();
    const before = await revOf(store, here.layerId);
    const running = whileBuilding(store, clock, here, work);
    await hasBegun;
    expect(await isBuilding(store, here)).toBe(true);
    expect(await isBuilding(store, { ...here, schemaId: store.id() })).toBe(false);
    expect(await isBuilding(store, { ...here, layerId: store.id() })).toBe(false);
    expect(await revOf(store, here.layerId)).toBe(before + 1);
    end();
    expect(await running).toBe("done");
    expect(await isBuilding(store, here)).toBe(false);
    expect(await revOf(store, here.layerId)).toBe(before + 2);
  });

  it("counts until the last of several has ended, whether they fail or not", async () => {
    const { store, clock } = suite;
    const here = await place();
    const [one, other] = [pausing(), pausing()];
    const running = whileBuilding(store, clock, here, one.work);
    const failing = whileBuilding(store, clock, here, async () => {
      await other.work();
      throw new Error("no luck");
    });
    await Promise.all([one.hasBegun, other.hasBegun]);
    one.end();
    await running;
    expect(await isBuilding(store, here)).toBe(true);
    other.end();
    await expect(failing).rejects.toThrow("no luck");
    expect(await isBuilding(store, here)).toBe(false);
  });

  it("is over when its process is: at once where there is one process, else when its lease ends", async () => {
    const { store } = suite;
    const here = await place();
    const lost = async (until: number): Promise<void> => {
      const key = `${here.layerId}:${here.schemaId}:${store.id()}`;
      await store.write((tx) =>
        sql`insert into building(key, owner, lease_until)
          values (${key}, ${"somebody else"}, ${tx.engine.now()} + ${until})`.execute(tx.db),
      );
    };
    await lost(-1);
    expect(await isBuilding(store, here)).toBe(false);
    await lost(leaseMs);
    expect(await isBuilding(store, here)).toBe(store.engine.shared);
  });

  it("is seen by every process of the database", async () => {
    const { store, clock } = suite;
    if (!store.engine.shared) return;
    const here = await place();
    const { work, end, hasBegun } = pausing();
    const running = whileBuilding(store, clock, here, work);
    await hasBegun;
    const beside = await openStore({ url: suite.url, clock });
    expect(await isBuilding(beside, here)).toBe(true);
    end();
    await running;
    expect(await isBuilding(beside, here)).toBe(false);
    await beside.close();
  });
});
