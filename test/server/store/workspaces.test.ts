import { expect, it } from "vitest";
import { listEntities } from "../../../server/store/entities.ts";
import { listEvents } from "../../../server/store/events.ts";
import { forgetEvents } from "../../../server/store/history.ts";
import { addMember, listMembers, setMemberRole } from "../../../server/store/members.ts";
import { createUser, type User } from "../../../server/store/users.ts";
import { changeWorkspace } from "../../../server/store/workspace-changes.ts";
import {
  createWorkspace,
  findWorkspace,
  getWorkspace,
  getWorkspaceOf,
  listWorkspacesOf,
  workspaceRevision,
} from "../../../server/store/workspaces.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { actor, headOf, lossyRules as rules } from "./model.ts";

describeEngines("workspaces", (engine) => {
  const suite = suiteStore(engine);
  const create = (displayName: string, creatorId = actor) =>
    createWorkspace(suite.store, { displayName, description: "for tests", creatorId });
  const user = (username: string): Promise<User> =>
    createUser(suite.store, { email: `${username}@example.org`, username, name: username, passwordHash: "" });
  const add = (workspaceId: string, by: string, one: User) =>
    changeWorkspace(suite.store, { workspaceId, actor: by }, {}, (change) =>
      addMember(change, one, "EDITOR"),
    );

  it("start with a head, the DEFAULT view in it, their creator as owner, and one event", async () => {
    const workspace = await create("mine");
    expect(await getWorkspace(suite.store, workspace.id)).toEqual(workspace);
    expect(workspace).toMatchObject({ displayName: "mine", approvalsEnabled: false, creatorId: actor });
    const views = await listEntities(suite.store, rules, headOf(workspace), { kind: "view" });
    expect(views).toMatchObject([{ name: "DEFAULT", body: { isDefault: true } }]);
    expect(await getWorkspaceOf(suite.store, workspace.id, actor)).toMatchObject({
      workspace,
      role: "OWNER",
      isDefault: false,
    });
    expect(await listEvents(suite.store, workspace.id)).toMatchObject([
      { seq: 1, kind: "workspace.created", actor },
    ]);
  });

  it("are found by their members, oldest membership first, until they are deleted", async () => {
    const [owner, other] = [await user("owner"), await user("other")];
    const first = await create("first", owner.id);
    await suite.clock.advance(1);
    const second = await create("second", other.id);
    await add(second.id, other.id, owner);
    const seen = async () =>
      (await listWorkspacesOf(suite.store, owner.id)).map(({ workspace, role }) => [workspace.id, role]);
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

  it("are preferred by a user one at a time, whoever creates them at once", async () => {
    const { id: creatorId } = await user("chooser");
    const make = (displayName: string) =>
      createWorkspace(suite.store, { displayName, description: "", creatorId, isDefault: true });
    const made = await Promise.all(["a", "b", "c", "d"].map(make));
    const listed = await listWorkspacesOf(suite.store, creatorId);
    expect(listed.map(({ isDefault }) => isDefault)).toEqual([true, false, false, false]);
    expect(listed.map(({ workspace }) => workspace.id).sort()).toEqual(made.map(({ id }) => id).sort());
  });

  it("have each user as a member once; the role can change, and the revision with it", async () => {
    const { store } = suite;
    const [boss, colleague] = [await user("boss"), await user("colleague")];
    const { id } = await create("team", boss.id);
    const before = await workspaceRevision(store, id);
    await add(id, boss.id, colleague);
    const members = await listMembers(store, id);
    expect(members.map((one) => [one.id, one.role])).toEqual([
      [boss.id, "OWNER"],
      [colleague.id, "EDITOR"],
    ]);
    for (const role of ["APPROVER", "EDITOR"] as const) {
      await changeWorkspace(store, { workspaceId: id, actor: boss.id }, {}, async (change) => {
        for (const one of members) if (one.id === colleague.id) await setMemberRole(change, one, role);
      });
    }
    // What was read as EDITOR is left alone when it is to become one.
    expect((await listMembers(store, id)).map((one) => one.role)).toEqual(["OWNER", "APPROVER"]);
    expect(await workspaceRevision(store, id)).toBe(before + 2);
    expect(await getWorkspaceOf(store, id, "stranger")).toMatchObject({ role: undefined, isDefault: false });
    expect((await listEvents(store, id)).map((event) => event.kind)).toEqual([
      "workspace.created",
      "member.added",
      "member.changed",
    ]);
  });

  it("serve their events after a number, and never use a number again when old ones are forgotten", async () => {
    const { id } = await create("history");
    const people = [];
    for (const name of ["ann", "ben", "cid", "dan"]) people.push(await user(name));
    const [, ben, , dan] = people;
    for (const one of people.slice(0, 3)) await add(id, actor, one);
    const page = await listEvents(suite.store, id, { since: 2, limit: 2 });
    expect(page.map((event) => event.seq)).toEqual([3, 4]);
    expect(page[0]?.subject).toBe(ben?.id);
    await suite.clock.advance(10);
    await forgetEvents(suite.store, suite.clock.now());
    if (dan !== undefined) await add(id, actor, dan);
    expect((await listEvents(suite.store, id)).map((event) => event.seq)).toEqual([5]);
  });
});
