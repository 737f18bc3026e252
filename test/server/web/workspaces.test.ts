import { expect, it } from "vitest";
import { makeCollective } from "../../support/collectives.ts";
import { describeEngines } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { openBrowser } from "../../support/web.ts";
import { suitePeople } from "../../support/web-people.ts";
import { texts } from "../../support/workspaces.ts";

describeEngines("pages of workspaces", (engine) => {
  const suite = suiteServer(engine);
  const { who, as, api } = suitePeople(suite);
  /** A new workspace of Ada's; with Eve in it where her role is named. */
  const made = async (role?: "OWNER" | "APPROVER" | "EDITOR"): Promise<string> => {
    const { workspaces } = api("ada");
    const { id: workspaceId } = await workspaces.create({ body: texts });
    if (role === undefined) return workspaceId;
    await workspaces.inviteMember({ workspaceId, body: { email: who("eve").email } });
    await workspaces.updateMemberAccess({ workspaceId, body: { userId: who("eve").id, role } });
    return workspaceId;
  };
  const rolesIn = async (workspaceId: string) =>
    (await api("ada").workspaces.listMembers({ workspaceId })).map(({ email, role }) => [email, role]);
  const eve = ["eve@example.org", "EDITOR"];

  it("list one's own, with the default one, and create another", async () => {
    const browser = as("bob");
    const page = await browser.open("/workspaces");
    expect(page.rows.slice(1)).toEqual([["bob", who("bob").workspaceId, "owner", "your default"]]);
    const fields = { displayName: "Bob's second", instanceUrl: "https://svc.example.org", isDefault: "on" };
    const workspace = await page.submit("create", fields);
    expect([workspace.title, workspace.note]).toEqual([
      "Bob's second",
      "The workspace is ready, and you are its owner.",
    ]);
    const [first] = await api("bob").workspaces.list({});
    expect(first).toMatchObject({ displayName: "Bob's second", description: "", isDefault: true });
    expect(workspace.path).toBe(`/workspaces/${first?.id}`);
    expect(
      (await browser.open("/workspaces")).rows.slice(1).map(([name, , , state]) => [name, state]),
    ).toEqual([
      ["Bob's second", "your default"],
      ["bob", ""],
    ]);
  });
  it("take a workspace with a name alone, which is noted as one of this server", async () => {
    const page = await as("eve").open("/workspaces");
    expect(page.form("create").values).toMatchObject({ instanceUrl: "", description: "" });
    const created = await page.submit("create", { displayName: "Plain" });
    expect([created.status, created.title, created.problem]).toEqual([200, "Plain", undefined]);
    expect(
      (await api("eve").workspaces.list({})).find(({ displayName }) => displayName === "Plain"),
    ).toMatchObject({
      isDefault: false,
      instanceUrl: expect.stringMatching(/^http:/),
    });
  });
  it("show again what was typed where it is refused", async () => {
    const page = await as("bob").open("/workspaces");
    const refused = await page.submit("create", { displayName: "Third", instanceUrl: "nowhere" });
    expect([refused.status, refused.problem]).toEqual([
      400,
      expect.stringMatching(/^InstanceUrl: expected an address such as https:/),
    ]);
    expect(refused.form("create").values).toMatchObject({ displayName: "Third", instanceUrl: "nowhere" });
    expect((await api("bob").workspaces.list({})).map(({ displayName }) => displayName)).not.toContain(
      "Third",
    );
  });

  it("make somebody with an account a member at once", async () => {
    const workspaceId = await made();
    const page = await as("ada").open(`/workspaces/${workspaceId}`);
    const invited = await page.submit("invite", { email: " Eve@example.org " });
    expect([invited.path, invited.note]).toEqual([
      `/workspaces/${workspaceId}`,
      "Eve@example.org is a member now.",
    ]);
    expect(await rolesIn(workspaceId)).toContainEqual(eve);
    expect((await as("eve").open(`/workspaces/${workspaceId}`)).title).toBe(texts.displayName);
  });
  it("invite who has none, tell so, and take it back", async () => {
    const workspaceId = await made();
    const browser = as("ada");
    const page = await browser.open(`/workspaces/${workspaceId}`);
    const invited = await page.submit("invite", { email: "zoe@example.org" });
    expect(invited.text).toContain("zoe@example.org is invited.");
    const code = invited.secret ?? "";
    expect(code).toMatch(/^svc_inv_[0-9a-f]{32}$/);
    for (const path of ["/workspaces", `/workspaces/${workspaceId}`])
      expect((await browser.open(path)).html).not.toContain(code);
    expect(invited.rows).toContainEqual(["zoe@example.org", "zoe@example.org", "editor, invited", "Change"]);
    const path = invited.links.find((link) => link.includes("/members/") && !link.endsWith(who("ada").id));
    const removed = await (await browser.open(path ?? "")).submit("remove");
    expect(removed.note).toBe("zoe@example.org is removed.");
    expect(await rolesIn(workspaceId)).toEqual([["ada@example.org", "OWNER"]]);
  });
  it("let in who signed up and accepts with the code", async () => {
    const workspaceId = await made();
    const page = await as("ada").open(`/workspaces/${workspaceId}`);
    const code = (await page.submit("invite", { email: "yan@example.org" })).secret ?? "";
    const browser = openBrowser(suite.server);
    const account = { name: "Yan", email: "yan@example.org", password: "correct horse battery" };
    await (await browser.open("/signup")).submit("sign-up", account);
    expect((await browser.open(`/workspaces/${workspaceId}`)).status).toBe(403);
    const joined = await (await browser.open("/workspaces")).submit("accept-code", { code });
    expect([joined.path, joined.note]).toEqual([
      `/workspaces/${workspaceId}`,
      `You are in ${texts.displayName} now.`,
    ]);
    expect(await rolesIn(workspaceId)).toContainEqual(["yan@example.org", "EDITOR"]);
  });
  it("show again an address that is none, and one that is in already", async () => {
    const page = await as("ada").open(`/workspaces/${await made("EDITOR")}`);
    const refused = await page.submit("invite", { email: "no address" });
    expect([refused.problem, refused.form("invite").values["email"]]).toEqual([
      expect.stringMatching(/e-?mail/i),
      "no address",
    ]);
    const conflict = await page.submit("invite", { email: who("eve").email });
    expect([conflict.status, conflict.problem]).toEqual([
      409,
      "Eve@example.org is a member of this workspace or invited already.",
    ]);
  });
  it("give a member another role, on the member's own page", async () => {
    const workspaceId = await made("EDITOR");
    const browser = as("ada");
    const link = `/workspaces/${workspaceId}/members/${who("eve").id}`;
    expect((await browser.open(`/workspaces/${workspaceId}`)).links).toContain(link);
    const member = await browser.open(link);
    expect([member.title, member.form("role").values["role"]]).toEqual(["@eve", "EDITOR"]);
    expect((await member.submit("role", { role: "APPROVER" })).note).toBe("@eve has the role approver now.");
    expect(await rolesIn(workspaceId)).toContainEqual(["eve@example.org", "APPROVER"]);
  });
  it("ask once more before a member is removed: it is done on a page of its own only", async () => {
    const workspaceId = await made("EDITOR");
    const browser = as("ada");
    const page = await browser.open(`/workspaces/${workspaceId}`);
    expect(page.forms.map(({ act }) => act)).not.toContain("remove");
    const member = await browser.open(`/workspaces/${workspaceId}/members/${who("eve").id}`);
    expect(member.form("remove").buttons).toEqual(["Remove @eve"]);
    const removed = await member.submit("remove");
    expect([removed.path, removed.note]).toEqual([`/workspaces/${workspaceId}`, "@eve is removed."]);
    expect((await as("eve").open(`/workspaces/${workspaceId}`)).status).toBe(403);
  });
  it("keep the last owner", async () => {
    const workspaceId = await made();
    const own = await as("ada").open(`/workspaces/${workspaceId}/members/${who("ada").id}`);
    const refused = await own.submit("role", { role: "EDITOR" });
    expect(refused.problem).toMatch(/^The last owner cannot be given another role/);
    expect(await rolesIn(workspaceId)).toEqual([["ada@example.org", "OWNER"]]);
  });
  it("let somebody leave who says twice that they want to", async () => {
    const workspaceId = await made("EDITOR");
    const page = await as("eve").open(`/workspaces/${workspaceId}`);
    const asked = await page.submit("leave");
    expect([asked.status, asked.problem]).toEqual([
      400,
      "Tick the box that says you mean it: nothing was done.",
    ]);
    expect(await rolesIn(workspaceId)).toContainEqual(eve);
    const left = await page.submit("leave", { sure: "yes" });
    expect([left.path, left.note]).toEqual(["/workspaces", "You have left the workspace."]);
    expect(await rolesIn(workspaceId)).not.toContainEqual(eve);
  });

  it("show a new token in exactly one answer, and the token works until it is revoked", async () => {
    const workspaceId = await made();
    const browser = as("ada");
    const page = await browser.open(`/workspaces/${workspaceId}`);
    const shown = await page.submit("create-token", { tokenName: "robot", expiration: "7d" });
    const token = shown.secret ?? "";
    expect(token.split(".")).toHaveLength(3);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    const whoami = () => suite.server.request("GET", "/whoami", { as: token });
    expect((await whoami()).status).toBe(200);
    const later = await browser.open(`/workspaces/${workspaceId}`);
    const row = (page: typeof later) => page.rows.find(([name]) => name === "robot");
    expect(row(later)?.slice(1, 2)).toEqual(["ada@example.org"]);
    expect(row(later)?.slice(-2)).toEqual(["enabled", "Revoke"]);
    const { authTokens } = await api("ada").workspaceTokens.list({ workspaceId });
    const [{ createdAt, expiresAt } = { createdAt: "", expiresAt: "" }] = authTokens;
    expect(Date.parse(expiresAt ?? "") - Date.parse(createdAt)).toBeCloseTo(7 * 86_400_000, -4);
    const others = [later, await browser.open("/workspaces"), await browser.open("/audit")];
    for (const { html } of others) expect(html).not.toContain(token);
    expect(JSON.stringify(suite.server.log)).not.toContain(token);
    const revoked = await later.submit("revoke-token");
    expect(revoked.note).toBe("The token is revoked: it is refused from now on.");
    expect((await whoami()).status).toBe(401);
    expect(row(revoked)?.slice(-2)).toEqual(["revoked", ""]);
  });
  it("make a token without a name, for 30 days unless somebody chooses otherwise", async () => {
    const workspaceId = await made("EDITOR");
    const page = await as("eve").open(`/workspaces/${workspaceId}`);
    expect(page.form("create-token").values["expiration"]).toBe("30d");
    expect((await page.submit("create-token")).secret).toBeDefined();
    const { authTokens } = await api("ada").workspaceTokens.list({ workspaceId });
    expect(authTokens).toMatchObject([{ name: null, userEmail: "eve@example.org" }]);
  });
  it("show an editor their own tokens, and an owner all", async () => {
    const workspaceId = await made("EDITOR");
    await api("ada").workspaceTokens.create({ workspaceId, body: { name: "adas" } });
    await api("eve").workspaceTokens.create({ workspaceId, body: { name: "eves" } });
    const names = async (name: "ada" | "eve") =>
      (await as(name).open(`/workspaces/${workspaceId}`)).rows
        .flat()
        .filter((text) => /^(ada|eve)s$/.test(text));
    expect([await names("ada"), await names("eve")]).toEqual([["adas", "eves"], ["eves"]]);
  });
  it("refuse a token that would live too long, and keep what was typed", async () => {
    const workspaceId = await made();
    const page = await as("ada").open(`/workspaces/${workspaceId}`);
    const refused = await page.submit("create-token", { tokenName: "robot", expiration: "2y" });
    expect([refused.secret, refused.problem]).toEqual([
      undefined,
      expect.stringMatching(/^Expiration: expected a time such as 12h, 90d or 1y/),
    ]);
    expect(refused.form("create-token").values["tokenName"]).toBe("robot");
  });

  it("grant it to a collective, which its page names, and take it back", async () => {
    const workspaceId = await made();
    const slug = await makeCollective(suite.server, who("ada"));
    const page = await as("ada").open(`/workspaces/${workspaceId}`);
    expect(page.form("grant").html).toContain(`value="${slug}"`);
    const granted = await page.submit("grant", { slug });
    expect(granted.note).toBe(`Tokens of ${slug} act in this workspace now.`);
    expect(granted.links).toContain(`/collectives/${slug}`);
    expect(granted.form("grant").html).not.toContain(`value="${slug}"`);
    expect(await api("ada").collectives.get({ slug })).toMatchObject({ workspaces: [{ id: workspaceId }] });
    const back = await granted.submit("ungrant", {}, { slug });
    expect(back.note).toBe(`Tokens of ${slug} are refused here from now on.`);
    expect(await api("ada").collectives.get({ slug })).toMatchObject({ workspaces: [] });
  });
  it("grant it to no collective that one is not in, as if there were none", async () => {
    const page = await as("ada").open(`/workspaces/${await made()}`);
    const foreign = await page.submit("grant", { slug: await makeCollective(suite.server, who("bob")) });
    const unknown = await page.submit("grant", { slug: "nobody-has-this" });
    expect([foreign.status, foreign.problem]).toEqual([404, unknown.problem]);
  });
});
