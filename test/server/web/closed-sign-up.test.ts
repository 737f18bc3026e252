import { describe, expect, it } from "vitest";
import { sqlite } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { openBrowser } from "../../support/web.ts";
import { expectGuarded } from "../../support/web-guard.ts";

describe("a server that takes no new accounts", () => {
  const suite = suiteServer(sqlite, { settings: { signUp: "closed" } });
  const first = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };

  it("offers the first account, and afterwards none: no link, no form, and a page that says so", async () => {
    const browser = openBrowser(suite.server);
    for (const path of ["/", "/login"]) expect((await browser.open(path)).links, path).toContain("/signup");
    const form = await browser.open("/signup");
    expect(form.text).toContain("This is the first account of this server, which takes no others.");
    const made = await form.submit("sign-up", first);
    expect([made.status, made.path]).toEqual([200, "/keys"]);

    const stranger = openBrowser(suite.server);
    for (const path of ["/", "/login", "/login?next=/account"])
      expect((await stranger.open(path)).links.join(), path).not.toContain("/signup");
    const closed = await stranger.open("/signup?next=/account");
    expect([closed.status, closed.title, closed.forms]).toEqual([200, "No new accounts", []]);
    expect(closed.text).toContain("This server takes no new accounts.");
    expect(closed.text).not.toContain("first");
    expect(closed.links).toContain("/login?next=%2Faccount");
    expectGuarded(closed.headers, "closed");
  });

  it("refuses a form from before that, as the API does", async () => {
    const stranger = openBrowser(suite.server);
    const { values } = (await stranger.open("/login")).form("sign-in");
    const refused = await stranger.send("/signup", {
      ...first,
      email: "bob@example.org",
      act: "sign-up",
      csrf: values["csrf"] ?? "",
    });
    expect([refused.status, refused.title, refused.forms]).toEqual([403, "No new accounts", []]);
    expect(stranger.cookies.has("svc.session_token")).toBe(false);
  });
});
