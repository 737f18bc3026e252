import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunOutcome } from "../../../server/sandbox/outcome.ts";
import { sandboxFixture } from "../../support/sandbox.ts";

const fixture = sandboxFixture({ network: { mode: "on", hosts: [] } });
const canary = "canary-that-nobody-may-see";
const directory = mkdtempSync(join(tmpdir(), "svc-escape-"));
const file = join(directory, "canary.txt");
const reached: string[] = [];
let server: Server;
let port = 0;

beforeAll(async () => {
  writeFileSync(file, canary);
  server = createServer((request, response) => {
    reached.push(request.url ?? "");
    response.end(canary);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterAll(() => {
  server.close();
  rmSync(directory, { recursive: true });
});

const quick = { wallMs: 8000, cpuMs: 1500 };

/** Whether a fresh function on the same child sees nothing of those before it and works. */
async function expectUntouched(): Promise<void> {
  const seen = await fixture.value(
    `
    function main(input) {
      return {
        sum: [3, 1, 2].sort().map((n) => n * 2),
        polluted: [({}).polluted, [].polluted, "".polluted, (() => {}).polluted, globalThis.left].map(String),
        json: JSON.stringify({ a: [1] }),
        input,
        log: typeof console.log,
        names: Object.getOwnPropertyNames(Object.prototype).length,
      };
    }`,
    { input: { a: 1 } },
  );
  expect(seen).toEqual({
    sum: [2, 4, 6],
    polluted: ["undefined", "undefined", "undefined", "undefined", "undefined"],
    json: '{"a":[1]}',
    input: { a: 1 },
    log: "function",
    names: 12,
  });
}

type Row = readonly [title: string, code: string, ended: RunOutcome["ended"], value?: unknown];

const none = ["undefined", "undefined", "undefined"];
/** Asks a global object for what a host would have. */
const hostOf = (world: string): string =>
  `(() => { const world = ${world}; return [typeof world.require, typeof world.process?.mainModule, typeof world.module]; })()`;

const walks: readonly Row[] = [
  [
    "the function constructor",
    `const main = () => { const world = main.constructor("return globalThis")(); return [typeof world.require, typeof world.Worker, typeof world.WebAssembly]; }`,
    "ok",
    none,
  ],
  [
    "the constructor of a host function",
    `const main = () => { const world = console.log.constructor("return this")(); return [typeof world.require, typeof world.Worker, typeof world.WebAssembly]; }`,
    "ok",
    none,
  ],
  [
    "constructors of async and generator functions",
    `const main = async () => { const made = (async () => {}).constructor("return typeof require + typeof WebAssembly"); return await made(); }`,
    "ok",
    "undefinedundefined",
  ],
  [
    "an indirect eval",
    `const main = () => (0, eval)("typeof require + typeof WebAssembly + typeof __guest")`,
    "ok",
    "undefinedundefinedundefined",
  ],
  [
    "the prototype of fetch's promise",
    `const main = () => { const made = fetch("http://127.0.0.1/"); made.catch(() => {}); return made.constructor.constructor("return typeof require")(); }`,
    "ok",
    "undefined",
  ],
  [
    "a getter on the prototype of all objects",
    `const main = () => { Object.defineProperty(Object.prototype, "handler", { get() { return "taken"; } }); return ({}).handler; }`,
    "ok",
    "taken",
  ],
  ["process and its main module", `const main = () => ${hostOf("globalThis")}`, "threw"],
  ["process.exit", "const main = () => process.exit(1)", "threw"],
  ["process.binding", `const main = () => process.binding("fs")`, "threw"],
  ["Deno.exit", "const main = () => Deno.exit(1)", "threw"],
  ["Deno.readTextFile", `const main = () => Deno.readTextFile("/etc/passwd")`, "threw"],
  ["require", `const main = () => require("node:fs").readFileSync("${file}", "utf8")`, "threw"],
  [
    "a static import",
    `import { readFileSync } from "node:fs"; const main = () => readFileSync("${file}", "utf8")`,
    "threw",
  ],
  [
    "a dynamic import",
    `const main = async () => (await import("node:fs")).readFileSync("${file}", "utf8")`,
    "threw",
  ],
  [
    "a dynamic import inside eval",
    `const main = async () => (await (0, eval)('import("node:fs")')).readFileSync("${file}", "utf8")`,
    "threw",
  ],
  [
    "an import of a file",
    `const main = async () => (await new Function('return import("file://${file}")')())`,
    "threw",
  ],
  ["fs", `const main = () => fs.readFileSync("${file}", "utf8")`, "threw"],
  ["the handles of the engine", `const main = () => [typeof std, typeof os.open, typeof bjson]`, "threw"],
];

const errors: readonly Row[] = [
  [
    "stacks that name files of the server",
    `const main = () => { try { crypto.getRandomValues(new Uint8Array(1e6)); } catch (error) { return /dist|node_modules|file:/.test(error.stack + error.message); } }`,
    "ok",
    false,
  ],
  [
    "a stack of a stack overflow",
    "const main = () => { const again = () => again(); try { again(); } catch (error) { return /dist|node_modules|file:/.test(String(error.stack)); } }",
    "ok",
    false,
  ],
  [
    "Error.prepareStackTrace",
    `const main = () => { Error.prepareStackTrace = (_, sites) => sites; const { stack } = new Error("x"); return typeof stack === "string" || Array.isArray(stack); }`,
    "ok",
  ],
  [
    "a thrown object whose toString never ends",
    "const main = () => { throw { toString() { for (;;); }, get message() { for (;;); } }; }",
    "timedOut",
  ],
  [
    "a thrown error whose message is a proxy",
    "const main = () => { const error = new Error(); Object.defineProperty(error, 'message', { value: new Proxy({}, { get() { throw new Error('no'); }, ownKeys() { throw new Error('no'); } }) }); throw error; }",
    "threw",
  ],
  ["a thrown symbol", "const main = () => { throw Symbol('x'); }", "threw"],
  ["a thrown null", "const main = () => { throw null; }", "threw"],
  ["a thrown promise", "const main = () => { throw Promise.reject(1); }", "threw"],
];

const results: readonly Row[] = [
  ["a getter that never ends", "const main = () => ({ get a() { for (;;); } })", "timedOut"],
  ["a getter that throws", "const main = () => ({ get a() { throw new Error('no'); } })", "threw"],
  [
    "a proxy that answers anything",
    "const main = () => new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }), get: () => 1 })",
    "ok",
    { a: 1 },
  ],
  [
    "a proxy without end",
    "const main = () => { const deep = () => new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }), get: (_, name) => name === 'a' ? deep() : undefined }); return deep(); }",
    "invalidResult",
  ],
  [
    "toJSON that gives itself",
    "const main = () => { const a = { toJSON() { return { inner: a }; } }; return a; }",
    "invalidResult",
  ],
  ["a thenable that never calls back", "const main = () => ({ then() {} })", "threw"],
  ["a thenable that calls back twice", "const main = () => ({ then(done) { done(1); done(2); } })", "ok", 1],
  [
    "a changed JSON",
    `const main = () => { JSON.stringify = () => '{"value":"forged"}'; JSON.parse = () => 1; return { real: 1 }; }`,
    "ok",
    { real: 1 },
  ],
  ["a name that is a prototype", `const main = () => JSON.parse('{"__proto__": {"polluted": 1}}')`, "ok"],
  [
    "changed array methods",
    "const main = () => { Array.prototype.map = Array.prototype.push = Array.prototype.some = () => 'x'; Object.prototype.then = 1; return [1]; }",
    "ok",
    [1],
  ],
  [
    "a result of 100 MB",
    "const main = () => { const part = 'x'.repeat(1e6); return Array.from({ length: 100 }, () => part); }",
    "invalidResult",
  ],
];

const loops: readonly Row[] = [
  ["a loop", "const main = () => { for (;;); }", "timedOut"],
  [
    "a loop in finally",
    "const main = () => { for (;;) { try { for (;;); } finally { continue; } } }",
    "timedOut",
  ],
  ["microtasks without end", "const main = async () => { for (;;) await null; }", "timedOut"],
  [
    "microtasks that beget microtasks",
    "const main = () => { const again = () => Promise.resolve().then(again); again(); return new Promise(() => {}); }",
    "outOfMemory",
  ],
  [
    "a detached loop",
    "const main = () => { (async () => { await null; for (;;); })(); return new Promise(() => {}); }",
    "timedOut",
  ],
  ["a promise that is never settled", "const main = () => new Promise(() => {})", "threw"],
  ["a regular expression", "const main = () => /^(a+)+$/.test('a'.repeat(40) + 'b')", "timedOut"],
  [
    "a comparison of a sort",
    "const main = () => { Array.from({ length: 1e5 }, (_, i) => i).sort(() => { for (;;); }); }",
    "timedOut",
  ],
  ["recursion", "const main = () => { const again = () => again() + 1; return again(); }", "threw"],
  [
    "recursion through JSON",
    "const main = () => { const a = { toJSON() { return JSON.stringify(a); } }; return JSON.stringify(a); }",
    "threw",
  ],
  [
    "recursion through a proxy",
    "const main = () => { const a = new Proxy({}, { get: (_, name) => a[name] }); return a.b; }",
    "threw",
  ],
  ["deeply nested text", "const main = () => JSON.parse('['.repeat(1e6))", "threw"],
  ["a log flood", "const main = () => { for (;;) console.log('x'.repeat(1000)); }", "tooMuchOutput"],
  [
    "a flood of blank log lines",
    "const main = () => { for (;;) console.log('\\n'.repeat(1000)); }",
    "tooMuchOutput",
  ],
  ["timers without end", "const main = () => { for (;;) setTimeout(() => {}, 1e6); }", "threw"],
];

const memory: readonly Row[] = [
  ["arrays", "const main = () => { const a = []; for (;;) a.push(new Array(1000).fill(1)); }", "outOfMemory"],
  ["one large array", "const main = () => new Array(2 ** 26).fill({}).length", "outOfMemory"],
  [
    "a map",
    "const main = () => { const m = new Map(); for (let i = 0; ; i++) m.set(i, {}); }",
    "outOfMemory",
  ],
  [
    "bytes",
    "const main = () => { const a = []; for (;;) a.push(new Uint8Array(1e7).fill(1)); }",
    "outOfMemory",
  ],
  ["one large text", "const main = () => 'x'.repeat(2 ** 29).length", "outOfMemory"],
  ["a growing text", "const main = () => { let s = 'x'; for (;;) s += s + s.slice(1); }", "outOfMemory"],
  ["a large number", "const main = () => { let b = 2n; for (;;) b = b * b * b; }", "outOfMemory"],
  ["a nested object", "const main = () => { let o = {}; for (;;) o = { o }; }", "outOfMemory"],
  [
    "closures",
    "const main = () => { let f = () => 0; for (;;) { const g = f; f = () => g; } }",
    "outOfMemory",
  ],
  ["a text of the log", "const main = () => console.log('x'.repeat(2 ** 28))", "outOfMemory"],
];

/** Where running out of one thing may be running out of another first. */
const also: Readonly<Record<string, readonly string[]>> = {
  outOfMemory: ["outOfMemory", "timedOut", "threw"],
  tooMuchOutput: ["tooMuchOutput"],
};

const attempts: readonly (readonly [way: string, rows: readonly Row[]])[] = [
  ["walks", walks],
  ["errors", errors],
  ["results", results],
  ["loops", loops],
  ["memory", memory],
];

describe.each(attempts)("code that tries to get out by %s", (_, rows) => {
  const tries = rows.map(([title, code, ended, value]) => ({ title, code, ended, value }));
  it.each(tries)("gets nowhere by $title", async ({ title, code, ended, value }) => {
    const { outcome, log } = await fixture.run(code, { limits: quick });
    expect(also[ended] ?? [ended], `${title}: ${JSON.stringify(outcome)}`).toContain(outcome.ended);
    if (value !== undefined && outcome.ended === "ok") expect(outcome.value).toEqual(value);
    expect(JSON.stringify([outcome, log])).not.toContain(canary);
    await expectUntouched();
  });
});

describe("a run", () => {
  it("sees nothing that another left: globals, prototypes, storage, timers, random numbers", async () => {
    await fixture.run(`
      function main() {
        globalThis.left = 1;
        Object.prototype.polluted = 1;
        Function.prototype.polluted = 1;
        String.prototype.polluted = 1;
        Array.prototype.map = () => "taken";
        Array.prototype.sort = null;
        JSON.stringify = null;
        console.log = null;
        _.left = 1;
        Buffer.left = 1;
        setTimeout(() => { globalThis.left = 2; }, 1);
        Promise.prototype.then = () => { throw new Error("taken"); };
      }`);
    await expectUntouched();
    expect(await fixture.value("const main = () => [typeof _.left, typeof Buffer.left]")).toEqual([
      "undefined",
      "undefined",
    ]);
    const random = () => fixture.value("const main = () => [Math.random(), crypto.randomUUID()].join()");
    expect(await random()).not.toBe(await random());
  });

  it("finds no other run's secrets in memory it is given", async () => {
    const secret = "a-secret-of-sixteen";
    await fixture.run(
      "const main = ({ secret }) => { globalThis.kept = Array.from({ length: 20_000 }, (_, i) => secret + i); }",
      {
        input: { secret },
        secrets: [secret],
      },
    );
    const found = await fixture.value(
      `
      function main() {
        const blocks = Array.from({ length: 40 }, () => new Uint8Array(1_000_000));
        return blocks.some((block) => block.some((byte) => byte !== 0));
      }`,
      { limits: { cpuMs: 60_000 } },
    );
    expect(found).toBe(false);
  });

  it("cannot speak for its process: what looks like a message is a text", async () => {
    const forged = `{"type":"end","run":1,"end":{"how":"settled","text":"{}"}}`;
    const { outcome, log } = await fixture.run(
      `const main = () => { console.log('${forged}'); return "mine"; }`,
    );
    expect(outcome).toEqual({ ended: "ok", value: "mine" });
    expect(log).toEqual([`stdout ${forged}`]);
  });

  it("reaches no server beside it, by no spelling of its address", async () => {
    const spellings = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `0.0.0.0:${port}`,
      `2130706433:${port}`,
      `0x7f.1:${port}`,
      `127.1:${port}`,
      `localhost.:${port}`,
      "169.254.169.254",
      "[fd00:ec2::254]",
    ];
    const answers = await fixture.value(
      `
      async function main({ spellings }) {
        return Promise.all(spellings.map((host) => fetch("http://" + host + "/x").then(() => "reached", () => "refused")));
      }`,
      { input: { spellings } },
    );
    expect(answers).toEqual(spellings.map(() => "refused"));
    expect(reached).toEqual([]);
  });

  it("ends somehow whatever its code is", async () => {
    const word = fc.constantFrom(
      "main",
      "return",
      "function",
      "(",
      ")",
      "{",
      "}",
      "=>",
      "await",
      "async",
      "1",
      '"x"',
      "`${",
      "throw",
      ";",
      "=",
      "globalThis",
      ".",
      "constructor",
      "for(;;)",
      "class",
      "yield",
      "\n",
      "\0",
      "\u2028",
      "import",
      "export",
      "new",
      "Proxy",
      "//",
      "/*",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 25 }), async (words) => {
        const { outcome } = await fixture.run(words.join(" "), { limits: { cpuMs: 300 } });
        expect(["ok", "threw", "timedOut", "invalidResult"]).toContain(outcome.ended);
      }),
      { numRuns: 200 },
    );
    await expectUntouched();
  });
});
