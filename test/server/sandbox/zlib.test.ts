import {
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  unzipSync,
} from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sandboxFixture } from "../../support/sandbox.ts";

const { run, value } = sandboxFixture();

const sentence = "the quick brown fox jumps over the lazy dog. ".repeat(40);
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Node's own. */
const node = { deflateRawSync, deflateSync, gunzipSync, gzipSync, inflateRawSync, inflateSync, unzipSync };

/** What compresses, with what undoes it. */
const pairs = [
  ["gzip", "gunzip"],
  ["deflate", "inflate"],
  ["deflateRaw", "inflateRaw"],
  ["gzip", "unzip"],
  ["deflate", "unzip"],
] as const;

describe("zlib inside functions", () => {
  it.each(pairs)(
    "compresses by %sSync what Node undoes by %sSync, and the other way round",
    async (to, from) => {
      const made = await value(
        `const main = ({ text, packed }) => [zlib.${to}Sync(text).toString("base64"), zlib.${from}Sync(Buffer.from(packed, "base64")).toString()]`,
        { input: { text: sentence, packed: base64(node[`${to}Sync`](sentence)) } },
      );
      const [packed, unpacked] = made as [string, string];
      expect(node[`${from}Sync`](Buffer.from(packed, "base64")).toString()).toBe(sentence);
      expect(unpacked).toBe(sentence);
    },
  );

  it("undoes whatever it made of any bytes, at every level and strategy", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5000 }),
        fc.integer({ min: -1, max: 9 }),
        fc.integer({ min: 0, max: 4 }),
        fc.constantFrom(...pairs),
        async (bytes, level, strategy, [to, from]) => {
          const made = await value(
            `const main = ({ bytes, options }) => { const packed = zlib.${to}Sync(Buffer.from(bytes, "base64"), options); return [packed.toString("base64"), zlib.${from}Sync(packed).toString("base64")]; }`,
            { input: { bytes: base64(bytes), options: { level, strategy } } },
          );
          const [packed, unpacked] = made as [string, string];
          expect(unpacked).toBe(base64(bytes));
          expect(base64(node[`${from}Sync`](Buffer.from(packed, "base64")))).toBe(base64(bytes));
        },
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    ["a Buffer", "Buffer.isBuffer(zlib.gzipSync('x')) && zlib.gzipSync('x') instanceof Buffer", true],
    ["nothing", "zlib.gunzipSync(zlib.gzipSync('')).length", 0],
    ["a typed array", "zlib.inflateSync(zlib.deflateSync(new Uint16Array([1, 2]))).length", 4],
    ["an ArrayBuffer", "zlib.inflateSync(zlib.deflateSync(new ArrayBuffer(3))).length", 3],
    [
      "the part of a view",
      "zlib.inflateSync(zlib.deflateSync(Buffer.from('abcdef').subarray(2, 4))).toString()",
      "cd",
    ],
    ["characters beyond ASCII", "zlib.gunzipSync(zlib.gzipSync('é€😀')).toString()", "é€😀"],
    [
      "several members of gzip",
      "zlib.gunzipSync(Buffer.concat([zlib.gzipSync('a'), zlib.gzipSync('b')])).toString()",
      "ab",
    ],
    [
      "a dictionary",
      "(() => { const dictionary = Buffer.from('quick brown fox'); return [zlib.inflateSync(zlib.deflateSync('brown fox', { dictionary }), { dictionary }).toString(), zlib.inflateRawSync(zlib.deflateRawSync('fox', { dictionary }), { dictionary }).toString()]; })()",
      ["brown fox", "fox"],
    ],
    [
      "what was cut off, when it is asked for so",
      "zlib.inflateSync(zlib.deflateSync('abc', { level: 0 }).subarray(0, -4), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString()",
      "abc",
    ],
    [
      "constants",
      "[zlib.constants.Z_BEST_COMPRESSION, zlib.constants.Z_SYNC_FLUSH, zlib.constants.Z_DATA_ERROR]",
      [9, 2, -3],
    ],
    [
      "its own level",
      "zlib.deflateSync('a'.repeat(100), { level: 0 }).length > zlib.deflateSync('a'.repeat(100)).length",
      true,
    ],
  ])("takes and gives %s", async (_, expression, expected) => {
    expect(await value(`const main = () => ${expression}`)).toEqual(expected);
  });

  it("gives Node's bytes", async () => {
    const packed = await value(
      `const main = (text) => zlib.deflateRawSync(text, { level: 9 }).toString("base64")`,
      {
        input: sentence,
      },
    );
    expect(packed).toBe(base64(node.deflateRawSync(sentence, { level: 9 })));
  });

  it.each([
    [
      "callback",
      "new Promise((done) => zlib.gzip('abc', (error, packed) => zlib.gunzip(packed, (e, text) => done([error, e, String(text)]))))",
      [null, null, "abc"],
    ],
    [
      "callback after options",
      "new Promise((done) => zlib.deflate('abc', { level: 0 }, (error, packed) => zlib.inflate(packed, (e, text) => done([error, e, String(text)]))))",
      [null, null, "abc"],
    ],
    [
      "promise, where nobody is called",
      "zlib.deflateRaw('abc').then((packed) => zlib.inflateRaw(packed)).then(String)",
      "abc",
    ],
    [
      "error, to who is called",
      "new Promise((done) => zlib.unzip('nonsense', (error, text) => done([error.code, text ?? null])))",
      ["Z_DATA_ERROR", null],
    ],
    ["rejection", "zlib.gunzip('nonsense').catch((error) => error.message)", "incorrect header check"],
  ])("answers later: %s", async (_, expression, expected) => {
    expect(await value(`const main = () => ${expression}`)).toEqual(expected);
  });

  it("ends the run by what a callback throws", async () => {
    const { outcome } = await run(
      "const main = () => new Promise(() => zlib.gzip('a', () => { throw new Error('mine'); }))",
    );
    expect(outcome).toMatchObject({ ended: "threw", message: "mine" });
  });

  it.each(["", "123456789", "é", "a".repeat(1000)])("knows the checksum of text %#", async (text) => {
    const sums = await value(
      "const main = (text) => [zlib.crc32(text), zlib.crc32(text, 7), zlib.crc32(Buffer.from(text))]",
      {
        input: text,
      },
    );
    const sum = crc32(text);
    expect(sums).toEqual([sum, crc32(text, 7), sum]);
  });

  it.each([
    ["gunzipSync('nonsense')", "incorrect header check", "Z_DATA_ERROR", -3],
    ["inflateSync(zlib.gzipSync('x'))", "incorrect header check", "Z_DATA_ERROR", -3],
    ["gunzipSync(zlib.gzipSync('hello').subarray(0, -9))", "unexpected end of file", "Z_BUF_ERROR", -5],
    ["inflateSync(Buffer.alloc(0))", "unexpected end of file", "Z_BUF_ERROR", -5],
    [
      "inflateSync(zlib.deflateSync('x', { dictionary: Buffer.from('y') }))",
      "Missing dictionary",
      "Z_NEED_DICT",
      2,
    ],
    [
      "inflateSync(zlib.deflateSync('x', { dictionary: Buffer.from('y') }), { dictionary: Buffer.from('z') })",
      "Bad dictionary",
      "Z_NEED_DICT",
      2,
    ],
    [
      "gunzipSync((() => { const packed = zlib.gzipSync('x'); packed[packed.length - 8] ^= 1; return packed; })())",
      "incorrect data check",
      "Z_DATA_ERROR",
      -3,
    ],
    [
      "gzipSync('x', { level: 10 })",
      expect.stringContaining('"options.level" is out of range'),
      "ERR_OUT_OF_RANGE",
      null,
    ],
    [
      "gzipSync('x', { windowBits: '9' })",
      expect.stringContaining("options.windowBits"),
      "ERR_OUT_OF_RANGE",
      null,
    ],
    ["gzipSync(5)", expect.stringContaining("found number"), "ERR_INVALID_ARG_TYPE", null],
    ["gzipSync()", expect.stringContaining("found undefined"), "ERR_INVALID_ARG_TYPE", null],
    [
      "gunzipSync(zlib.gzipSync('a'.repeat(1000)), { maxOutputLength: 999 })",
      "Cannot create a Buffer larger than 999 bytes",
      "ERR_BUFFER_TOO_LARGE",
      null,
    ],
  ])("says why not: %s", async (expression, message, code, errno) => {
    const said = await value(
      `const main = () => { try { return [zlib.${expression}]; } catch (error) { return [error.message, error.code, error.errno ?? null]; } }`,
    );
    expect(said).toEqual([message, code, errno]);
  });

  it.each([
    ["outOfMemory", { memoryBytes: 1024 * 1024, cpuMs: 60_000 }],
    ["timedOut", { cpuMs: 300 }],
  ] as const)("ends a bomb by a limit of the run and harms nobody after it: %s", async (ended, limits) => {
    const bomb = base64(node.gzipSync(Buffer.alloc(8 * 1024 * 1024)));
    const code = "const main = (bomb) => zlib.gunzipSync(Buffer.from(bomb, 'base64')).length";
    expect((await run(code, { input: bomb, limits })).outcome).toMatchObject({ ended });
    expect(await value("const main = () => zlib.gunzipSync(zlib.gzipSync('fine')).toString()")).toBe("fine");
  });

  it("ends what takes too long by the time of the run", async () => {
    const { outcome } = await run(
      "const main = () => { for (;;) zlib.deflateSync(Buffer.alloc(1_000_000, 'abcd'), { level: 9 }); }",
      { limits: { cpuMs: 300 } },
    );
    expect(outcome).toMatchObject({ ended: "timedOut" });
  });
});

/** Node has it from version 20.15 on. */
function crc32(text: string, value = 0): number {
  let sum = ~value;
  for (const byte of Buffer.from(text)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  }
  return ~sum >>> 0;
}
