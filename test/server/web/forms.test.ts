import { describe, expect, it } from "vitest";
import { sqlite } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { openBrowser } from "../../support/web.ts";
import { asBrowser, expectGuarded } from "../../support/web-guard.ts";

describe("forms", () => {
  const suite = suiteServer(sqlite);
  const form = { "content-type": "application/x-www-form-urlencoded", ...asBrowser };

  it("say 64 KB where they are longer, and not another limit", async () => {
    const answer = await suite.server.request("POST", "/login", {
      body: `account=${"x".repeat(64 * 1024)}`,
      headers: { ...form, origin: suite.server.url },
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("expected at most 64 KB, found more");
    expectGuarded(answer.headers, "too long");
  });

  it.each([
    ["percent signs that are none", "account=%zz"],
    ["a lone surrogate", "account=%ED%A0%80"],
    ["bytes that are no UTF-8, encoded", "account=%ff"],
    ["bytes that are no UTF-8", Buffer.from([0x61, 0x3d, 0xff, 0xfe])],
  ])("are refused with %s, before anything is done", async (_what, body) => {
    const answer = await suite.server.request("POST", "/login", {
      body,
      headers: { ...form, origin: suite.server.url },
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain("Form: expected percent-encoded UTF-8");
  });

  it.each(["application/json", "text/plain", "multipart/form-data; boundary=x"])(
    "are forms and no %s, even with the proof",
    async (type) => {
      const browser = openBrowser(suite.server);
      const { values } = (await browser.open("/login")).form("sign-in");
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const answer = await suite.server.request("POST", "/login", {
        body: JSON.stringify(values),
        headers: { ...asBrowser, cookie, "content-type": type, origin: suite.server.url },
      });
      expect(answer.status).toBe(422);
      expect(answer.text).toContain("pages take forms only");
    },
  );

  it("refuse text that cannot be stored, and show what was typed again", async () => {
    const refused = await (await openBrowser(suite.server).open("/signup")).submit("sign-up", {
      name: "A\0da",
      email: "a@example.org",
      password: "correct horse battery",
    });
    expect([refused.status, refused.problem]).toEqual([400, expect.stringContaining("name")]);
    expect(refused.form("sign-up").values["email"]).toBe("a@example.org");
    expect(refused.html).not.toContain("correct horse");
  });

  it("count the last of a repeated member", async () => {
    const browser = openBrowser(suite.server);
    const { values } = (await browser.open("/login")).form("sign-in");
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const csrf = encodeURIComponent(values["csrf"] ?? "");
    const answer = await suite.server.request("POST", "/login", {
      body: `csrf=wrong&csrf=${csrf}&act=sign-in&account=first&account=last&password=x`,
      headers: { ...form, cookie, origin: suite.server.url },
    });
    expect(answer.status).toBe(401);
    expect(answer.text).toContain('value="last"');
  });
});
