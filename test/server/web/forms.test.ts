import { describe, expect, it } from "vitest";
import { makeCollective } from "../../support/collectives.ts";
import { describeEngines, sqlite } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { browserOf, openBrowser, type WebPage } from "../../support/web.ts";
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

describeEngines("a form that makes something", (engine) => {
  const suite = suiteServer(engine);
  const keyNames = (page: WebPage): string[] => page.rows.slice(1).map(([name = ""]) => name);

  it("is done once: its answer, loaded again, makes no second key and says so on the page", async () => {
    const browser = browserOf(suite.server, await suite.server.person("ada"));
    const form = await browser.open("/keys");
    const before = keyNames(form);
    const made = await form.submit("create", { name: "laptop" });
    expect([made.status, made.secret]).toEqual([200, expect.stringMatching(/^svc_/)]);
    const again = await form.submit("create", { name: "laptop" });
    expect([again.status, again.title, again.secret]).toEqual([409, "Keys", undefined]);
    expect(again.problem).toContain("This form was sent before and was done then");
    expect(again.form("create").values["name"]).toBe("");
    expectGuarded(again.headers, "sent again");
    expect(keyNames(await browser.open("/keys"))).toEqual(["laptop", ...before]);
    const another = await again.submit("create", { name: "laptop" });
    expect([another.status, keyNames(another)]).toEqual([200, ["laptop", "laptop", ...before]]);
  });

  it("is done once when it is sent many times at once", async () => {
    const form = await browserOf(suite.server, await suite.server.person("bob")).open("/keys");
    const answers = await Promise.all([1, 2, 3, 4].map(() => form.submit("create", { name: "build" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it("may be sent again when it was refused", async () => {
    const browser = browserOf(suite.server, await suite.server.person("eve"));
    const form = await browser.open("/collectives");
    await makeCollective(suite.server, await suite.server.person("zoe"));
    const taken = (await form.submit("create", { slug: "of-eve" })).status;
    const second = await browser.open("/collectives");
    const refused = await second.submit("create", { slug: "of-eve" });
    expect([taken, refused.status, refused.form("create").values["slug"]]).toEqual([200, 409, "of-eve"]);
    expect(refused.problem).not.toContain("sent before");
    expect((await second.submit("create", { slug: "of-eve-too" })).path).toBe("/collectives/of-eve-too");
  });

  it.each([
    ["a token of a collective", "collective", "create-token", { tokenName: "ci" }],
    ["an invitation into a collective", "collective", "invite", { email: "new@example.org" }],
    ["a token of a workspace", "workspace", "create-token", { tokenName: "ci" }],
    ["an invitation into a workspace", "workspace", "invite", { email: "new@example.org" }],
  ] as const)("is done once: %s", async (_what, place, act, fields) => {
    const ada = await suite.server.person(`ada-${place}-${act}`.replaceAll("-", "_"));
    const slug = await makeCollective(suite.server, ada);
    const address = place === "collective" ? `/collectives/${slug}` : `/workspaces/${ada.workspaceId}`;
    const form = await browserOf(suite.server, ada).open(address);
    const made = await form.submit(act, fields);
    expect([made.status, made.secret]).toEqual([200, expect.stringMatching(/^\S{20,}$/)]);
    const again = await form.submit(act, fields);
    expect([again.status, again.secret]).toEqual([409, undefined]);
    expect(again.problem).toContain("sent before");
    expect(again.rows).toHaveLength(made.rows.length);
  });
});
