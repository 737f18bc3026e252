import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { BoundVariant } from "../../../server/domain/bindings.ts";
import { type Binding, bindingKinds } from "../../../server/domain/functions.ts";
import { type BindingRequest, planBinding } from "../../../server/domain/plan-binding.ts";
import { findPropById } from "../../../server/domain/prop-ids.ts";
import { propTree } from "../../../server/domain/props.ts";
import { Refusal } from "../../../server/domain/refusal.ts";

/** Ids that tell their path. */
const idOf = (path: string): string => path.toUpperCase();
const props = propTree(
  {
    schemaId: "S",
    displayName: "Bucket",
    category: "Storage",
    color: "#112233",
    description: null,
    link: null,
    isLocked: false,
    domain: [
      { name: "region", kind: "string" },
      { name: "a/b~c", kind: "string" },
      { name: "tags", kind: "map", entry: { name: "tag", kind: "string" } },
      {
        name: "rules",
        kind: "array",
        entry: { name: "rule", kind: "object", children: [{ name: "port", kind: "integer" }] },
      },
      { name: "network", kind: "object", children: [{ name: "zone", kind: "string" }] },
    ],
    secrets: [],
    resourceValue: [{ name: "arn", kind: "string" }],
  },
  idOf,
);
const variant: BoundVariant & { readonly props: typeof props } = {
  id: "V",
  displayName: "Bucket",
  isLocked: false,
  schema: { id: "S", name: "Bucket" },
  props,
};
const attribute = (propId: string, argumentBindings: readonly object[] = []): BindingRequest => ({
  kind: "attribute",
  name: "compute",
  code: "",
  // The boundary of a test: what a request may hold, mistakes included.
  attribute: { propId, argumentBindings: argumentBindings as { name: string; kind: string }[] },
});

describe("the plan of a binding", () => {
  it.each([
    ["codegen", ["domain"]],
    ["qualification", ["domain", "code", "resource", "secrets"]],
  ] as const)("gives a %s what it is declared to be given", (kind, inputs) => {
    const { func, binding } = planBinding(variant, [], { kind, name: "one", code: "x" });
    expect(binding).toEqual({ kind, schemaId: "S", variantId: "V", inputs });
    expect(func.arguments).toEqual(inputs.map((name) => ({ name, kind: "Object" })));
    expect(func).toMatchObject({ handler: "main", isLocked: false, isTransformation: false, code: "x" });
  });
  it("keeps places as pointers, so that another tree of the schema has them too", () => {
    const argument = { name: "x", kind: "string", propId: idOf("root/domain/a~1b~0c") };
    const { binding, func } = planBinding(variant, [], attribute("root/domain/network/zone", [argument]));
    expect(binding).toMatchObject({
      output: "/domain/network/zone",
      arguments: [{ name: "x", kind: "String", path: "/domain/a~1b~0c" }],
    });
    expect(func).toMatchObject({ responseType: "Unset", arguments: [{ name: "x", kind: "String" }] });
  });
  it("finds properties inside arrays and maps, and what they stand in", () => {
    const found = (path: string) => {
      const { pointer, within } = findPropById(props, idOf(path)) ?? {};
      return [pointer, within];
    };
    expect(found("root/domain/rules/rule/port")).toEqual([undefined, "/domain/rules"]);
    expect(found("root/domain/tags/tag")).toEqual([undefined, "/domain/tags"]);
    expect(found("root")).toEqual(["", ""]);
    expect(found("root/domain/gone")).toEqual([undefined, undefined]);
  });
});

const word = fc.constantFrom(
  "",
  "x",
  "x",
  "__proto__",
  "constructor",
  "si:unset",
  "Array",
  "string",
  "root",
  "root/domain/region",
  "root/domain/network",
  "root/domain/network/zone",
  "root/domain/rules/rule",
  "root/code",
  "root/qualification",
  "root/resource_value/arn",
  "root/si/color",
);
const argument = fc.record(
  {
    name: word,
    kind: word,
    elementKind: fc.option(word),
    propId: fc.option(word),
    staticValue: fc.option(fc.jsonValue()),
  },
  { requiredKeys: ["name", "kind"] },
);
const request = fc
  .record({
    kind: fc.constantFrom(...bindingKinds),
    name: fc.oneof(word, fc.string()),
    code: fc.string(),
    actionKind: word,
    propId: word,
    argumentBindings: fc.array(argument, { maxLength: 4 }),
    skipOverlay: fc.boolean(),
  })
  .map(({ propId, argumentBindings, actionKind, ...rest }): BindingRequest => {
    if (rest.kind === "attribute") return { ...rest, attribute: { propId, argumentBindings } };
    return rest.kind === "action" ? { ...rest, actionKind } : rest;
  });

it("either plans or refuses whatever is asked, one after the other", () => {
  fc.assert(
    fc.property(fc.array(request, { maxLength: 8 }), fc.boolean(), (requests, upstream) => {
      const one = upstream ? { ...variant, schema: { ...variant.schema, upstream: "hash" } } : variant;
      const bindings: Binding[] = [];
      for (const [at, asked] of requests.entries()) {
        try {
          const { func, binding, replaced } = planBinding(one, bindings, asked);
          for (const gone of replaced) bindings.splice(bindings.indexOf(gone), 1);
          const id = String(at);
          bindings.push({ ...binding, id, funcId: id, func: { ...func, id } });
        } catch (reason) {
          expect(reason).toBeInstanceOf(Refusal);
          expect((reason as Refusal).message).toMatch(/\S/);
        }
      }
      const outputs = bindings.flatMap(({ output, variantId }) =>
        output === undefined ? [] : [`${variantId} ${output}`],
      );
      expect(new Set(outputs).size).toBe(outputs.length);
      const names = bindings.map(({ func, variantId }) => `${variantId} ${func.name}`);
      expect(new Set(names).size).toBe(names.length);
    }),
    { numRuns: 1_000 },
  );
});
