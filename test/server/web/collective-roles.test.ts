import { expect, it } from "vitest";
import { collectivePage } from "../../../server/web/pages/collective.tsx";
import { collectiveMemberPage } from "../../../server/web/pages/collective-member.tsx";
import { collectivesPage } from "../../../server/web/pages/collectives.tsx";
import { describeEngines } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { adasTeams, suitePeople } from "../../support/web-people.ts";

describeEngines("pages of collectives, by role,", (engine) => {
  const suite = suiteServer(engine);
  const people = suitePeople(suite);
  const { who, as, api } = people;
  const { team, rolesIn } = adasTeams(suite, people);

  it("show each role what it allows", async () => {
    const acts = async (role: "owner" | "admin" | "member") => {
      const page = await as("eve").open(`/collectives/${await team(role)}`);
      return page.forms.map(({ act }) => act);
    };
    expect(await acts("owner")).toEqual(["sign-out", "invite", "create-token", "rename", "leave", "delete"]);
    expect(await acts("admin")).toEqual(["sign-out", "invite", "create-token", "rename", "leave"]);
    expect(await acts("member")).toEqual(["sign-out", "leave"]);
    const own = (await as("eve").open("/collectives/eve")).forms.map(({ act }) => act);
    expect(own).toEqual(["sign-out", "create-token", "rename"]);
  });
  it("offer an admin no owner's role, and nothing about an owner", async () => {
    const slug = await team("admin");
    const browser = as("eve");
    const page = await browser.open(`/collectives/${slug}`);
    expect(page.form("invite").html).not.toContain('value="owner"');
    expect(page.links).not.toContain(`/collectives/${slug}/members/${who("ada").id}`);
    const owner = await browser.open(`/collectives/${slug}/members/${who("ada").id}`);
    expect(owner.text).toContain("Only an owner changes or removes an owner.");
    expect(owner.forms.map(({ act }) => act)).toEqual(["sign-out"]);
  });

  it.each([
    ["member", "invite", { email: "zoe@example.org", role: "member" }, /^Inviting somebody needs the role/],
    ["admin", "invite", { email: "zoe@example.org", role: "owner" }, /^Inviting an owner needs the role/],
    ["member", "withdraw", { invitationId: "x" }, /^Taking an invitation back needs the role/],
    ["member", "create-token", { tokenName: "robot" }, /^Creating a token needs the role owner or admin/],
    ["member", "revoke-token", { tokenId: "x" }, /^Revoking a token needs the role/],
    ["member", "delete-token", { tokenId: "x" }, /^Deleting a token needs the role/],
    ["member", "rename", { name: "Mine" }, /^Renaming a collective needs the role/],
    ["admin", "delete", {}, /^Deleting a collective needs the role owner/],
  ] as const)("refuse a %s who posts %s all the same, with the reason", async (role, act, fields, reason) => {
    const slug = await team(role);
    const browser = as("eve");
    const page = await browser.open(`/collectives/${slug}`);
    const csrf = page.form("leave").values["csrf"] ?? "";
    const typed = act === "delete" ? { typedSlug: slug } : fields;
    const refused = await browser.send(`/collectives/${slug}`, { csrf, act, ...typed });
    expect([refused.status, refused.title, refused.problem]).toEqual([
      403,
      "The team",
      expect.stringMatching(reason),
    ]);
    expect(await api("ada").collectives.get({ slug })).toMatchObject({ name: "The team" });
  });
  it("offer a member nothing about another, and refuse whatever they post there", async () => {
    const slug = await team("member");
    const browser = as("eve");
    const csrf = (await browser.open(`/collectives/${slug}`)).form("leave").values["csrf"] ?? "";
    const path = `/collectives/${slug}/members/${who("ada").id}`;
    const page = await browser.open(path);
    expect(page.text).toContain("Only an owner or admin changes or removes a member.");
    expect(page.forms.map(({ act }) => act)).toEqual(["sign-out"]);
    const answers = [
      await browser.send(path, { csrf, act: "remove" }),
      await browser.send(path, { csrf, act: "role", role: "member" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(await rolesIn(slug)).toContainEqual(["ada", "owner"]);
  });

  it("answer a stranger as if there were none, to reading and to every form", async () => {
    const [slug, unknown] = [await team(), "nobody-has-this"];
    const browser = as("bob");
    const csrf = (await browser.open("/collectives")).form("create").values["csrf"] ?? "";
    const answers = async (name: string) => {
      const below = `/collectives/${name}/members/${who("ada").id}`;
      const page = async (path: string, acts: object) => [
        await browser.open(path),
        ...(await Promise.all(
          Object.keys(acts).map((act) => {
            const fields = {
              role: "member",
              email: "z@example.org",
              tokenName: "x",
              tokenId: "x",
              name: "x",
            };
            return browser.send(path, {
              csrf,
              act,
              ...fields,
              sure: "yes",
              typedSlug: name,
              invitationId: "x",
            });
          }),
        )),
      ];
      const all = [
        ...(await page(`/collectives/${name}`, collectivePage.acts ?? {})),
        ...(await page(below, collectiveMemberPage.acts ?? {})),
      ];
      return all.map(({ status, title, problem, forms }) => [status, title, problem, forms.length]);
    };
    const told = await answers(slug);
    expect(told).toEqual(await answers(unknown));
    expect(new Set(told.map(([status]) => status))).toEqual(new Set([404]));
    expect(await rolesIn(slug)).toEqual([["ada", "owner"]]);
  });

  it("do nothing for a form that did not come from them", async () => {
    const slug = await team("admin");
    const before = JSON.stringify(await api("ada").collectives.get({ slug }));
    const eve = `/collectives/${slug}/members/${who("eve").id}`;
    const browser = as("ada");
    await browser.open(`/collectives/${slug}`);
    const sent = [
      ...Object.keys(collectivesPage.acts ?? {}).map((act) => ["/collectives", act] as const),
      ...Object.keys(collectivePage.acts ?? {}).map((act) => [`/collectives/${slug}`, act] as const),
      ...Object.keys(collectiveMemberPage.acts ?? {}).map((act) => [eve, act] as const),
    ];
    const fields = {
      sure: "yes",
      typedSlug: slug,
      tokenName: "x",
      name: "Taken over",
      role: "owner",
      code: "x",
    };
    for (const [path, act] of sent) {
      const answer = await browser.send(path, { act, ...fields, slug: "taken-over", email: "z@example.org" });
      expect([act, answer.status]).toEqual([act, 403]);
      expect(answer.problem).toMatch(/^This form is out of date/);
    }
    expect(JSON.stringify(await api("ada").collectives.get({ slug }))).toBe(before);
    expect((await api("ada").collectiveTokens.list({ slug })).tokens).toEqual([]);
    expect(await rolesIn(slug)).toContainEqual(["eve", "admin"]);
  });
});
