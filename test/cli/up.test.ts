import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { programFile } from "../../src/cli/launch.ts";
import { type BuiltRun, svc } from "../support/built-cli.ts";
import { processesOf, untilNoneLeft } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary.ts";

async function checkout() {
  const folder = await temporaryDirectory();
  const state = join(folder, ".svc");
  onTestFinished(async () => {
    for (const pid of processesOf(state)) process.kill(pid, "SIGKILL");
  });
  const up = (more: readonly string[] = [], environment = {}): BuiltRun =>
    svc(["up", ...more], { home: folder, environment });
  const launcher = (...argv: string[]): BuiltRun =>
    svc(argv, { home: folder, through: [join(state, "bin", "svc")] });
  const result = async (run: BuiltRun) => ({ code: await run.ended, out: run.out(), err: run.err() });
  return { folder, state, up, launcher, result };
}
const ready = "Needs attention\n";

/** The one process below the state that was started as this part. */
function processWith(state: string, part: string): number {
  const found = processesOf(state).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`\0${part}\0`),
  );
  const [pid] = found;
  if (pid === undefined || found.length > 1) throw new Error(`${found.length} processes are the ${part}`);
  return pid;
}

// Each row is several processes of several hundred milliseconds, more on a busy machine.
describe("svc up without a terminal", { timeout: 120_000 }, () => {
  it("prints the overview, then each change, and leaves no process behind when it is told to stop", async () => {
    const { state, up, launcher, result } = await checkout();
    const run = up();
    await run.says(ready);
    expect(run.out()).toMatch(
      /^Change sets\n {2}CHANGE SET +STATUS +COMPONENTS +DIFFERENT\n {2}HEAD +Open +\d+ +0\n/,
    );
    expect(run.out()).toContain("\nComponents of the head\n");
    expect(run.out()).toMatch(/\nDifferent from the head\n {2}(added|modified) /);
    expect(run.err()).toContain(
      "made a first user and a sample workspace; how to sign in is in .svc/state/svc/server/first-user.json\n",
    );
    expect(run.err()).toContain("in another terminal: .svc/bin/svc change-set create NAME\n");
    const created = await result(launcher("change-set", "create", "from elsewhere"));
    expect(created).toMatchObject({ code: 0 });
    await run.says("added change set from elsewhere\n");
    await result(
      launcher("component", "create", "news", "--schema", "Server", "--change-set", "from elsewhere"),
    );
    await run.says("added component news in from elsewhere\n");
    expect(processesOf(state).length).toBeGreaterThanOrEqual(2);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(143);
    expect(processesOf(state)).toEqual([]);
  });

  it("finds everything as it was the second time, also when its port is taken meanwhile", async () => {
    const { state, up, launcher, result } = await checkout();
    const first = up();
    await first.says(ready);
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(first.err())?.[1]);
    await result(launcher("change-set", "create", "kept"));
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(130);
    const squatter = createServer().listen(port, "127.0.0.1");
    onTestFinished(() => void squatter.close());
    const second = up();
    await second.says(ready);
    expect(second.err()).not.toContain("made a first user");
    expect(second.err()).toContain(`port ${port} is taken; using `);
    expect(second.out()).toContain("  kept ");
    expect((await result(launcher("auth", "whoami"))).code).toBe(0);
    expect((await stat(join(state, "config/svc/auth.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(state, "state/svc/server/first-user.json"))).mode & 0o777).toBe(0o600);
  });

  it("keeps to its own state: the caller's key, server and database are ignored, and it says so", async () => {
    const { folder, up } = await checkout();
    const foreign = join(folder, ".config/svc");
    await mkdir(foreign, { recursive: true });
    await writeFile(join(foreign, "auth.json"), "{ another login");
    const run = up([], {
      SVC_API_KEY: "svc_other",
      SVC_CLUB_URL: "http://192.0.2.1",
      SVC_DATABASE_URL: "postgres://nobody@192.0.2.1/x",
    });
    await run.says(ready);
    expect(run.err()).toContain("ignoring SVC_API_KEY, SVC_CLUB_URL, SVC_DATABASE_URL: ");
    expect(await readFile(join(foreign, "auth.json"), "utf8")).toBe("{ another login");
    expect(readdirSync(foreign)).toEqual(["auth.json"]);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(143);
  });

  it("ends everything when its parent dies, and when it is killed itself", async () => {
    const { folder, state } = await checkout();
    // The shell is the parent; it does not exec, because something follows.
    const script = '"$0" "$@"; true';
    const run = svc(["up"], { home: folder, through: ["sh", "-c", script, process.execPath, programFile] });
    await run.says(ready);
    run.child.kill("SIGKILL");
    await untilNoneLeft(state);
    const second = svc(["up"], { home: folder });
    await second.says(ready);
    second.child.kill("SIGKILL");
    await untilNoneLeft(state);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGQUIT", 131],
  ] as const)("says with its status that %s ended it, and warns of nothing", async (signal, status) => {
    const { state, up } = await checkout();
    const run = up();
    await run.says(ready);
    run.child.kill(signal);
    expect(await run.ended).toBe(status);
    expect(run.err()).not.toMatch(/^(warning|error): /m);
    expect(processesOf(state)).toEqual([]);
  });

  it("says what did not end in order", async () => {
    const { state, up } = await checkout();
    const run = up();
    await run.says(ready);
    const daemon = processWith(state, "daemon");
    // Stopped, so that it is surely killed before it ends in order.
    process.kill(daemon, "SIGSTOP");
    run.child.kill("SIGTERM");
    process.kill(daemon, "SIGKILL");
    expect(await run.ended).toBe(143);
    expect(run.err()).toMatch(/^warning: the daemon ended with SIGKILL/m);
  });

  it("is the only one on its state, says so before it touches anything, and names the way out", async () => {
    const { state, up, launcher, result } = await checkout();
    const run = up();
    await run.says(ready);
    const refuse = async (): Promise<void> => {
      const second = await result(up());
      expect(second).toEqual({
        code: 1,
        out: "",
        err: `error: svc up runs here already: process ${run.child.pid}, on the state in .svc\nhint: .svc/bin/svc tui opens another dashboard\n`,
      });
    };
    await refuse();
    // Without its server too: the daemon is the first one's, and stays.
    const daemon = processWith(state, "daemon");
    process.kill(processWith(state, "server"), "SIGKILL");
    await run.warns(/^warning: the server ended with SIGKILL; starting it again in 3 s$/m);
    await refuse();
    expect(processWith(state, "daemon")).toBe(daemon);
    expect((await result(launcher("daemon", "status"))).code).toBe(0);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(143);
    expect(processesOf(state)).toEqual([]);
  });

  it("starts at once after one that was killed, with a daemon of its own", async () => {
    const { state, up } = await checkout();
    const first = up();
    await first.says(ready);
    const daemon = processWith(state, "daemon");
    first.child.kill("SIGKILL");
    const second = up();
    await second.says(ready);
    expect(processWith(state, "daemon")).not.toBe(daemon);
    second.child.kill("SIGTERM");
    expect(await second.ended).toBe(143);
    expect(processesOf(state)).toEqual([]);
  });

  it("leaves the daemon running when it is asked to", async () => {
    const { state, up, launcher, result } = await checkout();
    const run = up(["--keep-daemon"]);
    await run.says(ready);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(143);
    expect(processesOf(state)).toHaveLength(1);
    const again = up();
    await again.says(ready);
    again.child.kill("SIGTERM");
    await again.ended;
    expect((await result(launcher("daemon", "status"))).out).toContain("daemon");
    expect((await result(launcher("daemon", "stop"))).out).toMatch(/^stopped: process \d+\n$/);
    expect(processesOf(state)).toEqual([]);
  });

  it("starts the server again when it dies, at the same address, and goes on", async () => {
    const { state, up, launcher, result } = await checkout();
    const run = up();
    await run.says(ready);
    const url = /the server is at (\S+);/.exec(run.err())?.[1] ?? "";
    const killed = processWith(state, "server");
    process.kill(killed, "SIGKILL");
    await run.warns(/^warning: the server ended with SIGKILL; starting it again in 3 s$/m);
    await run.warns(`warning: the server is back at ${url}\n`);
    expect(processWith(state, "server")).not.toBe(killed);
    await result(launcher("change-set", "create", "after the crash"));
    await run.says("added change set after the crash\n");
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(143);
    expect(processesOf(state)).toEqual([]);
  });

  it("waits for its port while somebody else has it", async () => {
    const { state, up, launcher, result } = await checkout();
    const run = up();
    await run.says(ready);
    const port = Number(/the server is at http:\/\/127\.0\.0\.1:(\d+)/.exec(run.err())?.[1]);
    process.kill(processWith(state, "server"), "SIGKILL");
    await run.warns("starting it again in 3 s");
    const squatter = createServer().listen(port, "127.0.0.1");
    await run.warns("another process listens there now");
    squatter.close();
    await run.warns("the server is back at");
    expect((await result(launcher("auth", "whoami"))).code).toBe(0);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(143);
  });

  it("logs in anew when its login is gone or damaged", async () => {
    const { state, up } = await checkout();
    const first = up();
    await first.says(ready);
    first.child.kill("SIGTERM");
    await first.ended;
    const folder = join(state, "config/svc");
    const auth = join(folder, "auth.json");
    await writeFile(auth, "{ damaged");
    await chmod(auth, 0o644);
    const second = up();
    await second.says(ready);
    const kept = readdirSync(folder).find((name) => name.startsWith("auth.json.damaged-")) ?? "";
    expect(second.err()).toContain(`; it is kept as ${join(folder, kept)}\n`);
    expect(await readFile(join(folder, kept), "utf8")).toBe("{ damaged");
    expect((await stat(join(folder, kept))).mode & 0o777).toBe(0o600);
    second.child.kill("SIGTERM");
    await second.ended;
    await rm(auth);
    await mkdir(auth);
    const third = up();
    expect(await third.ended).toBe(1);
    expect(third.err()).toBe(
      `error: could not read the credentials: ${auth} is a directory, expected a file\nhint: move it away: mv '${auth}' '${auth}.old'\n`,
    );
  });

  it("names the taken port, and a database that another server has, in one line each", async () => {
    const { state, up, launcher } = await checkout();
    const squatter = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void squatter.close());
    await once(squatter, "listening");
    const address = squatter.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    const taken = up(["--port", port]);
    expect(await taken.ended).toBe(1);
    expect(taken.err()).toContain(`error: the port ${port} on 127.0.0.1 is taken by another program\nhint: `);
    const run = up();
    await run.says(ready);
    await rm(join(state, "state/up.pid"));
    const second = up();
    expect(await second.ended).toBe(1);
    expect(second.err()).toMatch(/error: the server did not start: .* is in use by .*\nhint: /);
    expect(await launcher("change-set", "list").ended).toBe(0);
    run.child.kill("SIGTERM");
    await run.ended;
  });
});
