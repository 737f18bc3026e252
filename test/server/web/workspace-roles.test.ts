import { expect, it } from "vitest";
import { markWorkspace } from "../../../server/store/operated.ts";
import { workspacePage } from "../../../server/web/pages/workspace.tsx";
import { workspaceMemberPage } from "../../../server/web/pages/workspace-member.tsx";
import { workspacesPage } from "../../../server/web/pages/workspaces.tsx";
import { makeCollective } from "../../support/collectives.ts";
import { describeEngines } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { suitePeople } from "../../support/web-people.ts";
import { texts } from "../../support/workspaces.ts";

type Role = "OWNER" | "APPROVER" | "EDITOR";

describeEngines("pages of workspaces, by role,", (engine) => {
  const suite = suiteServer(engine);
  const { who, as, api } = suitePeople(suite);
  /** A new workspace of Ada's with Eve in it; its path. */
  const withEve = async (role: Role): Promise<{ workspaceId: string; path: string }> => {
    const { workspaces } = api("ada");
    const { id: workspaceId } = await workspaces.create({ body: texts });
    await workspaces.inviteMember({ workspaceId, body: { email: who("eve").email } });
    await workspaces.updateMemberAccess({ workspaceId, body: { userId: who("eve").id, role } });
    return { workspaceId, path: `/workspaces/${workspaceId}` };
  };
  const rolesIn = async (workspaceId: string) =>
    (await api("ada").workspaces.listMembers({ workspaceId })).map(({ nickname, role }) => [nickname, role]);
  /** All that is worth a look when nothing may have been done. */
  const stateOf = async (workspaceId: string) => ({
    members: await rolesIn(workspaceId),
    tokens: (await api("ada").workspaceTokens.list({ workspaceId })).authTokens.length,
    grants: await api("ada").collectiveGrants.list({ workspaceId }),
  });
  const acts = [
    ...Object.keys(workspacePage.acts ?? {}).map((act) => ["", act] as const),
    ...Object.keys(workspaceMemberPage.acts ?? {}).map((act) => ["/members/", act] as const),
  ];
  /** What would make any form do something. */
  const filled = (slug: string) => ({
    email: "zoe@example.org",
    tokenName: "x",
    expiration: "1d",
    tokenId: "x",
    code: "x",
    role: "EDITOR",
    sure: "yes",
    slug,
  });

  it("show each role what it allows", async () => {
    const shown = async (role: Role) => {
      const page = await as("eve").open((await withEve(role)).path);
      return [...page.forms.map(({ act }) => act), page.links.some((link) => link.startsWith("/audit?"))];
    };
    expect(await shown("OWNER")).toEqual(["sign-out", "invite", "create-token", "grant", true]);
    expect(await shown("APPROVER")).toEqual(["sign-out", "invite", "create-token", "leave", false]);
    expect(await shown("EDITOR")).toEqual(["sign-out", "create-token", "leave", false]);
  });
  it("show an approver who may be removed, and no roles to give", async () => {
    const { path, workspaceId } = await withEve("APPROVER");
    await api("ada").workspaces.inviteMember({ workspaceId, body: { email: who("bob").email } });
    const browser = as("eve");
    const { links } = await browser.open(path);
    expect(links).toContain(`${path}/members/${who("bob").id}`);
    expect(links).not.toContain(`${path}/members/${who("ada").id}`);
    const bob = await browser.open(`${path}/members/${who("bob").id}`);
    expect(bob.forms.map(({ act }) => act)).toEqual(["sign-out", "remove"]);
    const owner = await browser.open(`${path}/members/${who("ada").id}`);
    expect(owner.text).toContain("Your role changes nothing here: ask an owner.");
    expect(owner.forms.map(({ act }) => act)).toEqual(["sign-out"]);
  });

  it.each([
    ["EDITOR", "", "invite", /^Inviting somebody needs the role APPROVER/],
    ["EDITOR", "/members/", "remove", /^Removing a member needs the role APPROVER/],
    ["APPROVER", "/members/", "remove", /^Removing an owner needs the role OWNER/],
    ["APPROVER", "/members/", "role", /^Changing a role needs the role OWNER/],
    ["APPROVER", "", "grant", /^Granting a workspace needs the role OWNER/],
    ["APPROVER", "", "ungrant", /^Taking a workspace back needs the role OWNER/],
    ["OWNER", "", "leave", /^An owner cannot leave/],
  ] as const)("refuse an %s who posts to %s the form %s all the same", async (role, below, act, reason) => {
    const { workspaceId, path } = await withEve(role);
    const slug = await makeCollective(suite.server, who("eve"));
    const browser = as("eve");
    const csrf = (await browser.open(path)).form("create-token").values["csrf"] ?? "";
    const before = await stateOf(workspaceId);
    const address = below === "" ? path : `${path}${below}${who("ada").id}`;
    const refused = await browser.send(address, { csrf, act, ...filled(slug) });
    expect([refused.status, refused.problem]).toEqual([403, expect.stringMatching(reason)]);
    expect(await stateOf(workspaceId)).toEqual(before);
  });
  it("refuse to revoke somebody else's token, as if there were none", async () => {
    const { workspaceId, path } = await withEve("APPROVER");
    const { authToken } = await api("ada").workspaceTokens.create({ workspaceId, body: { name: "adas" } });
    const browser = as("eve");
    const csrf = (await browser.open(path)).form("create-token").values["csrf"] ?? "";
    const refused = await browser.send(path, { csrf, act: "revoke-token", tokenId: authToken.id });
    expect(refused.status).toBe(404);
    const { authTokens } = await api("ada").workspaceTokens.list({ workspaceId });
    expect(authTokens).toMatchObject([{ revokedAt: null }]);
  });

  it("refuse a stranger every form, with the sentence of the API, and do nothing", async () => {
    const { workspaceId, path } = await withEve("EDITOR");
    const before = await stateOf(workspaceId);
    const browser = as("bob");
    const csrf = (await browser.open("/workspaces")).form("create").values["csrf"] ?? "";
    const seen = await browser.open(path);
    expect([seen.status, seen.problem]).toEqual([403, "You are not a member of this workspace."]);
    for (const [below, act] of acts) {
      const address = below === "" ? path : `${path}${below}${who("eve").id}`;
      const answer = await browser.send(address, { csrf, act, ...filled("bob") });
      expect([act, answer.status, answer.title]).toEqual([act, 403, "Not for you"]);
      expect(answer.text).not.toContain(texts.displayName);
    }
    expect(await stateOf(workspaceId)).toEqual(before);
  });
  it("answer for a workspace that there is not, malformed ids too", async () => {
    const browser = as("bob");
    for (const id of [suite.server.store.id(), "nothing", "%00", "%F0%9F%92%A9", "x".repeat(90)]) {
      const statuses = [
        (await browser.open(`/workspaces/${id}`)).status,
        (await browser.open(`/workspaces/${id}/members/${who("bob").id}`)).status,
      ];
      expect([id, ...statuses]).toEqual([id, 404, 404]);
    }
    const { path } = await withEve("EDITOR");
    expect((await as("ada").open(`${path}/members/${who("bob").id}`)).status).toBe(404);
  });

  it("show a workspace that the operator closed, say so, and offer no form", async () => {
    const { workspaceId, path } = await withEve("EDITOR");
    const browser = as("ada");
    const csrf = (await browser.open(path)).form("create-token").values["csrf"] ?? "";
    const event = { kind: "workspace.quarantined", actor: "operator" } as const;
    await suite.server.store.write((tx) => markWorkspace(tx, workspaceId, { set: "quarantined_at" }, event));
    const page = await browser.open(path);
    expect([page.status, page.forms.map(({ act }) => act)]).toEqual([200, ["sign-out"]]);
    expect(page.text).toContain("The operator of this server has closed the workspace.");
    const member = await browser.open(`${path}/members/${who("eve").id}`);
    expect(member.forms.map(({ act }) => act)).toEqual(["sign-out"]);
    const refused = await browser.send(path, { csrf, act: "create-token", ...filled("ada") });
    expect([refused.status, refused.problem]).toEqual([
      403,
      "The operator of this server has closed the workspace.",
    ]);
    const rows = (await browser.open("/workspaces")).rows.filter(([, id]) => id === workspaceId);
    expect(rows.map((cells) => cells.at(-1))).toEqual(["quarantined"]);
  });
  it("have none for a workspace that was deleted", async () => {
    const { workspaceId, path } = await withEve("EDITOR");
    await api("ada").workspaces.delete({ workspaceId });
    const page = await as("ada").open(path);
    expect([page.status, page.title]).toEqual([404, "Nothing here"]);
  });

  it("do nothing for a form that did not come from them", async () => {
    const { workspaceId, path } = await withEve("EDITOR");
    const slug = await makeCollective(suite.server, who("ada"));
    const before = await stateOf(workspaceId);
    const browser = as("ada");
    await browser.open(path);
    const sent = [
      ...Object.keys(workspacesPage.acts ?? {}).map((act) => ["/workspaces", act] as const),
      ...acts.map(([below, act]) => [below === "" ? path : `${path}${below}${who("eve").id}`, act] as const),
    ];
    const fields = {
      ...filled(slug),
      displayName: "Not mine",
      description: "",
      instanceUrl: "http://a.example",
    };
    for (const [address, act] of sent) {
      const answer = await browser.send(address, { act, ...fields });
      expect([act, answer.status]).toEqual([act, 403]);
      expect(answer.problem).toMatch(/^This form is out of date/);
    }
    expect(await stateOf(workspaceId)).toEqual(before);
    const names = (await api("ada").workspaces.list({})).map(({ displayName }) => displayName);
    expect(names).not.toContain("Not mine");
  });
});
