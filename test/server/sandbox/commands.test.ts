import { describe, expect, it } from "vitest";
import { sandboxFixture } from "../../support/sandbox.ts";

const { run, value } = sandboxFixture({
  commands: { programs: { node: process.execPath }, path: "/usr/bin:/bin" },
});
const script = (code: string, rest = "") =>
  `siExec.waitUntilEnd("node", ["-e", ${JSON.stringify(code)}]${rest})`;

describe("siExec", () => {
  it("runs a program that is named, and gives its outputs and exit code", async () => {
    const { outcome, log } = await run(
      `const main = async () => { const r = await ${script("console.log('a'); console.error('b'); process.exitCode = 3")}; return [r.exitCode, r.stdout, r.stderr, r.failed]; }`,
    );
    expect(outcome).toEqual({ ended: "ok", value: [3, "a", "b", true] });
    expect(log).toEqual([expect.stringMatching(/^stdout Running CLI command: "node -e /)]);
  });

  it("hands on arguments as they are, input, and the environment of authentication functions", async () => {
    expect(
      await value(
        `const main = async () => (await siExec.waitUntilEnd("node", ["-p", "process.argv[1]", "$(id) ; \`id\` && 'x'"])).stdout`,
      ),
    ).toBe("$(id) ; `id` && 'x'");
    expect(
      await value(
        `const main = async () => (await ${script("process.stdin.pipe(process.stdout)", ", { input: 'given' }")}).stdout`,
      ),
    ).toBe("given");
    const environment = await value(
      `const main = async () => JSON.parse((await ${script("console.log(JSON.stringify(process.env))", ", { env: { B: '2', LD_PRELOAD: 'x', PATH: '/evil' } }")}).stdout)`,
      {
        before: [
          { code: "const main = () => requestStorage.setEnv('A', '1')", handler: "main", argument: {} },
        ],
      },
    );
    expect(environment).toEqual({ A: "1", B: "2", PATH: "/usr/bin:/bin" });
  });

  it.each([
    ["ls", 'functions may not run "ls": this server allows node'],
    ["/bin/ls", 'functions may not run "/bin/ls": this server allows node'],
    ["__proto__", 'functions may not run "__proto__": this server allows node'],
    ["constructor", 'functions may not run "constructor": this server allows node'],
  ])("refuses %s", async (command, message) => {
    expect((await run(`const main = () => siExec.waitUntilEnd("${command}")`)).outcome).toMatchObject({
      ended: "threw",
      message,
    });
  });

  it.each([
    ["a zero character", `siExec.waitUntilEnd("node", ["a\\0b"])`],
    ["a name of a variable that is none", `siExec.waitUntilEnd("node", [], { env: { "a\\0": "b" } })`],
  ])("says that no program can be given %s, and goes on", async (_, expression) => {
    expect((await run(`const main = () => ${expression}`)).outcome).toMatchObject({
      ended: "threw",
      message: expect.stringContaining("the program could not be run"),
    });
  });

  it("ends a program that says too much, takes too long, or whose run is over", async () => {
    expect(
      await value(
        `const main = async () => { const r = await ${script("const more = () => { while (process.stdout.write('x'.repeat(100000))); process.stdout.once('drain', more); }; more()")}; return [r.failed, r.shortMessage]; }`,
      ),
    ).toEqual([true, "the program wrote more than 4000000 characters"]);
    expect(
      await value(
        `const main = async () => { const r = await ${script("setInterval(() => {}, 1000)", ", { timeout: 100 }")}; return [r.failed, r.timedOut]; }`,
      ),
    ).toEqual([true, true]);
    const { outcome } = await run(`const main = () => ${script("setInterval(() => {}, 1000)")}`, {
      limits: { wallMs: 500 },
    });
    expect(outcome).toMatchObject({ ended: "timedOut" });
  });

  it("gives a run its own answers only, also when those of the run before come late", async () => {
    const late = script("setTimeout(() => {}, 150)");
    for (let round = 0; round < 3; round++) {
      await run(`const main = () => { void ${late}; return 1; }`);
      expect(await value(`const main = async () => (await ${script("console.log('mine')")}).stdout`)).toBe(
        "mine",
      );
    }
  });

  it("watches, retries and polls with patience", async () => {
    expect(
      await value(
        `const main = async () => { let n = 0; const r = await siExec.watch({ cmd: "node", args: ["-p", "1"], retryMs: 1, callback: () => ++n === 3 }); return [r.result.stdout, n]; }`,
      ),
    ).toEqual(["1", 3]);
    expect(
      await value(
        `const main = async () => (await siExec.watch({ cmd: "node", args: ["-p", "1"], retryMs: 1, maxRetryCount: 2, callback: () => false })).failed`,
      ),
    ).toBe("deadlineExceeded");
    expect(
      await value(
        `const main = async () => (await siExec.watch({ cmd: "node", args: ["-e", "process.exit(1)"], callback: () => true })).failed`,
      ),
    ).toBe("commandFailed");
    expect(
      await value(
        `const main = async () => { let n = 0; return siExec.withRetry(async () => { if (++n < 3) throw new Error("later"); return n; }, { baseDelay: 1, jitter: false }); }`,
      ),
    ).toEqual({ result: 3, attempts: 3 });
    expect(
      (
        await run(
          `const main = () => siExec.withRetry(async () => { throw new Error("never"); }, { isRateLimitedFn: () => false })`,
        )
      ).outcome,
    ).toMatchObject({ ended: "threw", message: "never" });
  });
});
