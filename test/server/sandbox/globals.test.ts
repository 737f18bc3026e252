import { describe, expect, it } from "vitest";
import { sandboxFixture } from "../../support/sandbox.ts";

const { run, value } = sandboxFixture();

describe("the globals of functions", () => {
  it.each([
    ["_", "_.groupBy([1, 2, 3], (n) => (n % 2 ? 'odd' : 'even'))", { odd: [1, 3], even: [2] }],
    [
      "YAML",
      "[YAML.stringify({ a: [1, 'x'] }), YAML.parse('a:\\n  - b: 2')]",
      ["a:\n  - 1\n  - x\n", { a: [{ b: 2 }] }],
    ],
    ["toml", "toml.parse('[a]\\nb = 1')", { a: { b: 1 } }],
    [
      "jsonpatch",
      "jsonpatch.applyPatch({ a: 1 }, [{ op: 'replace', path: '/a', value: 2 }]).newDocument",
      { a: 2 },
    ],
    [
      "Joi",
      "Joi.object({ a: Joi.number().min(2) }).validate({ a: 1 }).error.message",
      '"a" must be greater than or equal to 2',
    ],
    [
      "Joi's descriptions",
      "Joi.string().min(3).required().describe()",
      { type: "string", flags: { presence: "required" }, rules: [{ name: "min", args: { limit: 3 } }] },
    ],
    [
      "Buffer",
      "[Buffer.from('hé').toString('base64'), Buffer.from('68c3a9', 'hex').toString(), Buffer.concat([Buffer.from('a'), Buffer.from('b')]).length]",
      ["aMOp", "hé", 2],
    ],
    [
      "atob and btoa",
      "[btoa('hello'), atob('aGVsbG8='), btoa(''), btoa('ab'), atob(btoa('\\xff\\x00'))]",
      ["aGVsbG8=", "hello", "", "YWI=", "\xff\0"].map((text) => text),
    ],
    ["TextEncoder", "[...new TextEncoder().encode('é€')]", [195, 169, 226, 130, 172]],
    ["TextDecoder", "new TextDecoder().decode(new Uint8Array([195, 169]))", "é"],
    [
      "URL",
      "(() => { const u = new URL('../b?x=1&y=a+b#h', 'https://u:p@h.example:8443/a/c'); u.searchParams.append('z', 'ü'); u.pathname = '/p q'; return [u.href, u.origin, u.searchParams.get('y'), URL.canParse('nope')]; })()",
      ["https://u:p@h.example:8443/p%20q?x=1&y=a+b&z=%C3%BC#h", "https://h.example:8443", "a b", false],
    ],
    ["URLSearchParams", "new URLSearchParams({ a: '1 2', b: '&' }).toString()", "a=1+2&b=%26"],
    [
      "crypto's digests",
      "[crypto.createHash('sha256').update('a').update('b').digest('hex').slice(0, 8), crypto.createHmac('sha1', 'k').update('x').digest('base64')]",
      ["fb8e20fc", "ywATH87GAqj8hEE6KnAVTYwGoNI="],
    ],
    [
      "crypto.subtle",
      "crypto.subtle.digest('SHA-256', new TextEncoder().encode('ab')).then((d) => new Uint8Array(d)[0])",
      0xfb,
    ],
    [
      "structuredClone",
      "(() => { const a = { d: new Date(0), m: new Map([[1, { x: 1 }]]) }; a.self = a; const b = structuredClone(a); return [b.self === b, b.d.getTime(), b.m.get(1).x, b.m !== a.m]; })()",
      [true, 0, 1, true],
    ],
    [
      "path",
      "[path.join('/a', '../b', 'c.txt'), path.basename('/x/y.tar.gz', '.gz'), path.extname('.x/a.b'), path.dirname('/a/b/'), path.relative('/a/b', '/a/c/d'), path.resolve('/a', './b', '..')]",
      ["/b/c.txt", "y.tar", ".b", "/a", "../c/d", "/a"],
    ],
    [
      "extLib",
      "extLib.removeEmpty({ a: '', b: { c: null, d: [] }, e: 0, f: [null, { g: '' }, 1], h: false })",
      { e: 0, f: [1], h: false },
    ],
    [
      "template",
      "[template.getComponentName({ properties: { si: { name: 'n' } } }), template.sourceOrValue({ properties: { domain: { a: 1 } }, sources: {} }, '/domain/a'), template.sourceOrValue({ sources: { '/domain/a': { component: 'c', path: '/p' } } }, '/domain/a')]",
      ["n", 1, { $source: { component: "c", path: "/p" } }],
    ],
    [
      "timers",
      "new Promise((done) => { const log = []; setTimeout((x) => { log.push(x); }, 5, 'b'); setTimeout(() => log.push('a'), 1); const gone = setTimeout(() => log.push('never'), 2); clearTimeout(gone); let n = 0; const every = setInterval(() => { if (++n === 3) { clearInterval(every); setTimeout(() => done([...log, n]), 10); } }, 1); })",
      ["a", "b", 3],
    ],
    [
      "process and Deno",
      "[process.env.HOME, Deno.env.get('HOME'), os.EOL, Object.keys(process.env)]",
      [null, null, "\n", []],
    ],
    [
      "requestStorage",
      "[requestStorage.getEnv('A'), requestStorage.getKeys(), requestStorage.rawStorage(), typeof requestStorage.setEnv]",
      [null, [], { env: {}, data: {} }, "undefined"],
    ],
    ["no builders", "typeof AssetBuilder", "undefined"],
    [
      "AbortController",
      "(() => { const c = new AbortController(); c.abort(); return [c.signal.aborted, c.signal.reason.name]; })()",
      [true, "AbortError"],
    ],
  ])("hold %s", async (_, expression, expected) => {
    if (expression.startsWith("[btoa"))
      expect(await value(`const main = () => ${expression}.map((t) => t.replace('\\0', '0'))`)).toEqual(
        (expected as string[]).map((t) => t.replace("\0", "0")),
      );
    else expect(await value(`const main = () => ${expression}`)).toEqual(expected);
  });

  it("hold a library however it is touched", async () => {
    expect(await value("const main = () => globalThis[String.fromCharCode(95)].sum([1, 2])")).toBe(3);
    expect(await value("const main = () => { const _ = { sum: () => 'own' }; return _.sum(); }")).toBe("own");
    expect(await value("const main = () => { globalThis.YAML = 1; return YAML; }")).toBe(1);
  });

  it.each([
    [
      "fs.readFileSync('/x')",
      "fs.readFileSync is not available to functions: they have no files; keep what is needed in the input or the result",
    ],
    [
      "process.exit()",
      "process.exit is not available to functions: they run apart from the host; environment variables come from authentication functions",
    ],
    [
      "Deno.run",
      "Deno.run is not available to functions: they run apart from the host; environment variables come from authentication functions",
    ],
    [
      "zlib.createGzip()",
      "zlib.createGzip is not available to functions: gzip, deflate, deflateRaw, gunzip, inflate, inflateRaw and unzip are, with Sync or with a callback, and crc32",
    ],
    [
      "new Intl.NumberFormat('de')",
      "Intl.NumberFormat is not available to functions: the engine knows no locales; toFixed, padStart, toISOString and comparisons of texts are there",
    ],
    [
      "os.hostname()",
      "os.hostname is not available to functions: they run apart from the host; environment variables come from authentication functions",
    ],
    [
      "require('aws-sdk')",
      'cannot import "aws-sdk": functions have no modules; _, YAML, toml, jsonpatch, Joi, Buffer, zlib, path and fetch are globals',
    ],
    [
      "template.checkUniqueNamePrefix('a', { x: { properties: { si: { name: 'ab' } } } })",
      'the name prefix "a" is used already, by the component "ab"',
    ],
    ["setTimeout('code', 1)", "a timer takes a function, not text"],
    [
      "crypto.createHash('nope').update('').digest()",
      'no digest "nope": md5, sha1, sha224, sha256, sha384, sha512',
    ],
  ])("say why not: %s", async (expression, message) => {
    expect((await run(`const main = () => { ${expression} }`)).outcome).toMatchObject({
      ended: "threw",
      message,
    });
  });

  it("give other random numbers in every run, evenly", async () => {
    const code = "const main = () => Array.from({ length: 2000 }, () => Math.random())";
    const [first, second] = [await value(code), await value(code)].map((list) => list as number[]);
    expect(first).not.toEqual(second);
    const mean = (first ?? []).reduce((sum, n) => sum + n, 0) / 2000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
    expect((first ?? []).every((n) => n >= 0 && n < 1)).toBe(true);
    expect(new Set(first).size).toBe(2000);
  });
});

describe("authentication functions", () => {
  const authentication = (code: string, argument = {}) => ({ code, handler: "main", argument });
  it("run first, in order, and hand on environment and items", async () => {
    const { outcome, log } = await run(
      "const main = () => [process.env.A, process.env.B, requestStorage.getItem('list'), requestStorage.getEnvKeys(), Deno.env.toObject()]",
      {
        before: [
          authentication(
            "async function main({ Name }) { await null; requestStorage.setEnv('A', Name.length); requestStorage.setItem('list', [1]); requestStorage.setEnv('C', 1); }",
            { Name: "some-name" },
          ),
          authentication(
            "export default () => { requestStorage.setEnv('B', requestStorage.getEnv('A') + '!'); requestStorage.deleteEnv('C'); }",
          ),
        ],
      },
    );
    expect(outcome).toEqual({ ended: "ok", value: ["9", "9!", [1], ["A", "B"], { A: "9", B: "9!" }] });
    expect(log).toEqual([
      "stdout Registering environment variable A",
      "stdout Setting list to requestStorage",
      "stdout Registering environment variable C",
      "stdout Registering environment variable B",
      "stdout Removing environment variable C",
    ]);
  });

  it("hand on nothing else: no global, no prototype", async () => {
    const leaving = authentication(
      "const main = (secret) => { globalThis.kept = secret; Object.prototype.kept = secret; }",
      { Token: "a-long-secret" },
    );
    expect(await value("const main = () => [typeof kept, typeof ({}).kept]", { before: [leaving] })).toEqual([
      "undefined",
      "undefined",
    ]);
  });

  it("that fail do not keep the function from running", async () => {
    const { outcome, log } = await run("const main = () => requestStorage.getEnv('A')", {
      before: [
        authentication(
          "const main = () => { requestStorage.setEnv('A', 'early'); throw new Error('no token'); }",
        ),
        authentication("const main = ("),
        authentication("const main = () => { let s = 'x'; for (;;) s += s + s.slice(1); }"),
      ],
    });
    expect(outcome).toEqual({ ended: "ok", value: "early" });
    expect(log).toContain("stderr authentication function main failed: no token");
    expect(log).toContain("stderr authentication function main could not be read: Unexpected end of file");
    expect(log).toContain("stderr authentication function main failed: it needs too much memory");
  });

  it("share the run's limits", async () => {
    const { outcome } = await run("const main = () => 1", {
      limits: { cpuMs: 100 },
      before: [authentication("const main = () => { for (;;); }")],
    });
    expect(outcome).toMatchObject({ ended: "timedOut" });
  });
});
