import { beforeAll, describe, expect, it } from "vitest";
import { recordAudit } from "../../../server/store/audit.ts";
import { joinCollective, makeCollective } from "../../support/collectives.ts";
import { sqlite } from "../../support/engines.ts";
import { type Person, suiteServer } from "../../support/server.ts";
import { eventually } from "../../support/until.ts";
import { browserOf, type WebPage } from "../../support/web.ts";

describe("the page of audit logs", () => {
  const suite = suiteServer(sqlite);
  let ada: Person;
  let eve: Person;
  let slug: string;
  beforeAll(async () => {
    [ada, eve] = [await suite.server.person("ada"), await suite.server.person("eve")];
    slug = await makeCollective(suite.server, ada);
    await joinCollective(suite.server, { slug, actor: ada.id }, eve.id, "member");
  });
  /** Who did what to what. */
  const told = (page: WebPage) =>
    page.rows.slice(1).map(([_when, who, what, _from, subject]) => [who, what, subject]);

  it("tells who did what, when and from where, newest first", async () => {
    const browser = browserOf(suite.server, ada);
    await (await browser.open("/keys")).submit("create", { name: "<laptop>" });
    const { id } = (await suite.server.client(ada.session).keys.list({ query: {} })).apiKeys[0] ?? { id: "" };
    await (await browser.open("/keys")).submit("revoke", {}, { keyId: id });
    await suite.server.request("POST", "/api/auth/sign-in/username", {
      body: { username: ada.username, password: "wrong" },
      headers: { "user-agent": "curl/8.5.0" },
    });
    // It is noted after the answer, so that nobody can tell by the time whether there is such an account.
    const page = await eventually(async () => {
      const shown = await browser.open("/audit");
      return shown.rows.length === 4 ? shown : undefined;
    }, "the refused sign-in in the log");
    expect(told(page)).toEqual([
      ["somebody who was not signed in", "tried to sign in with a wrong password", "none"],
      ["@ada , in a session", "revoked the key “<laptop>”", id],
      ["@ada , in a session", "created the key “<laptop>”", id],
    ]);
    expect(page.rows[1]?.[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect(page.rows[1]?.[3]).toBe("127.0.0.1 curl 8.5.0");
    expect(page.html).not.toContain("<laptop>");
    expect(page.text).toContain("svc event list");
  });

  it("says where the operator was, who has neither an address nor a program", async () => {
    const zoe = await suite.server.person("zoe");
    const origin = { actorKind: "operator", actor: undefined, ip: undefined, userAgent: undefined } as const;
    await suite.server.store.write((tx) =>
      recordAudit(
        tx,
        { ...origin, credentialKind: undefined, credential: undefined },
        { kind: "account.reinstated", userId: zoe.id },
      ),
    );
    const [, row] = (await browserOf(suite.server, zoe).open("/audit")).rows;
    expect(row?.slice(1, 4)).toEqual([
      "the operator of this server",
      "lifted the suspension of the account",
      "the server's own machine",
    ]);
  });

  it("leads to every log that one may read, and to no other", async () => {
    const logs = async (person: Person): Promise<string[]> =>
      (await browserOf(suite.server, person).open("/audit")).links.filter((link) =>
        link.startsWith("/audit?"),
      );
    const hers = await logs(ada);
    expect(hers).toContain(`/audit?collective=${slug}`);
    expect(hers).toContain(`/audit?workspace=${ada.workspaceId}`);
    for (const link of hers) {
      const page = await browserOf(suite.server, ada).open(link);
      expect([page.status, page.title], link).toEqual([200, "Audit"]);
    }
    const eves = await logs(eve);
    expect(eves).not.toContain(`/audit?collective=${slug}`);
    expect(eves).not.toContain(`/audit?workspace=${ada.workspaceId}`);
  });

  it("tells of a collective and of a workspace", async () => {
    const mine = suite.server.client(ada.key);
    await mine.collectiveInvitations.create({ slug, body: { email: "zed@example.org" } });
    await mine.workspaces.inviteMember({ workspaceId: ada.workspaceId, body: { email: "zed@example.org" } });
    const browser = browserOf(suite.server, ada);
    const [ofCollective, ofWorkspace] = [
      await browser.open(`/audit?collective=${slug.toUpperCase()}`),
      await browser.open(`/audit?workspace=${ada.workspaceId.toLowerCase()}`),
    ];
    expect(told(ofCollective)[0]).toEqual([
      "@ada , with a key",
      "invited zed@example.org as member",
      expect.any(String),
    ]);
    expect(ofCollective.text).toContain("What was done to the collective The team");
    expect(told(ofWorkspace)[0]).toEqual([
      "@ada , with a key",
      "invited zed@example.org as editor",
      expect.any(String),
    ]);
  });

  it.each([
    ["a collective of which one is no owner or admin", () => `collective=${slug}`, 403],
    ["a collective that is not there", () => "collective=nobody-has-this", 404],
    ["somebody else's workspace", () => `workspace=${ada.workspaceId}`, 403],
    ["a workspace that is not there", () => "workspace=01ARZ3NDEKTSV4RRFFQ69G5FAV", 404],
    ["what is no workspace", () => "workspace=%3Cscript%3E", 404],
  ])("says no, as the API does, to %s", async (_what, query, status) => {
    const page = await browserOf(suite.server, eve).open(`/audit?${query()}`);
    expect(page.status).toBe(status);
    expect(page.rows).toEqual([]);
    expect(page.html).not.toContain("<script>");
  });

  it("goes through a long log by links, each entry once, and back to the newest", async () => {
    const dan = await suite.server.person("dan");
    const withSession = suite.server.client(dan.session);
    for (let n = 0; n < 60; n++) await withSession.keys.create({ body: { name: `key ${n}` } });
    const browser = browserOf(suite.server, dan);
    const older = (page: WebPage) => page.links.find((link) => link.includes("cursor="));
    const first = await browser.open("/audit");
    expect([first.rows.length, first.text.includes("Newest entries")]).toEqual([51, false]);
    const second = await browser.open(older(first) ?? "");
    expect(second.rows).toHaveLength(11);
    expect(older(second)).toBeUndefined();
    const names = [first, second].flatMap(told).map(([, what]) => what);
    expect(names).toEqual(Array.from({ length: 60 }, (_one, n) => `created the key “key ${59 - n}”`));
    expect(second.links).toContain("/audit");
    const beyond = await browser.open("/audit?cursor=00000000000000000000000000");
    expect(beyond.text).toContain("There are no older entries.");
  });
});
