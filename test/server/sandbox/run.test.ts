import { describe, expect, it } from "vitest";
import { createFairQueue } from "../../../server/sandbox/fair-queue.ts";
import type { LogLine } from "../../../server/sandbox/log-lines.ts";
import { sandboxFixture } from "../../support/sandbox.ts";

const { run, value, sandbox } = sandboxFixture();

describe("the code of a function", () => {
  it.each([
    ["a declaration", "function main() { return 1; }"],
    ["an async declaration", "async function main() { return 1; }"],
    ["an exported declaration", "export function main() { return 1; }"],
    ["an exported async declaration", "export async function main() { return 1; }"],
    ["a constant", "const main = () => 1;"],
    ["an exported constant", "export const main = async () => 1;"],
    ["a list of exports", "const run = () => 1; export { run as main };"],
    ["a default export without a name", "export default async function () { return 1; }"],
    ["a CommonJS export", "exports.main = () => 1;"],
    ["a CommonJS module", "module.exports = { main: () => 1 };"],
    ["a CommonJS function", "module.exports = async () => 1;"],
    [
      "names of CommonJS as its own",
      "const exports = 1, module = 2, require = 3; function main() { return exports; }",
    ],
    [
      "TypeScript",
      "enum A { B = 1 }\ninterface I<T> { x: T }\nconst main = async ({ x }: I<number>): Promise<number> => (x satisfies number) as A.B;",
    ],
    ["types that nobody declared", "async function main(input: Input): Promise<Output> { return 1; }"],
    [
      "an import of types",
      "import type { A } from 'a'; import { B } from 'b'; const main = (x: A & B) => 1;",
    ],
    [
      "a class with decorations",
      "class A { #x = 1; static { } get x() { return this.#x; } } const main = () => new A().x;",
    ],
    ["a comment at its end", "const main = () => 1; // done"],
    ["a byte order mark and carriage returns", "\uFEFFfunction main() {\r\n return 1;\r\n}"],
  ])("may be %s", async (_, code) => {
    expect(await value(code, { input: { x: 1 } })).toBe(1);
  });

  it("has a handler of any name, and what is not ASCII stays", async () => {
    expect(
      await value("const größe = ({ n }) => n + ' µm 🚀'", { handler: "größe", input: { n: "ä" } }),
    ).toBe("ä µm 🚀");
  });

  it("keeps lone surrogates and zero characters of its input", async () => {
    expect(
      await value("const main = ({ text }) => [...text].map((c) => c.charCodeAt(0))", {
        input: { text: "a\0b\uD800" },
      }),
    ).toEqual([97, 0, 98, 0xd800]);
  });

  it.each([
    [
      "has no such function",
      "const other = 1;",
      { name: "ReferenceError", message: 'the code has no function named "main": declare it at the top' },
    ],
    [
      "is empty",
      "",
      { name: "ReferenceError", message: 'the code has no function named "main": declare it at the top' },
    ],
    [
      "has a handler that is no function",
      "const main = 1;",
      { name: "ReferenceError", message: 'the code has no function named "main": declare it at the top' },
    ],
    [
      "cannot be read",
      "function main() {\n  let a = ;\n}",
      { name: "SyntaxError", message: 'Unexpected ";"', at: { line: 2, column: 11 } },
    ],
    [
      "ends early",
      "function main() {",
      { name: "SyntaxError", message: "Unexpected end of file", at: { line: 1, column: 18 } },
    ],
    [
      "waits at the top",
      "const a = await 1;\nfunction main() {}",
      {
        name: "SyntaxError",
        message: "await is allowed inside functions only: move it into the handler",
        at: { line: 1, column: 11 },
      },
    ],
    [
      "declares a name twice",
      "let a = 1;\nlet a = 2;",
      {
        name: "SyntaxError",
        message: 'The symbol "a" has already been declared',
        at: { line: 2, column: 5 },
      },
    ],
    [
      "imports",
      "\nimport fs from 'fs';\nconst main = () => fs.x",
      {
        name: "TypeError",
        message: expect.stringContaining('cannot import "fs"'),
        at: { line: 2, column: expect.any(Number) },
      },
    ],
  ])("says so when it %s", async (_, code, expected) => {
    expect((await run(code)).outcome).toEqual({ ended: "threw", ...expected });
  });

  it.each(["", "a b", "a.b", "(", "constructor()", "1a"])("refuses the handler %j", async (handler) => {
    expect((await run("const main = () => 1", { handler })).outcome).toMatchObject({
      ended: "threw",
      name: "SyntaxError",
    });
  });

  it("says where it threw in the source as it was written, types and comments included", async () => {
    const code =
      "interface Wide {\n  a: string;\n}\n/* a\n   comment */\nasync function main(x: Wide) {\n  const y: number = 1;\n  await null;\n  throw new TypeError('bad ' + y);\n}";
    expect((await run(code)).outcome).toEqual({
      ended: "threw",
      name: "TypeError",
      message: "bad 1",
      at: { line: 9, column: expect.any(Number) },
    });
  });

  it.each([
    ["a text", "throw 'plain'", "Error", "plain"],
    ["an object", "throw { code: 7 }", "Error", "{ code: 7 }"],
    ["nothing", "throw undefined", "Error", "undefined"],
    [
      "an error of its own",
      "class NoQuota extends Error { name = 'NoQuota' }\nthrow new NoQuota('none left')",
      "NoQuota",
      "none left",
    ],
    [
      "inside a timer",
      "return new Promise(() => setTimeout(() => { throw new RangeError('in time') }, 1))",
      "RangeError",
      "in time",
    ],
    ["a rejected promise", "return Promise.reject(new RangeError('late'))", "RangeError", "late"],
  ])("may throw %s", async (_, body, name, message) => {
    expect((await run(`function main() {\n${body}\n}`)).outcome).toMatchObject({
      ended: "threw",
      name,
      message,
    });
  });
});

describe("the result of a function", () => {
  it.each([
    ["undefined", "undefined", undefined],
    ["null", "null", null],
    [
      "an object whose undefined members vanish",
      "({ a: undefined, b: 1, c: [undefined, null] })",
      { b: 1, c: [null, null] },
    ],
    ["a date as text", "new Date(0)", "1970-01-01T00:00:00.000Z"],
    ["what toJSON says", "({ toJSON: () => ({ a: 1 }) })", { a: 1 }],
    ["a class's own members", "new (class A { a = 1; #b = 2; c() {} })()", { a: 1 }],
    [
      "the same object in two places",
      "(() => { const a = { b: 1 }; return [a, { a }]; })()",
      [{ b: 1 }, { a: { b: 1 } }],
    ],
    ["a thenable", "({ then: (done) => done(5) })", 5],
    [
      "names of prototypes",
      `JSON.parse('{"__proto__":1,"constructor":2}')`,
      JSON.parse('{"__proto__":1,"constructor":2}'),
    ],
  ])("may be %s", async (_, expression, expected) => {
    expect(await value(`const main = () => ${expression}`)).toEqual(expected);
  });

  it.each([
    ["a function", "() => 1", "result is a function, which is not JSON"],
    ["a symbol inside", "({ a: { b: Symbol('x') } })", "result.a.b is a symbol, which is not JSON"],
    ["a BigInt inside", "({ a: [1, 2n] })", "result.a[1] is the BigInt 2, which is not JSON"],
    ["NaN", "({ size: NaN })", "result.size is NaN, which is not JSON"],
    ["infinity", "[-Infinity]", "result[0] is -Infinity, which is not JSON"],
    [
      "a circle",
      "(() => { const a = { b: {} }; a.b.c = a; return a; })()",
      "result.b.c is part of a circle, which is not JSON",
    ],
    [
      "after siblings",
      "({ a: { b: [1, { c: 2 }] }, d: { e: NaN } })",
      "result.d.e is NaN, which is not JSON",
    ],
    [
      "too deep",
      "(() => { let a = {}; for (let i = 0; i < 70; i++) a = { a }; return a; })()",
      expect.stringMatching(/nested deeper than 64, which is not JSON$/),
    ],
    ["a zero character", "({ a: 'x\\0' })", "result holds a zero character (U+0000)"],
    ["half a surrogate pair", "['\\ud800']", "result holds half of a surrogate pair"],
  ])("is refused when it is %s", async (_, expression, message) => {
    expect((await run(`const main = () => (${expression})`)).outcome).toEqual({
      ended: "invalidResult",
      message,
    });
  });
});

describe("the log of a function", () => {
  it("has a line for each physical line, with stream, level and group, blank ones dropped", async () => {
    const lines: LogLine[] = [];
    await sandbox().run({
      code: "function main() { console.log('a\\n\\nb'); console.info({ a: 1 }, 'x'); console.debug(null); console.warn('w'); console.error(new TypeError('e')); return 1; }",
      handler: "main",
      input: {},
      onLog: (line) => lines.push(line),
    });
    const out = (message: string) => ({ stream: "stdout", level: "info", group: "log", message });
    const error = (message: string) => ({ stream: "stderr", level: "error", group: "log", message });
    expect(lines).toEqual([
      out("a"),
      out("b"),
      out("{ a: 1 } x"),
      out("null"),
      error("w"),
      error("TypeError: e"),
    ]);
  });

  it("arrives while the function runs", async () => {
    const ended = new AbortController();
    const seen = new Promise<string>((resolve) => {
      void sandbox().run({
        code: "async function main() { console.log('begun'); await new Promise(() => setTimeout(() => {}, 60_000)); }",
        handler: "main",
        input: {},
        signal: ended.signal,
        onLog: ({ message }) => resolve(message),
      });
    });
    expect(await seen).toBe("begun");
    ended.abort();
  });

  it("does not make a function fail by what is written to stderr", async () => {
    expect((await run("const main = () => { console.error('careful'); return 1; }")).outcome).toEqual({
      ended: "ok",
      value: 1,
    });
  });

  it.each([
    [
      "texts inside quoted",
      "{ a: 'x', 'b-c': [1, [2, { d: true }]] }",
      '{ a: "x", "b-c": [ 1, [ 2, { d: true } ] ] }',
    ],
    ["formats", "'%s is %d%% of %j', 'a', 5, { b: 1 }, 'rest'", 'a is 5% of {"b":1} rest'],
    [
      "maps, sets and dates",
      "new Map([['a', 1]]), new Set([2]), new Date(0)",
      'Map(1) { "a" => 1 } Set(1) { 2 } 1970-01-01T00:00:00.000Z',
    ],
    [
      "classes and functions",
      "new (class A { x = 1 })(), () => 1, class B {}",
      "A { x: 1 } [Function (anonymous)] [class: B]",
    ],
    ["circles", "(() => { const a = {}; a.a = a; return a; })()", "{ a: [Circular *1] }"],
    [
      "members that throw",
      "({ get a() { throw 1; } }), new Proxy({}, { ownKeys() { throw 1; } })",
      "{ a: [Getter] } [unreadable]",
    ],
    ["what is no JSON", "undefined, NaN, -0, 1n, Symbol('x')", "undefined NaN -0 1n Symbol(x)"],
  ])("shows %s", async (_, values, expected) => {
    expect((await run(`const main = () => console.log(${values})`)).log).toEqual([`stdout ${expected}`]);
  });

  it("cuts a line that is too long, and says how much", async () => {
    const { log } = await run("const main = () => console.log('x'.repeat(20_000))");
    expect(log).toEqual([`stdout ${"x".repeat(10_000)} … (10000 more characters)`]);
  });
});

describe("limits", () => {
  const over = async (code: string, limits: object) => (await run(code, { limits })).outcome;
  it("end a run with a reason", async () => {
    expect(
      await over("const main = () => new Promise((done) => setTimeout(done, 60_000))", { wallMs: 50 }),
    ).toEqual({ ended: "timedOut", message: "function timed out after 0.05 seconds" });
    expect(await over("const main = () => { for (;;); }", { cpuMs: 100 })).toEqual({
      ended: "timedOut",
      message: "function computed for more than 0.1 seconds",
    });
    expect(
      await over("const main = () => new Uint8Array(9e6).length", { memoryBytes: 8 * 1024 * 1024 }),
    ).toEqual({ ended: "outOfMemory", message: "function needs more than 8 MB of memory" });
    expect(
      await over("const main = () => { for (let i = 0; i < 5; i++) console.log(i); }", { logLines: 4 }),
    ).toEqual({ ended: "tooMuchOutput", message: "function wrote more than 4 log lines" });
    expect(await over("const main = () => console.log('x'.repeat(200))", { logCharacters: 100 })).toEqual({
      ended: "tooMuchOutput",
      message: "function wrote more than 100 characters to its log",
    });
    expect(await over("const main = () => 'x'.repeat(200)", { resultCharacters: 100 })).toEqual({
      ended: "invalidResult",
      message: "result has more than 100 characters as JSON",
    });
    expect(
      await over("const main = () => { const again = () => again() + 1; return again(); }", {}),
    ).toMatchObject({ ended: "threw", name: "RangeError", message: "function calls itself too deeply" });
    expect(await over("const main = () => new Promise(() => {})", {})).toMatchObject({
      ended: "threw",
      message: "function waits for something that never happens: its promise is never settled",
    });
  });

  it.each([
    ["bytes", "new Uint8Array(16_384)"],
    ["objects", "{ at: i, list: [i] }"],
    ["texts", "'x'.repeat(1000) + i"],
  ])("hold for all allocations together: many small %s", async (_, value) => {
    const code = (length: number): string =>
      `const main = () => { const all = []; for (let i = 0; i < ${length}; i++) all.push(${value}); return 1; }`;
    const limits = { memoryBytes: 16 * 1024 * 1024, cpuMs: 60_000 };
    expect(await over(code(500), limits)).toEqual({ ended: "ok", value: 1 });
    expect(await over(code(1e9), limits)).toEqual({
      ended: "outOfMemory",
      message: "function needs more than 16 MB of memory",
    });
  });

  it("refuse an input that is too large to be handed over", async () => {
    const { outcome } = await run("const main = () => 1", { input: "x".repeat(16_000_000) });
    expect(outcome).toEqual({
      ended: "refused",
      message: "the function's input has 16000002 characters as JSON, 16000000 are allowed",
    });
  });

  it("let the log of before the end through", async () => {
    expect(
      (await run("const main = () => { console.log('a'); for (;;); }", { limits: { cpuMs: 100 } })).log,
    ).toEqual(["stdout a"]);
  });
});

describe("a fair queue", () => {
  it("gives every share its turn, in the order in which each asked", () => {
    const queue = createFairQueue<string>(10);
    for (const item of ["a1", "a2", "a3", "b1", "c1", "b2"]) queue.push(item.slice(0, 1), item);
    const taken = Array.from({ length: 6 }, () => queue.take());
    expect(taken).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
    expect(queue.take()).toBeUndefined();
  });

  it("is full when it is full, and has room again", () => {
    const queue = createFairQueue<string>(2);
    expect([queue.push("a", "1"), queue.push("b", "2"), queue.push("c", "3")]).toEqual([true, true, false]);
    expect([queue.remove("a", "1"), queue.remove("a", "1"), queue.push("c", "3"), queue.size()]).toEqual([
      true,
      false,
      true,
      2,
    ]);
  });
});
