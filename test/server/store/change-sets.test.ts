import { expect, it } from "vitest";
import {
  abandonChangeSet,
  createChangeSet,
  findChangeSet,
  getChangeSet,
  getHead,
  listChangeSets,
  purgeChangeSets,
  revisionOf,
} from "../../../server/store/change-sets.ts";
import { listEvents } from "../../../server/store/events.ts";
import { workspaceRevision } from "../../../server/store/workspaces.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { actor, newWorkspace } from "./model.ts";

describeEngines("change sets", (engine) => {
  const suite = suiteStore(engine);
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: Error & { error?: string }) => error.error,
    );
  const create = (workspaceId: string, name: string) =>
    createChangeSet(suite.store, { workspaceId, name, actor });
  const names = async (workspaceId: string) =>
    (await listChangeSets(suite.store, workspaceId)).map((set) => set.name);

  it("are listed while active, the head first, then in order of creation", async () => {
    const { id, headId } = await newWorkspace(suite.store);
    for (const name of ["b", "a", "c"]) await create(id, name);
    expect(await names(id)).toEqual(["HEAD", "b", "a", "c"]);
    expect(await getHead(suite.store, id)).toMatchObject({
      id: headId,
      headId,
      name: "HEAD",
      status: "Open",
    });
    expect(await errorOf(getHead(suite.store, suite.store.id()))).toBe("workspaceNotFound");
  });

  it("cost the same rows however large the head is: their own and the event", async () => {
    const { id } = await newWorkspace(suite.store);
    const set = await create(id, "one");
    for (const table of ["component", "sub", "root", "entity"] as const) {
      expect(
        await suite.store.db.selectFrom(table).select("layer").where("layer", "=", set.id).execute(),
      ).toEqual([]);
    }
    expect(await revisionOf(suite.store, set.id)).toEqual({ head: 1, own: 1 });
  });

  it("belong to one workspace", async () => {
    const [mine, other] = [await newWorkspace(suite.store), await newWorkspace(suite.store)];
    const set = await create(mine.id, "mine");
    expect(await findChangeSet(suite.store, other.id, set.id)).toBeUndefined();
    expect(await errorOf(getChangeSet(suite.store, other.id, set.id))).toBe("changeSetNotFound");
    expect(
      await errorOf(abandonChangeSet(suite.store, { workspaceId: other.id, changeSetId: set.id, actor })),
    ).toBe("changeSetNotFound");
    expect(await getChangeSet(suite.store, mine.id, set.id)).toEqual(set);
  });

  it("have names that no other active one has, however many ask at once", async () => {
    const { id } = await newWorkspace(suite.store);
    const answers = await Promise.all(Array.from({ length: 6 }, () => errorOf(create(id, "same"))));
    expect(answers.sort()).toEqual([...Array(5).fill("invalidRequest"), "no error"]);
    expect(await names(id)).toEqual(["HEAD", "same"]);
    await expect(create(id, "same")).rejects.toThrow(/"same" already: choose another name/);
    await create((await newWorkspace(suite.store)).id, "same");
  });

  it("once abandoned leave the list but stay readable, and their name is free", async () => {
    const { id } = await newWorkspace(suite.store);
    const set = await create(id, "gone");
    const target = { workspaceId: id, changeSetId: set.id, actor };
    await abandonChangeSet(suite.store, target);
    const events = await listEvents(suite.store, id);
    await abandonChangeSet(suite.store, target);
    expect(await listEvents(suite.store, id)).toEqual(events);
    expect(await names(id)).toEqual(["HEAD"]);
    expect(await getChangeSet(suite.store, id, set.id)).toMatchObject({
      status: "Abandoned",
      deletedAt: suite.clock.now(),
    });
    await create(id, "gone");
  });

  it("cannot be abandoned when they are the head, applied or unknown", async () => {
    const { id, headId } = await newWorkspace(suite.store);
    const set = await create(id, "applied");
    const abandon = (changeSetId: string) =>
      errorOf(abandonChangeSet(suite.store, { workspaceId: id, changeSetId, actor }));
    await suite.store.write((tx) =>
      tx.db.updateTable("change_set").set({ status: "Applied" }).where("id", "=", set.id).execute(),
    );
    expect(await abandon(headId)).toBe("headNotAllowed");
    expect(await abandon(set.id)).toBe("changeSetNotActive");
    expect(await abandon(suite.store.id())).toBe("changeSetNotFound");
    expect(await names(id)).toEqual(["HEAD"]);
  });

  it("are purged all but the head, and a purged one can still be deleted", async () => {
    const { id } = await newWorkspace(suite.store);
    const sets = [await create(id, "one"), await create(id, "two")];
    expect(await purgeChangeSets(suite.store, { workspaceId: id, actor })).toEqual(sets.map((set) => set.id));
    expect(await names(id)).toEqual(["HEAD"]);
    expect((await listEvents(suite.store, id)).at(-1)?.data).toEqual({
      changeSetIds: sets.map((set) => set.id),
    });
    expect(await purgeChangeSets(suite.store, { workspaceId: id, actor })).toEqual([]);
    const changeSetId = sets[0]?.id ?? "";
    expect((await getChangeSet(suite.store, id, changeSetId)).deletedAt).toBeUndefined();
    await abandonChangeSet(suite.store, { workspaceId: id, changeSetId, actor });
    expect((await getChangeSet(suite.store, id, changeSetId)).deletedAt).toBe(suite.clock.now());
  });

  it("move the workspace's revision and wake those who watch it", async () => {
    const { id } = await newWorkspace(suite.store);
    const before = await workspaceRevision(suite.store, id);
    const woken = suite.store.changed(id);
    const set = await create(id, "news");
    await woken;
    const created = await workspaceRevision(suite.store, id);
    expect(created).toBeGreaterThan(before);
    const gone = suite.store.changed([set.id, "something else"]);
    await abandonChangeSet(suite.store, { workspaceId: id, changeSetId: set.id, actor });
    await gone;
    expect(await workspaceRevision(suite.store, id)).toBeGreaterThan(created);
  });
});
