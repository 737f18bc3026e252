import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { programFile } from "../../src/cli/launch.ts";
import { svc } from "../support/built-cli.ts";
import { loggedIn, serverWithAda, writeConfigFile } from "../support/cli.ts";

/** Ada, logged in, who runs the built command line; her daemon is gone when the test is over. */
async function adaBuilt() {
  const server = await serverWithAda();
  const ada = await loggedIn(server);
  const runtime = join(ada.home, "run");
  const run = async (line: string) => {
    const started = svc(line.split(" "), { home: ada.home, environment: { XDG_RUNTIME_DIR: runtime } });
    return { code: await started.ended, out: started.out(), err: started.err() };
  };
  onTestFinished(async () => {
    await run("daemon stop");
  });
  return { server, ada, run, runtime };
}

describe("svc daemon", { timeout: 120_000 }, () => {
  it("starts once, shows itself, logs, and stops once", async () => {
    const { server, run } = await adaBuilt();
    expect(await run("daemon status")).toEqual({
      code: 1,
      out: "",
      err: `error: no daemon runs for ${server.url}\nhint: svc daemon start\n`,
    });
    const first = await run("daemon start --json");
    expect(first).toMatchObject({ code: 0, err: "" });
    const { status } = JSON.parse(first.out);
    expect(JSON.parse(first.out)).toMatchObject({ started: true, status: { serverUrl: server.url } });
    const second = await run("daemon start");
    expect(second).toMatchObject({ code: 0, out: `already running: process ${status.pid}, ${server.url}\n` });
    const shown = await run("daemon status");
    expect(shown.out).toContain(`process ${status.pid}, version `);
    expect(shown.out).toContain(server.url);
    const logs = await run("daemon logs --lines 1000");
    expect(logs.out).toMatch(/^\S+Z {2}info {3}daemon started {2}/m);
    for (const line of (await run("daemon logs --json")).out.trim().split("\n")) JSON.parse(line);
    expect((await run("daemon stop")).out).toBe(`stopped: process ${status.pid}\n`);
    expect(await run("daemon stop")).toEqual({ code: 0, out: "no daemon runs\n", err: "" });
  });

  it("is told of a run or job by its id, and says so when there is none", async () => {
    const { server, run } = await adaBuilt();
    const id = "01J0000000000000000000000R";
    expect(await run(`track ${id}`)).toEqual({
      code: 1,
      out: "",
      err: `error: no daemon runs for ${server.url}\nhint: svc daemon start\n`,
    });
    await run("daemon start");
    expect(await run(`track ${id}`)).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining(`there is no run and no job ${id} in this change set`),
    });
  });

  it("keeps its socket and log to its owner", async () => {
    const { run, runtime, ada } = await adaBuilt();
    await run("daemon start");
    expect((await stat(join(runtime, "svc"))).mode & 0o077).toBe(0);
    const { out } = await run("status --json");
    expect(JSON.parse(out)).toMatchObject({
      server: { reachable: true },
      auth: { authenticated: true, username: "ada", keyFrom: "auth.json" },
      daemon: { version: expect.any(String) },
    });
    const state = join(ada.home, ".local/state/svc/profiles");
    expect((await stat(state)).mode & 0o077).toBe(0);
  });

  it("refuses a second one in the foreground, in one line", async () => {
    const { run } = await adaBuilt();
    await run("daemon start");
    const second = await run("daemon run");
    expect(second.code).toBe(1);
    expect(second.err).toMatch(
      /error: a daemon is running for this profile already: .*\nhint: svc daemon status, or svc daemon stop\n$/,
    );
  });

  it("says why it did not start, with the daemon's own words", async () => {
    const { run, ada } = await adaBuilt();
    await writeConfigFile(ada, "config.json", JSON.stringify({ "daemon.resync": "99 99 99 99 99" }));
    const failed = await run("daemon start");
    expect(failed.code).toBe(1);
    expect(failed.err).toContain("error: the daemon did not start: ");
    expect(failed.err).toContain("daemon.out");
    expect(await readFile(ada.file("config.json"), "utf8")).toContain("99 99");
  });
});

describe("the built command line", { timeout: 120_000 }, () => {
  it("ends with the documented statuses", async () => {
    const { run, server } = await adaBuilt();
    expect((await run("change-set list")).code).toBe(0);
    expect((await run("change-set lst")).code).toBe(2);
    expect((await run("change-set get missing")).code).toBe(1);
    await server.stop();
    const away = await run("change-set list");
    expect(away).toMatchObject({ code: 1, out: "" });
    expect(away.err).toMatch(/^error: could not reach .+\nhint: .+\n$/);
  });

  it("ends quietly when its reader has seen enough", async () => {
    const { ada } = await adaBuilt();
    const script = `"$0" "$1" api | head -1`;
    const piped = svc([], { home: ada.home, through: ["sh", "-c", script, process.execPath, programFile] });
    expect(await piped.ended).toBe(0);
    expect(piped.out().split("\n")).toHaveLength(2);
    expect(piped.err()).toBe("");
  });
});
