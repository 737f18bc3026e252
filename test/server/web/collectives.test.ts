import { expect, it } from "vitest";
import { makeCollectiveToken } from "../../support/collectives.ts";
import { describeEngines } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { openBrowser } from "../../support/web.ts";
import { adasTeams, suitePeople } from "../../support/web-people.ts";

describeEngines("pages of collectives", (engine) => {
  const suite = suiteServer(engine);
  const people = suitePeople(suite);
  const { who, as, api } = people;
  const { team, rolesIn } = adasTeams(suite, people);

  it("send who is not signed in to sign in, and back", async () => {
    const slug = await team();
    const page = await openBrowser(suite.server).open(`/collectives/${slug}`);
    expect([page.title, page.path]).toEqual(["Sign in", `/login?next=%2Fcollectives%2F${slug}`]);
    const { username, password } = who("ada");
    const signedIn = await page.submit("sign-in", { account: username, password });
    expect([signedIn.title, signedIn.path]).toEqual(["The team", `/collectives/${slug}`]);
  });

  it("list one's own, with the personal one, and create another", async () => {
    const page = await as("bob").open("/collectives");
    expect(page.rows.slice(1).map((cells) => cells.slice(0, 4))).toEqual([
      ["bob", "bob", "owner", "personal"],
    ]);
    const made = await page.submit("create", { slug: " Bobs-Crew ", name: "Bob's <crew> & co" });
    expect([made.path, made.title]).toEqual(["/collectives/bobs-crew", "Bob's <crew> & co"]);
    expect(made.note).toBe("The collective is ready, and you are its owner.");
    expect(await api("bob").collectives.get({ slug: "bobs-crew" })).toMatchObject({
      name: "Bob's <crew> & co",
      role: "owner",
    });
  });
  it("name a collective without a name by its slug", async () => {
    const page = await (await as("bob").open("/collectives")).submit("create", { slug: "unnamed-crew" });
    expect(page.title).toBe("unnamed-crew");
  });
  it("show again what was typed where a slug is refused or taken", async () => {
    const page = await as("bob").open("/collectives");
    const refused = await page.submit("create", { slug: "a b", name: "Kept" });
    expect([refused.status, refused.problem]).toEqual([
      expect.any(Number),
      expect.stringMatching(/^Slug: expected 3 to 40 letters/),
    ]);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.form("create").values).toMatchObject({ slug: "a b", name: "Kept" });
    const slug = await team();
    expect((await page.submit("create", { slug })).problem).toMatch(/taken|exists/i);
  });

  it("invite somebody, who accepts", async () => {
    const slug = await team();
    const page = await as("ada").open(`/collectives/${slug}`);
    const invited = await page.submit("invite", { email: who("eve").email, role: "admin" });
    expect(invited.text).toContain("eve@example.org is invited.");
    const received = await as("eve").open("/collectives");
    const { invitations } = await api("eve").collectiveInvitations.received({});
    const invitation = invitations.find(({ collective }) => collective.slug === slug);
    const joined = await received.submit("accept", {}, { invitationId: invitation?.id ?? "" });
    expect([joined.path, joined.note]).toEqual([`/collectives/${slug}`, "You are in The team now."]);
    expect(await rolesIn(slug)).toEqual([
      ["ada", "owner"],
      ["eve", "admin"],
    ]);
  });
  it("invite somebody, who rejects", async () => {
    const slug = await team();
    await (await as("ada").open(`/collectives/${slug}`)).submit("invite", { email: who("eve").email });
    const { invitations } = await api("eve").collectiveInvitations.received({});
    const id = invitations.find(({ collective }) => collective.slug === slug)?.id ?? "";
    const page = await (await as("eve").open("/collectives")).submit("reject", {}, { invitationId: id });
    expect([page.path, page.note]).toEqual(["/collectives", "The invitation is rejected."]);
    expect((await api("ada").collectiveInvitations.list({ slug })).invitations).toEqual([]);
    expect(await rolesIn(slug)).toEqual([["ada", "owner"]]);
  });
  it("show the code of an invitation in exactly one answer, and take it from who has no account yet", async () => {
    const slug = await team();
    const ada = as("ada");
    const page = await ada.open(`/collectives/${slug}`);
    const code = (await page.submit("invite", { email: "new.one@example.org" })).secret ?? "";
    expect(code).toMatch(/^svc_inv_[0-9a-f]{32}$/);
    const others = [await ada.open(`/collectives/${slug}`), await ada.open("/collectives")];
    for (const { html } of others) expect(html).not.toContain(code);
    const fresh = openBrowser(suite.server);
    const account = { name: "New", email: "new.one@example.org", password: "correct horse battery" };
    await (await fresh.open("/signup")).submit("sign-up", account);
    const joined = await (await fresh.open("/collectives")).submit("accept-code", { code: ` ${code} ` });
    expect([joined.path, joined.note]).toEqual([`/collectives/${slug}`, "You are in The team now."]);
  });
  it.each(["svc_inv_", "nothing"])("refuse the code %s, without repeating it", async (begins) => {
    const page = await as("eve").open("/collectives");
    const refused = await page.submit("accept-code", { code: `${begins}0123456789` });
    expect([refused.status, refused.problem]).toEqual([404, expect.any(String)]);
    expect(refused.html).not.toContain(`${begins}0123456789`);
  });
  it("withdraw an invitation", async () => {
    const slug = await team();
    const page = await as("ada").open(`/collectives/${slug}`);
    const invited = await page.submit("invite", { email: "zoe@example.org" });
    expect((await invited.submit("withdraw")).note).toBe("The invitation is withdrawn.");
    expect((await api("ada").collectiveInvitations.list({ slug })).invitations).toEqual([]);
  });
  it("show again an address that is none, and one that is in already", async () => {
    const page = await as("ada").open(`/collectives/${await team("member")}`);
    const refused = await page.submit("invite", { email: "no address", role: "admin" });
    expect(refused.problem).toMatch(/e-?mail/i);
    expect(refused.form("invite").values).toMatchObject({ email: "no address", role: "admin" });
    const conflict = await page.submit("invite", { email: who("eve").email });
    expect([conflict.status, conflict.problem]).toEqual([
      409,
      "Eve@example.org is a member of this collective.",
    ]);
  });

  it("rename it, and offer its name for that", async () => {
    const slug = await team();
    const page = await as("ada").open(`/collectives/${slug}`);
    expect(page.form("rename").values["name"]).toBe("The team");
    expect((await page.submit("rename", { name: "Others" })).title).toBe("Others");
    expect((await api("ada").collectives.get({ slug })).name).toBe("Others");
  });

  it("give a member another role, on the member's own page", async () => {
    const slug = await team("member");
    const page = await as("ada").open(`/collectives/${slug}`);
    const link = `/collectives/${slug}/members/${who("eve").id}`;
    expect(page.links).toContain(link);
    const member = await as("ada").open(link);
    expect([member.title, member.form("role").values["role"]]).toEqual(["@eve", "member"]);
    expect((await member.submit("role", { role: "admin" })).note).toBe("@eve has the role admin now.");
    expect(await rolesIn(slug)).toContainEqual(["eve", "admin"]);
  });
  it("ask once more before a member is removed: it is done on a page of its own only", async () => {
    const slug = await team("admin");
    const browser = as("ada");
    const page = await browser.open(`/collectives/${slug}`);
    expect(page.forms.map(({ act }) => act)).not.toContain("remove");
    const member = await browser.open(`/collectives/${slug}/members/${who("eve").id}`);
    expect(member.form("remove").buttons).toEqual(["Remove @eve"]);
    const removed = await member.submit("remove");
    expect([removed.path, removed.note]).toEqual([`/collectives/${slug}`, "The member is removed."]);
    expect(await rolesIn(slug)).toEqual([["ada", "owner"]]);
    expect((await as("eve").open(`/collectives/${slug}`)).status).toBe(404);
  });
  it("keep the last owner", async () => {
    const slug = await team();
    const browser = as("ada");
    const own = await browser.open(`/collectives/${slug}/members/${who("ada").id}`);
    const refused = await own.submit("role", { role: "member" });
    expect([refused.status, refused.problem]).toEqual([
      409,
      "The last owner cannot be given another role: make somebody else an owner first.",
    ]);
    const staying = await (await browser.open(`/collectives/${slug}`)).submit("leave", { sure: "yes" });
    expect(staying.problem).toMatch(/^The last owner cannot leave/);
    expect(await rolesIn(slug)).toEqual([["ada", "owner"]]);
  });
  it("let somebody leave who says twice that they want to", async () => {
    const slug = await team("member");
    const page = await as("eve").open(`/collectives/${slug}`);
    const asked = await page.submit("leave");
    expect([asked.status, asked.problem]).toEqual([
      400,
      "Tick the box that says you mean it: nothing was done.",
    ]);
    expect(await rolesIn(slug)).toHaveLength(2);
    const left = await page.submit("leave", { sure: "yes" });
    expect([left.path, left.note]).toEqual(["/collectives", "You have left the collective."]);
    expect(await rolesIn(slug)).toEqual([["ada", "owner"]]);
  });
  it("delete it for who types its slug", async () => {
    const slug = await team();
    const page = await as("ada").open(`/collectives/${slug}`);
    const refused = await page.submit("delete", { typedSlug: "The team" });
    expect([refused.status, refused.problem]).toEqual([
      400,
      `Type ${slug} to delete this collective, found another text: nothing was deleted.`,
    ]);
    const gone = await page.submit("delete", { typedSlug: ` ${slug.toUpperCase()} ` });
    expect([gone.path, gone.note]).toEqual([
      "/collectives",
      `The collective ${slug} is deleted, and its tokens with it.`,
    ]);
    expect((await as("ada").open(`/collectives/${slug}`)).status).toBe(404);
  });

  it("show a new token in exactly one answer, and the token works until it is revoked", async () => {
    const slug = await team();
    const browser = as("ada");
    const page = await browser.open(`/collectives/${slug}`);
    const shown = await page.submit("create-token", { tokenName: "robot", lastDay: "2099-12-31" });
    const key = shown.secret ?? "";
    expect(key).toMatch(/^svc_org_[0-9a-f]{32}$/);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    const whoami = () => suite.server.request("GET", "/whoami", { as: key });
    expect((await whoami()).status).toBe(403);
    const later = await browser.open(`/collectives/${slug}`);
    expect(later.rows).toContainEqual([
      "robot",
      `${key.slice(0, 12)}…`,
      expect.stringMatching(/ UTC$/),
      expect.any(String),
      "2099-12-31 23:59 UTC",
      "enabled",
      "Revoke Delete",
    ]);
    const others = [later, await browser.open("/collectives"), await browser.open("/audit")];
    for (const { html } of others) expect(html).not.toContain(key);
    expect(JSON.stringify(suite.server.log)).not.toContain(key);
    const revoked = await later.submit("revoke-token");
    expect(revoked.note).toBe("The token is revoked: it is refused from now on.");
    expect((await whoami()).status).toBe(401);
    const row = revoked.rows.find(([name]) => name === "robot");
    expect(row?.slice(-2)).toEqual(["revoked", "Delete"]);
    const { note, rows } = await revoked.submit("delete-token");
    expect([note, rows.flat()]).toEqual(["The token is deleted.", expect.not.arrayContaining(["robot"])]);
    expect((await api("ada").collectiveTokens.list({ slug })).tokens).toEqual([]);
  });
  it("tell an expired token, and one without an end", async () => {
    const slug = await team();
    await makeCollectiveToken(suite.server, who("ada"), slug, Date.UTC(2020, 0, 1));
    await makeCollectiveToken(suite.server, who("ada"), slug);
    const { rows } = await as("ada").open(`/collectives/${slug}`);
    expect(rows.filter(([name]) => name === "robot").map((cells) => cells.slice(4, 6))).toEqual([
      ["2020-01-01 00:00 UTC", "expired"],
      ["never", "enabled"],
    ]);
  });
  it.each([
    ["no day", "soon", /^Last day: expected a date such as 2030-01-31, found "soon"\.$/],
    ["a day of no month", "2030-02-31", /^Last day: expected a date/],
    ["a day that is over", "2020-01-31", /future/],
  ])("refuse a token whose last day is %s, and keep what was typed", async (_what, lastDay, problem) => {
    const slug = await team();
    const page = await as("ada").open(`/collectives/${slug}`);
    const refused = await page.submit("create-token", { tokenName: "robot", lastDay });
    expect([refused.secret, refused.problem]).toEqual([undefined, expect.stringMatching(problem)]);
    expect(refused.form("create-token").values).toMatchObject({ tokenName: "robot", lastDay });
    expect((await api("ada").collectiveTokens.list({ slug })).tokens).toEqual([]);
  });

  it("name the workspaces that were granted to it, with a link for who is in them", async () => {
    const slug = await team("member");
    const { workspaceId } = who("ada");
    await api("ada").collectiveGrants.grant({ workspaceId, body: { slug } });
    expect((await as("ada").open(`/collectives/${slug}`)).links).toContain(`/workspaces/${workspaceId}`);
    const { links, text } = await as("eve").open(`/collectives/${slug}`);
    expect([links.includes(`/workspaces/${workspaceId}`), text.includes(workspaceId)]).toEqual([false, true]);
  });
});
