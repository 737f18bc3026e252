import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { definitionResult } from "../../../server/domain/definition-result.ts";
import {
  actionResult,
  attributeResult,
  codegenResult,
  debugResult,
  type Judged,
  qualificationResult,
  type Returned,
} from "../../../server/domain/function-results.ts";
import { managementResult } from "../../../server/domain/management-result.ts";

type Row = readonly [returned: Returned, expected: object | string | number | boolean | null];

/** A table of a kind: what is returned, then the result, or the sentence that refuses it. */
function table(
  kind: string,
  judge: (returned: Returned) => Judged<unknown>,
  accepted: readonly Row[],
  refused: readonly Row[],
) {
  describe(`the result of ${kind}`, () => {
    it.each(accepted.map(([returned, result]) => ({ returned, result })))(
      "may be $returned",
      ({ returned, result }) => {
        expect(judge(returned)).toEqual({ ok: true, result });
      },
    );
    it.each(refused.map(([returned, message]) => ({ returned, message })))(
      "may not be $returned: $message",
      ({ returned, message }) => {
        expect(judge(returned)).toEqual({ ok: false, message });
      },
    );
    it("is judged whatever it is", () => {
      fc.assert(
        fc.property(fc.option(fc.jsonValue(), { nil: undefined }), (value) => {
          expect(typeof judge(value as Returned).ok).toBe("boolean");
        }),
      );
    });
  });
}

const badStatus = 'The status field type must be either "ok", "warning" or "error"';
const needsMessage = 'The message field type must be string when status is either "warning" or "error"';
table(
  "an action",
  actionResult,
  [
    [{ status: "ok" }, { status: "ok", payload: null }],
    [
      { status: "ok", payload: null, message: null, resourceId: null },
      { status: "ok", payload: null },
    ],
    [
      { status: "ok", resourceId: "x-1", payload: { id: "x-1" } },
      { status: "ok", resourceId: "x-1", payload: { id: "x-1" } },
    ],
    [
      { status: "ok", payload: 0, other: 1 },
      { status: "ok", payload: 0 },
    ],
    [
      { status: "warning", message: "slow" },
      { status: "warning", payload: null, message: "slow" },
    ],
    [
      { status: "error", message: "", payload: [1] },
      { status: "error", payload: [1], message: "" },
    ],
  ],
  [
    [undefined, "Return type must not be null or undefined"],
    [null, "Return type must not be null or undefined"],
    ["ok", badStatus],
    [[], badStatus],
    [{}, badStatus],
    [{ status: "OK" }, badStatus],
    [{ status: null }, badStatus],
    [{ status: ["ok"] }, badStatus],
    [{ status: "ok", message: "fine" }, 'The message field type must be undefined when status is "ok"'],
    [{ status: "warning" }, needsMessage],
    [{ status: "error", message: 1 }, needsMessage],
    [{ status: "error", message: null }, needsMessage],
    [{ status: "ok", resourceId: 1 }, "The resourceId field type must be a string"],
  ],
);

const nothing = "Return type cannot be null or undefined";
table(
  "an attribute function or a transformation",
  (returned) => attributeResult(returned),
  [
    ["", ""],
    [0, 0],
    [false, false],
    [{ a: [1] }, { a: [1] }],
    [[], []],
  ],
  [
    [undefined, nothing],
    [null, nothing],
  ],
);

describe("the result of an attribute function with a declared type", () => {
  it.each([
    ["array", [1], {}, "Return type must be an array."],
    ["boolean", false, 0, "Return type must be a boolean."],
    ["float", 1.5, "1", "Return type must be a number."],
    ["integer", 3, 1.5, "Return type must be an integer."],
    ["map", { a: 1 }, [1], "Return type must be an object."],
    ["object", {}, "x", "Return type must be an object."],
    ["string", "x", 1, "Return type must be a string."],
  ] as const)("fits %s, or unsets it", (type, fits, wrong, message) => {
    expect(attributeResult(fits, type)).toEqual({ ok: true, result: fits });
    expect(attributeResult(wrong, type)).toEqual({ ok: false, message });
    expect(attributeResult(null, type)).toEqual({ ok: true, result: null });
    expect(attributeResult(undefined, type)).toEqual({ ok: true, result: null });
  });
  it("is anything for JSON", () => {
    expect(attributeResult([1], "json")).toEqual({ ok: true, result: [1] });
  });
});

const twoFields = "CodeGenerations must return an object with 'format' and 'code' fields";
table(
  "a codegen function",
  codegenResult,
  [
    [
      { format: "json", code: "{}", more: 1 },
      { format: "json", code: "{}" },
    ],
  ],
  [
    [undefined, twoFields],
    [null, twoFields],
    ["code", twoFields],
    [[], twoFields],
    [{ code: "" }, twoFields],
    [{ format: "json" }, twoFields],
    [{ format: 1, code: "" }, "The format field type must be a string"],
    [{ format: null, code: "" }, "The format field type must be a string"],
    [{ format: "yaml", code: {} }, "The code field type must be a string"],
  ],
);

const fourResults = 'The result field type must be either "success", "warning", "failure" or "unknown"';
table(
  "a qualification",
  qualificationResult,
  [
    [{ result: "success" }, { result: "success" }],
    [
      { result: "success", message: "fine" },
      { result: "success", message: "fine" },
    ],
    [
      { result: "warning", message: "old" },
      { result: "warning", message: "old" },
    ],
    [
      { result: "failure", message: "" },
      { result: "failure", message: "" },
    ],
    [
      { result: "unknown", message: "x" },
      { result: "unknown", message: "x" },
    ],
  ],
  [
    [undefined, "Return type must not be null or undefined"],
    [null, "Return type must not be null or undefined"],
    [true, fourResults],
    [{}, fourResults],
    [{ result: "ok" }, fourResults],
    [{ result: "failure" }, 'The message field type must be string when result is not "success"'],
    [{ result: "success", message: 1 }, "The message field type must be a string"],
  ],
);

const noOps = {
  create: {},
  update: {},
  delete: [],
  erase: [],
  remove: {},
  actions: {},
  views: { create: [], remove: [] },
};
const needsStatus = "Management functions must return an object with a status field";
table(
  "a management function",
  managementResult,
  [
    [{ status: "ok" }, { status: "ok", ops: noOps }],
    [
      { status: "error", message: "no quota" },
      { status: "error", message: "no quota", ops: noOps },
    ],
    [
      { status: "ok", ops: { connect: 1, parent: [] } },
      { status: "ok", ops: noOps },
    ],
    [
      {
        status: "ok",
        ops: {
          create: {
            a: { kind: "Bucket", attributes: { "/domain/region": "eu" }, geometry: { x: 1, y: 2 } },
            b: {},
          },
          update: {
            self: { properties: { domain: { x: null } }, geometry: { DEFAULT: { x: 1, y: 2, width: 3 } } },
          },
          delete: ["c"],
          erase: ["d"],
          remove: { DEFAULT: ["e"] },
          actions: { a: { add: ["create"] }, self: { remove: ["refresh"] } },
          views: { create: ["new"] },
        },
      },
      {
        status: "ok",
        ops: {
          create: {
            a: { kind: "Bucket", attributes: { "/domain/region": "eu" }, geometry: { x: 1, y: 2 } },
            b: {},
          },
          update: {
            self: {
              properties: { domain: { x: null } },
              geometry: { byView: { DEFAULT: { x: 1, y: 2, width: 3 } } },
            },
          },
          delete: ["c"],
          erase: ["d"],
          remove: { DEFAULT: ["e"] },
          actions: { a: { add: ["create"], remove: [] }, self: { add: [], remove: ["refresh"] } },
          views: { create: ["new"], remove: [] },
        },
      },
    ],
  ],
  [
    [undefined, needsStatus],
    [null, needsStatus],
    ["ok", needsStatus],
    [{}, needsStatus],
    [{ status: null }, needsStatus],
    [{ status: "warning" }, 'Management functions must return a status of either "ok" or "error"'],
    [{ status: "ok", message: 1 }, "The message field type must be a string"],
    [{ status: "ok", ops: [] }, "expected an object in ops, found an array"],
    [{ status: "ok", ops: { create: [] } }, "expected an object in ops.create, found an array"],
    [{ status: "ok", ops: { create: { a: null } } }, "expected an object in ops.create.a, found null"],
    [
      { status: "ok", ops: { create: { a: { kind: 1 } } } },
      "expected a schema name in ops.create.a.kind, found a number",
    ],
    [
      { status: "ok", ops: { update: { a: { properties: "x" } } } },
      "expected an object in ops.update.a.properties, found a string",
    ],
    [
      { status: "ok", ops: { create: { a: { geometry: { x: "1" } } } } },
      "expected a number in ops.create.a.geometry.x, found a string",
    ],
    [{ status: "ok", ops: { delete: "c" } }, "expected an array of strings in ops.delete, found a string"],
    [{ status: "ok", ops: { erase: ["c", 1] } }, "expected a string in ops.erase[1], found a number"],
    [
      { status: "ok", ops: { remove: { DEFAULT: "e" } } },
      "expected an array of strings in ops.remove.DEFAULT, found a string",
    ],
    [
      { status: "ok", ops: { actions: { a: ["create"] } } },
      "expected an object in ops.actions.a, found an array",
    ],
    [
      { status: "ok", ops: { actions: { a: { add: "create" } } } },
      "expected an array of strings in ops.actions.a.add, found a string",
    ],
    [{ status: "ok", ops: { views: ["a"] } }, "expected an object in ops.views, found an array"],
  ],
);

table(
  "a debug function",
  debugResult,
  [
    [null, null],
    [0, 0],
    [{ a: 1 }, { a: 1 }],
  ],
  [[undefined, "No output received from function run: return a value, or null"]],
);

const noLists = {
  props: [],
  secretProps: [],
  resourceProps: [],
  inputSockets: [],
  outputSockets: [],
  siPropValueFroms: [],
};
const region = { name: "region", kind: "string" };
table(
  "the code of a schema",
  definitionResult,
  [
    [{}, noLists],
    [
      { props: [region], docLinks: { a: "b" } },
      { ...noLists, props: [region] },
    ],
    [
      { props: [{ name: "tags", kind: "map", entry: region }] },
      { ...noLists, props: [{ name: "tags", kind: "map", entry: region }] },
    ],
    [
      { secretDefinition: [region], outputSockets: [{ name: "x" }] },
      { ...noLists, secretDefinition: [region], outputSockets: [{ name: "x" }] },
    ],
  ],
  [
    [undefined, "definition cannot be undefined or null"],
    [null, "definition cannot be undefined or null"],
    ["x", "definition must be what AssetBuilder.build() returns"],
    [[], "definition must be what AssetBuilder.build() returns"],
    [{ prop: [] }, 'definition has the unknown member "prop": return what AssetBuilder.build() gives'],
    [{ props: {} }, "expected an array in props, found an object"],
    [{ props: ["x"] }, 'expected what PropBuilder.build() returns in props[0], found the string "x"'],
    [{ props: [{ kind: "string" }] }, "the property props[0] has no name: call setName"],
    [{ props: [{ name: "a" }] }, 'the property props[0] ("a") has no kind: call setKind'],
    [
      { props: [{ name: "a", kind: "text" }] },
      'the property props[0] ("a") is of the unknown kind the string "text": expected one of array, boolean, float, integer, json, map, object, string',
    ],
    [
      { props: [{ name: "a", kind: "map" }] },
      'the property props[0] ("a") of kind map does not say what it holds: call setEntry',
    ],
    [
      { props: [{ name: "a", kind: "array", entry: { name: "b" } }] },
      'the property props[0].entry ("b") has no kind: call setKind',
    ],
    [
      { props: [{ name: "a", kind: "object", children: [{}] }] },
      "the property props[0].children[0] has no name: call setName",
    ],
    [
      { props: [{ ...region, docLink: "x" }] },
      'the property props[0] ("region") has a docLink that is not a URL: the string "x"',
    ],
    [
      { props: [{ ...region, hidden: 1 }] },
      'the property props[0] ("region") has a hidden that is no boolean: the number 1',
    ],
    [
      { inputSockets: [1] },
      "expected what a builder's build() returns in inputSockets[0], found the number 1",
    ],
  ],
);
