import { beforeAll, expect, it } from "vitest";
import { newSessionToken } from "../../../server/auth/tokens.ts";
import { describeEngines } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type HttpAnswer, type Person, suiteServer } from "../../support/server.ts";

const minute = 60_000;

/** The session that an answer hands to the browser. */
const cookieIn = ({ headers }: HttpAnswer): string =>
  /^svc\.session_token=([0-9a-f]{64});/.exec(headers.get("set-cookie") ?? "")?.[1] ??
  expect.unreachable("the answer sets a session cookie");

describeEngines("a session", (engine) => {
  const clock = fakeClock();
  const suite = suiteServer(engine, { clock });
  let ada: Person;
  let eve: Person;
  beforeAll(async () => {
    [ada, eve] = [await suite.server.person("ada"), await suite.server.person("eve")];
  });
  const withCookie = (token: string) => ({
    cookie: `svc.session_token=${token}`,
    origin: suite.server.url,
  });
  const who = async (token: string): Promise<string | number> => {
    const answer = await suite.server.request("GET", "/api/whoami", { headers: withCookie(token) });
    return answer.status === 200 ? answer.at("username") : answer.status;
  };
  const signIn = ({ email, password }: Person, before: string): Promise<HttpAnswer> =>
    suite.server.request("POST", "/api/auth/sign-in/email", {
      headers: withCookie(before),
      body: { email, password },
    });

  it.each([
    ["that somebody made up", () => newSessionToken()],
    ["that is no token", () => "chosen-by-somebody-else"],
    ["of somebody else's session", () => eve.session],
    ["of one's own older session", () => ada.session],
  ])("is a new one at every sign-in, whatever cookie %s was there before", async (_what, chosen) => {
    const before = chosen();
    const was = await who(before);
    const answer = await signIn(ada, before);
    const after = cookieIn(answer);
    expect(after).not.toBe(before);
    expect([answer.at("token"), await who(after)]).toEqual([after, "ada"]);
    // What was there before is what it was: nobody's, or whose it was.
    expect(await who(before)).toBe(was);
    expect(cookieIn(await signIn(ada, after))).not.toBe(after);
  });
  it("is a new one at sign-up and with a new password, too", async () => {
    const before = newSessionToken();
    const joan = { name: "Joan", email: "joan@example.org", password: "first of several" };
    const made = await suite.server.request("POST", "/api/auth/sign-up/email", {
      headers: withCookie(before),
      body: joan,
    });
    const first = cookieIn(made);
    expect([first === before, await who(before), await who(first)]).toEqual([false, 401, "joan"]);
    const body = {
      currentPassword: joan.password,
      newPassword: "second of several",
      revokeOtherSessions: true,
    };
    const changed = await suite.server.request("POST", "/api/auth/change-password", {
      headers: withCookie(first),
      body,
    });
    const second = cookieIn(changed);
    expect([second === first, await who(first), await who(second)]).toEqual([false, 401, "joan"]);
  });
  it("cannot be chosen by a header, a query or a body", async () => {
    const chosen = newSessionToken();
    const { email, password } = ada;
    const answer = await suite.server.request("POST", `/api/auth/sign-in/email?token=${chosen}`, {
      headers: { "x-api-key": chosen, "set-auth-token": chosen },
      body: { email, password, token: chosen, sessionToken: chosen },
    });
    expect(answer.at("token")).not.toBe(chosen);
    expect(await who(chosen)).toBe(401);
  });
  it("does not come from another site: nobody is signed in by a page that is not this server's", async () => {
    const { email, password } = eve;
    const answer = await suite.server.request("POST", "/api/auth/sign-in/email", {
      headers: { origin: "https://elsewhere.example" },
      body: { email, password },
    });
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
  });
  it("lets in one second before its end, and not from its end on, nor ever again", async () => {
    const body = { email: eve.email, password: eve.password, rememberMe: false };
    const answer = await suite.server.request("POST", "/api/auth/sign-in/email", { body });
    const token = answer.at("token");
    const look = async () => (await suite.server.request("GET", "/api/whoami", { as: token })).status;
    // One that is not to be remembered keeps its single day, however it is used.
    await clock.advance(24 * 60 * minute - 1_000);
    expect(await look()).toBe(200);
    await clock.advance(1_000);
    expect(await look()).toBe(401);
    await clock.advance(minute);
    expect(await look()).toBe(401);
  });
});
