import { expect, it } from "vitest";
import { listEntities } from "../../../server/store/entities.ts";
import { listEvents, pruneEvents } from "../../../server/store/events.ts";
import {
  createWorkspace,
  findMember,
  findWorkspace,
  getWorkspace,
  listMembers,
  listWorkspacesOf,
  putMember,
  workspaceRevision,
} from "../../../server/store/workspaces.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { actor, headOf, lossyRules as rules } from "./model.ts";

describeEngines("workspaces", (engine) => {
  const suite = suiteStore(engine);
  const create = (displayName: string, creatorId = actor) =>
    createWorkspace(suite.store, { displayName, description: "for tests", creatorId });

  it("start with a head, the DEFAULT view in it, their creator as owner, and one event", async () => {
    const workspace = await create("mine");
    expect(await getWorkspace(suite.store, workspace.id)).toEqual(workspace);
    expect(workspace).toMatchObject({ displayName: "mine", approvalsEnabled: false, creatorId: actor });
    const views = await listEntities(suite.store, rules, headOf(workspace), { kind: "view" });
    expect(views).toMatchObject([{ name: "DEFAULT", body: { isDefault: true } }]);
    expect(await findMember(suite.store, workspace.id, actor)).toMatchObject({ role: "OWNER" });
    expect(await listEvents(suite.store, workspace.id)).toMatchObject([
      { seq: 1, kind: "workspace.created", actor },
    ]);
  });

  it("are found by their members, oldest membership first, until they are deleted", async () => {
    const first = await create("first", "owner");
    await suite.clock.advance(1);
    const second = await create("second", "other");
    await putMember(suite.store, { workspaceId: second.id, userId: "owner", role: "EDITOR", actor: "other" });
    const seen = async () =>
      (await listWorkspacesOf(suite.store, "owner")).map(({ workspace, role }) => [workspace.id, role]);
    expect(await seen()).toEqual([
      [first.id, "OWNER"],
      [second.id, "EDITOR"],
    ]);
    await suite.store.write((tx) =>
      tx.db.updateTable("workspace").set({ deleted_at: tx.now }).where("id", "=", first.id).execute(),
    );
    expect(await seen()).toEqual([[second.id, "EDITOR"]]);
    expect(await findWorkspace(suite.store, first.id)).toBeUndefined();
    await expect(getWorkspace(suite.store, first.id)).rejects.toMatchObject({ error: "workspaceNotFound" });
  });

  it("have each user as a member once; the role can change, and the revision with it", async () => {
    const { id } = await create("team");
    const before = await workspaceRevision(suite.store, id);
    const put = (role: "EDITOR" | "APPROVER") =>
      putMember(suite.store, { workspaceId: id, userId: "colleague", role, actor });
    await put("EDITOR");
    await put("APPROVER");
    expect((await listMembers(suite.store, id)).map((one) => [one.userId, one.role])).toEqual([
      ["colleague", "APPROVER"],
      [actor, "OWNER"],
    ]);
    expect(await workspaceRevision(suite.store, id)).toBe(before + 2);
    expect(await findMember(suite.store, id, "stranger")).toBeUndefined();
    expect((await listEvents(suite.store, id)).map((event) => event.kind)).toEqual([
      "workspace.created",
      "member.changed",
      "member.changed",
    ]);
  });

  it("serve their events after a number, and never use a number again when old ones are forgotten", async () => {
    const { id } = await create("history");
    const put = (userId: string) =>
      putMember(suite.store, { workspaceId: id, userId, role: "EDITOR", actor });
    for (const user of ["a", "b", "c"]) await put(user);
    const page = await listEvents(suite.store, id, { since: 1, limit: 2 });
    expect(page.map((event) => [event.seq, event.subject])).toEqual([
      [2, "a"],
      [3, "b"],
    ]);
    await suite.clock.advance(10);
    await pruneEvents(suite.store, suite.clock.now());
    await put("d");
    expect((await listEvents(suite.store, id)).map((event) => event.seq)).toEqual([5]);
  });
});
