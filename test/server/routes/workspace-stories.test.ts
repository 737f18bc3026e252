import { beforeAll, expect, it } from "vitest";
import { operatorHandlers } from "../../../server/operator/handlers.ts";
import { VariantCache } from "../../../server/read/variants.ts";
import { listEvents } from "../../../server/store/events.ts";
import { setSuspended } from "../../../server/store/users.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, type World } from "../../support/scenarios.ts";
import { type HttpAnswer, type Person, suiteServer } from "../../support/server.ts";
import { made, shared } from "../../support/workspaces.ts";

describeEngines("a workspace", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  const client = (person: Person) => world.server.client(person.key).workspaces;
  const operator = () => ({
    store: world.server.store,
    variants: new VariantCache(),
    keys: async () => world.server.keys,
  });
  const quarantine = async (workspaceId: string, quarantined: boolean) =>
    await operatorHandlers.workspaces.quarantine({ workspaceId, body: { quarantined } }, operator());
  const inside = (
    workspaceId: string,
    as: string,
    headers: Record<string, string> = {},
    path = "change-sets",
  ): Promise<HttpAnswer> => world.server.request("GET", `/v1/w/${workspaceId}/${path}`, { as, headers });
  const kinds = async (workspaceId: string) =>
    (await listEvents(world.server.store, workspaceId)).map(({ kind, actor }) => [kind, actor]);
  const signUp = (email: string, invitationCode?: string) =>
    world.server.request("POST", "/api/auth/sign-up/email", {
      body: { name: "Grace Hopper", email, password: "correct horse battery", invitationCode },
    });
  /** Invites an address that has no account; answers the code for who has it. */
  const invite = async (workspaceId: string, email: string): Promise<string> => {
    const members = await client(world.ada).inviteMember({ workspaceId, body: { email } });
    return members.at(-1)?.invitationCode ?? "no code";
  };
  const accept = (code: string, as: string) =>
    world.server.request("POST", "/api/v1/invitations/accept", { as, body: { code } });

  it("is joined by who was invited, signing up with the code or accepting with it later, in the role given meanwhile", async () => {
    const { ada } = world;
    const [first, second] = [await made(world), await made(world)];
    const email = `grace${world.fresh().toLowerCase()}@example.org`;
    const codes = [await invite(first, email.toUpperCase()), await invite(second, email.toUpperCase())];
    const [, invitation] = await client(ada).listMembers({ workspaceId: first });
    const body = { userId: invitation?.userId ?? "", role: "approver" };
    await client(ada).updateMemberAccess({ workspaceId: first, body });
    const answer = await signUp(email, codes[0]);
    const token = answer.at("token");
    expect((await inside(second, token)).status).toBe(403);
    expect((await accept(codes[1] ?? "", token)).status).toBe(200);
    const grace = { userId: answer.at("user.id"), email, nickname: answer.at("user.username") };
    for (const [workspaceId, role] of [
      [first, "APPROVER"],
      [second, "EDITOR"],
    ] as const) {
      expect((await inside(workspaceId, token)).status).toBe(200);
      const members = await client(ada).listMembers({ workspaceId });
      expect(members).toHaveLength(2);
      expect(members[1]).toEqual({ ...grace, role, signupAt: expect.any(String) });
    }
    const { body: mine } = await world.server.request("GET", "/management/workspaces", { as: token });
    // Their own is the one they prefer, whatever they were invited into.
    expect(mine).toMatchObject([
      { isDefault: true, role: "OWNER", creatorUser: { firstName: "Grace", lastName: "Hopper" } },
      { isDefault: false },
      { isDefault: false },
    ]);
    expect(await kinds(first)).toEqual([
      ["workspace.created", ada.id],
      ["member.invited", ada.id],
      ["member.changed", ada.id],
      ["member.joined", grace.userId],
    ]);
  });

  it("is not joined by who signs up after the invitation was taken back", async () => {
    const workspaceId = await made(world);
    const email = `late${world.fresh().toLowerCase()}@example.org`;
    await client(world.ada).inviteMember({ workspaceId, body: { email } });
    await client(world.ada).removeMember({ workspaceId, body: { email } });
    const token = (await signUp(email)).at("token");
    expect((await inside(workspaceId, token)).status).toBe(403);
  });

  it("is joined by who signs up just as the invitation is made", async () => {
    for (let round = 0; round < 5; round++) {
      const workspaceId = await made(world);
      const email = `twin${world.fresh().toLowerCase()}@example.org`;
      const [answer, code] = await Promise.all([signUp(email), invite(workspaceId, email)]);
      // Whoever was faster: the account is a member, or the code makes it one.
      const late = code === "no code" ? undefined : await accept(code, answer.at("token"));
      expect([answer.status, late?.status ?? 200]).toEqual([200, 200]);
      expect((await inside(workspaceId, answer.at("token"))).status).toBe(200);
      const { body: mine } = await world.server.request("GET", "/management/workspaces", {
        as: answer.at("token"),
      });
      expect(mine).toHaveLength(2);
    }
  });

  it("that was deleted is gone for all, and back with everything once the operator restores it", async () => {
    const { ada, eve, server } = world;
    const workspaceId = await shared(world, "EDITOR");
    const changeSets = server.client(ada.key).changeSets;
    const { changeSet } = await changeSets.create({ workspaceId, body: { changeSetName: "kept" } });
    await client(ada).delete({ workspaceId });
    for (const { key } of [ada, eve]) expect((await inside(workspaceId, key)).status).toBe(404);
    expect((await client(eve).list({})).map(({ id }) => id)).not.toContain(workspaceId);
    const listed = await operatorHandlers.workspaces.list({}, operator());
    expect(listed).toMatchObject({
      workspaces: expect.arrayContaining([
        expect.objectContaining({ id: workspaceId, owners: [ada.email], deletedAt: expect.any(String) }),
      ]),
    });
    for (let twice = 0; twice < 2; twice++) {
      const back = await operatorHandlers.workspaces.restore({ workspaceId }, operator());
      expect(back).toMatchObject({ id: workspaceId, deletedAt: null });
    }
    for (const { key } of [ada, eve]) expect((await inside(workspaceId, key)).text).toContain(changeSet.id);
    expect((await kinds(workspaceId)).slice(-2)).toEqual([
      ["workspace.deleted", ada.id],
      ["workspace.restored", "operator"],
    ]);
  });

  it("that is closed says so to its members and nothing to others, until it is opened again", async () => {
    const { ada, eve } = world;
    const workspaceId = await made(world);
    await quarantine(workspaceId, true);
    await quarantine(workspaceId, true);
    const paths = ["change-sets", "change-sets/HEAD", "change-sets/HEAD/components", `change-sets/${ada.id}`];
    for (const path of paths) {
      const answer = await inside(workspaceId, ada.key, {}, path);
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining("operator")]);
      const told = await inside(workspaceId, eve.key, {}, path);
      expect([told.status, told.text]).toEqual([403, expect.not.stringContaining("operator")]);
    }
    expect((await client(ada).get({ workspaceId })).quarantinedAt).toMatch(/Z$/);
    expect((await client(ada).list({})).map(({ id }) => id)).toContain(workspaceId);
    await quarantine(workspaceId, false);
    expect((await inside(workspaceId, ada.key)).status).toBe(200);
    expect((await client(ada).get({ workspaceId })).quarantinedAt).toBeNull();
    expect((await kinds(workspaceId)).slice(1)).toEqual([
      ["workspace.quarantined", "operator"],
      ["workspace.quarantine_lifted", "operator"],
    ]);
  });

  it("leaves one event for each change, and none where nothing changes", async () => {
    const { ada, eve } = world;
    const workspaceId = await made(world);
    const update = (body: object) => client(ada).update({ workspaceId, body });
    for (let twice = 0; twice < 2; twice++) await update({ displayName: "renamed", approvalsEnabled: true });
    await client(ada).inviteMember({ workspaceId, body: { email: eve.email } });
    for (let twice = 0; twice < 2; twice++) {
      await client(ada).updateMemberAccess({ workspaceId, body: { userId: eve.id, role: "APPROVER" } });
    }
    await client(eve).leave({ workspaceId });
    await client(ada).inviteMember({ workspaceId, body: { email: eve.email } });
    await client(ada).removeMember({ workspaceId, body: { email: eve.email } });
    await client(ada).delete({ workspaceId });
    expect((await kinds(workspaceId)).slice(1)).toEqual([
      ["workspace.updated", ada.id],
      ["member.added", ada.id],
      ["member.changed", ada.id],
      ["member.left", eve.id],
      ["member.added", ada.id],
      ["member.removed", ada.id],
      ["workspace.deleted", ada.id],
    ]);
  });

  it("tells of approvals that come or go in the tag of every change set, and of a name in none", async () => {
    const { ada } = world;
    const workspaceId = await made(world);
    const tag = async () =>
      (await inside(workspaceId, ada.key, {}, "change-sets/HEAD/components")).headers.get("etag") ?? "";
    const before = await tag();
    await client(ada).update({ workspaceId, body: { displayName: "another" } });
    expect(await tag()).toBe(before);
    await client(ada).update({ workspaceId, body: { approvalsEnabled: true } });
    const after = await tag();
    expect(after).not.toBe(before);
    await client(ada).update({ workspaceId, body: { approvalsEnabled: true } });
    expect(await tag()).toBe(after);
  });

  it.each<[what: string, status: number, take: (workspaceId: string) => Promise<unknown>]>([
    [
      "is removed",
      403,
      (workspaceId) => client(world.ada).removeMember({ workspaceId, body: { email: world.eve.email } }),
    ],
    ["leaves", 403, (workspaceId) => client(world.eve).leave({ workspaceId })],
    ["loses it with its deletion", 404, (workspaceId) => client(world.ada).delete({ workspaceId })],
    ["loses it as it is closed", 403, (workspaceId) => quarantine(workspaceId, true)],
    ["is suspended", 401, () => world.server.store.write((tx) => setSuspended(tx, world.eve.id, true))],
  ])("ends what is held for who %s, at once", async (_what, status, take) => {
    const workspaceId = await shared(world, "EDITOR");
    const paths = ["change-sets", "change-sets/HEAD/components"];
    const held = [];
    for (const path of paths) {
      const etag = (await inside(workspaceId, world.eve.key, {}, path)).headers.get("etag") ?? "";
      held.push(inside(workspaceId, world.eve.key, { "if-none-match": etag, prefer: "wait=60" }, path));
    }
    // They are held by now: later requests of the same server went through.
    for (let n = 0; n < 5; n++) await inside(workspaceId, world.ada.key);
    await take(workspaceId);
    for (const answer of await Promise.all(held)) expect(answer.status).toBe(status);
    await world.server.store.write((tx) => setSuspended(tx, world.eve.id, false));
  });

  it("remembers when the operator suspended one of its members", async () => {
    const workspaceId = await shared(world, "EDITOR");
    const { ada, eve } = world;
    const suspend = (user: string, suspended: boolean) =>
      operatorHandlers.users.suspend({ user, body: { suspended } }, operator());
    expect(await suspend(eve.email.toUpperCase(), true)).toMatchObject({ suspendedAt: expect.any(String) });
    await suspend(eve.username, true);
    expect((await inside(workspaceId, eve.key)).status).toBe(401);
    expect((await world.server.request("GET", "/management/workspaces", { as: eve.session })).status).toBe(
      401,
    );
    const listed = await operatorHandlers.users.list({}, operator());
    expect(listed).toMatchObject({
      users: expect.arrayContaining([
        expect.objectContaining({ id: eve.id, suspendedAt: expect.any(String) }),
        expect.objectContaining({ id: ada.id, suspendedAt: null }),
      ]),
    });
    expect(await suspend(eve.id, false)).toMatchObject({ suspendedAt: null });
    expect((await inside(workspaceId, eve.key)).status).toBe(200);
    expect((await kinds(workspaceId)).slice(-2)).toEqual([
      ["user.suspended", "operator"],
      ["user.reinstated", "operator"],
    ]);
  });

  it("is not there under an id that nobody or nothing has", async () => {
    for (const workspaceId of [world.fresh(), "mine", "a%2Fb"]) {
      for (const [method, path, body] of [
        ["GET", "", undefined],
        ["PATCH", "", {}],
        ["DELETE", "", undefined],
        ["DELETE", "/leave", undefined],
        ["GET", "/members", undefined],
        ["POST", "/members", { email: "a@example.org" }],
        ["DELETE", "/members", { email: "a@example.org" }],
        ["POST", "/update_member_access", { userId: world.fresh(), role: "OWNER" }],
      ] as const) {
        const address = `/management/workspaces/${workspaceId}${path}`;
        const answer = await world.server.request(method, address, {
          as: world.ada.key,
          ...(body === undefined ? {} : { body }),
        });
        expect([address, answer.status]).toEqual([address, 404]);
      }
    }
  });
});
