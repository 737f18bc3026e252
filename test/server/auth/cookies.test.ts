import { beforeAll, expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { type Person, startTestServer, suiteServer } from "../../support/server.ts";

describeEngines("cookies", (engine) => {
  const suite = suiteServer(engine);
  let ada: Person;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
  });
  const create = (headers: Record<string, string>, path = "/api/auth/api-key/create") =>
    suite.server.request("POST", path, { body: {}, headers });
  const withCookie = (more: Record<string, string> = {}) => ({
    cookie: `svc.session_token=${ada.session}`,
    ...more,
  });

  it("let a page of this server write", async () => {
    expect((await create(withCookie({ origin: suite.server.url }))).status).toBe(200);
  });
  it.each([
    ["of another site", "https://elsewhere.example"],
    ["of another port", "http://127.0.0.1:1"],
    ["that is opaque", "null"],
  ])("let no page write with an origin %s", async (_what, origin) => {
    const answer = await create(withCookie({ origin }));
    expect([answer.status, answer.at("code")]).toEqual([403, "INVALID_ORIGIN"]);
  });
  it("let nothing write without an origin", async () => {
    expect((await create(withCookie())).status).toBe(403);
  });
  it("are read from any page, since reading changes nothing", async () => {
    const headers = withCookie({ origin: "https://elsewhere.example" });
    const answer = await suite.server.request("GET", "/api/auth/get-session", { headers });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });
  it("do not matter to who brings a token", async () => {
    const headers = {
      ...withCookie({ origin: "https://elsewhere.example" }),
      authorization: `Bearer ${ada.session}`,
    };
    expect((await create(headers)).status).toBe(200);
  });
  it("do not count on the modeling API", async () => {
    const path = `/v1/w/${ada.workspaceId}/change-sets`;
    expect((await create(withCookie({ origin: suite.server.url }), path)).status).toBe(401);
    const whoami = await suite.server.request("GET", "/whoami", { headers: withCookie() });
    expect(whoami.status).toBe(401);
  });
  it("are taken back at sign-out, when this server's own page asks for it", async () => {
    const foreign = await create(withCookie({ origin: "https://elsewhere.example" }), "/api/auth/sign-out");
    expect([foreign.status, foreign.at("code")]).toEqual([403, "INVALID_ORIGIN"]);
    const answer = await create(withCookie({ origin: suite.server.url }), "/api/auth/sign-out");
    expect(answer.headers.get("set-cookie")).toMatch(/^svc\.session_token=; Max-Age=0;/);
    expect((await suite.server.request("GET", "/api/whoami", { headers: withCookie() })).status).toBe(401);
  });

  it("are secure, and the public address is an origin of its own, when people come over TLS", async () => {
    const server = await startTestServer(engine, { settings: { publicUrl: "https://svc.example.org/" } });
    try {
      const grace = await server.person("grace");
      const body = { email: grace.email, password: grace.password };
      const headers = { origin: "https://svc.example.org" };
      const answer = await server.request("POST", "/api/auth/sign-in/email", { body, headers });
      expect([answer.status, answer.headers.get("set-cookie")]).toEqual([
        200,
        expect.stringMatching(/; Secure(;|$)/),
      ]);
    } finally {
      await server.stop();
    }
  });
});
