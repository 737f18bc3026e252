import { describe, expect, it } from "vitest";
import type { Json } from "../../../server/domain/json.ts";
import { validationFunction } from "../../../server/runs/validation.ts";
import { sandboxFixture } from "../../support/sandbox.ts";

const fixture = sandboxFixture();

interface Value {
  readonly at: string;
  readonly format: number;
  readonly value?: Json;
}

const judge = async (formats: readonly string[], values: readonly Value[]) =>
  fixture.value(validationFunction.code, {
    handler: validationFunction.handler,
    // Members without a value vanish on the way, as they do between the server and the engine.
    input: JSON.parse(JSON.stringify({ formats, values })),
  });

/** Formats as a definition writes them; judged is what Joi says of them, so the rows are expressions. */
const described = async (format: string): Promise<string> =>
  String(await fixture.value(`const main = () => JSON.stringify(${format}.describe())`));

/** What is said of a value, null where it keeps to the format. */
async function said(format: string, value: Json | undefined): Promise<string | null> {
  const found = (await judge(
    [await described(format)],
    [{ at: "/domain/x", format: 0, ...(value === undefined ? {} : { value }) }],
  )) as { result: string; message?: string };
  if (found.result === "success") return found.message ?? null;
  expect(found.result).toBe("failure");
  return String(found.message).replace("/domain/x: ", "");
}

const unset = undefined;

describe("values judged by their validation formats", () => {
  it.each<[format: string, value: Json | undefined, said: string | null]>([
    ["Joi.string()", "a", null],
    ["Joi.string()", unset, null],
    ["Joi.string()", "", '"value" is not allowed to be empty'],
    ["Joi.string().allow('')", "", null],
    ["Joi.string().required()", unset, '"value" is required'],
    ["Joi.string().forbidden()", "a", '"value" is not allowed'],
    ["Joi.string()", 5, '"value" must be a string'],
    ["Joi.string().min(3)", "ab", '"value" length must be at least 3 characters long'],
    ["Joi.string().max(1)", "ab", '"value" length must be less than or equal to 1 characters long'],
    ["Joi.string().length(3)", "ab", '"value" length must be 3 characters long'],
    ["Joi.string().pattern(/^a+$/i)", "AAA", null],
    [
      "Joi.string().pattern(/^a+$/i, 'letters')",
      "b",
      '"value" with value "b" fails to match the letters pattern',
    ],
    ["Joi.string().valid('a', 'b')", "c", '"value" must be one of [a, b]'],
    ["Joi.string().invalid('c')", "c", '"value" contains an invalid value'],
    ["Joi.string().ip({ version: ['ipv4'], cidr: 'required' })", "10.0.0.0/8", null],
    [
      "Joi.string().ip({ version: ['ipv4'], cidr: 'required' })",
      "10.0.0.0",
      '"value" must be a valid ip address of one of the following versions [ipv4] with a required CIDR',
    ],
    ["Joi.string().email()", "nobody", '"value" must be a valid email'],
    ["Joi.string().uri({ scheme: ['https'] })", "https://example.com/", null],
    ["Joi.string().guid()", "x", '"value" must be a valid GUID'],
    ["Joi.string().hostname()", "a.example", null],
    ["Joi.string().label('Name').min(2)", "a", '"Name" length must be at least 2 characters long'],
    ["Joi.string().min(2).messages({ 'string.min': 'too short' })", "a", "too short"],
    [
      "Joi.string().min(3).uppercase().strict()",
      "a",
      '"value" length must be at least 3 characters long. "value" must only contain uppercase characters',
    ],
    ["Joi.number()", 1.5, null],
    ["Joi.number()", "12", null],
    ["Joi.number()", "twelve", '"value" must be a number'],
    ["Joi.number().integer()", 1.5, '"value" must be an integer'],
    ["Joi.number().min(2)", 1, '"value" must be greater than or equal to 2'],
    ["Joi.number().max(2)", 3, '"value" must be less than or equal to 2'],
    ["Joi.number().greater(2)", 2, '"value" must be greater than 2'],
    ["Joi.number().less(2)", 2, '"value" must be less than 2'],
    ["Joi.number()", 2 ** 60, '"value" must be a safe number'],
    ["Joi.number().unsafe()", 2 ** 60, null],
    ["Joi.number().port()", 70_000, '"value" must be a valid port'],
    ["Joi.boolean()", true, null],
    ["Joi.boolean()", "false", null],
    ["Joi.boolean()", "maybe", '"value" must be a boolean'],
    ["Joi.array().min(2)", ["a"], '"value" must contain at least 2 items'],
    ["Joi.array().items(Joi.string()).unique()", ["a", "a"], '"[1]" contains a duplicate value'],
    ["Joi.object({ a: Joi.number().required() })", {}, '"a" is required'],
    ["Joi.object({ a: Joi.number() })", { b: 1 }, '"b" is not allowed'],
    [
      "Joi.object({ low: Joi.number().max(Joi.ref('high')), high: Joi.number() })",
      { low: 2, high: 1 },
      '"low" must be less than or equal to ref:high',
    ],
    ["Joi.alternatives().try(Joi.number(), Joi.boolean())", "x", '"value" must be one of [number, boolean]'],
    [
      "Joi.date().min('2020-01-01')",
      "2019-01-01",
      '"value" must be greater than or equal to "2020-01-01T00:00:00.000Z"',
    ],
    ["Joi.any()", { anything: [1] }, null],
  ])("%s of %j", async (format, value, expected) => {
    expect(await said(format, value)).toBe(expected);
  });

  it("tells every value that fails, by its pointer, and none of the others", async () => {
    const found = await judge(
      [await described("Joi.string().required()"), await described("Joi.number().min(1)")],
      [
        { at: "/domain/a", format: 0 },
        { at: "/domain/b", format: 0, value: "here" },
        { at: "/domain/list/1", format: 1, value: 0 },
      ],
    );
    expect(found).toEqual({
      result: "failure",
      message: '/domain/a: "value" is required\n/domain/list/1: "value" must be greater than or equal to 1',
    });
  });

  it("tells no more than fifty, and says how many there are", async () => {
    const values = Array.from({ length: 60 }, (_, at) => ({ at: `/domain/list/${at}`, format: 0, value: 1 }));
    const found = (await judge([await described("Joi.string()")], values)) as { message: string };
    expect(found.message.split("\n")).toHaveLength(51);
    expect(found.message).toMatch(/and 10 more$/);
  });

  it("cuts what is said of one value", async () => {
    const found = (await judge(
      [await described("Joi.string().pattern(/^b$/)")],
      [{ at: "/domain/a", format: 0, value: "a".repeat(100_000) }],
    )) as { message: string };
    expect(found.message.length).toBeLessThan(600);
  });

  it.each([
    ["{}", '"type" is required'],
    ['{"type":"nope"}', "not a function"],
    ['{"type":"string","rules":[{"name":"nope"}]}', "Invalid rule nope for type string"],
    ['{"type":"string","rules":[{"name":"custom","args":{}}]}', '"rules[0].args" must have at least 1 key'],
    ['{"type":"string","rules":[{"name":"pattern","args":{"regex":"/(/"}}]}', "expecting ')'"],
    ["not JSON", expect.stringContaining("unexpected")],
  ])("says of the broken format %s what is wrong with it, and judges the others", async (broken, why) => {
    const found = (await judge(
      [broken, await described("Joi.string().min(2)")],
      [
        { at: "/domain/a", format: 0, value: "x" },
        { at: "/domain/b", format: 1, value: "x" },
      ],
    )) as { result: string; message: string };
    const [first = "", second] = found.message.split("\n");
    expect([found.result, second]).toEqual([
      "failure",
      '/domain/b: "value" length must be at least 2 characters long',
    ]);
    const prefix = "/domain/a: its validation format cannot be used: ";
    expect(first.startsWith(prefix)).toBe(true);
    expect(first.slice(prefix.length)).toEqual(why);
  });

  it("ends with the run's limits where a format never comes to an end", async () => {
    const { outcome } = await fixture.run(validationFunction.code, {
      input: {
        formats: [await described("Joi.string().pattern(/^(a+)+$/)")],
        values: [{ at: "/domain/a", format: 0, value: `${"a".repeat(40)}!` }],
      },
      limits: { cpuMs: 300 },
    });
    expect(outcome).toMatchObject({ ended: "timedOut" });
    expect(await said("Joi.string()", "a")).toBeNull();
  });

  it("ends with a reason where a format nests without end", async () => {
    let format: Json = { type: "string" };
    for (let depth = 0; depth < 2000; depth++) format = { type: "array", items: [format] };
    const { outcome } = await fixture.run(validationFunction.code, {
      input: { formats: [JSON.stringify(format)], values: [{ at: "/domain/a", format: 0, value: "x" }] },
    });
    expect(["ok", "threw", "timedOut", "outOfMemory"]).toContain(outcome.ended);
    expect(await said("Joi.string()", "a")).toBeNull();
  });
});
