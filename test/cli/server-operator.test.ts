import { readFileSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type RunningServer, startServer } from "../../server/main.ts";
import { seedSample } from "../../server/sample/seed.ts";
import { setSwitch } from "../../server/store/switches.ts";
import { loadConfig } from "../../src/config/load.ts";
import { serverSettings } from "../../src/config/server-settings.ts";
import { api } from "../../src/contract/index.ts";
import { createClient } from "../../src/http/client.ts";
import { silentLog } from "../../src/lib/log.ts";
import { svc } from "../support/built-cli.ts";
import { loggedIn, type Person, person, serverWithAda } from "../support/cli.ts";
import { engines } from "../support/engines.ts";

describe.each(engines)("svc server … on $name", (engine) => {
  describe.skipIf(engine.missing !== undefined)(engine.missing ?? "present", () => {
    let host: Person;
    let server: RunningServer;
    beforeEach(async () => {
      const database = await engine.create();
      onTestFinished(() => database.remove());
      host = await person({ SVC_DATABASE_URL: database.url });
      server = await startServer(
        { ...serverSettings(loadConfig({ HOME: host.home, SVC_DATABASE_URL: database.url })), port: 0 },
        { log: silentLog },
      );
      onTestFinished(() => server.stop());
    });

    it("maintenance closes and opens the running server, and says how it is", async () => {
      const status = async (): Promise<number> => (await fetch(`${server.url}/whoami`)).status;
      expect(await host.svc("server maintenance status")).toMatchObject({
        code: 0,
        out: "maintenance is off\n",
      });
      const on = await host.svc(["server", "maintenance", "on", "--message", "disks move"]);
      expect(on).toEqual({ code: 0, out: "maintenance is on since 0s: disks move\n", err: "" });
      await expect.poll(status).toBe(503);
      const shown = JSON.parse((await host.svc("server maintenance status --json")).out);
      expect(shown).toEqual({ on: true, message: "disks move", since: expect.any(String) });
      await host.svc("server maintenance off");
      await expect.poll(status).toBe(401);
    });

    it("events tells whom requests are attributed to", async () => {
      const device = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
      const look = (url: string): Promise<Response> =>
        fetch(`${url}/api/auth/get-session`, { headers: { "svc-distinct-id": device } });
      await look(server.url);
      await expect.poll(async () => (await host.svc("server events")).out).toContain("accounts.getSession");
      const [, attributed, operation] = (await host.svc("server events --limit 1")).out.trim().split("\t");
      expect([attributed, operation]).toEqual([device, "accounts.getSession"]);
      const { events } = JSON.parse((await host.svc("server events --json")).out);
      expect(events).toMatchObject([{ distinctId: device, actor: null, operation: "accounts.getSession" }]);
      expect(await host.svc("server events --limit 0")).toMatchObject({ code: 2 });
    });

    it("maintenance and the rest work without a server too", async () => {
      await server.stop();
      expect((await host.svc("server maintenance on")).out).toBe("maintenance is on since 0s\n");
      expect((await host.svc("server workspace list")).out).toBe("");
      expect((await host.svc("server maintenance off")).code).toBe(0);
    });

    it("reindex goes through all workspaces, or one", async () => {
      const { workspaceId } = await seedSample(server);
      const all = await host.svc("server reindex");
      expect(all).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^looked at [1-9]\d* components in \d+ /),
      });
      expect((await host.svc(`server reindex ${workspaceId}`)).out).toBe(all.out);
      const unknown = await host.svc("server reindex 01JABCDEFGHJKMNPQRSTVWXYZ0 --json");
      expect(JSON.parse(unknown.err)).toMatchObject({ code: "workspace_not_found" });
    });

    it("rotate-secret-key seals everything anew, with and without a server, and nothing else is lost", async () => {
      const { workspaceId, access } = await seedSample(server);
      const settings = serverSettings(loadConfig({ HOME: host.home }));
      const keysIn = () => readFileSync(settings.secretKeyFile, "utf8").trim().split("\n");
      const [base] = keysIn();
      expect(await host.svc("server rotate-secret-key")).toEqual({
        code: 0,
        out: "sealed 1 version of secrets with a new key\n",
        err: "",
      });
      expect(keysIn()).toEqual([base, expect.any(String)]);
      // The running server goes on with the new key, also where another process made it.
      const headers = () => ({ authorization: `Bearer ${access?.key}` });
      const client = createClient(api, { baseUrl: server.url, headers });
      const changeSetName = "after the rotation";
      const { changeSet } = await client.changeSets.create({ workspaceId, body: { changeSetName } });
      const body = { definitionName: "Cloud Credential", name: "x", rawData: { AccessKeyId: "y" } };
      const place = { workspaceId, changeSetId: changeSet.id };
      expect(await client.secrets.create({ ...place, body })).toMatchObject({ secret: { name: "x" } });
      await server.stop();
      const again = JSON.parse((await host.svc("server rotate-secret-key --json")).out);
      expect(again).toEqual({ resealed: 2, resumed: false, unreadable: 0, retired: 1 });
      expect(keysIn()).toEqual([base, expect.any(String)]);
    });

    it("rotate-secret-key says what to do where the environment gives the key, and where there is none", async () => {
      await seedSample(server);
      const settings = serverSettings(loadConfig({ HOME: host.home }));
      const key = readFileSync(settings.secretKeyFile, "utf8").trim();
      await server.stop();
      const rotate = (secretKey: string) =>
        host.svc("server rotate-secret-key", { environment: { SVC_SECRET_KEY: secretKey } });
      const only = await rotate(key);
      expect(only).toMatchObject({ code: 1, out: "" });
      expect(only.err).toContain("SVC_SECRET_KEY=<old>,<new>");
      expect(only.err).not.toContain(key);
      expect((await rotate(`${key},${"cd".repeat(32)}`)).out).toBe(
        "sealed 1 version of secrets with the key that was there already\n",
      );
      const foreign = await rotate("ef".repeat(32));
      expect(foreign.err).toContain("this database is served with another secret key");
      rmSync(settings.secretKeyFile);
      const none = await host.svc("server rotate-secret-key");
      expect(none.err).toContain(`there is no secret key at ${settings.secretKeyFile}`);
    });

    it("workspace lists, closes and opens; a name that none has is told", async () => {
      const { workspaceId, user } = await seedSample(server);
      expect((await host.svc("server workspace list")).out).toContain(`${workspaceId}\t`);
      const closed = await host.svc(`server workspace quarantine ${workspaceId.toLowerCase()}`);
      expect(closed.out).toMatch(/: quarantined \d{4}-/);
      expect((await host.svc(`server workspace release ${workspaceId}`)).out).toMatch(/: open\n$/);
      expect((await host.svc(`server workspace restore ${workspaceId}`)).out).toMatch(/: open\n$/);
      const unknown = await host.svc("server workspace restore 01JABCDEFGHJKMNPQRSTVWXYZ0");
      expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("error: no such workspace")]);
      expect((await host.svc(`server user suspend ${user.email.toUpperCase()}`)).out).toMatch(
        new RegExp(`^${user.username} \\(${user.email}\\): suspended \\d{4}-`),
      );
      expect((await host.svc(`server user reinstate ${user.username}`)).out).toContain(": active");
      expect((await host.svc("server user list")).out).toContain(`${user.email}\tactive`);
      const nobody = await host.svc("server user suspend nobody");
      expect([nobody.code, nobody.err]).toEqual([1, expect.stringContaining('username "nobody"')]);
    });
  });
});

describe("svc status", () => {
  it("says that the server is in maintenance, with and without --json, and other commands say it too", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const maintenance = { on: true, message: "disks move\u001b[2J" };
    await server.server.store.write((tx) => setSwitch(tx, "maintenance", maintenance));
    const { code, out } = await ada.svc("status");
    const [asked = "", you = ""] = out.split("\n");
    expect([code, asked]).toEqual([0, expect.stringMatching(/ in maintenance: disks move\\u\{1b\}\[2J$/)]);
    expect(you).toContain("not known while the server is in maintenance");
    const document = JSON.parse((await ada.svc("status --json")).out);
    expect(document).toMatchObject({
      server: { reachable: true, maintenance: `in maintenance: ${maintenance.message}` },
      auth: { authenticated: false },
    });
    const nobody = await person({ SVC_CLUB_URL: server.url });
    expect((await nobody.svc("status")).out).toContain(" in maintenance: disks move");
    const refused = await ada.svc("change-set list");
    expect([refused.code, refused.err]).toEqual([
      1,
      "error: the server is in maintenance: disks move\\u{1b}[2J; try again in 30 s\n",
    ]);
  });
});

describe("svc server …", () => {
  it.each([
    ["server maintenance onn", 'unknown command: "server maintenance onn"'],
    ["server maintenance off --message x", "unknown option: --message"],
    ["server workspace restore", "server workspace restore: <workspace-id> is missing"],
    ["server workspace list x", 'server workspace list: one argument too many: "x"'],
    ["server user suspend", "server user suspend: <user> is missing"],
  ])("%s: says what is wrong, and opens nothing", async (line, message) => {
    const host = await person();
    const { code, err } = await host.svc(line);
    expect([code, err]).toEqual([2, expect.stringContaining(`error: ${message}\n`)]);
  });

  it("says that there is no database, or none that can be used", async () => {
    const host = await person();
    const missing = await host.svc("server maintenance on");
    expect(missing).toMatchObject({ code: 1, out: "" });
    expect(missing.err).toMatch(/^error: there is no database at \S+\/svc\.sqlite\nhint: --database/);
    const refused = await host.svc("server user list --database postgres://127.0.0.1:1/none");
    expect(refused.err).toMatch(/^error: cannot use the database postgres:\/\/127\.0\.0\.1:1\/none/);
    expect((await host.svc(["server", "user", "list", "--database", "x"])).err).toContain(
      'the database is given as sqlite:<path> or postgres://…; found "x"',
    );
  });

  it.skipIf(process.getuid?.() !== 0)(
    "is refused in one line to another user than the server's (skipped: only root can be another)",
    async () => {
      const host = await person();
      const database = `sqlite:${host.home}/svc.db`;
      const settings = serverSettings(loadConfig({ HOME: host.home }), { database, port: 0 });
      const server = await startServer(settings, { log: silentLog });
      onTestFinished(() => server.stop());
      const nobody = 65_534;
      const refused = svc(["server", "maintenance", "on", "--database", database], {
        home: "/",
        user: nobody,
      });
      expect(await refused.ended).toBe(1);
      expect(refused.err()).toBe(
        `error: no permission to use ${host.home}/svc.db.sock, where the server listens to its operator\n` +
          "hint: run this as the user that the server runs as\n",
      );
    },
  );

  it("refuses a message that is too long, naming it", async () => {
    const host = await person();
    const database = `sqlite:${host.home}/svc.db`;
    const settings = serverSettings(loadConfig({ HOME: host.home }), { database, port: 0 });
    await (await startServer(settings, { log: silentLog })).stop();
    const long = ["server", "maintenance", "on", "--message", "x".repeat(501), "--database", database];
    expect((await host.svc(long)).err).toContain("body.message");
  });
});
