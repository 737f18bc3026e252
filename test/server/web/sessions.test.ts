import { describe, expect, it } from "vitest";
import { sqlite } from "../../support/engines.ts";
import { type Person, suiteServer } from "../../support/server.ts";
import { browserOf, openBrowser } from "../../support/web.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

describe("the page of sessions", () => {
  const suite = suiteServer(sqlite);
  const open = async ({ username, password }: Person, agent: string): Promise<string> => {
    const body = { username, password };
    const headers = { "user-agent": agent };
    const answer = await suite.server.request("POST", "/api/auth/sign-in/username", { body, headers });
    return answer.at("token");
  };
  const letsIn = async (session: string): Promise<boolean> =>
    (await suite.server.request("GET", "/api/whoami", { as: session })).status === 200;

  it("tells where one is signed in, and which of them this is", async () => {
    const ada = await suite.server.person("ada");
    const token = await open(ada, firefox);
    const page = await browserOf(suite.server, ada).open("/sessions");
    expect(page.rows.slice(1).map((cells) => cells.slice(0, 2))).toEqual([
      ["Firefox on Linux", "127.0.0.1"],
      ["a program that does not say this session", "unknown"],
    ]);
    expect(page.html).not.toContain(token);
    expect(page.html).not.toContain(ada.session);
  });

  it("ends one of them, and that one only", async () => {
    const bob = await suite.server.person("bob");
    const [lost, kept] = [await open(bob, firefox), await open(bob, "curl/8.5.0")];
    const page = await browserOf(suite.server, bob).open("/sessions");
    const sessionId = page.forms.find(({ buttons }) => buttons[0]?.includes("Firefox") === true)?.values[
      "sessionId"
    ];
    const ended = await page.submit("end", {}, { sessionId: sessionId ?? "" });
    expect([ended.path, ended.note]).toEqual(["/sessions", expect.stringContaining("The session is ended")]);
    expect([await letsIn(lost), await letsIn(kept), await letsIn(bob.session)]).toEqual([false, true, true]);
    const again = await page.submit("end", {}, { sessionId: sessionId ?? "" });
    expect(again.status).toBe(200);
  });

  it("ends this one: nobody is signed in here afterwards", async () => {
    const carol = await suite.server.person("carol");
    const browser = browserOf(suite.server, carol);
    const out = await (await browser.open("/sessions")).submit("end");
    expect([out.path, out.note]).toEqual(["/login", "You are signed out."]);
    expect([await letsIn(carol.session), browser.cookies.has("svc.session_token")]).toEqual([false, false]);
    expect((await browser.open("/sessions")).title).toBe("Sign in");
  });

  it("ends all others, keys excepted", async () => {
    const dan = await suite.server.person("dan");
    const others = [await open(dan, firefox), await open(dan, firefox)];
    const page = await (await browserOf(suite.server, dan).open("/sessions")).submit("end-others");
    expect([page.note, page.rows]).toEqual([
      "All your other sessions are ended.",
      expect.objectContaining({ length: 2 }),
    ]);
    expect(await Promise.all([...others, dan.session, dan.key].map(letsIn))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(page.forms.filter(({ act }) => act === "end-others")).toEqual([]);
  });

  it("ends nobody else's session", async () => {
    const [eve, mallory] = [await suite.server.person("eve"), await suite.server.person("mallory")];
    const browser = browserOf(suite.server, mallory);
    const { values } = (await browser.open("/sessions")).form("end");
    const hers = (await browserOf(suite.server, eve).open("/sessions")).form("end").values["sessionId"] ?? "";
    for (const sessionId of [hers, eve.session])
      await browser.send("/sessions", { act: "end", csrf: values["csrf"] ?? "", sessionId });
    expect(await letsIn(eve.session)).toBe(true);
  });

  it("shows what a program calls itself as text", async () => {
    const fay = await suite.server.person("fay");
    await open(fay, "<script>alert(1)</script>");
    const page = await browserOf(suite.server, fay).open("/sessions");
    expect(page.html).not.toContain("<script>alert");
    expect(page.text).toContain("an unknown program");
    expect((await openBrowser(suite.server).open("/sessions")).title).toBe("Sign in");
  });
});
