import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type RunningServer, startServer } from "../../../server/main.ts";
import { openOperator } from "../../../server/operator/open.ts";
import { systemLaunch } from "../../../src/cli/launch.ts";
import { asOperator } from "../../../src/cli/operator.ts";
import { loadConfig } from "../../../src/config/load.ts";
import { type ServerSettings, serverSettings } from "../../../src/config/server-settings.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { silentLog } from "../../../src/lib/log.ts";
import { Problem } from "../../../src/lib/problem.ts";
import { describeEngines } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const settingsIn = async (database?: string): Promise<ServerSettings> => {
  const home = await temporaryDirectory();
  return serverSettings(loadConfig({ HOME: home }), { port: 0, database });
};
const start = async (settings: ServerSettings): Promise<RunningServer> => {
  const server = await startServer({ ...settings, logLevel: "error" }, { log: silentLog });
  onTestFinished(() => server.stop());
  return server;
};
const socketOf = ({ operatorSocket }: ServerSettings): string => {
  if (operatorSocket === undefined) throw new Error("expected a socket beside the database");
  return operatorSocket;
};
const maintained = (settings: ServerSettings): Promise<boolean> =>
  asOperator({ settings, launch: systemLaunch, clock: systemClock }, async ({ maintenance }) => {
    return (await maintenance.get({})).on;
  });

describe("the operator of an SQLite database", () => {
  it("is served by the running server, at a socket of its owner's that goes with it", async () => {
    const settings = await settingsIn();
    const server = await start(settings);
    const socket = socketOf(settings);
    expect(server.warnings).toEqual([expect.stringContaining("no account yet")]);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const noDoor = { ...systemLaunch, operate: () => Promise.reject(new Error("the database was opened")) };
    const found = await asOperator({ settings, launch: noDoor, clock: systemClock }, ({ maintenance }) =>
      maintenance.set({ body: { on: true, message: "moving" } }),
    );
    expect(found).toMatchObject({ on: true, message: "moving" });
    await server.stop();
    expect(existsSync(socket)).toBe(false);
    expect(readdirSync(dirname(socket)).filter((name) => name.startsWith("."))).toEqual([]);
    // What was set is kept, and read without any server.
    expect(await maintained(settings)).toBe(true);
  });

  it("is served beside a path of any length", async () => {
    const long = join(await temporaryDirectory(), "x".repeat(90), "svc.sqlite");
    const settings = await settingsIn(`sqlite:${long}`);
    expect(Buffer.byteLength(socketOf(settings))).toBeLessThanOrEqual(100);
    await start(settings);
    expect(statSync(socketOf(settings)).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(socketOf(settings))).mode & 0o777).toBe(0o700);
    expect(await maintained(settings)).toBe(false);
  });

  it("is served again after a server died and left its socket", async () => {
    const settings = await settingsIn();
    await (await start(settings)).stop();
    const socket = socketOf(settings);
    const dead = createServer().listen(`${socket}.old`);
    await new Promise((resolve) => dead.once("listening", resolve));
    renameSync(`${socket}.old`, socket);
    await new Promise((resolve) => dead.close(resolve));
    expect(existsSync(socket)).toBe(true);
    expect(await maintained(settings)).toBe(false);
    await start(settings);
    expect(await maintained(settings)).toBe(false);
  });

  it("waits for a server that starts, and says who has a database that nobody answers for", async () => {
    const settings = await settingsIn();
    await (await start(settings)).stop();
    const holder = await openOperator(settings);
    onTestFinished(() => holder.close());
    const clock = fakeClock();
    const asking = asOperator({ settings, launch: systemLaunch, clock }, async () => undefined).catch(
      (error: unknown) => error,
    );
    let over = false;
    void asking.then(() => {
      over = true;
    });
    while (!over) await clock.advance(1_000);
    const problem = await asking;
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ code: "database_in_use" });
    expect(String(problem)).toContain(`in use by process ${process.pid}`);
    expect(String(problem)).toContain(socketOf(settings));
  });

  it("is told in one line that the files are not this user's to use", async () => {
    const settings = await settingsIn();
    await (await start(settings)).stop();
    // What another user's file does to everybody but root, a folder in its place does to root too.
    mkdirSync(socketOf(settings).replace(/sock$/, "pid"));
    await expect(maintained(settings)).rejects.toMatchObject({
      code: "database_unusable",
      message: expect.stringMatching(/^cannot use the database \S+ \(.+\): run this as the user/),
    });
    const file = await settingsIn(`sqlite:${socketOf(settings).replace(/sock$/, "lock")}/db`);
    await expect(startServer(file, { log: silentLog })).rejects.toMatchObject({
      code: "database_unusable",
      message: expect.stringContaining("give another path"),
    });
  });

  it("is never a new database where a path was mistyped", async () => {
    const settings = await settingsIn();
    await expect(maintained(settings)).rejects.toMatchObject({ code: "no_database" });
    expect(existsSync(dirname(socketOf(settings)))).toBe(false);
  });

  it.skipIf(process.getuid?.() === 0)(
    "is told that a server listens to somebody else (skipped: root may use any socket)",
    async () => {
      const settings = await settingsIn();
      await start(settings);
      chmodSync(socketOf(settings), 0);
      await expect(maintained(settings)).rejects.toMatchObject({ code: "no_permission" });
    },
  );

  it("costs the server nothing but a warning where no socket can be made", async () => {
    const settings = await settingsIn();
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, "file"), "");
    const server = await start({ ...settings, operatorSocket: join(folder, "file", "x.sock") });
    expect(server.warnings).toContainEqual(expect.stringContaining("operator commands need this server"));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

describeEngines("the operator of a database", (engine) => {
  const open = async (): Promise<ServerSettings> => {
    const database = await engine.create();
    onTestFinished(() => database.remove());
    const settings = await settingsIn(database.url);
    await start(settings);
    return settings;
  };

  it("sets what is seen at once by whoever asks next, while a server runs", async () => {
    const settings = await open();
    await asOperator({ settings, launch: systemLaunch, clock: systemClock }, ({ maintenance }) =>
      maintenance.set({ body: { on: true } }),
    );
    expect(await maintained(settings)).toBe(true);
  });

  it("sees workspaces and accounts that nobody else shows", async () => {
    const settings = await open();
    const found = await asOperator({ settings, launch: systemLaunch, clock: systemClock }, async (client) => [
      await client.workspaces.list({}),
      await client.users.list({}),
    ]);
    expect(found).toEqual([{ workspaces: [] }, { users: [] }]);
  });
});
