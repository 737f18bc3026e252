import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { readFromChild } from "../../../server/sandbox/messages.ts";
import type { RunOutcome } from "../../../server/sandbox/outcome.ts";
import {
  createSandbox,
  type Run,
  type Sandbox,
  type SandboxSettings,
} from "../../../server/sandbox/sandbox.ts";
import { until } from "../../support/until.ts";

const made: Sandbox[] = [];
const sandboxOf = (settings: SandboxSettings): Sandbox => {
  const sandbox = createSandbox({ spareChildren: 0, ...settings });
  made.push(sandbox);
  return sandbox;
};
afterEach(async () => {
  await Promise.all(made.splice(0).map((sandbox) => sandbox.close()));
});

const quick = { code: "const main = (input) => input", handler: "main", input: 1 };
const endless = { code: "const main = () => { for (;;); }", handler: "main", input: 1 };
const patient = {
  code: "const main = () => new Promise((done) => setTimeout(() => done('late'), 60_000))",
  handler: "main",
  input: 1,
};

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Begins a run and waits until it has left the line. */
async function begun(sandbox: Sandbox, run: Run): Promise<{ readonly end: Promise<RunOutcome> }> {
  let started = false;
  const end = sandbox.run({
    ...run,
    onStart: () => {
      started = true;
    },
  });
  await until(() => started);
  return { end };
}

describe("the pool of children", () => {
  it("has as many children as it was told to, and uses them again", async () => {
    const sandbox = sandboxOf({ children: 2 });
    await Promise.all(Array.from({ length: 50 }, () => sandbox.run(quick)));
    const processes = sandbox.processIds();
    expect(processes).toHaveLength(2);
    await Promise.all(Array.from({ length: 50 }, () => sandbox.run(quick)));
    expect(sandbox.processIds().sort()).toEqual(processes.sort());
  });

  it("gives every run its own result, however many there are at once", async () => {
    const sandbox = sandboxOf({ children: 2 });
    const outcomes = await Promise.all(
      Array.from({ length: 300 }, (_, input) => sandbox.run({ ...quick, input })),
    );
    expect(outcomes).toEqual(Array.from({ length: 300 }, (_, value) => ({ ended: "ok", value })));
  });

  it("lets others compute while a run only waits", async () => {
    const sandbox = sandboxOf({ children: 1, maximumChildren: 3 });
    const gone = new AbortController();
    const waiting = [1, 2].map(() => sandbox.run({ ...patient, signal: gone.signal }));
    expect(await sandbox.run(quick)).toEqual({ ended: "ok", value: 1 });
    gone.abort();
    expect((await Promise.all(waiting)).map(({ ended }) => ended)).toEqual(["killed", "killed"]);
  });

  it("gives shares their turns: one that asks for much keeps nobody out", async () => {
    const sandbox = sandboxOf({ children: 1 });
    const order: string[] = [];
    const run = (share: string) => sandbox.run({ ...quick, share, onStart: () => order.push(share) });
    await Promise.all([...Array.from({ length: 20 }, () => run("many")), run("few"), run("few")]);
    expect(order.lastIndexOf("few")).toBeLessThan(6);
  });

  it("refuses what would make the line too long, and runs the rest", async () => {
    const sandbox = sandboxOf({ children: 1, maximumQueued: 2 });
    const gone = new AbortController();
    const first = await begun(sandbox, { ...endless, signal: gone.signal });
    const rest = Array.from({ length: 4 }, () => sandbox.run(quick));
    const refused = await Promise.race(rest.slice(2));
    expect(refused).toEqual({
      ended: "refused",
      message: "too many functions are waiting to run: try again later",
    });
    gone.abort();
    expect((await first.end).ended).toBe("killed");
    expect((await Promise.all(rest)).map(({ ended }) => ended)).toEqual(["ok", "ok", "refused", "refused"]);
  });

  it("ends a run that is cancelled while it computes, waits, stands in line or has not begun", async () => {
    const sandbox = sandboxOf({ children: 1 });
    const killed = { ended: "killed", message: "function execution terminated" };
    for (const run of [endless, patient]) {
      const gone = new AbortController();
      const { end } = await begun(sandbox, { ...run, signal: gone.signal });
      const queued = sandbox.run({ ...quick, signal: gone.signal });
      gone.abort();
      expect(await end).toEqual(killed);
      expect(await queued).toEqual(killed);
    }
    expect(await sandbox.run({ ...quick, signal: AbortSignal.abort() })).toEqual(killed);
    expect(await sandbox.run(quick)).toEqual({ ended: "ok", value: 1 });
  });

  it("says of a run whose process went away that nobody knows how far it came, and goes on", async () => {
    const sandbox = sandboxOf({ children: 1 });
    const { end } = await begun(sandbox, patient);
    for (const pid of sandbox.processIds()) process.kill(pid, "SIGKILL");
    expect(await end).toEqual({
      ended: "lost",
      message: "the process that ran the function went away: nobody knows how far it came",
    });
    expect(await sandbox.run(quick)).toEqual({ ended: "ok", value: 1 });
  });

  it("ends a child that computes and does not let itself be stopped", async () => {
    const sandbox = sandboxOf({ children: 1 });
    // One call inside the engine that asks nobody whether to go on.
    const code = "const main = () => 'a'.repeat(8e6).indexOf('a'.repeat(4e6) + 'b')";
    const end = sandbox.run({ ...quick, code, limits: { cpuMs: 50, memoryBytes: 256 * 1024 * 1024 } });
    expect((await end).ended).toBe("timedOut");
    expect(await sandbox.run(quick)).toEqual({ ended: "ok", value: 1 });
  });

  it("has a child stand by, so that no run waits for a process when one was killed", async () => {
    const sandbox = sandboxOf({ children: 1, spareChildren: 1 });
    await sandbox.prepare();
    const before = sandbox.processIds();
    expect(before).toHaveLength(2);
    const gone = new AbortController();
    const { end } = await begun(sandbox, { ...endless, signal: gone.signal });
    gone.abort();
    expect((await end).ended).toBe("killed");
    expect(await sandbox.run(quick)).toEqual({ ended: "ok", value: 1 });
    await until(() => sandbox.processIds().length === 2);
    expect(sandbox.processIds().filter((pid) => before.includes(pid))).toHaveLength(1);
  });

  it("closes with nothing left: what runs is killed, what waits and comes later is refused, no process stays", async () => {
    const sandbox = sandboxOf({ children: 1 });
    const { end } = await begun(sandbox, endless);
    const queued = sandbox.run(quick);
    await until(() => sandbox.processIds().length === 1);
    const processes = sandbox.processIds();
    await sandbox.close();
    expect((await end).ended).toBe("killed");
    expect(["refused", "killed"]).toContain((await queued).ended);
    expect(await sandbox.run(quick)).toEqual({
      ended: "refused",
      message: "the server is stopping and runs no more functions",
    });
    expect(processes.filter(isRunning)).toEqual([]);
  });
});

describe("a child", () => {
  it("has no environment, no rights and no memory of its parent", async () => {
    const sandbox = sandboxOf({ children: 1 });
    await sandbox.run(quick);
    const [pid] = sandbox.processIds();
    const environment = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .filter((entry) => entry !== "");
    expect(
      environment.map((entry) => entry.split("=")[0]).filter((name) => !name?.startsWith("NODE_CHANNEL")),
    ).toEqual([]);
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).toMatch(
      /permission\0--allow-fs-read=[^\0]*dist\/sandbox\/\*\0/,
    );
  });

  it("may read nothing but its own files, write nothing and start nothing", async () => {
    const sandbox = sandboxOf({ children: 1 });
    await sandbox.run(quick);
    const [, ...flags] = readFileSync(`/proc/${sandbox.processIds()[0]}/cmdline`, "utf8").split("\0");
    const rights = flags.filter((flag) => flag.startsWith("--"));
    const attempts = [
      "fs.readFileSync('/etc/hostname')",
      "fs.writeFileSync('/tmp/svc-x', '')",
      "child_process.execSync('id')",
      "new worker_threads.Worker('/x.js')",
      "eval('1')",
    ];
    const script = `console.log(JSON.stringify(${JSON.stringify(attempts)}.map((_, at) => { try { [${attempts.map((one) => `() => ${one}`).join(",")}][at](); return "done"; } catch (error) { return error.code ?? error.name; } })))`;
    const { stdout } = spawnSync(process.execPath, [...rights, "--eval", script], {
      env: {},
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toEqual([...Array(4).fill("ERR_ACCESS_DENIED"), "EvalError"]);
  });

  it.each([
    ["idle", "{}"],
    [
      "computing",
      `{ type: "run", run: 1, before: [], defines: false, wipe: false,
      main: { code: "(() => () => { for (;;); })", file: "f", handler: "main", input: "1" },
      limits: { wallMs: 1e9, cpuMs: 1e9, memoryBytes: 1e7, stackBytes: 1e5, logCharacters: 1, logLines: 1, resultCharacters: 1 } }`,
    ],
  ])("ends with its parent, also when that is killed while it is %s", async (_, message) => {
    const child = fileURLToPath(new URL("../../../dist/sandbox/child.mjs", import.meta.url));
    const script = `
      import { fork } from "node:child_process";
      const child = fork(${JSON.stringify(child)}, [], { env: {}, execArgv: [] });
      child.on("message", () => child.send(${message}, () => console.log(child.pid)));
      setInterval(() => {}, 1000);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once("data", (data) => resolve(Number(data)));
    });
    expect(isRunning(pid)).toBe(true);
    parent.kill("SIGKILL");
    await until(() => !isRunning(pid));
  });

  it("is not believed: a message of any other shape is none", () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom("log", "ask", "waits", "end", "run"), (value, type) => {
        expect(readFromChild(value)).toBeUndefined();
        const sent = { type, run: 1, calls: value, kind: value, waits: value, end: value, cpuMs: 1 };
        if (typeof value !== "boolean" && !(Array.isArray(value) && value.length === 0))
          expect(readFromChild(sent)).toBeUndefined();
      }),
    );
  });
});
