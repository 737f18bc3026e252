import { beforeAll, expect, it } from "vitest";
import { listEvents } from "../../../server/store/events.ts";
import { listKeyAudit } from "../../../server/store/keys.ts";
import { createUser } from "../../../server/store/users.ts";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, expectError, rowOf, sendRow, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";

describeEngines("every acknowledged write", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  const events = async () => listEvents(world.server.store, world.ada.workspaceId, { limit: 10_000 });
  /** The kinds of the events that requests left, with who made them. */
  const left = async (work: () => Promise<unknown>) => {
    const before = (await events()).length;
    await work();
    const fresh = (await events()).slice(before);
    for (const { actor } of fresh) expect(actor).toBe(world.ada.id);
    return fresh.map(({ kind, subject }) => ({ kind, subject }));
  };

  it("leaves one event, and what changes nothing leaves none", async () => {
    const client = world.server.client(world.ada.key);
    const { workspaceId } = world.ada;
    let changeSetId = "";
    let componentId = "";
    const at = () => ({ workspaceId, changeSetId, componentId });
    expect(
      await left(async () => {
        changeSetId = await world.changeSet();
      }),
    ).toEqual([{ kind: "change_set.created", subject: changeSetId }]);
    expect(
      await left(async () => {
        componentId = await world.component(changeSetId);
      }),
    ).toEqual([{ kind: "component.created", subject: componentId }]);
    const subject = componentId;
    const size = { body: { attributes: { "/domain/size": 4 } } };
    expect(await left(() => client.components.update({ ...at(), ...size }))).toEqual([
      { kind: "component.changed", subject },
    ]);
    expect(await left(() => client.components.update({ ...at(), ...size }))).toEqual([]);
    expect(await left(() => client.components.delete(at()))).toEqual([
      { kind: "component.marked_for_deletion", subject },
    ]);
    expect(await left(() => client.components.delete(at()))).toEqual([]);
    expect(await left(() => client.components.restore(at()))).toEqual([
      { kind: "component.restored", subject },
    ]);
    expect(await left(() => client.components.erase(at()))).toEqual([{ kind: "component.erased", subject }]);
    expect(await left(() => client.changeSets.abandon(at()))).toEqual([
      { kind: "change_set.abandoned", subject: changeSetId },
    ]);
    expect(await left(() => client.changeSets.abandon(at()))).toEqual([]);
    await world.changeSet();
    expect(await left(() => client.changeSets.purgeOpen({ workspaceId }))).toHaveLength(1);
    expect(await left(() => client.changeSets.purgeOpen({ workspaceId }))).toEqual([]);
  });

  it("that is refused leaves none, and moves no tag", async () => {
    const changeSetId = await world.changeSet();
    const path = `/v1/w/${world.ada.workspaceId}/change-sets/${changeSetId}/components`;
    const tag = async () =>
      (await world.server.request("GET", path, { as: world.ada.key })).headers.get("etag");
    const before = await tag();
    const refused = { name: "x", schemaName: "Machine", attributes: { "/domain/size": "big" } };
    expect(
      await left(() => world.server.request("POST", path, { as: world.ada.key, body: refused })),
    ).toEqual([]);
    expect(await tag()).toBe(before);
  });

  it("on a key leaves its trail, which outlives the key", async () => {
    const { session, id } = world.ada;
    const post = (verb: string, body: object) =>
      world.server.request("POST", `/api/auth/api-key/${verb}`, { as: session, body });
    const keyId = (await post("create", {})).at("id");
    await post("update", { keyId, enabled: false });
    await post("delete", { keyId });
    const trail = await listKeyAudit(world.server.store, keyId);
    expect(trail.map(({ from_state, to_state, actor }) => [from_state, to_state, actor])).toEqual([
      [null, "Created", id],
      ["Created", "Enabled", id],
      ["Enabled", "Revoked", id],
      ["Revoked", "Deleted", id],
    ]);
  });

  it("needs a workspace: a user without one is told so", async () => {
    const { store } = world.server;
    const name = `lonely${world.fresh().toLowerCase().slice(-8)}`;
    const passwordHash = (await store.db.selectFrom("user").select("password_hash").executeTakeFirst())
      ?.password_hash;
    const email = `${name}@example.org`;
    await createUser(store, { name, email, username: name, passwordHash: passwordHash ?? "" });
    const body = { username: name, password: world.ada.password };
    const signedIn = await world.server.request("POST", "/api/auth/sign-in/username", { body });
    const answer = await sendRow(world, "identity.whoami", {}, { token: signedIn.at("token") });
    expectError(answer, rowOf("identity.whoami"), "forbidden");
    expect(answer.at("message")).toContain("not a member of any workspace");
  });
});
