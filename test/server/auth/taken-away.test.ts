import { DatabaseSync } from "@photostructure/sqlite";
import { describe, expect, it } from "vitest";
import { hashPassword } from "../../../server/auth/passwords.ts";
import { getKey, updateKey } from "../../../server/store/keys.ts";
import { markWorkspace } from "../../../server/store/operated.ts";
import { setPasswordHash } from "../../../server/store/password.ts";
import { setSuspended } from "../../../server/store/users.ts";
import { sqlite, type TestEngine } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type HttpAnswer, type Person, startTestServer, type TestServer } from "../../support/server.ts";
import { describeProcesses, suiteServers } from "../../support/suite-servers.ts";

/** Asks a server for Ada's change sets, or what is under one. */
const ask = (
  server: TestServer,
  { workspaceId, key }: Person,
  path = "",
  headers = {},
): Promise<HttpAnswer> =>
  server.request("GET", `/v1/w/${workspaceId}/change-sets${path}`, { as: key, headers });
const target = ({ id, keyId }: Person) => ({ userId: id, keyId, actor: id });
const leave = ({ store }: TestServer, { id, workspaceId }: Person): Promise<unknown> =>
  store.write(({ db }) =>
    db.deleteFrom("member").where("user_id", "=", id).where("workspace_id", "=", workspaceId).execute(),
  );

/** What one process takes away, seen by the processes that answer: itself, or all of them on one database. */
function rows(engine: TestEngine, processes: 1 | 2): void {
  const clock = fakeClock();
  const { servers, first } = suiteServers(engine, processes, { clock });
  const count = 3;
  let people = 0;
  const person = (): Promise<Person> => first().person(`person${people++}`);
  /** The statuses of several requests to every server, one after the other. */
  const statuses = async (asked: (server: TestServer) => Promise<HttpAnswer>): Promise<number[]> => {
    const seen = new Set<number>();
    for (let n = 0; n < count; n++) for (const server of servers) seen.add((await asked(server)).status);
    return [...seen];
  };

  it("keeps a revoked key out from the very next request", async () => {
    const ada = await person();
    expect(await statuses((server) => ask(server, ada))).toEqual([200]);
    await updateKey(first().store, target(ada), { enabled: false });
    expect(await statuses((server) => ask(server, ada))).toEqual([401]);
  });
  it("keeps it out also of answers that it has a tag of", async () => {
    const ada = await person();
    const etag = (await ask(first(), ada)).headers.get("etag") ?? "";
    const again = (server: TestServer) => ask(server, ada, "", { "if-none-match": etag });
    expect(await statuses(again)).toEqual([304]);
    await updateKey(first().store, target(ada), { enabled: false });
    expect(await statuses(again)).toEqual([401]);
  });
  it("keeps a suspended user out, and lets them in again", async () => {
    const ada = await person();
    expect(await statuses((server) => ask(server, ada))).toEqual([200]);
    await first().store.write((tx) => setSuspended(tx, ada.id, true));
    expect(await statuses((server) => ask(server, ada))).toEqual([401]);
    await first().store.write((tx) => setSuspended(tx, ada.id, false));
    expect(await statuses((server) => ask(server, ada))).toEqual([200]);
  });
  it("refuses who is no member any more", async () => {
    const ada = await person();
    expect(await statuses((server) => ask(server, ada))).toEqual([200]);
    await leave(first(), ada);
    expect(await statuses((server) => ask(server, ada))).toEqual([403]);
  });
  it("closes a workspace to everybody in it, and opens it again", async () => {
    const ada = await person();
    const close = (on: boolean) =>
      first().store.write((tx) =>
        markWorkspace(tx, ada.workspaceId, on ? { set: "quarantined_at" } : { clear: "quarantined_at" }, {
          kind: "workspace.quarantined",
          actor: "operator",
        }),
      );
    expect(await statuses((server) => ask(server, ada))).toEqual([200]);
    await close(true);
    expect(await statuses((server) => ask(server, ada))).toEqual([403]);
    await close(false);
    expect(await statuses((server) => ask(server, ada))).toEqual([200]);
  });
  it("knows nothing any more of a workspace that was deleted", async () => {
    const ada = await person();
    const { workspaceId } = ada;
    expect(await statuses((server) => ask(server, ada))).toEqual([200]);
    await first().client(ada.key).workspaces.delete({ workspaceId });
    expect(await statuses((server) => ask(server, ada))).toEqual([404]);
    const managed = (server: TestServer) =>
      server.request("GET", `/management/workspaces/${workspaceId}`, { as: ada.key });
    expect(await statuses(managed)).toEqual([404]);
  });
  it("ends what every server holds for a member who is removed, with nothing else written", async () => {
    const [ada, eve] = [await person(), await person()];
    const { workspaceId } = ada;
    const { workspaces } = first().client(ada.key);
    const body = { email: eve.email };
    await workspaces.inviteMember({ workspaceId, body });
    const asEve = { ...eve, workspaceId };
    const path = "/HEAD/components";
    const etag = (await ask(first(), asEve, path)).headers.get("etag") ?? "";
    const held = servers.map((server) =>
      ask(server, asEve, path, { "if-none-match": etag, prefer: "wait=60" }),
    );
    await statuses((server) => ask(server, ada));
    await workspaces.removeMember({ workspaceId, body });
    for (const { status } of await Promise.all(held)) expect(status).toBe(403);
  });
  it("ends a session with its sign-out", async () => {
    const ada = await person();
    const whoami = (server: TestServer) => server.request("GET", "/api/whoami", { as: ada.session });
    expect(await statuses(whoami)).toEqual([200]);
    const out = await first().request("POST", "/api/auth/sign-out", { as: ada.session, body: {} });
    expect(out.status).toBe(200);
    expect(await statuses(whoami)).toEqual([401]);
  });
  it.each([
    ["ended from the list", "revoke-session"],
    ["one of the others", "revoke-other-sessions"],
    ["one of all", "revoke-sessions"],
    ["ended by a new password", "change-password"],
  ])("ends a session that is %s, with what every server holds for it", async (_what, verb) => {
    const ada = await person();
    const { email, password } = ada;
    const signIn = await first().request("POST", "/api/auth/sign-in/email", { body: { email, password } });
    const key = signIn.at("token");
    const asSession = { ...ada, key };
    const etag = (await ask(first(), asSession)).headers.get("etag") ?? "";
    expect(await statuses((server) => ask(server, asSession))).toEqual([200]);
    const held = servers.map((server) =>
      ask(server, asSession, "", { "if-none-match": etag, prefer: "wait=60" }),
    );
    await statuses((server) => ask(server, ada));
    const passwords = { currentPassword: password, newPassword: "another horse", revokeOtherSessions: true };
    const ended = await first().request("POST", `/api/auth/${verb}`, {
      as: ada.session,
      ...(verb === "change-password" ? { body: passwords } : {}),
      ...(verb === "revoke-session" ? { body: { token: key } } : {}),
    });
    expect(ended.status).toBe(200);
    for (const { status } of await Promise.all(held)) expect(status).toBe(401);
    expect(await statuses((server) => ask(server, asSession))).toEqual([401]);
    expect(await statuses((server) => ask(server, ada))).toEqual([200]);
  });
  it("takes no old password once it was changed", async () => {
    const ada = await person();
    const signIn = (server: TestServer, password: string) =>
      server.request("POST", "/api/auth/sign-in/email", { body: { email: ada.email, password } });
    expect((await signIn(first(), ada.password)).status).toBe(200);
    await setPasswordHash(first().store, ada.id, await hashPassword("another horse battery"));
    for (const server of servers) {
      expect((await signIn(server, ada.password)).status).toBe(401);
      expect((await signIn(server, "another horse battery")).status).toBe(200);
    }
  });
  it("shows nothing under a change set that was abandoned", async () => {
    const ada = await person();
    const { workspaceId, key } = ada;
    const client = first().client(key);
    const { changeSet } = await client.changeSets.create({ workspaceId, body: { changeSetName: "gone" } });
    const inside = (server: TestServer) => ask(server, ada, `/${changeSet.id}/components`);
    expect(await statuses(inside)).toEqual([200]);
    await client.changeSets.abandon({ workspaceId, changeSetId: changeSet.id });
    expect(await statuses(inside)).toEqual([404]);
    expect(await statuses((server) => ask(server, ada, `/${changeSet.id}`))).toEqual([200]);
  });
  it("gives a tag that moved in one to all", async () => {
    const ada = await person();
    const { workspaceId, key } = ada;
    const etag = (await ask(first(), ada)).headers.get("etag") ?? "";
    const again = (server: TestServer) => ask(server, ada, "", { "if-none-match": etag });
    expect(await statuses(again)).toEqual([304]);
    await first()
      .client(key)
      .changeSets.create({ workspaceId, body: { changeSetName: "new" } });
    expect(await statuses(again)).toEqual([200]);
  });
  it("does not answer who lost access while a request was held", async () => {
    const ada = await person();
    const { workspaceId } = ada;
    const eve = await person();
    await first().store.write(({ db, now }) =>
      db
        .insertInto("member")
        .values({
          workspace_id: workspaceId,
          user_id: eve.id,
          role: "EDITOR",
          created_at: now,
          is_default: 0,
        })
        .execute(),
    );
    const asEve = { ...eve, workspaceId };
    const etag = (await ask(first(), asEve)).headers.get("etag") ?? "";
    const held = servers.map((server) =>
      ask(server, asEve, "", { "if-none-match": etag, prefer: "wait=30" }),
    );
    await statuses((server) => ask(server, ada));
    await leave(first(), asEve);
    await first()
      .client(ada.key)
      .changeSets.create({ workspaceId, body: { changeSetName: "secret" } });
    for (const answer of await Promise.all(held))
      expect([answer.status, answer.text]).toEqual([403, expect.not.stringContaining("secret")]);
  });
  it("counts the use of a key once a minute, whoever was asked", async () => {
    const ada = await person();
    const uses = async () => (await getKey(first().store, ada.id, ada.keyId)).requestCount;
    for (const minute of [1, 2]) {
      expect(await statuses((server) => ask(server, ada))).toEqual([200]);
      await expect.poll(uses).toBe(minute);
      expect(await statuses((server) => ask(server, ada))).toEqual([200]);
      await clock.advance(60_000);
    }
    expect(await uses()).toBe(2);
  });
}

describeProcesses("what is taken away", "what is taken away by another process", rows);

describe("a program that writes into the file while the server runs", () => {
  it("is believed within a millisecond", async () => {
    const server = await startTestServer(sqlite);
    const ada = await server.person("ada");
    const other = new DatabaseSync(server.databaseUrl.slice("sqlite:".length));
    try {
      const path = `/v1/w/${ada.workspaceId}/change-sets`;
      const status = async () => (await server.request("GET", path, { as: ada.key })).status;
      for (let n = 0; n < 5; n++) {
        other.exec("update api_key set state = 'Revoked'");
        await expect.poll(status, { interval: 2 }).toBe(401);
        expect(await status()).toBe(401);
        other.exec("update api_key set state = 'Enabled'");
        await expect.poll(status, { interval: 2 }).toBe(200);
        expect(await status()).toBe(200);
      }
    } finally {
      other.close();
      await server.stop();
    }
  });
});
