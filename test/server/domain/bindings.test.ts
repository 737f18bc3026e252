import { describe, expect, it } from "vitest";
import { functionCircle } from "../../../server/domain/binding-circles.ts";
import {
  type BoundVariant,
  bindingsFor,
  bindingsToDetach,
  levelFor,
  readActionKind,
} from "../../../server/domain/bindings.ts";
import { maximumCode } from "../../../server/domain/function-definitions.ts";
import { checkChangeable, unlockingFor } from "../../../server/domain/function-locks.ts";
import type { Binding, BindingDefinition, StoredFunction } from "../../../server/domain/functions.ts";
import { intrinsicNames, isTransforming, transform } from "../../../server/domain/intrinsics.ts";
import type { Json } from "../../../server/domain/json.ts";
import { maximumSource } from "../../../server/sandbox/limits.ts";
import { maximumCode as maximumInContract } from "../../../src/contract/functions.ts";

const variant: BoundVariant = {
  id: "V",
  displayName: "Bucket",
  isLocked: false,
  schema: { id: "S", name: "Bucket" },
};
const at = { id: "V", schemaId: "S" };

/** A binding `id` of a function of the same name, in the variant unless it says otherwise. */
const binding = (id: string, more: Partial<BindingDefinition> & { readonly name?: string }): Binding => {
  const { name = id, ...rest } = more;
  const func = { id: `f-${id}`, name, kind: "Action", isLocked: false } as StoredFunction;
  return { kind: "action", schemaId: "S", variantId: "V", funcId: func.id, ...rest, id, func };
};
const overlay = { variantId: null };
const forOne = { variantId: null, componentId: "C" };

describe("which bindings are at work in a component", () => {
  it.each<[what: string, bindings: readonly Binding[], kept: string]>([
    ["the variant's own", [binding("a", {}), binding("b", { variantId: "other" })], "a"],
    ["the schema's overlays", [binding("a", overlay), binding("b", { ...overlay, schemaId: "T" })], "a"],
    ["the component's own", [binding("a", forOne), binding("b", { ...forOne, componentId: "D" })], "a"],
    [
      "an overlay's Create instead of the variant's",
      [binding("a", { actionKind: "Create" }), binding("b", { ...overlay, actionKind: "Create" })],
      "b",
    ],
    [
      "the variant's Create beside an overlay's Update",
      [binding("a", { actionKind: "Create" }), binding("b", { ...overlay, actionKind: "Update" })],
      "a b",
    ],
    [
      "all Manual ones",
      [
        binding("a", { actionKind: "Manual", name: "x" }),
        binding("b", { ...overlay, actionKind: "Manual", name: "x" }),
      ],
      "a b",
    ],
    [
      "the newer of two overlays that two change sets made",
      [
        binding("a", { ...overlay, actionKind: "Create" }),
        binding("b", { ...overlay, actionKind: "Create" }),
      ],
      "b",
    ],
    [
      "an overlay's qualification instead of the variant's of its name, others stay",
      [
        binding("a", { kind: "qualification", name: "check" }),
        binding("b", { kind: "qualification", name: "other" }),
        binding("c", { ...overlay, kind: "qualification", name: "check" }),
        binding("d", { ...overlay, kind: "codegen", name: "check" }),
      ],
      "b c d",
    ],
    [
      "management functions of one name, which is then ambiguous",
      [
        binding("a", { kind: "management", name: "x" }),
        binding("b", { ...overlay, kind: "management", name: "x" }),
      ],
      "a b",
    ],
    [
      "authentication functions all together",
      [binding("a", { kind: "authentication" }), binding("b", { kind: "authentication" })],
      "a b",
    ],
    [
      "the component's attribute function, then the overlay's, then the variant's",
      [
        binding("a", { kind: "attribute", output: "/domain/x" }),
        binding("b", { ...overlay, kind: "attribute", output: "/domain/x" }),
        binding("c", { ...forOne, kind: "attribute", output: "/domain/x" }),
        binding("d", { kind: "attribute", output: "/domain/xy" }),
      ],
      "c d",
    ],
    [
      "no attribute function above or below the component's",
      [
        binding("a", { kind: "attribute", output: "/domain" }),
        binding("b", { kind: "attribute", output: "/domain/x/y" }),
        binding("c", { ...forOne, kind: "attribute", output: "/domain/x" }),
      ],
      "c",
    ],
  ])("%s", (_what, bindings, kept) => {
    const names = (list: readonly Binding[]): string => list.map(({ id }) => id).join(" ");
    expect(names(bindingsFor(bindings, at, "C"))).toBe(kept);
    expect(names(bindingsFor([...bindings].reverse(), at, "C"))).toBe(kept);
  });
  it("leaves out those of components where none is asked about", () => {
    const output = "/domain/x";
    const bindings = [
      binding("a", { kind: "attribute", output }),
      binding("b", { ...forOne, kind: "attribute", output }),
    ];
    expect(bindingsFor(bindings, at).map(({ id }) => id)).toEqual(["a"]);
  });
});

describe("where a function is bound", () => {
  const upstream = { ...variant, schema: { ...variant.schema, upstream: "hash" } };
  const locked = { ...variant, isLocked: true };
  it.each([
    ["to the unlocked variant", variant, { kind: "action", skipOverlay: false }, "variant"],
    ["to all variants of a catalogue's", upstream, { kind: "action", skipOverlay: false }, "schema"],
    [
      "to all of them though they are locked",
      { ...upstream, isLocked: true },
      { kind: "codegen", skipOverlay: false },
      "schema",
    ],
    ["to the variant where that is wanted", upstream, { kind: "action", skipOverlay: true }, "variant"],
    ["always to the variant", upstream, { kind: "authentication", skipOverlay: false }, "variant"],
    ["to the component", locked, { kind: "attribute", skipOverlay: false, componentId: "C" }, "component"],
  ] as const)("%s", (_what, one, wish, of) => {
    expect(levelFor(one, wish)).toMatchObject({ of });
  });
  it.each([
    ["a locked variant of no catalogue", locked, { kind: "action", skipOverlay: false }],
    [
      "a locked one that is to have it alone",
      { ...upstream, isLocked: true },
      { kind: "action", skipOverlay: true },
    ],
    [
      "a locked one of an authentication function",
      { ...upstream, isLocked: true },
      { kind: "authentication", skipOverlay: false },
    ],
  ] as const)("not to %s", (_what, one, wish) => {
    expect(() => levelFor(one, wish)).toThrow(/is locked: unlock the schema "Bucket"/);
  });
  it("finds what a request to detach is about, at every level", () => {
    const all = [
      binding("a", {}),
      binding("b", overlay),
      binding("c", forOne),
      binding("d", { variantId: "W" }),
    ];
    const same = all.map((one) => ({ ...one, funcId: "F" }));
    const found = bindingsToDetach(same, variant, { kind: "action", funcId: "F" });
    expect(found.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(() => bindingsToDetach(same, locked, { kind: "action", funcId: "F" })).toThrow(/is locked/);
    expect(bindingsToDetach(same.slice(1), locked, { kind: "action", funcId: "F" })).toHaveLength(2);
    expect(() => bindingsToDetach(same, variant, { kind: "codegen", funcId: "F" })).toThrow(/no codegen/);
  });
  it.each(["create", "CREATE", "Create"])("reads the kind %s", (text) => {
    expect(readActionKind(text)).toBe("Create");
  });
});

describe("circles of functions", () => {
  const attribute = (id: string, reads: readonly string[], output: string): Binding =>
    binding(id, {
      kind: "attribute",
      output,
      arguments: reads.map((path) => ({ name: path, kind: "Any", path })),
    });
  const flow = (reads: readonly string[], writes: string) => ({ name: "new", reads, writes });
  it.each([
    ["itself", [], flow(["/domain/a"], "/domain/a"), ["new", "new"]],
    ["a part of what it reads", [], flow(["/domain"], "/domain/a"), ["new", "new"]],
    ["what it is a part of", [], flow(["/domain/a/b"], "/domain/a"), ["new", "new"]],
    [
      "what another makes of it",
      [attribute("b", ["/domain/a"], "/domain/b")],
      flow(["/domain/b"], "/domain/a"),
      ["new", "b", "new"],
    ],
    [
      "the values of the resource it makes",
      [attribute("b", ["/resource_value/x"], "/domain/b")],
      flow(["/domain/b"], "/resource/payload"),
      ["new", "si:resourcePayloadToValue", "b", "new"],
    ],
    [
      "the code of its value",
      [binding("gen", { kind: "codegen" })],
      flow(["/code"], "/domain/a"),
      ["new", "gen", "new"],
    ],
    [
      "nothing of what it reads",
      [attribute("b", ["/domain/c"], "/domain/b")],
      flow(["/domain/b"], "/domain/a"),
      undefined,
    ],
    ["what only has its name's beginning", [], flow(["/domain/ab"], "/domain/a"), undefined],
    [
      "what a fixed value makes",
      [
        binding("b", {
          kind: "attribute",
          output: "/domain/b",
          arguments: [{ name: "x", kind: "Any", value: 1 }],
        }),
      ],
      flow(["/domain/b"], "/domain/a"),
      undefined,
    ],
  ] as const)("%s", (_what, others, added, circle) => {
    expect(functionCircle(others, added)).toEqual(circle);
  });
  it("ends where others have a circle of their own", () => {
    const others = [attribute("b", ["/domain/c"], "/domain/b"), attribute("c", ["/domain/b"], "/domain/c")];
    expect(functionCircle(others, flow(["/domain/a"], "/domain/b"))).toBeUndefined();
  });
});

describe("locked functions", () => {
  const func = (kind: string, isLocked = true) =>
    ({ id: "F", name: "check", kind, isLocked }) as unknown as StoredFunction;
  const own = binding("a", { kind: "qualification", name: "check" });
  it.each([
    ["unlocked", func("Qualification", false), [own]],
    ["only in an overlay", func("Qualification"), [{ ...own, ...overlay }]],
    ["only for a component", func("Attribute"), [{ ...own, ...forOne }]],
    ["bound to nothing", func("Attribute"), []],
    ["unlocked, of a schema", func("SchemaVariantDefinition", false), []],
  ] as const)("one that is %s can be changed", (_what, one, bindings) => {
    expect(() => checkChangeable(one, bindings)).not.toThrow();
  });
  it.each([
    ["bound to a variant", func("Qualification"), [own, { ...own, ...overlay }]],
    ["an authentication function", func("Authentication"), []],
    ["of a schema", func("SchemaVariantDefinition"), []],
    ["of every workspace", func("Intrinsic"), []],
  ] as const)("one that is %s cannot", (_what, one, bindings) => {
    expect(() => checkChangeable(one, bindings)).toThrow(/unlock|every workspace/);
  });
  it("is copied for the bindings of the variant alone", () => {
    const all = [own, { ...own, id: "b", variantId: "W" }];
    expect(unlockingFor(func("Qualification"), "V", { ofSchema: all, ofFunction: all })).toEqual({
      does: "copy",
      bindings: [own],
    });
  });
  it("is copied once", () => {
    const copy = { ...own, funcId: "G", func: func("Qualification", false) };
    const ofFunction = [{ ...own, variantId: "W" }];
    const bindings = { ofSchema: [copy, ...ofFunction], ofFunction };
    expect(unlockingFor(func("Qualification"), "V", bindings)).toEqual({ does: "nothing", funcId: "G" });
  });
});

describe("functions that every workspace has", () => {
  it.each<[name: string, input: Json, output: Json | undefined]>([
    ["si:identity", { a: 1 }, { a: 1 }],
    ["si:normalizeToArray", "x", ["x"]],
    ["si:normalizeToArray", ["x"], ["x"]],
    ["si:normalizeToArray", null, []],
    ["si:resourcePayloadToValue", { status: "ok", payload: { id: "i" } }, { id: "i" }],
    ["si:resourcePayloadToValue", { id: "i" }, { id: "i" }],
    ["si:setString", "x", undefined],
    ["toString", "x", undefined],
  ])("%s of %j is %j", (name, input, output) => {
    expect(transform(name, input)).toEqual(output);
  });
  it("stand between a subscription and its subscriber only where they take one value", () => {
    expect(intrinsicNames.filter(isTransforming)).toEqual([
      "si:identity",
      "si:normalizeToArray",
      "si:resourcePayloadToValue",
    ]);
  });
});

it("takes code as long as the sandbox does, and says so", () => {
  expect([maximumCode, maximumInContract]).toEqual([maximumSource, maximumSource]);
});
