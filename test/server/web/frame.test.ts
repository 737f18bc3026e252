import { beforeAll, describe, expect, it } from "vitest";
import { pages } from "../../../server/web/pages/index.ts";
import { sqlite } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { browserOf, openBrowser } from "../../support/web.ts";
import { asBrowser, expectGuarded } from "../../support/web-guard.ts";
import { type WebWorld, webWorld } from "../../support/web-world.ts";

const forUsers = pages.filter(({ access }) => access === "user");
const withForms = pages.filter(({ acts }) => acts !== undefined);

describe("every page", () => {
  const suite = suiteServer(sqlite);
  let world: WebWorld;
  beforeAll(async () => {
    world = await webWorld(suite.server);
  });

  it("has an address of its own, and its forms acts of their own", () => {
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
    expect(forUsers.length).toBeGreaterThan(5);
  });

  it.each(pages)("$path shows itself to who is signed in, whole and guarded", async (page) => {
    const browser = browserOf(suite.server, world.ada);
    const shown = await browser.open(world.addressOf(page));
    expect([shown.status, shown.problem]).toEqual([200, undefined]);
    expectGuarded(shown.headers, page.path);
    expect(shown.html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(shown.html.match(/<h1\b/g)).toHaveLength(1);
    expect(shown.html.match(/<title>[^<]+ · svc<\/title>/g)).toHaveLength(1);
    expect(shown.text).toContain(`@${world.ada.username}`);
    // Nothing of another host, no style and no handler in a mark.
    expect(shown.html).not.toMatch(/\s(src|style|on\w+)=|<(link|iframe|object|base)\b/);
    for (const form of shown.forms) {
      expect(form.values["csrf"], `${page.path} ${form.act}`).toMatch(/^\S{20,}$/);
      expect(form.act).not.toBe("");
      expect(form.html).not.toMatch(/method="get"/i);
    }
    expect(shown.links.filter((link) => !/^[/#]/.test(link))).toEqual([]);
  });

  it.each(forUsers)("$path sends nobody to sign in, and back afterwards", async (page) => {
    const address = world.addressOf(page);
    const browser = openBrowser(suite.server);
    const asked = await browser.open(address);
    expect([asked.status, asked.title, asked.path]).toEqual([
      200,
      "Sign in",
      `/login?next=${encodeURIComponent(address)}`,
    ]);
    const { username, password } = world.ada;
    const back = await asked.submit("sign-in", { account: username, password });
    expect([back.status, back.path]).toEqual([200, address]);
  });

  it.each(withForms)(
    "$path takes no form without its proof, with a foreign one, or from elsewhere",
    async (page) => {
      const address = world.addressOf(page);
      const [adas, bobs] = [browserOf(suite.server, world.ada), browserOf(suite.server, world.bob)];
      const csrf = (await adas.open("/account")).form("sign-out").values["csrf"] ?? "";
      const foreign = (await bobs.open("/account")).form("sign-out").values["csrf"] ?? "";
      const early = (await openBrowser(suite.server).open("/login")).form("sign-in").values["csrf"] ?? "";
      const before = (await adas.open("/audit")).rows;
      for (const act of Object.keys(page.acts ?? {})) {
        for (const [what, proof] of [
          ["none", {}],
          ["an empty one", { csrf: "" }],
          ["a made-up one", { csrf: `${"x".repeat(8)}-${"y".repeat(43)}` }],
          ["somebody else's", { csrf: foreign }],
          ["one from before the sign-in", { csrf: early }],
        ] as const) {
          const refused = await adas.send(address, { act, ...proof });
          expect([refused.status, refused.title], `${act} with ${what}`).toEqual([403, "Not for you"]);
          expectGuarded(refused.headers, what);
        }
        for (const origin of ["http://evil.example", "null", suite.server.url.replace("http:", "https:")]) {
          const refused = await adas.send(address, { act, csrf }, { origin });
          expect([refused.status, refused.problem], origin).toEqual([403, expect.stringContaining("origin")]);
        }
        const { status } = await adas.send(address, { act, csrf }, {});
        expect(status, "no origin").toBe(403);
      }
      expect((await adas.open("/audit")).rows).toEqual(before);
    },
  );

  it.each(withForms)("$path says 400 to a form that it does not have", async (page) => {
    const adas = browserOf(suite.server, world.ada);
    const csrf = (await adas.open("/account")).form("sign-out").values["csrf"] ?? "";
    for (const act of ["", "nothing", "__proto__", "constructor", "toString"]) {
      const refused = await adas.send(world.addressOf(page), { act, csrf });
      expect([refused.status, refused.problem], act).toEqual([400, expect.stringContaining("no such form")]);
    }
  });

  it.each(pages)("$path answers HEAD as GET, without the page", async (page) => {
    const cookie = `svc.session_token=${world.ada.session}`;
    const asked = { headers: { ...asBrowser, cookie } };
    const [head, get] = [
      await suite.server.request("HEAD", world.addressOf(page), asked),
      await suite.server.request("GET", world.addressOf(page), asked),
    ];
    expect([head.status, head.text]).toEqual([get.status, ""]);
    expect(head.headers.get("content-security-policy")).toBe(get.headers.get("content-security-policy"));
  });

  it.each(pages)("$path says 405 to what it does not take, as a page, and what it takes", async (page) => {
    const takes = page.acts === undefined ? "GET, HEAD" : "GET, HEAD, POST";
    for (const method of [
      "PUT",
      "DELETE",
      "PATCH",
      "OPTIONS",
      ...(page.acts === undefined ? ["POST"] : []),
    ]) {
      const answer = await suite.server.request(method, world.addressOf(page), {
        headers: { cookie: `svc.session_token=${world.ada.session}` },
      });
      expect([answer.status, answer.headers.get("allow")], method).toEqual([405, takes]);
      expectGuarded(answer.headers, method);
    }
  });

  it.each(pages)("$path says 404 below itself, as a page, to programs too", async (page) => {
    for (const more of ["/nothing/at/all", "/%00/x/y", "/%zz/x/y"]) {
      const answer = await suite.server.request("GET", `${world.addressOf(page)}${more}`);
      expect(answer.status, more).toBe(404);
      expectGuarded(answer.headers, more);
    }
  });

  it.each(pages)("$path is a page of 2xx or 4xx whatever its query or form holds", async (page) => {
    const adas = browserOf(suite.server, world.ada);
    const csrf = encodeURIComponent((await adas.open("/account")).form("sign-out").values["csrf"] ?? "");
    const cookie = [...adas.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const address = world.addressOf(page);
    const members = ["cursor", "collective", "workspace", "next", "cli_callback", "state", "device_code"];
    const unreadable = ["%00", "%ED%A0%80", "%ff", "%zz", "%", "%F0%9F"];
    const bad = [...unreadable, "a&x=b", "x".repeat(3000), "%E2%80%AE", "%0d%0alocation:%20//evil.example"];
    const send = async (body: string): Promise<number> => {
      const type = "application/x-www-form-urlencoded";
      const headers = { ...asBrowser, cookie, origin: suite.server.url, "content-type": type };
      return (await suite.server.request("POST", address, { body, headers })).status;
    };
    const queries = [
      ...members.flatMap((name) => bad.map((value) => `${name}=${value}`)),
      ...members.map((name) => `${name}=1&${name}=2`),
      "__proto__=x&__proto__[a]=b&constructor[prototype][x]=y",
      "[]=x&a[b]=c&=&&==&%00=x",
    ];
    for (const query of queries) {
      const answer = await suite.server.request("GET", `${address}?${query}`, {
        headers: { cookie, ...asBrowser },
      });
      expect(answer.status, query).toBeLessThan(500);
      if (answer.status >= 300 && answer.status < 400)
        expect(answer.headers.get("location"), query).toMatch(/^\/(?!\/)/);
      else expectGuarded(answer.headers, query);
    }
    const damaged = (value: string): string =>
      ["name", "keyId", "email", "account", "password", "slug", "sessionId"]
        .map((name) => `${name}=${value}`)
        .join("&");
    for (const act of Object.keys(page.acts ?? {})) {
      for (const value of unreadable) {
        const status = await send(`act=${act}&csrf=${csrf}&${damaged(value)}`);
        expect([status, status >= 400 && status < 500], `${act} ${value}`).toEqual([status, true]);
      }
      // What carries nothing is done whatever else comes with it.
      if (/^(sign-out|end-others|approve|deny)$/.test(act)) continue;
      for (const more of ["__proto__=x&constructor=y", damaged("x".repeat(5000)), "a[]=1&a[]=2&=&&"]) {
        expect(await send(`act=${act}&csrf=${csrf}&${more}`), `${act} ${more}`).toBeLessThan(500);
      }
    }
    expect(suite.server.log.filter(({ level }) => level === "error")).toEqual([]);
  });
});
