import { describe, expect, it } from "vitest";
import { loggedIn, person, serverWithAda } from "../support/cli.ts";
import { recordRequests } from "../support/recorder.ts";

describe("svc change-set", () => {
  it("creates, lists, shows and abandons", async () => {
    const ada = await loggedIn(await serverWithAda());
    const created = await ada.svc(["change-set", "create", "bigger disks"]);
    expect(created).toMatchObject({ code: 0, err: "created change set bigger disks\n" });
    const id = created.out.trim();
    expect(id).toMatch(/^[0-9A-Z]{26}$/);
    expect((await ada.svc("change-set list")).out).toMatch(
      new RegExp(`^[0-9A-Z]{26}\\tHEAD\\tOpen\\t\n${id}\tbigger disks\tOpen\t\\d+s\n$`),
    );
    const shown = JSON.parse((await ada.svc(["change-set", "get", "bigger disks", "--json"])).out);
    expect(shown).toEqual({ changeSet: { id, name: "bigger disks", status: "Open", isHead: false } });
    expect(await ada.svc(["change-set", "delete", "bigger disks", "--yes"])).toEqual({
      code: 0,
      out: "",
      err: "abandoned change set bigger disks\n",
    });
    expect(JSON.parse((await ada.svc(`change-set get ${id} --json`)).out).changeSet.status).toBe("Abandoned");
  });

  it("shows a table to a person and the API's answer to a program", async () => {
    const ada = await loggedIn(await serverWithAda());
    const { out } = await ada.svc("change-set list --no-color", { terminal: true });
    expect(out).toMatch(/^ID +NAME +STATUS +AGE\n[0-9A-Z]{26} +HEAD +Open\n$/);
    expect(JSON.parse((await ada.svc("change-set list --json")).out)).toEqual({
      changeSets: [{ id: expect.any(String), name: "HEAD", status: "Open", isHead: true }],
    });
  });

  it("takes an id in any letter case, and head for HEAD", async () => {
    const ada = await loggedIn(await serverWithAda());
    const id = (await ada.svc("change-set create a-name")).out.trim();
    expect((await ada.svc(`change-set get ${id.toLowerCase()}`)).code).toBe(0);
    expect((await ada.svc("change-set get head")).out).toContain("\tHEAD\t");
  });

  it("names the near miss of a name that does not exist", async () => {
    const ada = await loggedIn(await serverWithAda());
    await ada.svc(["change-set", "create", "bigger disks"]);
    const run = await ada.svc(["change-set", "get", "biger disks"]);
    expect(run).toMatchObject({
      code: 1,
      err: 'error: no such change set: "biger disks"\nhint: did you mean "bigger disks"?\n',
    });
  });

  it("says what the server refuses in the server's words, with the remedy", async () => {
    const ada = await loggedIn(await serverWithAda());
    const run = await ada.svc("change-set abandon HEAD --yes --json");
    expect(run.code).toBe(1);
    expect(JSON.parse(run.err)).toEqual({ error: expect.any(String), code: "head_not_allowed" });
  });

  it("asks before it abandons: only y and yes agree, and declining is no failure", async () => {
    const ada = await loggedIn(await serverWithAda());
    await ada.svc("change-set create x");
    for (const [input, gone] of [
      ["\n", false],
      ["n\n", false],
      ["yup\n", false],
      ["YES\n", true],
    ] as const) {
      const run = await ada.svc("change-set abandon x", { terminal: true, input });
      expect(run.code).toBe(0);
      expect(run.err).toContain('abandon the change set "x"? [y/N] ');
      expect((await ada.svc("change-set list")).out.includes("\tx\t")).toBe(!gone);
    }
  });

  it.each(["change-set abandon x", "change-set purge-open", "change-set abandon x --json"])(
    "svc %s needs --yes where nobody can be asked, and changes nothing",
    async (line) => {
      const ada = await loggedIn(await serverWithAda());
      await ada.svc("change-set create x");
      const run = await ada.svc(line, { input: "y\n" });
      expect(run.code).toBe(2);
      expect(run.err).toContain("--yes");
      expect((await ada.svc("change-set list")).out).toContain("\tx\t");
    },
  );

  it("purges every open one but the head", async () => {
    const ada = await loggedIn(await serverWithAda());
    await ada.svc("change-set create x");
    await ada.svc("change-set create y");
    const run = await ada.svc("change-set purge-open", { terminal: true, input: "y\n" });
    expect(run.err).toContain("abandon 2 change sets? [y/N]");
    expect((await ada.svc("change-set list")).out.trim().split("\n")).toHaveLength(1);
  });
});

describe("the workspace", () => {
  const other = "01JABCDEFGHJKMNPQRSTVWXYZ0";
  it("is --workspace, else SVC_WORKSPACE, else the one in use, else the user's own", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const paths = async (line: string, environment = {}) => {
      const sent = recordRequests();
      await ada.svc(line, { environment });
      return sent.map(({ path }) => path).at(-1);
    };
    const at = (id: string) => `/v1/w/${id}/change-sets`;
    expect(await paths("change-set list")).toBe(at(server.workspaceId));
    expect((await ada.svc(`workspace use ${server.workspaceId}`)).code).toBe(0);
    expect(await paths("change-set list")).toBe(at(server.workspaceId));
    expect(await paths("change-set list", { SVC_WORKSPACE: other })).toBe(at(other));
    expect(await paths(`change-set list --workspace ${other}X`, { SVC_WORKSPACE: other })).toBe(
      at(`${other}X`),
    );
  });

  it("is kept for each server, beside the other settings, only when it can be read", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    expect(await ada.svc(`workspace use ${other}`)).toMatchObject({
      code: 1,
      err: `error: expected the id of a workspace on ${server.url} that you may read, got "${other}", which is none\nhint: svc workspace use shows the one in use\n`,
    });
    const misread = await ada.svc("workspace use production");
    expect(misread.code).toBe(2);
    expect(misread.err).toMatch(
      /^error: workspace use: expected the id of a workspace, .*, got "production"\nhint: /,
    );
    expect(JSON.parse((await ada.svc("workspace use --json")).out)).toEqual({
      workspaceId: server.workspaceId,
      serverUrl: server.url,
    });
    await ada.svc(`workspace use ${server.workspaceId}`);
    const sent = recordRequests();
    expect((await ada.svc("workspace use")).out).toBe(`${server.workspaceId}\n`);
    expect(sent).toEqual([]);
    expect((await ada.svc("workspace use --reset")).out).toBe(`${server.workspaceId}\n`);
  });
});

describe("commands that need a key", () => {
  it.each([
    "change-set list",
    "change-set purge-open --yes",
    "component list",
    "component delete x --yes",
    "workspace use X",
    "auth whoami",
    "api changeSets.list",
  ])("svc %s ends with not_authenticated before any request when there is none", async (line) => {
    const server = await serverWithAda();
    const sent = recordRequests();
    const run = await (await person({ SVC_CLUB_URL: server.url })).svc(`${line} --json`);
    expect(run).toMatchObject({ code: 1, out: "" });
    expect(JSON.parse(run.err)).toMatchObject({ code: "not_authenticated", hint: "svc auth login" });
    expect(sent).toEqual([]);
  });
});
