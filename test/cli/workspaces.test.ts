import { describe, expect, it } from "vitest";
import { loggedIn, type Person, serverWithAda } from "../support/cli.ts";

const idOf = async (ada: Person, line: readonly string[]): Promise<string> => {
  const run = await ada.svc(line);
  if (run.code !== 0) throw new Error(run.err);
  return run.out.trim();
};

describe("svc workspace", () => {
  it("creates, lists, shows, changes and deletes, by name or id", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const id = await idOf(ada, ["workspace", "create", "Platform team"]);
    expect(id).toMatch(/^[0-9A-Z]{26}$/);
    expect((await ada.svc("workspace list")).out).toBe(
      `${server.workspaceId}\tada\tOWNER\t\tdefault\n${id}\tPlatform team\tOWNER\t${server.url}\t\n`,
    );
    const changed = await ada.svc([
      "workspace",
      "update",
      "Platform team",
      "--name",
      "Platform",
      "--approvals",
      "on",
    ]);
    expect(changed).toEqual({
      code: 0,
      out: `${id}\tPlatform\tOWNER\t${server.url}\tapprovals\n`,
      err: "updated workspace Platform\n",
    });
    const shown = JSON.parse((await ada.svc(`workspace get ${id.toLowerCase()} --json`)).out);
    expect(shown).toMatchObject({ id, displayName: "Platform", instanceEnvType: "LOCAL" });
    expect(await ada.svc("workspace delete Platform --yes")).toEqual({
      code: 0,
      out: "",
      err: 'deleted workspace "Platform"\n',
    });
    expect(await ada.svc(`workspace get ${id}`)).toMatchObject({ code: 1, out: "" });
  });

  it("prints a token to set things up with where it is asked for, and only then", async () => {
    const ada = await loggedIn(await serverWithAda());
    const run = await ada.svc("workspace create first --setup-token");
    const [id = "", token = ""] = run.out.trim().split("\n");
    expect(run.err).toContain("is not shown again");
    const asked = await ada.svc(`change-set list --workspace ${id}`, { environment: { SVC_API_KEY: token } });
    expect(asked).toMatchObject({ code: 0, out: expect.stringContaining("\tHEAD\t") });
    expect((await ada.svc("workspace create second")).out.trim().split("\n")).toHaveLength(1);
  });

  it("prefers a new one when it is to, and acts in it from then on", async () => {
    const ada = await loggedIn(await serverWithAda());
    const id = await idOf(ada, ["workspace", "create", "main", "--default"]);
    expect((await ada.svc("workspace list")).out.split("\n")[0]).toContain(`${id}\tmain\tOWNER`);
    expect((await ada.svc("workspace use")).out.trim()).toBe(id);
  });

  it("says which member of the request the server refuses, and why", async () => {
    const ada = await loggedIn(await serverWithAda());
    expect(await ada.svc("workspace create a/b")).toMatchObject({
      code: 1,
      err: `error: displayName: expected letters, digits, spaces and ' , _ + ( ) . -, found "/"\n`,
    });
    expect((await ada.svc("workspace create x --instance-url here")).err).toContain("instanceUrl: expected");
    expect(await ada.svc("workspace update")).toMatchObject({ code: 2 });
    expect(await ada.svc("workspace update --approvals maybe")).toMatchObject({ code: 2 });
  });

  it("names the near miss of a name that does not exist, and refuses one that two have", async () => {
    const ada = await loggedIn(await serverWithAda());
    for (let n = 0; n < 2; n++) await ada.svc("workspace create platform");
    expect(await ada.svc("workspace get platfrom")).toMatchObject({
      code: 1,
      err: 'error: no such workspace: "platfrom"\nhint: did you mean "platform"?\n',
    });
    expect(await ada.svc("workspace get platform")).toMatchObject({
      code: 1,
      err: 'error: more than one workspace is named "platform"\nhint: name it by its id: svc workspace list\n',
    });
  });

  it.each(["workspace delete team", "workspace leave team", "workspace member remove eve@example.org"])(
    "svc %s needs --yes where nobody can be asked, and asks where somebody can",
    async (line) => {
      const server = await serverWithAda();
      const ada = await loggedIn(server);
      await server.server.person("eve");
      const id = await idOf(ada, ["workspace", "create", "team"]);
      await ada.svc(`workspace use ${id}`);
      await ada.svc("workspace member invite eve@example.org");
      expect(await ada.svc(line, { input: "y\n" })).toMatchObject({ code: 2, out: "" });
      const asked = await ada.svc(line, { terminal: true, input: "n\n" });
      expect(asked).toMatchObject({ code: 0, err: expect.stringContaining("? [y/N] left as it is") });
      expect((await ada.svc("workspace member list")).out.trim().split("\n")).toHaveLength(2);
    },
  );

  it("says how to go on after the one in use is gone", async () => {
    const ada = await loggedIn(await serverWithAda());
    const id = await idOf(ada, ["workspace", "create", "team"]);
    await ada.svc(`workspace use ${id}`);
    expect((await ada.svc("workspace delete team --yes")).err).toContain("svc workspace use --reset");
  });
});

describe("svc workspace member", () => {
  it("invites, lists, gives roles and removes, by e-mail, username or id", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const eve = await server.server.person("eve");
    expect(await ada.svc("workspace member invite eve@example.org")).toMatchObject({
      code: 0,
      err: "eve@example.org is a member now\n",
    });
    expect((await ada.svc("workspace member invite Grace@example.org")).err).toMatch(
      /^invited Grace@example.org, who becomes a member by signing up with that address and the code svc_inv_[0-9a-f]{32}, shown this once\n$/,
    );
    expect(await ada.svc("workspace member role eve admin")).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected one of owner, approver, editor, got "admin"'),
    });
    expect(await ada.svc("workspace member role eve Approver")).toMatchObject({
      code: 0,
      err: "eve@example.org is approver now\n",
    });
    expect((await ada.svc("workspace member list")).out).toMatch(
      /^ada@example.org\tada\tOWNER\tsigned up \S+Z\neve@example.org\teve\tAPPROVER\tsigned up \S+Z\ngrace@example.org\t\tEDITOR\tinvited\n$/,
    );
    expect((await ada.svc(`workspace member remove ${eve.id.toLowerCase()} --yes`)).err).toBe(
      "removed eve@example.org\n",
    );
    expect((await ada.svc("workspace member remove grace@example.org --yes")).out).not.toContain("grace");
    expect(await ada.svc("workspace member remove eva --yes")).toMatchObject({
      code: 1,
      err: 'error: no such member: "eva"\nhint: did you mean "ada"?\n',
    });
  });

  it("says what the server refuses in the server's words", async () => {
    const ada = await loggedIn(await serverWithAda());
    const run = await ada.svc("workspace member remove ada --yes --json");
    expect(run.code).toBe(1);
    expect(JSON.parse(run.err)).toEqual({
      error: "the last owner cannot be removed: make somebody else an owner first",
      code: "last_owner",
    });
    expect((await ada.svc("workspace leave ada --yes")).err).toContain("an owner cannot leave");
  });
});
