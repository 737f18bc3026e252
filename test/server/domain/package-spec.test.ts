import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../server/domain/json.ts";
import { packageSpec } from "../../../server/domain/package-export.ts";
import { readPackage } from "../../../server/domain/package-spec.ts";
import type { Package } from "../../../server/domain/packages.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import { declared } from "./definition-arbitraries.ts";
import { minimalSpec, packageFunction, stamp, wholePackage, wholeSpec } from "./package-examples.ts";

const roundTrip = (pack: Package): Package =>
  readPackage(JSON.parse(JSON.stringify(packageSpec(pack, stamp))));

describe("a package", () => {
  it("is the same after it was written and read, with everything that one can have", () => {
    expect(roundTrip(wholePackage)).toEqual(wholePackage);
  });

  it("is the same after it was written and read, whatever it declares", () => {
    const packages = declared.map((one): Package => {
      const asset = packageFunction("scaffold", "SchemaVariantDefinition");
      const said = { displayName: "Any", color: "#112233", description: null, link: null };
      const variant = { ...said, assetFunc: asset.key, ...one, bindings: [] };
      return {
        name: "Any",
        category: "Any",
        description: null,
        functions: [asset],
        variants: [variant],
        defaultVariant: 0,
      };
    });
    fc.assert(
      fc.property(packages, (pack) => {
        expect(roundTrip(pack)).toEqual(pack);
      }),
    );
  });

  it("keeps the code of its functions to the letter", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const code = text.replaceAll("\0", "");
        const [asset] = wholePackage.functions;
        const functions = wholePackage.functions.map((func) => (func === asset ? { ...func, code } : func));
        expect(roundTrip({ ...wholePackage, functions }).functions[0]?.code).toBe(code);
      }),
      { numRuns: 40 },
    );
  });

  it("may be as small as the smallest document", () => {
    expect(readPackage(minimalSpec())).toEqual({
      name: "Demo",
      category: "Demo",
      description: null,
      functions: [
        {
          ...packageFunction("A1", "SchemaVariantDefinition"),
          name: "demoScaffold",
          code: "function main(){return new AssetBuilder().build()}",
        },
      ],
      variants: [
        {
          displayName: "Demo",
          color: "#00b0bc",
          description: null,
          link: null,
          assetFunc: "A1",
          domain: [{ name: "region", kind: "string" }],
          secrets: [],
          resourceValue: [],
          bindings: [],
        },
      ],
      defaultVariant: 0,
    });
  });
});

type Path = readonly (string | number)[];
const pathsOf = (value: Json, path: Path = []): Path[] =>
  typeof value !== "object" || value === null
    ? [path]
    : [path, ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]))];

/** The document with another value at a path, or without what is there. */
function changed(document: JsonObject, path: Path, value: Json | undefined): Json {
  const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
  const [last, ...above] = [...path].reverse();
  if (last === undefined) return value ?? null;
  // The way to it is known to be there.
  const step = (at: Record<string, unknown>, name: string | number) => at[name] as Record<string, unknown>;
  const holder = above.reverse().reduce(step, copy);
  if (value === undefined && Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (value === undefined) delete holder[last];
  else holder[last] = value;
  // Members were set to JSON.
  return copy as JsonObject;
}

const refusalOf = (document: Json): Refusal | undefined => {
  try {
    readPackage(document);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};

describe("whatever is wrong with a spec", () => {
  const whole = wholeSpec();
  const places = pathsOf(whole);
  const wrong: readonly (readonly [what: string, value: Json | undefined])[] = [
    ["nothing", undefined],
    ["null", null],
    ["a number", 7],
    ["a text", "x\u000by"],
    ["an empty text", ""],
    ["true", true],
    ["an array", [1, "a", null, {}]],
    ["an object", { kind: "object", name: "x" }],
  ];
  it.each(wrong)("it is a refusal with a place, also with %s anywhere", (_what, value) => {
    for (const path of places) {
      const refusal = refusalOf(changed(whole, path, value));
      if (refusal === undefined) continue;
      expect(["packageUnreadable", "packageInvalid"]).toContain(refusal.error);
      expect(refusal.message).toMatch(/^pkg_spec\S*: \S/);
    }
  });

  it("it is a refusal with a place, also where any two things are wrong", () => {
    const change = fc.tuple(fc.constantFrom(...places.slice(1)), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(change, fc.jsonValue(), ([path, value], other) => {
        const refusal = refusalOf(changed(whole, path, value as Json));
        if (refusal !== undefined) expect(refusal.message).toMatch(/^pkg_spec\S*: \S/);
        refusalOf(other as Json);
      }),
      { numRuns: 300 },
    );
  });
});

const variant = ["schemas", 0, "variants", 0] as const;
const inVariant = (...path: Path): Path => [...variant, ...path];
const entry = (more: JsonObject): JsonObject => ({ kind: "string", name: "x", data: { name: "x" }, ...more });
const deep = (levels: number): JsonObject =>
  levels === 0 ? entry({}) : { kind: "object", name: "x", data: { name: "x" }, entries: [deep(levels - 1)] };
const entries = inVariant("domain", "entries");

describe.each([
  ["packageUnreadable", [], [1], "pkg_spec: expected an object, found an array of 1"],
  ["packageUnreadable", ["kind"], "workspaceBackup", "pkg_spec.kind: expected module"],
  ["packageUnreadable", ["kind"], "zip", "pkg_spec.kind: expected one of module, workspaceBackup"],
  ["packageUnreadable", ["version"], undefined, "pkg_spec.version: expected a string, found nothing"],
  ["packageUnreadable", ["createdAt"], "yesterday", "pkg_spec.createdAt: expected a time"],
  [
    "packageUnreadable",
    ["schemas"],
    [],
    "pkg_spec.schemas: expected exactly one schema, found an array of 0",
  ],
  [
    "packageUnreadable",
    ["schemas", 1],
    {},
    "pkg_spec.schemas: expected exactly one schema, found an array of 2",
  ],
  ["packageUnreadable", ["schemas", 0, "variants"], [], "variants: expected at least one variant"],
  ["packageUnreadable", ["schemas", 0, "variants"], undefined, "variants: expected an array, found nothing"],
  ["packageUnreadable", ["schemas", 0, "data", "uiHidden"], "no", "data.uiHidden: expected true or false"],
  ["packageUnreadable", ["funcs", 0, "arguments"], undefined, "funcs[0].arguments: expected an array"],
  [
    "packageUnreadable",
    ["funcs", 8, "arguments", 0, "kind"],
    "text",
    "arguments[0].kind: expected one of any,",
  ],
  ["packageUnreadable", ["funcs", 1, "data", "link"], "here", "funcs[1].data.link: expected a URL"],
  ["packageUnreadable", ["funcs", 1, "data", "backendKind"], "python", "backendKind: expected one of array,"],
  [
    "packageUnreadable",
    inVariant("data", "componentType"),
    "box",
    "componentType: expected one of component,",
  ],
  ["packageUnreadable", inVariant("actionFuncs"), undefined, "actionFuncs: expected an array, found nothing"],
  [
    "packageUnreadable",
    inVariant("actionFuncs", 0, "kind"),
    "Create",
    "actionFuncs[0].kind: expected one of create,",
  ],
  [
    "packageUnreadable",
    inVariant("leafFunctions", 0, "inputs", 0),
    "moon",
    "inputs[0]: expected one of code,",
  ],
  ["packageUnreadable", inVariant("secrets"), undefined, "secrets: expected an object, found nothing"],
  ["packageUnreadable", [...entries, 0, "kind"], "integer", "entries[0].kind: expected one of array,"],
  ["packageUnreadable", [...entries, 7, "typeProp"], undefined, "entries[7].typeProp: expected an object"],
  ["packageUnreadable", [...entries, 0, "data", "docLink"], "x", "entries[0].data.docLink: expected a URL"],
  ["packageUnreadable", [...entries, 0, "data", "widgetKind"], "dial", "widgetKind: expected one of Array,"],
  [
    "packageUnreadable",
    [...entries, 0],
    deep(60),
    "pkg_spec: expected arrays and objects nested at most 100 deep",
  ],
  ["packageInvalid", [...entries, 0], deep(35), "nested at most 32 deep"],
  [
    "packageInvalid",
    ["description"],
    "x".repeat(100_001),
    "pkg_spec.description: expected at most 100000 characters",
  ],
  ["packageInvalid", ["funcs", 0, "data"], null, "funcs[0].data: expected what the function is"],
  [
    "packageInvalid",
    ["funcs", 0, "data", "name"],
    "other",
    "funcs[0].data.name: expected the name of pkg_spec.funcs[0]",
  ],
  ["packageInvalid", ["funcs", 0, "data", "codeBase64"], "%%%", "codeBase64: expected UTF-8 text in base64"],
  ["packageInvalid", ["funcs", 0, "data", "codeBase64"], "/w", "codeBase64: expected UTF-8 text in base64"],
  ["packageInvalid", ["funcs", 0, "data", "codeBase64"], "AAAA", "expected code, found a zero character"],
  [
    "packageInvalid",
    ["funcs", 0, "data", "handler"],
    "",
    "handler: expected the name of a function in the code",
  ],
  ["packageInvalid", ["funcs", 1, "uniqueId"], "touch", "uniqueId: expected each id once"],
  ["packageInvalid", ["schemas", 0, "data"], null, "schemas[0].data: expected what the schema is"],
  [
    "packageInvalid",
    ["schemas", 0, "data", "name"],
    "x",
    "data.name: expected the name of pkg_spec.schemas[0]",
  ],
  ["packageInvalid", ["schemas", 0, "data", "category"], " ", "category: expected 1 to 200 characters"],
  [
    "packageInvalid",
    ["schemas", 0, "data", "defaultSchemaVariant"],
    "v9",
    "expected the uniqueId of a variant",
  ],
  ["packageInvalid", inVariant("data"), null, "variants[0].data: expected what the variant is"],
  [
    "packageInvalid",
    inVariant("data", "funcUniqueId"),
    "nobody",
    'no function of the package has the uniqueId "nobody"',
  ],
  [
    "packageInvalid",
    inVariant("data", "funcUniqueId"),
    "make",
    "expected a function of kind SchemaVariantDefinition",
  ],
  [
    "packageInvalid",
    inVariant("actionFuncs", 0, "funcUniqueId"),
    "render",
    "expected a function of kind Action",
  ],
  [
    "packageInvalid",
    inVariant("actionFuncs", 1, "kind"),
    "create",
    "expected one action of kind Create, found two",
  ],
  ["packageInvalid", inVariant("authFuncs", 1), { funcUniqueId: "login" }, 'found "login" twice'],
  ["packageInvalid", inVariant("secretDefinition", "kind"), "map", "kind: expected object, found map"],
  ["packageInvalid", inVariant("secrets", "entries"), [], "secretDefinition: expected one entry of secrets"],
  ["packageInvalid", [...entries, 0, "data"], null, "entries[0].data: expected what the property is"],
  ["packageInvalid", [...entries, 0, "data", "name"], "x", "entries[0].data.name: expected the name"],
  [
    "packageInvalid",
    [...entries, 1],
    entry({ name: "Region", data: { name: "Region" } }),
    "expected each name once",
  ],
  ["packageInvalid", [...entries, 0, "data", "defaultValue"], 7, "expected a default of kind string"],
  [
    "packageInvalid",
    [...entries, 0, "data", "validationFormat"],
    "Joi",
    "expected the JSON text of a Joi description",
  ],
  [
    "packageInvalid",
    [...entries, 0, "data", "funcUniqueId"],
    "nobody",
    "entries[0].data.funcUniqueId: no function",
  ],
  [
    "packageInvalid",
    [...entries, 0, "data", "funcUniqueId"],
    "make",
    "expected a function of kind Attribute",
  ],
  [
    "packageInvalid",
    [...entries, 7, "typeProp", "data", "funcUniqueId"],
    "address",
    "inside of an array or a map",
  ],
  [
    "packageInvalid",
    [...entries, 1, "data", "inputs", 0, "prop_path"],
    "root\u000bdomain\u000bMoon",
    'found "root/domain/Moon"',
  ],
  [
    "packageInvalid",
    [...entries, 1, "data", "inputs", 0, "prop_path"],
    "root\u000bdomain\u000bNames\u000bName",
    "that a component has once",
  ],
  [
    "packageInvalid",
    [...entries, 1, "data", "inputs", 0, "prop_path"],
    "root\u000bdomain\u000bAgain",
    "in a circle",
  ],
  ["packageInvalid", [...entries, 1, "data", "inputs", 1, "name"], "region", "expected each argument once"],
  [
    "packageInvalid",
    [...entries, 1, "data", "inputs", 0],
    { kind: "inputSocket", name: "region", socket_name: "r" },
    "found a socket, which carries no values",
  ],
  [
    "packageInvalid",
    inVariant("secrets", "entries", 1, "data", "funcUniqueId"),
    "address",
    "secrets are given by components",
  ],
] as readonly (readonly [error: string, path: Path, value: Json | undefined, message: string])[])(
  "%s",
  (error, path, value, message) => {
    it(`at ${path.join(".") || "the root"}: ${message}`, () => {
      const refusal = refusalOf(changed(wholeSpec(), path, value));
      expect({ error: refusal?.error, message: refusal?.message }).toEqual({
        error,
        message: expect.stringContaining(message),
      });
    });
  },
);

describe("a spec is taken", () => {
  it.each([
    [
      "without functions that nothing names",
      ["funcs", 10],
      {
        ...(wholeSpec()["funcs"] as JsonObject[])[1],
        name: "spare",
        uniqueId: "spare",
        data: { ...((wholeSpec()["funcs"] as JsonObject[])[1]?.["data"] as JsonObject), name: "spare" },
      },
    ],
    [
      "without what is marked as deleted",
      inVariant("actionFuncs", 3),
      { funcUniqueId: "nobody", kind: "create", deleted: true },
    ],
    ["with members that nobody knows", ["more"], { any: "thing" }],
    ["with a widget that is the usual one", [...entries, 0, "data", "widgetKind"], "Text"],
    [
      "with root properties that functions feed",
      inVariant("rootPropFuncs"),
      [{ prop: "ResourceValue", funcUniqueId: "si:identity", inputs: [] }],
    ],
    ["with sockets", inVariant("sockets", 1), { name: "in", inputs: [], data: null }],
    ["with a base64 text that is padded", ["funcs", 0, "data", "codeBase64"], "AA==".replace("AA", "YQ")],
  ] as readonly (readonly [string, Path, Json])[])("%s", (what, path, value) => {
    const read = readPackage(changed(wholeSpec(), path, value));
    if (!what.includes("padded")) expect(read).toEqual(wholePackage);
  });

  it("with the last variant as default where it says none", () => {
    const spec = wholeSpec();
    const [schema] = spec["schemas"] as JsonObject[];
    const one = (schema?.["variants"] ?? []) as Json[];
    const both = [...one, ...one];
    const changedSpec = changed(spec, ["schemas", 0], {
      ...schema,
      variants: both,
      data: { ...(schema?.["data"] as JsonObject), defaultSchemaVariant: null },
    });
    expect(readPackage(changedSpec).defaultVariant).toBe(1);
  });
});
