import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { beginComputation, type FunctionCall, type Work } from "../../../server/domain/computation.ts";
import { settleCall } from "../../../server/domain/computed-results.ts";
import { carriedOver, computeDriven, drivenBy } from "../../../server/domain/driven-values.ts";
import type { Binding, BoundArgument, StoredFunction } from "../../../server/domain/functions.ts";
import { transform } from "../../../server/domain/intrinsics.ts";
import type { Json, JsonObject } from "../../../server/domain/json.ts";
import type { Settings } from "../../../server/domain/overlay.ts";
import { type PropDefinition, propTree, type VariantDefinition } from "../../../server/domain/props.ts";
import { type Vals, valueAt } from "../../../server/domain/values.ts";

const text = (name: string, more: Partial<PropDefinition> = {}): PropDefinition => ({
  name,
  kind: "string",
  ...more,
});

const variant: VariantDefinition = {
  schemaId: "schema",
  displayName: "Machine",
  category: "Compute",
  color: "#336699",
  description: null,
  link: null,
  isLocked: true,
  domain: [
    text("a"),
    text("b"),
    text("c", { defaultValue: "default" }),
    text("d"),
    { name: "count", kind: "integer" },
    { name: "policy", kind: "json" },
    { name: "net", kind: "object", children: [text("cidr"), text("zone")] },
    { name: "list", kind: "array", entry: text("item") },
  ],
  secrets: [text("Credential", { secret: "Credential" })],
  resourceValue: [
    text("arn"),
    { name: "size", kind: "integer" },
    { name: "tags", kind: "map", entry: text("tag") },
  ],
};
const root = propTree(variant, (path) => path);

/** What a function of the test does, by its name. */
type Functions = Readonly<Record<string, (input: JsonObject) => Json>>;

const func = (name: string, more: Partial<StoredFunction> = {}): StoredFunction => ({
  id: `id of ${name}`,
  name,
  displayName: null,
  description: null,
  link: null,
  kind: "Attribute",
  handler: "main",
  code: "",
  isLocked: false,
  arguments: [],
  isTransformation: false,
  ...more,
});

let bound = 0;
const binding = (more: Partial<Binding> & Pick<Binding, "kind" | "func">): Binding => ({
  id: `binding ${bound++}`,
  schemaId: "schema",
  variantId: "variant",
  funcId: more.func.id,
  ...more,
});

const argument = (path: string): BoundArgument => ({ name: path.split("/").at(-1) ?? "", kind: "Any", path });
const attribute = (name: string, output: string, ...paths: string[]): Binding =>
  binding({ kind: "attribute", func: func(name), output, arguments: paths.map(argument) });

interface Given {
  readonly settings?: Settings;
  readonly bindings?: readonly Binding[];
  readonly does?: Functions;
  readonly others?: Readonly<Record<string, Vals>>;
}

/** Computes to the end; `rounds` are the names of what was called together. */
function computed({ settings = {}, bindings = [], does = {}, others = {} }: Given): {
  readonly vals: Vals;
  readonly rounds: readonly (readonly string[])[];
  readonly calls: readonly FunctionCall[];
} {
  const names = Object.keys(does);
  const work: Work = {
    id: "self",
    root,
    settings,
    bindings,
    read: (id, path) => {
      const vals = others[id];
      return vals && valueAt(root, vals, path);
    },
    shows: (id) => others[id] !== undefined,
    functions: new Map(names.map((name) => [`id of ${name}`, func(name)])),
    builtIn: (id) => (id.startsWith("si:") ? (input) => transform(id, input) : undefined),
    standIn: (secretId) => `stand-in of ${secretId}`,
  };
  const step = beginComputation(work);
  const results = new Map<string, Json | undefined>();
  const rounds: string[][] = [];
  const all: FunctionCall[] = [];
  for (;;) {
    const { vals, calls } = step(results);
    if (calls.length === 0) return { vals, rounds, calls: all };
    rounds.push(calls.map((call) => call.func.name));
    for (const call of calls) {
      all.push(call);
      expect(results.has(call.place)).toBe(false);
      results.set(call.place, settleCall(call, run(does, call)).value);
    }
  }
}

function run(does: Functions, { func: { name }, input }: FunctionCall) {
  try {
    return { ok: true, value: does[name]?.(input) } as const;
  } catch (error) {
    return { ok: false, message: String(error instanceof Error ? error.message : error) } as const;
  }
}

const upper = ({ a }: JsonObject): Json => String(a).toUpperCase();
const fails = (): Json => {
  throw new Error("no luck");
};
const a: Settings = { "/domain/a": { v: "x" } };
const B = attribute("makeB", "/domain/b", "/domain/a");

describe("an attribute function", () => {
  it("gets its arguments, null for what is unset, and fixed values", () => {
    const fixed: BoundArgument = { name: "fixed", kind: "Object", value: { deep: [1] } };
    const made = binding({
      kind: "attribute",
      func: func("f"),
      output: "/domain/b",
      arguments: [argument("/domain/a"), argument("/domain/d"), argument("/domain/c"), fixed],
    });
    const { calls } = computed({ settings: a, bindings: [made], does: { f: () => "y" } });
    expect(calls.map(({ input }) => input)).toEqual([
      { a: "x", d: null, c: "default", fixed: { deep: [1] } },
    ]);
  });
  it("fills its property and is named beside it", () => {
    const { vals } = computed({ settings: a, bindings: [B], does: { makeB: upper } });
    expect(vals["/domain/b"]).toBe("X");
    expect(drivenBy(vals, "/domain/b")).toBe("makeB");
    expect(drivenBy(vals, "/domain/a")).toBeUndefined();
  });
  it("that fails leaves its property unset, the default hidden by nothing", () => {
    const { vals } = computed({
      settings: a,
      bindings: [attribute("f", "/domain/c"), attribute("g", "/domain/b")],
      does: { f: fails, g: () => null },
    });
    expect(vals["/domain/c"]).toBe("default");
    expect(vals["/domain/b"]).toBeUndefined();
  });
  it("that returns what its property does not take fails with a sentence", () => {
    const { calls } = computed({
      bindings: [attribute("f", "/domain/count")],
      does: { f: () => "three" },
    });
    const [call] = calls;
    expect(call && settleCall(call, { ok: true, value: "three" })).toMatchObject({
      state: "Failure",
      failure:
        'Return type must be of kind integer, which the property "count" has, found the string "three".',
    });
  });
  it("fills containers: unknown members are left out, JSON becomes text", () => {
    const { vals } = computed({
      bindings: [
        attribute("net", "/domain/net"),
        attribute("list", "/domain/list"),
        attribute("policy", "/domain/policy"),
      ],
      does: {
        net: () => ({ cidr: "10/8", other: 1 }),
        list: () => ["p", 2, "q"],
        policy: () => ({ allow: [] }),
      },
    });
    expect(valueAt(root, vals, "/domain")).toEqual({
      c: "default",
      net: { cidr: "10/8" },
      list: ["p", null, "q"],
      policy: JSON.stringify({ allow: [] }, null, 2),
    });
    expect(valueAt(root, vals, "/domain/list/2")).toBe("q");
  });
  it.each([
    ["at it", { "/domain/net": { v: {} }, "/domain/net/cidr": { v: "own" } }],
    ["below it", { "/domain/net/cidr": { v: "own" } }],
    ["above it, unset", { "/domain": { u: 1 }, "/domain/net/cidr": { v: "own" } }],
  ] as const)("yields to what the component says itself, %s", (_, settings) => {
    const { vals, calls } = computed({
      settings,
      bindings: [attribute("net", "/domain/net")],
      does: { net: () => ({ cidr: "f" }) },
    });
    expect(valueAt(root, vals, "/domain/net/cidr")).toBe("own");
    expect(calls).toEqual([]);
  });
  it("fills the members that an object set as a whole does not name", () => {
    const settings: Settings = { "/domain/net": { v: {} }, "/domain/net/cidr": { v: "own" } };
    const { vals } = computed({
      settings,
      bindings: [attribute("zone", "/domain/net/zone")],
      does: { zone: () => "f" },
    });
    expect(valueAt(root, vals, "/domain/net")).toEqual({ cidr: "own", zone: "f" });
  });
  it("yields to an explicit unset, which hides default and function", () => {
    const { vals, calls } = computed({
      settings: { "/domain/c": { u: 1 } },
      bindings: [attribute("f", "/domain/c")],
      does: { f: () => "f" },
    });
    expect([vals["/domain/c"], calls]).toEqual([undefined, []]);
  });
});

describe("the order of functions", () => {
  const D = attribute("makeD", "/domain/d", "/domain/b");
  const generate = binding({ kind: "codegen", func: func("gen") });
  const check = binding({ kind: "qualification", func: func("check") });
  const does: Functions = {
    makeB: upper,
    makeD: ({ b }) => `${b}!`,
    gen: ({ domain }) => ({ format: "json", code: JSON.stringify(domain) }),
    check: ({ code, domain }) => ({
      result: "success",
      message: `${Object.keys(code ?? {})} ${JSON.stringify(domain)}`,
    }),
  };
  it("is that of what they read: attributes, code, qualifications", () => {
    const { vals, rounds } = computed({ settings: a, bindings: [check, generate, D, B], does });
    expect(rounds).toEqual([["makeB"], ["makeD"], ["gen"], ["check"]]);
    const domain = '{"a":"x","b":"X","c":"default","d":"X!"}';
    expect(valueAt(root, vals, "/code")).toEqual({ gen: { code: domain, format: "json" } });
    expect(valueAt(root, vals, "/qualification")).toEqual({
      check: { result: "success", message: `gen ${domain}` },
    });
  });
  it("leads through the component's subscriptions to itself", () => {
    const settings: Settings = { ...a, "/domain/d": { s: ["self", "/domain/b"] } };
    const C = attribute("makeC", "/domain/c", "/domain/d");
    const { vals, rounds } = computed({
      settings,
      bindings: [C, B],
      does: { ...does, makeC: ({ d }) => `${d}?` },
    });
    expect(rounds).toEqual([["makeB"], ["makeC"]]);
    expect([vals["/domain/d"], vals["/domain/c"]]).toEqual(["X", "X?"]);
  });
  it("stops at a circle: what is on it is unset, what is behind it goes on", () => {
    const { vals, rounds } = computed({
      settings: a,
      bindings: [
        attribute("one", "/domain/b", "/domain/d"),
        attribute("two", "/domain/d", "/domain/b"),
        attribute("behind", "/domain/c", "/domain/b"),
      ],
      does: { one: () => "1", two: () => "2", behind: ({ b }) => `b is ${b}` },
    });
    expect(rounds).toEqual([["behind"]]);
    expect([vals["/domain/b"], vals["/domain/d"], vals["/domain/c"]]).toEqual([
      undefined,
      undefined,
      "b is null",
    ]);
  });
  it("gives qualifications stand-ins for secrets, and the payload as it is", () => {
    const { calls } = computed({
      settings: {
        "/secrets/Credential": { s: ["other", "/secrets/Credential"] },
        "/resource/status": { v: "ok" },
        "/resource/payload": { v: '{"arn":"arn:1"}' },
        "/resource/last_synced": { v: "2026-01-01T00:00:00Z" },
      },
      others: { other: { "/secrets/Credential": "secret-id" } },
      bindings: [check],
      does,
    });
    expect(calls[0]?.input).toEqual({
      code: null,
      domain: { c: "default" },
      resource: { status: "ok", payload: { arn: "arn:1" }, last_synced: "2026-01-01T00:00:00Z" },
      secrets: { Credential: "stand-in of secret-id" },
    });
  });
  it("gives what a binding asks for only", () => {
    const { calls } = computed({
      settings: a,
      bindings: [binding({ kind: "codegen", func: func("gen"), inputs: ["si", "resource_value"] })],
      does,
    });
    expect(calls[0]?.input).toMatchObject({ resource_value: null });
    expect(Object.keys(calls[0]?.input ?? {})).toEqual(["si", "resource_value"]);
  });
});

describe("a function that fails", () => {
  it("leaves code that says null, and a qualification that has not passed", () => {
    const { vals } = computed({
      bindings: [
        binding({ kind: "codegen", func: func("gen") }),
        binding({ kind: "qualification", func: func("check") }),
      ],
      does: { gen: fails, check: fails },
    });
    expect(valueAt(root, vals, "/code")).toEqual({ gen: { format: "json", code: "null" } });
    expect(valueAt(root, vals, "/qualification")).toEqual({
      check: { result: "failure", message: "Function execution failed: no luck" },
    });
  });
});

describe("a subscription through a function", () => {
  const through = (f: string, source = "other"): Settings => ({
    "/domain/b": { s: [source, "/domain/a"], f },
  });
  const others = { other: { "/domain/a": "x" } };
  it("takes what the function makes of the value", () => {
    const { vals } = computed({
      settings: through("id of shout"),
      others,
      does: { shout: ({ input }) => `${input}!` },
    });
    expect(vals["/domain/b"]).toBe("x!");
  });
  it("calls it once for several attributes", () => {
    const settings: Settings = {
      ...through("id of shout"),
      "/domain/d": { s: ["other", "/domain/a"], f: "id of shout" },
    };
    const { vals, rounds } = computed({ settings, others, does: { shout: ({ input }) => `${input}!` } });
    expect([rounds, vals["/domain/d"]]).toEqual([[["shout"]], "x!"]);
  });
  it("gives the function null for a value that is unset, and calls none for a component that is gone", () => {
    const does: Functions = { shout: ({ input }) => `${input}` };
    expect(
      computed({ settings: through("id of shout"), others: { other: {} }, does }).vals["/domain/b"],
    ).toBe("null");
    expect(computed({ settings: through("id of shout"), does }).calls).toEqual([]);
  });
  it("waits for what it reads of its own component", () => {
    const settings: Settings = { ...a, "/domain/d": { s: ["self", "/domain/b"], f: "id of shout" } };
    const { vals, rounds } = computed({
      settings,
      bindings: [B],
      does: { makeB: upper, shout: ({ input }) => `${input}!` },
    });
    expect([rounds, vals["/domain/d"]]).toEqual([[["makeB"], ["shout"]], "X!"]);
  });
  it("is unset where the function is gone, or what it makes does not fit", () => {
    expect(computed({ settings: through("id of nothing"), others }).vals["/domain/b"]).toBeUndefined();
    expect(
      computed({ settings: through("id of three"), others, does: { three: () => 3 } }).vals["/domain/b"],
    ).toBeUndefined();
  });
  it("needs no call for the functions that every workspace has", () => {
    const settings: Settings = { "/domain/list": { s: ["other", "/domain/a"], f: "si:normalizeToArray" } };
    const { vals, calls } = computed({ settings, others });
    expect([vals["/domain/list"], calls]).toEqual([["x"], []]);
  });
});

describe("/resource_value", () => {
  const resource = (payload: Json): Settings => ({ "/resource/payload": { v: JSON.stringify(payload) } });
  it("takes the members of the payload that have its names and kinds", () => {
    const { vals } = computed({
      settings: resource({ arn: "arn:1", size: "big", tags: { a: "b", c: 1 }, other: true }),
    });
    expect(valueAt(root, vals, "/resource_value")).toEqual({ arn: "arn:1", tags: { a: "b", c: null } });
  });
  it.each([["text"], [["a"]], [null], [{}]])("stays empty for the payload %j", (payload) => {
    const { vals } = computed({ settings: resource(payload) });
    expect(valueAt(root, vals, "/resource_value")).toBeUndefined();
  });
  it("is there for functions that read it", () => {
    const { vals } = computed({
      settings: resource({ arn: "arn:1" }),
      bindings: [attribute("f", "/domain/b", "/resource_value/arn")],
      does: { f: ({ arn }) => `got ${arn}` },
    });
    expect(vals["/domain/b"]).toBe("got arn:1");
  });
});

describe("what functions made", () => {
  const key = fc.constantFrom("/domain/a", "/domain/b", "/domain/c", "/domain/d");
  const bindingsOf = (pairs: readonly (readonly [string, string])[]): Binding[] => {
    const byOutput = new Map(
      pairs.map(([output, input]) => [output, attribute(`to ${output}`, output, input)]),
    );
    return [...byOutput.values(), binding({ kind: "codegen", func: func("gen") })];
  };
  it("is taken over as it is while the settings stay the same", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, key)), fc.subarray(["/domain/a", "/domain/c"]), (pairs, set) => {
        const bindings = bindingsOf(pairs);
        const settings: Settings = Object.fromEntries(set.map((one) => [one, { v: one }]));
        const does: Functions = { gen: ({ domain }) => ({ format: "json", code: JSON.stringify(domain) }) };
        const all: Functions = Object.fromEntries(
          bindings.map(({ func: { name } }) => [name, does[name] ?? ((input) => JSON.stringify(input))]),
        );
        const { vals } = computed({ settings, bindings, does: all });
        const again = computeDriven({
          root,
          settings,
          id: "self",
          read: () => undefined,
          driven: carriedOver(vals),
        });
        expect(again).toEqual(vals);
      }),
    );
  });
  it("yields at once to what is set now", () => {
    const { vals } = computed({ settings: a, bindings: [B], does: { makeB: upper } });
    const settings: Settings = { ...a, "/domain/b": { v: "own" } };
    const now = computeDriven({
      root,
      settings,
      id: "self",
      read: () => undefined,
      driven: carriedOver(vals),
    });
    expect([now["/domain/b"], drivenBy(now, "/domain/b")]).toEqual(["own", undefined]);
  });
  it("is the same from what a run remembers as from what it returned", () => {
    const { calls } = computed({
      settings: a,
      bindings: [
        B,
        binding({ kind: "codegen", func: func("gen") }),
        binding({ kind: "qualification", func: func("check") }),
      ],
      does: {
        makeB: upper,
        gen: () => ({ format: "json", code: "{}" }),
        check: () => ({ result: "warning", message: "hm" }),
      },
    });
    const returned: readonly Json[] = [
      "x",
      { format: "f", code: "c", more: 1 },
      { result: "success" },
      null,
      3,
    ];
    for (const call of calls) {
      for (const value of returned) {
        const first = settleCall(call, { ok: true, value });
        const ended =
          first.state === "Success"
            ? ({ ok: true, value: first.result } as const)
            : ({ ok: false, message: first.failure ?? "" } as const);
        expect(settleCall(call, ended)).toEqual(first);
      }
    }
  });
});
