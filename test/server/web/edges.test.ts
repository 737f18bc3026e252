import { describe, expect, it } from "vitest";
import { setSwitch } from "../../../server/store/switches.ts";
import { sqlite } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { browserOf, openBrowser } from "../../support/web.ts";
import { asBrowser, expectGuarded } from "../../support/web-guard.ts";

describe("what no page and no row answers", () => {
  const suite = suiteServer(sqlite);

  it.each(["/nothing", "/docs2", "/keys2", "/%ff", "//", "/nothing.php?x=1"])(
    "is a page to a browser at %s, and the API's answer to a program",
    async (path) => {
      const page = await suite.server.request("GET", path, { headers: asBrowser });
      expect(page.status).toBe(404);
      expectGuarded(page.headers, path);
      expect(page.text).toContain("<h1>Nothing here</h1>");
      const answer = await suite.server.request("GET", path);
      expect([answer.status, answer.body]).toMatchObject([404, { statusCode: 404 }]);
    },
  );

  it.each(["/api/nothing", "/v1/nothing", "/management/x", "/whoami/x", "/healthz/x"])(
    "is the API's at %s, to a browser too",
    async (path) => {
      const answer = await suite.server.request("GET", path, { headers: asBrowser });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        404,
        "application/json; charset=utf-8",
      ]);
    },
  );

  it("repeats nothing of the address as marks", async () => {
    const { text } = await suite.server.request("GET", "/<script>alert(1)</script>", { headers: asBrowser });
    expect(text).not.toContain("<script>");
  });

  it("leaves who is signed in signed in: the bar with its form, and ways on", async () => {
    const browser = browserOf(suite.server, await suite.server.person("ada"));
    for (const path of ["/nothing", "/keys/nothing", "/collectives/of-nobody", "/audit?workspace=nothing"]) {
      const page = await browser.open(path);
      expect([page.status, page.title], path).toEqual([404, "Nothing here"]);
      expect(page.links, path).toEqual(expect.arrayContaining(["/keys", "/account", "/workspaces"]));
      expect(page.links, path).not.toContain("/login");
      expect(
        page.forms.map(({ act }) => act),
        path,
      ).toEqual(["sign-out"]);
      expectGuarded(page.headers, path);
    }
    const refused = await browser.send("/keys", { act: "create", name: "x" });
    expect([refused.status, refused.forms.map(({ act }) => act)]).toEqual([403, ["sign-out"]]);
    const left = await (await browser.open("/nothing")).submit("sign-out");
    expect([left.path, left.note]).toEqual(["/login", "You are signed out."]);
    const stranger = await browser.open("/nothing");
    expect([stranger.status, stranger.forms]).toEqual([404, []]);
    expect(stranger.links).toContain("/login");
    browser.cookies.set("svc.session_token", "made up");
    expect((await browser.open("/nothing")).links).toContain("/login");
  });

  it("says 405 to a browser's form at the start page", async () => {
    const answer = await suite.server.request("POST", "/", {
      headers: { ...asBrowser, "content-type": "application/x-www-form-urlencoded" },
      body: "act=x",
    });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expectGuarded(answer.headers, "/");
  });

  it.each(["/login", "/keys", "/nothing"])("is a page in maintenance at %s, to forms too", async (path) => {
    const { store } = suite.server;
    await store.write((tx) => setSwitch(tx, "maintenance", { on: true, message: "until noon" }));
    try {
      for (const method of ["GET", "POST"]) {
        const answer = await suite.server.request(method, path, {
          headers: { ...asBrowser, "content-type": "application/x-www-form-urlencoded" },
          ...(method === "POST" ? { body: "act=x" } : {}),
        });
        expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
        expect(answer.text).toContain("The server is in maintenance: until noon");
        expectGuarded(answer.headers, method);
      }
    } finally {
      await store.write((tx) => setSwitch(tx, "maintenance", { on: false, message: null }));
    }
  });
});

describe("behind TLS", () => {
  const suite = suiteServer(sqlite, { settings: { publicUrl: "https://svc.example" } });

  it("every cookie of a page is kept to it, and out of reach of scripts", async () => {
    const ada = await suite.server.person("ada");
    const browser = openBrowser(suite.server);
    const { values } = (await browser.open("/login")).form("sign-in");
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = await suite.server.request("POST", "/login", {
      body: new URLSearchParams({ ...values, account: ada.username, password: ada.password }).toString(),
      headers: { cookie, origin: "https://svc.example", "content-type": "application/x-www-form-urlencoded" },
    });
    const shown = await suite.server.request("GET", "/keys", {
      headers: { cookie: `svc.session_token=${ada.session}` },
    });
    const csrf = /name="csrf" value="([^"]+)"/.exec(shown.text)?.[1] ?? "";
    const own = shown.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const noted = await suite.server.request("POST", "/keys", {
      body: new URLSearchParams({ csrf, act: "revoke", keyId: ada.keyId }).toString(),
      headers: {
        cookie: `${own}; svc.session_token=${ada.session}`,
        origin: "https://svc.example",
        "content-type": "application/x-www-form-urlencoded",
      },
    });
    expect([sent.status, noted.status]).toEqual([303, 303]);
    const lines = [shown, sent, noted].flatMap(({ headers }) => headers.getSetCookie());
    const names = lines.map((line) => line.split("=")[0]);
    expect(new Set(names)).toEqual(new Set(["svc.csrf", "svc.session_token", "svc.note"]));
    for (const line of lines) {
      expect(line).toMatch(/; Secure(;|$)/);
      expect(line).toMatch(/; HttpOnly(;|$)/);
      expect(line).toMatch(/; SameSite=Lax(;|$)/);
      expect(line).toMatch(/; Path=\/(;|$)/);
      expect(line).not.toMatch(/Domain/i);
    }
  });
});
