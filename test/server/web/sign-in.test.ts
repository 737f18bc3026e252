import { beforeAll, describe, expect, it } from "vitest";
import { otherSites } from "../../support/addresses.ts";
import { sqlite } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { type Person, startTestServer, suiteServer } from "../../support/server.ts";
import { browserOf, openBrowser } from "../../support/web.ts";
import { expectGuarded } from "../../support/web-guard.ts";

const wrong = "not the password";

describe("signing in", () => {
  const suite = suiteServer(sqlite);
  let ada: Person;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
  });

  it.each(["username", "email"] as const)("takes the %s, with blanks around it", async (member) => {
    const browser = openBrowser(suite.server);
    const account = ` ${ada[member]} `;
    const page = await (await browser.open("/login")).submit("sign-in", { account, password: ada.password });
    expect([page.status, page.path, page.title]).toEqual([200, "/keys", "Keys"]);
    expect((await browser.open("/login")).path).toBe("/keys");
  });

  it("says nothing of whether an account is there", async () => {
    const attempt = async (account: string) => {
      const browser = openBrowser(suite.server);
      const form = await browser.open("/login");
      const { status, html, headers } = await form.submit("sign-in", { account, password: wrong });
      const names = [...headers.keys()].filter((name) => name !== "set-cookie");
      const csrf = form.form("sign-in").values["csrf"] ?? "";
      expect(csrf).not.toBe("");
      const same = html.replace(/(name="csrf" value=")[^"]*/g, "$1").replaceAll(account, "the account");
      return { status, same, names };
    };
    for (const [known, unknown] of [
      [ada.username, "nobody"],
      [ada.email, "nobody@example.org"],
    ] as const) {
      const [one, other] = [await attempt(known), await attempt(unknown)];
      expect(one.status).toBe(401);
      expect(other).toEqual(one);
      expect(one.same).not.toContain(wrong);
    }
  });

  it("shows what was typed again, as text, and never the password", async () => {
    const account = `"><script>alert(1)</script>`;
    const page = await (await openBrowser(suite.server).open("/login")).submit("sign-in", {
      account,
      password: wrong,
    });
    expect(page.form("sign-in").values).toMatchObject({ account, password: "" });
    expect(page.html).not.toMatch(/<script|not the password/);
  });

  it.each(otherSites)("leads to no other site: %j", async (next) => {
    const browser = openBrowser(suite.server);
    const form = await browser.open(`/login?${new URLSearchParams({ next })}`);
    const page = await form.submit("sign-in", { account: ada.username, password: ada.password });
    expect([page.status, page.path, page.location]).toEqual([200, "/keys", undefined]);
    const again = await browser.open(`/login?${new URLSearchParams({ next })}`);
    expect([again.path, again.location]).toEqual(["/keys", undefined]);
  });

  it("opens a session of its own: one that was planted before is not the one after", async () => {
    const mallory = await suite.server.person("mallory");
    for (const planted of ["planted-by-somebody-else-0123456789abcdef", mallory.session]) {
      const browser = openBrowser(suite.server);
      const form = await browser.open("/login");
      browser.cookies.set("svc.session_token", planted);
      // Under a session that lets in, the form is out of date: nobody is signed in without having seen it.
      const page = await form.submit("sign-in", { account: ada.username, password: ada.password });
      const after = browser.cookies.get("svc.session_token");
      expect([page.status, after === planted]).toEqual(
        planted === mallory.session ? [403, true] : [200, false],
      );
      const who = await suite.server.request("GET", "/api/whoami", {
        headers: { cookie: `svc.session_token=${planted}` },
      });
      expect(who.text).not.toContain(ada.id);
    }
  });

  it("is not done for another site, not even with a proof", async () => {
    const browser = openBrowser(suite.server);
    const { values } = (await browser.open("/login")).form("sign-in");
    const sent = { ...values, account: ada.username, password: ada.password };
    for (const origin of ["http://evil.example", "null", `${suite.server.url}.evil.example`]) {
      const refused = await browser.send("/login", sent, { origin });
      expect([refused.status, refused.title], origin).toEqual([403, "Not for you"]);
    }
    expect(browser.cookies.has("svc.session_token")).toBe(false);
    expect((await browser.send("/login", sent)).path).toBe("/keys");
  });

  it("gives a planted proof no power: the attacker's cookie proves nothing of the victim's forms", async () => {
    const mallory = openBrowser(suite.server);
    const proof = (await mallory.open("/login")).form("sign-in").values["csrf"] ?? "";
    const victim = browserOf(suite.server, ada);
    victim.cookies.set("svc.csrf", mallory.cookies.get("svc.csrf") ?? "");
    const refused = await victim.send("/keys", { act: "create", name: "mallory's", csrf: proof });
    expect(refused.status).toBe(403);
    const signedIn = browserOf(suite.server, await suite.server.person("mallory2"));
    signedIn.cookies.set("svc.csrf", mallory.cookies.get("svc.csrf") ?? "");
    const own = (await signedIn.open("/keys")).form("create").values["csrf"] ?? "";
    expect((await victim.send("/keys", { act: "create", name: "mallory's", csrf: own })).status).toBe(403);
    expect((await victim.open("/keys")).text).not.toContain("mallory's");
  });

  it("ends the proofs of forms from before it, and signing out those from before that", async () => {
    const browser = openBrowser(suite.server);
    const early = await browser.open("/login");
    await early.submit("sign-in", { account: ada.username, password: ada.password });
    const keys = await browser.open("/keys");
    const stale = await browser.send("/login", early.form("sign-in").values);
    expect(stale.status).toBe(403);
    const out = await keys.submit("sign-out");
    expect([out.path, out.note, browser.cookies.has("svc.session_token")]).toEqual([
      "/login",
      "You are signed out.",
      false,
    ]);
    expect((await keys.submit("create", { name: "too late" })).status).toBe(403);
  });

  it("needs cookies for the form, and shows it and why without", async () => {
    const without = openBrowser(suite.server);
    const form = await without.open("/login");
    without.cookies.clear();
    const refused = await form.submit("sign-in", { account: ada.username, password: ada.password });
    expect([form.status, refused.status]).toEqual([200, 403]);
    expect(refused.problem).toContain("cookies are blocked");
  });

  it("of an account that is suspended is refused as a wrong password is", async () => {
    const eve = await suite.server.person("eve");
    await suite.server.store.write((tx) =>
      tx.db.updateTable("user").set({ suspended_at: tx.now }).where("id", "=", eve.id).execute(),
    );
    const form = await openBrowser(suite.server).open("/login");
    const page = await form.submit("sign-in", { account: eve.username, password: eve.password });
    expect(page.status).toBe(401);
    expect((await browserOf(suite.server, eve).open("/keys")).title).toBe("Sign in");
  });
});

describe("signing in too often", () => {
  it("says so on a page, with the time after which it goes on", async () => {
    const clock = fakeClock();
    const server = await startTestServer(sqlite, { clock });
    try {
      const ada = await server.person("ada");
      for (const account of ["ada", "nobody"]) {
        const form = await openBrowser(server).open("/login");
        for (let attempt = 0; attempt < 5; attempt++) {
          expect((await form.submit("sign-in", { account, password: wrong })).status).toBe(401);
        }
        const limited = await form.submit("sign-in", { account, password: ada.password });
        expect([limited.status, limited.title, limited.headers.get("retry-after")]).toEqual([
          429,
          "Sign in",
          "60",
        ]);
        expect(limited.problem).toContain("Too many attempts; try again in 60 s");
        expect(limited.form("sign-in").values["account"]).toBe(account);
        expectGuarded(limited.headers, account);
      }
      await clock.advance(60_000);
      const form = await openBrowser(server).open("/login");
      const page = await form.submit("sign-in", { account: "ada", password: ada.password });
      expect(page.path).toBe("/keys");
    } finally {
      await server.stop();
    }
  });
});

describe("signing up", () => {
  const suite = suiteServer(sqlite);
  const fields = { name: "Grace", email: "grace@example.org", password: "correct horse battery" };

  it("signs in, and leads on to where the link came from", async () => {
    const browser = openBrowser(suite.server);
    const form = await browser.open("/signup?next=/account");
    const page = await form.submit("sign-up", fields);
    expect([page.status, page.path, page.note]).toEqual([200, "/account", "Your account is ready."]);
    expect(page.text).toContain("grace@example.org");
    expect((await browser.open("/account")).note).toBeUndefined();
  });

  it.each([
    ["an address that is taken", {}, 422, /exists|already/i],
    ["a short password", { email: "new@example.org", password: "sh0rt" }, 400, /8/],
    ["no address", { email: "nowhere" }, 400, /mail/i],
    ["a name that is none", { email: "new@example.org", name: "" }, 400, /name/i],
    ["a username that is none", { email: "new@example.org", username: "a b" }, 400, /username/i],
  ])("is refused with %s, and nobody types the rest again", async (_what, wrongly, status, problem) => {
    const browser = openBrowser(suite.server);
    const sent = { ...fields, ...wrongly };
    const page = await (await browser.open("/signup")).submit("sign-up", sent);
    expect([page.status, page.problem]).toEqual([status, expect.stringMatching(problem)]);
    const { password, ...shown } = sent;
    expect(page.form("sign-up").values).toMatchObject({ ...shown, password: "" });
    expect(page.html).not.toContain(password);
    expect(browser.cookies.has("svc.session_token")).toBe(false);
  });
});
