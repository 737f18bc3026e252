import { describe, expect, it } from "vitest";
import { makeCollective } from "../../support/collectives.ts";
import { sqlite } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { browserOf, openBrowser } from "../../support/web.ts";

describe("the page of one's account", () => {
  const suite = suiteServer(sqlite);
  const newPassword = "another good password";
  const letsIn = async (token: string): Promise<boolean> =>
    (await suite.server.request("GET", "/api/whoami", { as: token })).status === 200;

  it("tells who one is, and leads to what one is in", async () => {
    const ada = await suite.server.person("ada");
    const slug = await makeCollective(suite.server, ada);
    const page = await browserOf(suite.server, ada).open("/account");
    for (const text of [ada.email, "@ada", "The team , owner"]) expect(page.text).toContain(text);
    expect(page.links).toContain(`/collectives/${slug}`);
    expect(page.links).toContain(`/workspaces/${ada.workspaceId}`);
    for (const link of page.links.filter((one) => one.startsWith("/") && one !== "/"))
      expect((await browserOf(suite.server, ada).open(link)).status, link).toBe(200);
  });

  it("changes the password, and ends the other sessions where that is ticked", async () => {
    const bob = await suite.server.person("bob");
    const { username, password } = bob;
    const other = await suite.server.client("").accounts.signInUsername({ body: { username, password } });
    const browser = browserOf(suite.server, bob);
    const page = await browser.open("/account");
    expect(page.form("change-password").values["endOthers"]).toBe("on");
    const done = await page.submit("change-password", { currentPassword: password, newPassword });
    expect([done.path, done.note]).toEqual([
      "/account",
      "Your password is changed. Your other sessions are ended.",
    ]);
    // The session that asked is another one now as well.
    expect([await letsIn(other.token), await letsIn(bob.session), await letsIn(bob.key)]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await browser.open("/account")).title).toBe("Account");
    for (const [tried, path] of [
      [password, "/login"],
      [newPassword, "/keys"],
    ] as const) {
      const form = await openBrowser(suite.server).open("/login");
      expect((await form.submit("sign-in", { account: username, password: tried })).path).toBe(path);
    }
  });

  it("leaves the other sessions where it is not ticked", async () => {
    const carol = await suite.server.person("carol");
    const browser = browserOf(suite.server, carol);
    const { endOthers: _ticked, ...values } = (await browser.open("/account")).form("change-password").values;
    const sent = { ...values, currentPassword: carol.password, newPassword };
    const done = await browser.send("/account", sent);
    expect([done.note, await letsIn(carol.session)]).toEqual(["Your password is changed.", true]);
  });

  it.each([
    ["a wrong current password", { currentPassword: "wrong" }, 400, /password/i],
    ["a new one that is too short", { newPassword: "sh0rt" }, 400, /8/],
    ["a new one that is too long", { newPassword: "x".repeat(129) }, 400, /128/],
  ])("refuses %s, changes nothing and repeats no password", async (what, wrongly, status, problem) => {
    const dan = await suite.server.person(`dan${what.length}`);
    const sent = { currentPassword: dan.password, newPassword, ...wrongly };
    const page = await (await browserOf(suite.server, dan).open("/account")).submit("change-password", sent);
    expect([page.status, page.title, page.problem]).toEqual([
      status,
      "Account",
      expect.stringMatching(problem),
    ]);
    for (const secret of Object.values(sent)) expect(page.html).not.toContain(`"${secret}"`);
    const form = await openBrowser(suite.server).open("/login");
    const again = await form.submit("sign-in", { account: dan.username, password: dan.password });
    expect(again.path).toBe("/keys");
  });

  it("lets nobody guess the password: attempts count as those to sign in", async () => {
    const eve = await suite.server.person("eve");
    const page = await browserOf(suite.server, eve).open("/account");
    const guess = () => page.submit("change-password", { currentPassword: "a guess", newPassword });
    for (let attempt = 0; attempt < 5; attempt++) expect((await guess()).status).toBe(400);
    const limited = await guess();
    expect([limited.status, Number(limited.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
