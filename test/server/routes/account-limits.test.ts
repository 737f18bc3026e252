import { beforeAll, expect, it } from "vitest";
import { hashToken, newSessionToken } from "../../../server/auth/tokens.ts";
import { createSession } from "../../../server/store/sessions.ts";
import { makeCollective } from "../../support/collectives.ts";
import { describeEngines, type TestEngine } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { fillCollectives, fillInvitations, fillKeys, fillMembers } from "../../support/limits.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { type HttpAnswer, type Person, suiteServer, type TestServer } from "../../support/server.ts";
import { describeProcesses, suiteServers } from "../../support/suite-servers.ts";
import { accountLimitScenarios } from "./account-limits.scenarios.ts";

describeEngines("limits over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(accountLimitScenarios, () => world);
});

/** What holds for one server, or for two on one database. */
function rows(engine: TestEngine, processes: 1 | 2): void {
  const clock = fakeClock();
  const { servers, first } = suiteServers(engine, processes, { clock });
  let people = 0;
  const person = (): Promise<Person> => first().person(`person${people++}`);
  /** The statuses of requests that every server is asked at once, by turns. */
  const statuses = async (
    count: number,
    ask: (server: TestServer, n: number) => Promise<HttpAnswer>,
  ): Promise<number[]> => {
    const asked = Array.from({ length: count }, (_, n) => ask(servers[n % servers.length] ?? first(), n));
    return (await Promise.all(asked)).map(({ status }) => status).sort();
  };

  it("lets a user make no more collectives than 100, however many are asked for at once", async () => {
    const ada = await person();
    await fillCollectives(first().store, ada.id, 97);
    const made = await statuses(12, (server, n) =>
      server.request("POST", "/api/v1/collectives", { as: ada.key, body: { slug: `${ada.username}-${n}` } }),
    );
    expect(made).toEqual([201, 201, 201, ...Array(9).fill(422)]);
  });
  it("opens no more invitations than 100 at once", async () => {
    const ada = await person();
    const slug = await makeCollective(first(), ada);
    await fillInvitations(first().store, slug, 98);
    const asked = await statuses(10, (server, n) =>
      server.request("POST", `/api/v1/collectives/${slug}/invitations`, {
        as: ada.key,
        body: { email: `guest${n}@example.org` },
      }),
    );
    expect(asked).toEqual([201, 201, ...Array(8).fill(422)]);
  });
  it("lets no more members in than 100, whoever accepts at once", async () => {
    const ada = await person();
    const slug = await makeCollective(first(), ada);
    const guests = await Promise.all([1, 2, 3, 4, 5].map(person));
    const { collectiveInvitations, collectiveMembers } = first().client(ada.key);
    const ids: string[] = [];
    for (const { email } of guests)
      ids.push((await collectiveInvitations.create({ slug, body: { email } })).id);
    await fillMembers(first().store, slug, 97);
    const joined = await statuses(guests.length, (server, n) =>
      server.request("POST", `/api/v1/collective-invitations/${ids[n]}/accept`, { as: guests[n]?.key ?? "" }),
    );
    expect(joined).toEqual([200, 200, 422, 422, 422]);
    expect((await collectiveMembers.list({ slug })).members).toHaveLength(100);
  });
  it("gives a user no more keys than 1,000", async () => {
    const ada = await person();
    await fillKeys(first().store, ada.id, 997);
    const made = await statuses(8, (server) =>
      server.request("POST", "/api/auth/api-key/create", { as: ada.session, body: {} }),
    );
    expect(made).toEqual([200, 200, ...Array(6).fill(422)]);
  });
  it("keeps the 100 sessions that were used last, and ends the others with what they hold", async () => {
    const ada = await person();
    const { store } = first();
    const open = async (): Promise<string> => {
      await clock.advance(1);
      const token = newSessionToken();
      const session = { userId: ada.id, tokenHash: hashToken(token), expiresAt: clock.now() + 86_400_000 };
      await createSession(store, session);
      return token;
    };
    await clock.advance(60_000);
    const script: string[] = [];
    for (let n = 0; n < 99; n++) script.push(await open());
    const whoami = (as = "") => first().request("GET", "/api/whoami", { as });
    const ask = (headers = {}) =>
      first().request("GET", `/v1/w/${ada.workspaceId}/change-sets`, { as: script[0] ?? "", headers });
    const held = ask({ "if-none-match": (await ask()).headers.get("etag") ?? "", prefer: "wait=60" });
    // The person's own was opened first of all, and is in use.
    const lastUse = async () => {
      const uses = store.db.selectFrom("session").select("last_used_at");
      return (await uses.where("token_hash", "=", hashToken(ada.session)).executeTakeFirst())?.last_used_at;
    };
    expect((await whoami(ada.session)).status).toBe(200);
    await expect.poll(lastUse).toBe(clock.now());
    const { email, password } = ada;
    const signedIn = await statuses(3, (server) =>
      server.request("POST", "/api/auth/sign-in/email", { body: { email, password } }),
    );
    expect(signedIn).toEqual([200, 200, 200]);
    const { length } = await first().client(ada.session).sessions.list({});
    expect(length).toBe(100);
    expect((await held).status).toBe(401);
    expect(await Promise.all(script.slice(0, 4).map(async (as) => (await whoami(as)).status))).toEqual([
      401, 401, 401, 200,
    ]);
    const { entries } = await first().client(ada.session).audit.account({ query: {} });
    expect(entries.filter(({ kind }) => kind === "session.ended")).toHaveLength(3);
  });
}

describeProcesses("limits that many meet at once", "limits that many meet at once on two servers", rows);
