import { afterAll, beforeAll, expect, it } from "vitest";
import { listKeyAudit } from "../../../server/store/keys.ts";
import { setSuspended } from "../../../server/store/users.ts";
import { rowsOf } from "../../../src/contract/endpoint.ts";
import { api } from "../../../src/contract/index.ts";
import { makeCollective, makeCollectiveToken } from "../../support/collectives.ts";
import { describeEngines, type TestEngine } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { expectError } from "../../support/scenarios.ts";
import { type HttpAnswer, type Person, startTestServer, type TestServer } from "../../support/server.ts";
import { describeProcesses, suiteServers } from "../../support/suite-servers.ts";

/** A collective with a token, and a workspace of its owner that was granted to it. */
interface Granted {
  readonly ada: Person;
  readonly slug: string;
  readonly id: string;
  readonly key: string;
}

/** What holds for one server, or for two on one database. */
function rows(engine: TestEngine, processes: 1 | 2): void {
  const clock = fakeClock();
  const { servers, first } = suiteServers(engine, processes, { clock });
  let people = 0;
  const granted = async (expiresAt?: number): Promise<Granted> => {
    const ada = await first().person(`ada${people++}`);
    const slug = await makeCollective(first(), ada);
    await grant({ ada, slug });
    return { ada, slug, ...(await makeCollectiveToken(first(), ada, slug, expiresAt)) };
  };
  const grant = async ({ ada, slug }: Pick<Granted, "ada" | "slug">): Promise<void> => {
    const path = `/management/workspaces/${ada.workspaceId}/collectives`;
    expect((await first().request("POST", path, { as: ada.key, body: { slug } })).status).toBe(200);
  };
  const tokens = (method: string, { ada, slug, id }: Granted) =>
    first().request(method, `/api/v1/collectives/${slug}/api-tokens/${id}`, { as: ada.key });
  const ask = (server: TestServer, { ada, key }: Granted, path = "", headers = {}): Promise<HttpAnswer> =>
    server.request("GET", `/v1/w/${ada.workspaceId}/change-sets${path}`, { as: key, headers });
  /** The statuses of requests to every server, three each: some are answered from memory where there is one. */
  const statuses = async (asked: (server: TestServer) => Promise<HttpAnswer>): Promise<number[]> => {
    const seen = new Set<number>();
    for (let n = 0; n < 3; n++) for (const server of servers) seen.add((await asked(server)).status);
    return [...seen];
  };
  const isIn = (one: Granted) => statuses((server) => ask(server, one));
  const whoami = (one: Granted) =>
    statuses((server) => server.request("GET", "/api/whoami", { as: one.key }));

  it("is refused from the very next request once it is revoked, also with a tag", async () => {
    const one = await granted();
    const etag = (await ask(first(), one)).headers.get("etag") ?? "";
    const tagged = () => statuses((server) => ask(server, one, "", { "if-none-match": etag }));
    expect([await isIn(one), await tagged(), await whoami(one)]).toEqual([[200], [304], [200]]);
    expect((await tokens("PATCH", one)).status).toBe(200);
    expect([await isIn(one), await tagged(), await whoami(one)]).toEqual([[401], [401], [401]]);
  });
  it("is refused once it is deleted, and its moves are remembered", async () => {
    const one = await granted();
    expect(await isIn(one)).toEqual([200]);
    expect((await tokens("DELETE", one)).status).toBe(200);
    expect([await isIn(one), await whoami(one)]).toEqual([[401], [401]]);
    const moves = await listKeyAudit(first().store, one.id);
    expect(moves.map(({ from_state, to_state, actor }) => [from_state, to_state, actor])).toEqual([
      [null, "Created", one.ada.id],
      ["Created", "Enabled", one.ada.id],
      ["Enabled", "Deleted", one.ada.id],
    ]);
  });
  it("is taken until the millisecond before its end, and refused from it on", async () => {
    const one = await granted(clock.now() + 1_000);
    expect(await isIn(one)).toEqual([200]);
    await clock.advance(999);
    expect(await isIn(one)).toEqual([200]);
    await clock.advance(1);
    expect([await isIn(one), await whoami(one)]).toEqual([[401], [401]]);
    await clock.advance(1_000);
    expect(await isIn(one)).toEqual([401]);
    const listed = await first().request("GET", `/api/v1/collectives/${one.slug}/api-tokens`, {
      as: one.ada.key,
    });
    expect(Object(listed.body).tokens).toMatchObject([{ id: one.id, enabled: true, expired: true }]);
  });
  it("acts as an editor of a granted workspace, until it is taken back", async () => {
    const one = await granted();
    expect(await isIn(one)).toEqual([200]);
    const path = `/management/workspaces/${one.ada.workspaceId}/collectives/${one.slug}`;
    expect((await first().request("DELETE", path, { as: one.ada.key })).status).toBe(200);
    expect([await isIn(one), await whoami(one)]).toEqual([[403], [200]]);
    await grant(one);
    expect(await isIn(one)).toEqual([200]);
  });
  it.each([
    ["revoked", 401, (one: Granted) => tokens("PATCH", one)],
    ["deleted", 401, (one: Granted) => tokens("DELETE", one)],
    [
      "of a collective that is deleted",
      401,
      ({ ada, slug }: Granted) => first().request("DELETE", `/api/v1/collectives/${slug}`, { as: ada.key }),
    ],
    [
      "shut out of the workspace",
      403,
      ({ ada, slug }: Granted) =>
        first().request("DELETE", `/management/workspaces/${ada.workspaceId}/collectives/${slug}`, {
          as: ada.key,
        }),
    ],
  ])("ends what every server holds for it when it is %s", async (_what, status, takeAway) => {
    const one = await granted();
    const path = "/HEAD/components";
    const etag = (await ask(first(), one, path)).headers.get("etag") ?? "";
    const held = servers.map((server) =>
      ask(server, one, path, { "if-none-match": etag, prefer: "wait=60" }),
    );
    expect(await isIn(one)).toEqual([200]);
    expect((await takeAway(one)).status).toBe(200);
    for (const answer of await Promise.all(held)) expect(answer.status).toBe(status);
    expect(await isIn(one)).toEqual([status]);
  });
  it("is refused while the user whose personal collective it is is suspended", async () => {
    const ada = await first().person(`ada${people++}`);
    const one = { ada, slug: ada.username, ...(await makeCollectiveToken(first(), ada, ada.username)) };
    expect(await whoami(one)).toEqual([200]);
    await first().store.write((tx) => setSuspended(tx, ada.id, true));
    expect(await whoami(one)).toEqual([401]);
    await first().store.write((tx) => setSuspended(tx, ada.id, false));
    expect(await whoami(one)).toEqual([200]);
  });
  it("writes as its collective: the history shows the collective's name, and no user", async () => {
    const one = await granted();
    const { workspaceId } = one.ada;
    const asCollective = first().client(one.key);
    const { changeSet } = await asCollective.changeSets.create({
      workspaceId,
      body: { changeSetName: "by the team" },
    });
    const { workspaces, collectives } = first().client(one.ada.key);
    await workspaces.update({ workspaceId, body: { approvalsEnabled: true } });
    const place = { workspaceId, changeSetId: changeSet.id };
    await asCollective.changeSets.requestApproval(place);
    await expect(asCollective.changeSets.approve({ ...place, body: {} })).rejects.toThrow(
      "your role is EDITOR",
    );
    expect(await asCollective.changeSets.mergeStatus(place)).toMatchObject({
      changeSet: { mergeRequestedByUser: "The team" },
    });
    const { events } = await asCollective.events.list({ workspaceId, query: {} });
    const written = events.filter(({ changeSetId }) => changeSetId === changeSet.id);
    const { id } = await collectives.get({ slug: one.slug });
    const actor = { id, name: "The team", email: null };
    expect(written.map(({ kind, actor: by }) => [kind, by])).toEqual([
      ["change_set.created", actor],
      ["change_set.approval_requested", actor],
    ]);
  });
  it("makes at most 25 however many ask at once, and room by deleting", async () => {
    const ada = await first().person(`ada${people++}`);
    const slug = await makeCollective(first(), ada);
    const path = `/api/v1/collectives/${slug}/api-tokens`;
    const create = (server: TestServer) =>
      server.request("POST", path, { as: ada.key, body: { name: "robot" } });
    for (const room of [25, 1, 3]) {
      const asked = Array.from({ length: room + 15 }, (_, n) => servers[n % servers.length] ?? first());
      const answers = await Promise.all(asked.map(create));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(room);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(15);
      const { tokens: all } = Object((await first().request("GET", path, { as: ada.key })).body);
      expect(all).toHaveLength(25);
      const next = room === 25 ? 1 : 3;
      const gone = all
        .slice(0, next)
        .map(({ id }: { id: string }) => first().request("DELETE", `${path}/${id}`, { as: ada.key }));
      await Promise.all(gone);
    }
  });
}

describeProcesses("a collective token", "a collective token on two servers", rows);

describeEngines("what a collective token reaches", (engine) => {
  let server: TestServer;
  let ada: Person;
  let slug: string;
  let key: string;
  beforeAll(async () => {
    server = await startTestServer(engine);
    ada = await server.person("ada");
    slug = await makeCollective(server, ada);
    key = (await makeCollectiveToken(server, ada, slug)).key;
  });
  afterAll(() => server.stop());
  const ofUsers = rowsOf(api).filter(({ endpoint }) =>
    ["user", "session", "sessionOrKey"].includes(endpoint.access),
  );

  it.each(ofUsers)("$operation is not for it, whatever it names", async ({ endpoint }) => {
    const path = endpoint.path
      .replace(":slug", slug)
      .replace(":workspaceId", ada.workspaceId)
      .replace(/:\w+/g, "x");
    const { method } = endpoint;
    const body = endpoint.body === undefined ? {} : { body: {} };
    expectError(await server.request(method, path, { as: key, ...body }), endpoint, "userRequired");
    const headers = { "x-api-key": key };
    expectError(await server.request(method, path, { headers, ...body }), endpoint, "userRequired");
  });
  it.each([
    ["in upper case", (token: string) => token.toUpperCase()],
    ["with its digits in upper case", (token: string) => token.toUpperCase().replace("SVC_ORG_", "svc_org_")],
    ["a digit short", (token: string) => token.slice(0, -1)],
    ["a digit long", (token: string) => `${token}0`],
    ["with the prefix of a personal key", (token: string) => token.replace("svc_org_", "svc_")],
    ["with a hyphen for an underscore", (token: string) => token.replaceAll("_", "-")],
    ["without its prefix", (token: string) => token.slice(8)],
    ["with a look-alike letter", (token: string) => token.replace(/^s/, encodeURIComponent("ѕ"))],
    ["with the letter o for zeros", (token: string) => token.replace(/[0-9a-f]$/, "o")],
    ["with a quote in it", (token: string) => `${token.slice(0, -1)}'`],
    ["twice", (token: string) => token + token],
    ["of 64 kB", (token: string) => token.padEnd(10_000, "0")],
  ])("is nobody %s, like one that there never was", async (_what, change) => {
    const wrong = change(key);
    const never = await server.request("GET", "/api/whoami", { as: `svc_org_${"0".repeat(32)}` });
    expect(never.status).toBe(401);
    for (const headers of [{ authorization: `Bearer ${wrong}` }, { "x-api-key": wrong }]) {
      const answer = await server.request("GET", "/api/whoami", { headers });
      expect([answer.status, answer.text]).toEqual([never.status, never.text]);
    }
  });
  it("counts in no cookie, and wins over x-api-key where it stands in Authorization", async () => {
    const inCookie = { cookie: `svc.session_token=${key}` };
    expect((await server.request("GET", "/api/whoami", { headers: inCookie })).status).toBe(401);
    const both = { authorization: `Bearer ${key}`, "x-api-key": ada.key };
    expect((await server.request("GET", "/api/whoami", { headers: both })).at("collectiveSlug")).toBe(slug);
    const bad = { authorization: `Bearer ${key.slice(0, -1)}`, "x-api-key": key };
    expect((await server.request("GET", "/api/whoami", { headers: bad })).status).toBe(401);
  });
  it("says the same to a revoked one and to one that there never was", async () => {
    const { id, key: other } = await makeCollectiveToken(server, ada, slug);
    await server.request("PATCH", `/api/v1/collectives/${slug}/api-tokens/${id}`, { as: ada.key });
    const [revoked, never] = [
      await server.request("GET", "/api/whoami", { as: other }),
      await server.request("GET", "/api/whoami", { as: `svc_org_${"1".repeat(32)}` }),
    ];
    expect([revoked.status, revoked.text]).toEqual([never.status, never.text]);
  });
  it("leaves neither itself nor its hash in any line of the log", () => {
    const lines = JSON.stringify(server.log);
    expect(server.log.length).toBeGreaterThan(10);
    expect(lines).not.toContain(key.slice(12));
  });
});
