import { describe, expect, it } from "vitest";
import { loggedIn, type Person, type ServerWithAda, serverWithAda } from "../support/cli.ts";

const json = async (who: Person, line: string): Promise<unknown> =>
  JSON.parse((await who.svc(`${line} --json`)).out);
/** A command line of somebody else on the same server. */
const asEve = async (server: ServerWithAda, ada: Person) => {
  const eve = await server.server.person("eve");
  return (line: string) => ada.svc(line, { environment: { SVC_API_KEY: eve.key, SVC_CLUB_URL: server.url } });
};

describe("svc collective", () => {
  it("creates, lists, shows and renames, and says what it expected", async () => {
    const ada = await loggedIn(await serverWithAda());
    expect(await ada.svc("collective create Platform")).toEqual({
      code: 0,
      out: "platform\n",
      err: "created collective platform\n",
    });
    await ada.svc(["collective", "rename", "platform", "Platform team"]);
    expect((await ada.svc("collective list")).out).toBe(
      "ada\tada\towner\tpersonal\nplatform\tPlatform team\towner\t\n",
    );
    expect(await ada.svc("collective create platform")).toMatchObject({
      code: 1,
      err: expect.stringContaining("this slug is taken"),
    });
    expect(await ada.svc("collective create a.b")).toMatchObject({
      code: 1,
      err: expect.stringContaining("slug: expected 3 to 40 letters"),
    });
    expect(await ada.svc("collective get nobodys")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no such collective, or you are not in it"),
    });
    expect((await ada.svc("auth whoami")).out).toContain("Collectives: ada, platform");
    expect(await ada.svc("collective delete platform")).toMatchObject({ code: 2 });
    expect(await ada.svc("collective delete platform --yes")).toMatchObject({
      code: 0,
      err: "deleted collective platform\n",
    });
    expect((await ada.svc("auth whoami")).out).toContain("Collectives: ada\n");
  });

  it("asks somebody in who has no account yet: who has one by then joins with the code", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    await ada.svc("collective create platform");
    const asked = await ada.svc("collective member invite platform eve@example.org");
    const code = /svc_inv_[0-9a-f]{32}/.exec(asked.err)?.[0] ?? "none";
    const eve = await asEve(server, ada);
    expect(await eve("invitation accept svc_inv_00000000000000000000000000000000")).toMatchObject({
      code: 1,
    });
    expect(await eve(`invitation accept ${code}`)).toEqual({
      code: 0,
      out: "platform\n",
      err: "you are member of the collective platform now\n",
    });
    expect((await eve("collective list")).out).toContain("platform\tplatform\tmember");
  });

  it("asks somebody in, who accepts, changes role, and goes", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const eve = await asEve(server, ada);
    await ada.svc("collective create platform");
    const asked = await ada.svc("collective member invite platform eve@example.org --role admin");
    const id = asked.out.trim();
    expect((await eve("collective invitation list")).out).toContain(`${id}\tplatform\tadmin`);
    expect(await eve(`collective invitation accept ${id}`)).toEqual({
      code: 0,
      out: "platform\n",
      err: "you are admin of platform now\n",
    });
    expect((await ada.svc("collective member role platform eve owner")).out).toContain("eve\teve\t");
    expect(await ada.svc("collective leave platform --yes")).toMatchObject({ code: 0 });
    expect(await eve("collective leave platform --yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("the last owner cannot leave"),
    });
    expect(await eve("collective member role platform ada admin")).toMatchObject({
      code: 1,
      err: expect.stringContaining('no such member: "ada"'),
    });
  });

  it("prints a token once, which acts in a granted workspace until it is revoked", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    await ada.svc("collective create platform");
    const made = await ada.svc("collective token create platform ci --expires 90d");
    expect(made).toMatchObject({ code: 0, err: expect.stringContaining("is not shown again") });
    const token = made.out.trim();
    const asToken = (line: string) =>
      ada.svc(line, { environment: { SVC_API_KEY: token, SVC_CLUB_URL: server.url } });
    expect((await asToken("auth whoami")).out).toBe(`Collective token: platform on ${server.url}\n`);
    const list = `change-set list --workspace ${server.workspaceId}`;
    expect(await asToken(list)).toMatchObject({
      code: 1,
      err: expect.stringContaining("the workspace was not granted to the collective of this token"),
    });
    expect(await asToken("change-set list")).toMatchObject({
      code: 1,
      err: expect.stringContaining("name one that was granted to the collective with --workspace"),
    });
    expect(await ada.svc("workspace grant platform")).toMatchObject({
      code: 0,
      out: expect.stringContaining("platform\tplatform\t"),
    });
    expect(await asToken(list)).toMatchObject({ code: 0, out: expect.stringContaining("\tHEAD\t") });
    expect((await ada.svc("collective get platform")).err).toContain(server.workspaceId);
    for (const line of ["collective list", "workspace list", "collective token list platform"])
      expect(await asToken(line)).toMatchObject({
        code: 1,
        err: expect.stringContaining("a collective token stands for none"),
      });
    const listed = await ada.svc("collective token list platform");
    const [id = "", name, start, state] = listed.out.split("\t");
    expect([name, start, state]).toEqual(["ci", `${token.slice(0, 12)}…`, "enabled"]);
    expect(listed.out).not.toContain(token.slice(12));
    expect(await ada.svc("workspace ungrant platform --yes")).toMatchObject({ code: 0 });
    expect(await asToken(list)).toMatchObject({ code: 1 });
    expect(await ada.svc(`collective token revoke platform ${id}`)).toMatchObject({ code: 2 });
    expect((await ada.svc(`collective token revoke platform ${id} --yes`)).out).toContain("\trevoked\t");
    expect(await asToken("auth whoami")).toMatchObject({ code: 1 });
    expect(await json(ada, "collective token list platform")).toMatchObject({
      tokens: [{ id, enabled: false }],
    });
    expect(await ada.svc(`collective token delete platform ${id} --yes`)).toMatchObject({ code: 0 });
    expect(await json(ada, "collective token list platform")).toEqual({ tokens: [] });
  });

  it("says what it expected of an end and of an id", async () => {
    const ada = await loggedIn(await serverWithAda());
    expect(await ada.svc("collective token create ada ci --expires soon")).toMatchObject({
      code: 2,
      err: expect.stringContaining("expected a time such as 90d"),
    });
    expect(await ada.svc("collective token create ada ci --expires 2020-01-01T00:00:00Z")).toMatchObject({
      code: 1,
      err: expect.stringContaining("expiresAt: expected a time in the future"),
    });
    expect(await ada.svc("collective token delete ada x --yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no such token in this collective"),
    });
  });
});
