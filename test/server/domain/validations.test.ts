import { describe, expect, it } from "vitest";
import { beginComputation, type Work } from "../../../server/domain/computation.ts";
import { settleCall } from "../../../server/domain/computed-results.ts";
import type { Json, JsonObject } from "../../../server/domain/json.ts";
import type { Settings } from "../../../server/domain/overlay.ts";
import { type PropDefinition, propTree } from "../../../server/domain/props.ts";
import { isJudged, validationInput } from "../../../server/domain/validations.ts";
import { validationFunction } from "../../../server/runs/validation.ts";

const text = '{"type":"string"}';
const whole = '{"type":"number","rules":[{"name":"integer"}]}';

const string = (name: string, validationFormat?: string): PropDefinition => ({
  name,
  kind: "string",
  ...(validationFormat === undefined ? {} : { validationFormat }),
});

const rootOf = (...domain: readonly PropDefinition[]) =>
  propTree(
    {
      schemaId: "schema",
      displayName: "Machine",
      category: "Compute",
      color: "#336699",
      description: null,
      link: null,
      isLocked: true,
      domain,
      secrets: [{ ...string("Login", text), secret: "Login" }],
      resourceValue: [string("arn", text)],
    },
    (path) => path,
  );

const root = rootOf(
  string("plain"),
  string("name", text),
  { name: "size", kind: "integer", validationFormat: whole },
  {
    name: "net",
    kind: "object",
    validationFormat: '{"type":"object"}',
    children: [string("cidr", text), string("a/b", text)],
  },
  { name: "list", kind: "array", entry: string("item", text) },
  { name: "tags", kind: "map", entry: { name: "tag", kind: "object", children: [string("v", text)] } },
);

const judged = (properties: JsonObject, settings: Settings = {}, there: readonly string[] = []) => {
  const input = validationInput({ root, properties, settings, shows: (id) => there.includes(id) });
  const formats = input["formats"] as string[];
  const values = input["values"] as { at: string; format: number; value?: Json }[];
  return {
    formats,
    values: Object.fromEntries(values.map(({ at, value }) => [at, value])),
    of: Object.fromEntries(values.map(({ at, format }) => [at, formats[format]])),
  };
};

describe("what is judged by validation formats", () => {
  it("is each value that has one, those that are not set among them, by pointer", () => {
    const { values } = judged({
      domain: {
        plain: "p",
        name: "n",
        net: { cidr: "c" },
        list: ["x", null],
        tags: { "a/b": { v: "1" }, c: {} },
      },
      secrets: { Login: "stand-in" },
      resource_value: {},
    });
    expect(values).toEqual({
      "/domain/name": "n",
      "/domain/size": undefined,
      "/domain/net": { cidr: "c" },
      "/domain/net/cidr": "c",
      "/domain/net/a~1b": undefined,
      "/domain/list/0": "x",
      "/domain/list/1": undefined,
      "/domain/tags/a~1b/v": "1",
      "/domain/tags/c/v": undefined,
      "/secrets/Login": "stand-in",
      "/resource_value/arn": undefined,
    });
  });

  it.each<[format: string, value: string, judged: Json]>([
    ['{"type":"object"}', '{"a":[1]}', { a: [1] }],
    ['{"type":"any"}', "5", 5],
    ['{"type":"object"}', "no JSON", "no JSON"],
    ['{"type":"string"}', '{"a":1}', '{"a":1}'],
    ["broken", '{"a":1}', { a: 1 }],
  ])(
    "is of a JSON property what its text says, unless the format is of texts: %s of %s",
    (format, value, is) => {
      const json = rootOf({ name: "policy", kind: "json", validationFormat: format });
      const properties = { domain: { policy: value } };
      const input = validationInput({ root: json, properties, settings: {}, shows: () => false });
      expect(input["values"]).toContainEqual({ at: "/domain/policy", format: 0, value: is });
    },
  );

  it("names each format once", () => {
    const { formats, of } = judged({ domain: { name: "n", list: ["x"] } });
    expect(formats).toEqual([text, whole, '{"type":"object"}']);
    expect([of["/domain/list/0"], of["/domain/size"]]).toEqual([text, whole]);
  });

  it.each<[what: string, settings: Settings, there: readonly string[], isJudged: boolean]>([
    ["what is subscribed to a component that is there", { "/domain/name": { s: ["c", "/x"] } }, ["c"], false],
    ["what lies in what is subscribed so", { "/domain": { s: ["c", "/x"] } }, ["c"], false],
    ["what is subscribed to one that is gone", { "/domain/name": { s: ["c", "/x"] } }, [], true],
    ["what is subscribed beside it", { "/domain/size": { s: ["c", "/x"] } }, ["c"], true],
    ["what begins with the same letters", { "/domain/nam": { s: ["c", "/x"] } }, ["c"], true],
    ["what is unset", { "/domain/name": { u: 1 } }, ["c"], true],
  ])("waits, while it has no value, for %s: %#", (_, settings, there, isJudged) => {
    expect(Object.hasOwn(judged({}, settings, there).values, "/domain/name")).toBe(isJudged);
    const set = judged({ domain: { name: "n" } }, settings, there);
    expect(set.values["/domain/name"]).toBe("n");
  });

  it("is nothing where a schema has no formats", () => {
    const bare = propTree(
      {
        schemaId: "s",
        displayName: "Bare",
        category: "",
        color: "#000000",
        description: null,
        link: null,
        isLocked: true,
        domain: [string("a"), { name: "list", kind: "array", entry: string("item") }],
        secrets: [],
        resourceValue: [],
      },
      (path) => path,
    );
    expect([isJudged(bare), isJudged(root), isJudged(rootOf())]).toEqual([false, true, true]);
    // A format where no value is judged is none.
    const domain = root.children.get("domain") ?? root;
    const elsewhere = { ...bare, children: new Map([...bare.children, ["secret_definition", domain]]) };
    expect(isJudged(elsewhere)).toBe(false);
  });
});

describe("the judgement of formats among a component's functions", () => {
  const work = (more: Partial<Work> = {}): Work => ({
    id: "self",
    root,
    settings: { "/domain/name": { v: "n" } },
    bindings: [],
    read: () => undefined,
    shows: () => false,
    functions: new Map(),
    builtIn: () => undefined,
    standIn: (id) => `stand-in of ${id}`,
    validation: validationFunction,
    ...more,
  });

  it("comes after what functions make of the values, and stands beside the qualifications", () => {
    const func = { ...validationFunction, id: "make", name: "make", kind: "Attribute" as const };
    const step = beginComputation(
      work({
        settings: { "/domain/plain": { v: "x" } },
        bindings: [
          {
            id: "binding",
            kind: "attribute",
            schemaId: "schema",
            variantId: "variant",
            funcId: "make",
            func,
            output: "/domain/name",
            arguments: [{ name: "plain", kind: "Any", path: "/domain/plain" }],
          },
        ],
      }),
    );
    const first = step(new Map());
    expect(first.calls.map((call) => call.func.name)).toEqual(["make"]);
    const second = step(new Map([["/domain/name", "made"]]));
    expect(second.calls.map((call) => [call.func.name, call.kind])).toEqual([
      ["si:validation", "qualification"],
    ]);
    expect(JSON.stringify(second.calls[0]?.input)).toContain('"made"');
    const [call] = second.calls;
    if (call === undefined) throw new Error("there is no call");
    const { value } = settleCall(call, { ok: true, value: { result: "failure", message: "no" } });
    const done = step(
      new Map<string, Json | undefined>([
        ["/domain/name", "made"],
        [call.place, value],
      ]),
    );
    expect(done.calls).toEqual([]);
    expect(done.vals["/qualification/si:validation"]).toEqual({ result: "failure", message: "no" });
  });

  it("is a failure with its reason when it cannot be made", () => {
    const [call] = beginComputation(work())(new Map()).calls;
    if (call === undefined) throw new Error("there is no call");
    expect(settleCall(call, { ok: false, message: "function timed out after 1 second" })).toMatchObject({
      state: "Failure",
      value: { result: "failure", message: "Function execution failed: function timed out after 1 second" },
    });
  });

  it("is not asked for without formats", () => {
    const { validation: _, ...without } = work();
    expect(beginComputation(without)(new Map()).calls).toEqual([]);
  });
});
