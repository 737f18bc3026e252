import { createHook } from "node:async_hooks";
import { beforeAll, expect, it } from "vitest";
import { setSuspended } from "../../../server/store/users.ts";
import { makeCollective, makeCollectiveToken } from "../../support/collectives.ts";
import { describeEngines } from "../../support/engines.ts";
import { type HttpAnswer, type Person, startTestServer, suiteServer } from "../../support/server.ts";

/** How many passwords were hashed while `work` ran: each is one request to scrypt. */
async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === "SCRYPTREQUEST") count++;
    },
  });
  hook.enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}

/** What two answers have in common that are to tell nothing: all but what differs with every request. */
const told = ({ status, text, headers }: HttpAnswer) => ({
  status,
  text,
  headers: Object.fromEntries(
    [...headers].filter(([name]) => !["date", "x-request-id", "content-length"].includes(name)),
  ),
});

describeEngines("who is there and who is not", (engine) => {
  const suite = suiteServer(engine);
  let ada: Person;
  let eve: Person;
  let gone: Person;
  beforeAll(async () => {
    const { server } = suite;
    [ada, eve, gone] = [await server.person("ada"), await server.person("eve"), await server.person("gone")];
    await server.store.write((tx) => setSuspended(tx, gone.id, true));
  });
  const post = (path: string, body: object, as?: string): Promise<HttpAnswer> =>
    suite.server.request("POST", path, { body, ...(as === undefined ? {} : { as }) });

  it.each([
    ["e-mail", "email", (name: string) => ({ email: `${name}@example.org` })],
    ["username", "username", (name: string) => ({ username: name })],
  ])(
    "signing in by %s says and costs the same for an unknown account, a wrong password and a suspended one",
    async (_what, way, account) => {
      const attempts = [
        () => post(`/api/auth/sign-in/${way}`, { ...account("nobody"), password: ada.password }),
        () => post(`/api/auth/sign-in/${way}`, { ...account("ada"), password: "something else" }),
        () => post(`/api/auth/sign-in/${way}`, { ...account("gone"), password: gone.password }),
        () => post(`/api/auth/sign-in/${way}`, { ...account("gone"), password: "something else" }),
      ];
      const answers: HttpAnswer[] = [];
      for (const attempt of attempts)
        expect(await hashesOf(async () => answers.push(await attempt()))).toBe(1);
      const [first] = answers.map(told);
      expect(first?.status).toBe(401);
      for (const answer of answers) expect(told(answer)).toEqual(first);
    },
  );
  it("a password in the place of the account is not told of, nor counted for anybody", async () => {
    const answer = await post("/api/auth/sign-in/username", { username: ada.password, password: "x" });
    expect([answer.status, answer.text]).toEqual([401, expect.not.stringContaining(ada.password)]);
  });
  it("signing up costs the same hash with an address that is taken, a name that is, and a new one", async () => {
    const accounts = [
      { email: ada.email, password: "long enough" },
      { email: "new@example.org", username: "eve", password: "long enough" },
      { email: "newer@example.org", password: "long enough" },
    ];
    const answers: HttpAnswer[] = [];
    for (const account of accounts) {
      const signUp = async () =>
        answers.push(await post("/api/auth/sign-up/email", { name: "N", ...account }));
      expect(await hashesOf(signUp)).toBe(1);
    }
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 200]);
    // Which of the two is taken is not told, nor by whom.
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(answers[0]?.text).not.toMatch(/ada|eve/);
  });
  it("by invitation only, signing up says the same of every address that was not invited", async () => {
    const server = await startTestServer(engine, { settings: { signUp: "invite" } });
    try {
      const [known, suspended] = [await server.person("known"), await server.person("suspended")];
      await server.store.write((tx) => setSuspended(tx, suspended.id, true));
      const signUp = (email: string, password: string) =>
        server.request("POST", "/api/auth/sign-up/email", { body: { name: "N", email, password } });
      const answers = [];
      for (const email of ["nobody@example.org", known.email, suspended.email])
        answers.push(told(await signUp(email, known.password)));
      expect(answers[0]?.status).toBe(403);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
    } finally {
      await server.stop();
    }
  });
  it("inviting into a collective says the same of an address with an account, one without and a suspended one", async () => {
    const slug = await makeCollective(suite.server, ada);
    const emails = [eve.email, "nobody-yet@example.org", gone.email];
    const seen = [];
    for (const email of emails) {
      const { status, body } = await post(`/api/v1/collectives/${slug}/invitations`, { email }, ada.key);
      const own = { id: "", email: "", code: "", createdAt: "", expiresAt: "" };
      seen.push({ status, ...Object(body), ...own });
    }
    expect(seen[0].status).toBeLessThan(300);
    for (const one of seen) expect(one).toEqual(seen[0]);
  });

  it.each([
    ["get", "GET", ""],
    ["members", "GET", "/members"],
    ["invitations", "GET", "/invitations"],
    ["tokens", "GET", "/api-tokens"],
    ["audit", "GET", "/audit"],
    ["leave", "POST", "/leave"],
    ["delete", "DELETE", ""],
  ])("a collective that one is not in is like one that there never was: %s", async (_what, method, rest) => {
    const slug = await makeCollective(suite.server, ada);
    const ask = (name: string) =>
      suite.server.request(method, `/api/v1/collectives/${name}${rest}`, { as: eve.key });
    const [foreign, unknown] = [await ask(slug), await ask("never-was")];
    expect(foreign.status).toBe(404);
    expect(told(foreign)).toEqual(told(unknown));
  });
  it("a token, an invitation and a member of another collective are like none", async () => {
    const { server } = suite;
    const [own, other] = [await makeCollective(server, eve), await makeCollective(server, ada)];
    const { id } = await makeCollectiveToken(server, ada, other);
    const invited = await post(
      `/api/v1/collectives/${other}/invitations`,
      { email: "x@example.org" },
      ada.key,
    );
    const ask = (method: string, path: string) => server.request(method, `/api/v1/${path}`, { as: eve.key });
    const never = server.store.id();
    const pairs = [
      ["PATCH", `collectives/${own}/api-tokens/`, id],
      ["DELETE", `collectives/${own}/api-tokens/`, id],
      ["DELETE", `collectives/${own}/invitations/`, invited.at("id")],
      ["DELETE", `collectives/${own}/members/`, ada.id],
    ] as const;
    for (const [method, path, foreign] of pairs) {
      const [one, none] = [await ask(method, path + foreign), await ask(method, path + never)];
      expect([one.status, told(one)]).toEqual([404, told(none)]);
    }
    for (const verb of ["accept", "reject"]) {
      const [one, none] = [
        await ask("POST", `collective-invitations/${invited.at("id")}/${verb}`),
        await ask("POST", `collective-invitations/${never}/${verb}`),
      ];
      expect([one.status, told(one)]).toEqual([404, told(none)]);
    }
  });
  it("a key and a session of somebody else are like none", async () => {
    const never = suite.server.store.id();
    for (const [path, member] of [
      ["api-key/update", "keyId"],
      ["api-key/delete", "keyId"],
    ] as const) {
      const ask = (id: string) => post(`/api/auth/${path}`, { [member]: id, name: "mine" }, eve.session);
      const [foreign, none] = [await ask(ada.keyId), await ask(never)];
      expect([foreign.status, told(foreign)]).toEqual([404, told(none)]);
    }
    const get = (id: string) =>
      suite.server.request("GET", `/api/auth/api-key/get?id=${id}`, { as: eve.session });
    expect(told(await get(ada.keyId))).toEqual(told(await get(never)));
    const end = (token: string) => post("/api/auth/revoke-session", { token }, eve.session);
    expect(told(await end(ada.session))).toEqual(told(await end("0".repeat(64))));
    expect((await suite.server.request("GET", "/api/whoami", { as: ada.session })).status).toBe(200);
  });
  it("a workspace token of somebody else is like none to a member", async () => {
    const { server } = suite;
    const { workspaceId } = ada;
    await server.client(ada.key).workspaces.inviteMember({ workspaceId, body: { email: eve.email } });
    const { id } = await server.workspaceToken(ada);
    const ask = (tokenId: string) =>
      post(`/management/workspaces/${workspaceId}/authTokens/${tokenId}/revoke`, {}, eve.key);
    const [foreign, none] = [await ask(id), await ask(server.store.id())];
    expect([foreign.status, told(foreign)]).toEqual([404, told(none)]);
  });
});
