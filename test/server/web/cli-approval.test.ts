import { beforeAll, expect, it } from "vitest";
import { foreignCallbacks } from "../../support/addresses.ts";
import { describeEngines } from "../../support/engines.ts";
import { type Person, suiteServer } from "../../support/server.ts";
import { browserOf, openBrowser, type WebPage } from "../../support/web.ts";
import { expectGuarded } from "../../support/web-guard.ts";

let count = 0;
const callback = "http://127.0.0.1:41234/callback";
/** The address that a terminal prints; each asks by a state of its own. */
const asked = (more: Readonly<Record<string, string>> = {}) => {
  count += 1;
  const query = {
    cli_callback: callback,
    state: `state-${count}-0123456789`,
    device_code: "ABCD-2345",
    ...more,
  };
  return { ...query, address: `/login?${new URLSearchParams(query)}` };
};
const answerOf = (page: WebPage): URLSearchParams => new URL(page.location ?? "about:blank").searchParams;

describeEngines("a terminal that asks to sign in", (engine) => {
  const suite = suiteServer(engine);
  let ada: Person;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
  });
  const sessionsOf = async (person: Person): Promise<number> =>
    (await suite.server.client(person.session).sessions.list({})).length;

  it("is answered with a session of whoever approves, which ends as any other", async () => {
    const before = await sessionsOf(ada);
    const { address, state, device_code } = asked();
    const browser = browserOf(suite.server, ada);
    const shown = await browser.open(address);
    expect([shown.status, shown.title]).toEqual([200, "Sign in a terminal"]);
    expect(shown.text).toContain(device_code);
    expect(shown.headers.get("content-security-policy")).toContain(
      "form-action 'self' http://127.0.0.1:41234;",
    );
    const approved = await shown.submit("approve");
    expect(approved.status).toBe(303);
    expect(approved.location).toMatch(/^http:\/\/127\.0\.0\.1:41234\/callback\?token=/);
    expect(answerOf(approved).get("state")).toBe(state);
    expect(approved.headers.get("cache-control")).toBe("no-store");
    expect(approved.headers.getSetCookie().join()).not.toContain("session_token");

    const token = answerOf(approved).get("token") ?? "";
    expect(token).not.toBe(ada.session);
    const who = await suite.server.request("GET", "/api/whoami", { as: token });
    expect([who.status, who.at("id")]).toEqual([200, ada.id]);
    expect(await sessionsOf(ada)).toBe(before + 1);
    expect((await browser.open("/audit")).rows[1]?.slice(1, 3)).toEqual([
      expect.stringContaining(`@${ada.username}`),
      "approved a terminal",
    ]);
    await suite.server.client(token).accounts.signOut({});
    expect((await suite.server.request("GET", "/api/whoami", { as: token })).status).toBe(401);
    expect(await sessionsOf(ada)).toBe(before);
    expect(JSON.stringify(suite.server.log)).not.toContain(token);
    expect((await browser.open("/sessions")).html).not.toContain(token);
  });

  it("is answered once: an approval that is sent again says so and opens nothing", async () => {
    const shown = await browserOf(suite.server, ada).open(asked().address);
    expect((await shown.submit("approve")).status).toBe(303);
    const before = await sessionsOf(ada);
    const again = await shown.submit("approve");
    expect([again.status, again.location]).toEqual([409, undefined]);
    expect(again.html).not.toContain("token=");
    expect(again.problem).toContain("approved before");
    const opened = await browserOf(suite.server, ada).open(shown.path);
    expect([opened.status, opened.problem]).toEqual([409, again.problem]);
    for (const page of [again, opened]) expect(page.forms.map(({ act }) => act)).toEqual(["sign-out"]);
    expectGuarded(again.headers, "replayed");
    expect(await sessionsOf(ada)).toBe(before);
  });

  it("is answered once when approved many times at once, and by two people", async () => {
    const bob = await suite.server.person("bob");
    const { address } = asked();
    const pages = await Promise.all([ada, ada, bob].map((one) => browserOf(suite.server, one).open(address)));
    const answers = await Promise.all(
      pages.flatMap((page) => [page.submit("approve"), page.submit("approve")]),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 409, 409, 409, 409, 409]);
  });

  it("hears that it was denied, and may be approved afterwards", async () => {
    const { address, state } = asked();
    const before = await sessionsOf(ada);
    const denied = await (await browserOf(suite.server, ada).open(address)).submit("deny");
    expect(Object.fromEntries(answerOf(denied))).toEqual({ error: "access_denied", state });
    expect([denied.status, await sessionsOf(ada)]).toEqual([303, before]);
  });

  it.each(["sign-in", "sign-up"] as const)("waits for a %s, and asks then", async (way) => {
    const { address, device_code } = asked();
    const browser = openBrowser(suite.server);
    const first = await browser.open(address);
    expect(first.text).toContain(device_code);
    expect(first.forms.map(({ act }) => act)).toEqual(["sign-in"]);
    const page =
      way === "sign-in"
        ? await first.submit("sign-in", { account: ada.username, password: ada.password })
        : await (await browser.open(first.links.find((link) => link.startsWith("/signup")) ?? "")).submit(
            "sign-up",
            {
              name: "Grace",
              email: "grace@example.org",
              password: "correct horse battery",
            },
          );
    expect([page.status, page.title, page.path]).toEqual([200, "Sign in a terminal", address]);
    expect(page.text).toContain(device_code);
    expect(answerOf(await page.submit("approve")).get("token")).toMatch(/\S{20,}/);
  });

  it("gets nothing from an approval without a session, whatever proof comes with it", async () => {
    const { address } = asked();
    const browser = openBrowser(suite.server);
    const { values } = (await browser.open(address)).form("sign-in");
    const page = await browser.send(address, { act: "approve", csrf: values["csrf"] ?? "" });
    expect([page.status, page.location]).toEqual([200, undefined]);
    expect(page.forms.map(({ act }) => act)).toEqual(["sign-in"]);
    const stolen = await browserOf(suite.server, ada).open(address);
    const ended = openBrowser(suite.server);
    ended.cookies.set("svc.session_token", "x".repeat(40));
    const refused = await ended.send(address, { ...stolen.form("approve").values });
    expect([refused.status, refused.location]).toEqual([403, undefined]);
  });

  it.each(foreignCallbacks)(
    "is refused with a callback to %s, and no token leaves",
    async (_what, address) => {
      const before = await sessionsOf(ada);
      const request = asked({ cli_callback: address }).address;
      for (const browser of [openBrowser(suite.server), browserOf(suite.server, ada)]) {
        const shown = await browser.open(request);
        expect([shown.status, shown.location]).toEqual([400, undefined]);
        expect(shown.text).toContain("Nothing was sent anywhere.");
        expect(shown.headers.get("content-security-policy")).toContain("form-action 'self';");
        expect(shown.forms.filter(({ act }) => /approve|deny|sign-in/.test(act))).toEqual([]);
        const csrf = (await browser.open("/login")).forms[0]?.values["csrf"] ?? "";
        for (const act of ["approve", "deny"]) {
          const sent = await browser.send(request, { act, csrf });
          expect(sent.location ?? "").not.toMatch(/evil|41234|token/);
          expect(sent.html).not.toMatch(/token=/);
        }
      }
      expect(await sessionsOf(ada)).toBe(before);
    },
  );

  it("shows its words as text", async () => {
    const shown = await browserOf(suite.server, ada).open(
      asked({ device_code: "<script>x</script>" }).address,
    );
    expect(shown.status).toBe(400);
    expect(shown.html).not.toContain("<script>");
  });

  it("names no session of the browser in the page that follows", async () => {
    const browser = browserOf(suite.server, ada);
    const page = await browser.open("/cli/success");
    expect([page.status, page.title]).toEqual([200, "Your terminal is signed in"]);
    expect((await openBrowser(suite.server).open("/cli/success")).status).toBe(200);
  });
});
