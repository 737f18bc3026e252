import { describe, expect, test } from "vitest";
import { checkVariant } from "../../../server/domain/definitions.ts";
import { type PropDefinition, propTree } from "../../../server/domain/props.ts";
import { refusalOf, sampleVariant } from "./sample.ts";

const withDomain = (...domain: PropDefinition[]) => ({ ...sampleVariant, domain });
const nested = (depth: number): PropDefinition =>
  depth === 0
    ? { name: "end", kind: "string" }
    : { name: "in", kind: "object", children: [nested(depth - 1)] };

describe("what a schema declares", () => {
  test("may have properties of all kinds", () => {
    expect(checkVariant(sampleVariant)).toBe(sampleVariant);
  });

  const text: PropDefinition = { name: "a", kind: "string" };
  const rows: readonly [problem: RegExp, ...props: PropDefinition[]][] = [
    [/property \/domain\/a: expected each name once/, text, text],
    [/expected a name of 1 to 200/, { name: "", kind: "string" }],
    [/expected a name of 1 to 200/, { name: "x".repeat(201), kind: "string" }],
    [/reserved name __proto__/, { name: "__proto__", kind: "string" }],
    [/half of a surrogate pair/, { name: "\ud800", kind: "string" }],
    // A package from elsewhere may name a kind that does not exist.
    [/expected one of string, .*found number/, { name: "a", kind: "number" as PropDefinition["kind"] }],
    [/expected children in an object only/, { name: "a", kind: "string", children: [text] }],
    [/expected an entry in an array or a map only/, { name: "a", kind: "object", entry: text }],
    [/expected an entry: what the array holds/, { name: "a", kind: "array" }],
    [/expected an entry: what the map holds/, { name: "a", kind: "map" }],
    [
      /expected a default in a property that holds no others/,
      { name: "a", kind: "object", defaultValue: {} },
    ],
    [
      /expected a default of kind integer, found the number 1.5/,
      { name: "a", kind: "integer", defaultValue: 1.5 },
    ],
    [/expected a default of kind boolean/, { name: "a", kind: "boolean", defaultValue: "true" }],
    [/expected a default of kind string/, { name: "a", kind: "string", defaultValue: 1 }],
    [
      /property \/domain\/m\/a: expected each name once/,
      { name: "m", kind: "object", children: [text, text] },
    ],
    [
      /property \/domain\/l\/e: expected an entry/,
      { name: "l", kind: "array", entry: { name: "e", kind: "map" } },
    ],
    [/nested at most 32 deep/, nested(40)],
    [
      /at most 5000 properties/,
      ...Array.from({ length: 5001 }, (_, n): PropDefinition => ({ name: `p${n}`, kind: "string" })),
    ],
  ];
  test.each(rows)("is refused with %s", (problem, ...domain) => {
    const refusal = refusalOf(() => checkVariant(withDomain(...domain)));
    expect(refusal.error).toBe("invalidRequest");
    expect(refusal.message).toMatch(problem);
  });

  test("may have defaults of the kind of their property", () => {
    const fine: PropDefinition[] = [
      { name: "a", kind: "float", defaultValue: 1.5 },
      { name: "b", kind: "json", defaultValue: "{}" },
      { name: "c", kind: "boolean", defaultValue: true },
      { name: "d", kind: "integer", defaultValue: 3 },
    ];
    expect(checkVariant(withDomain(...fine)).domain).toEqual(fine);
  });
});

test("every component's tree has the same members around what its schema declares, with ids made of paths", () => {
  const root = propTree(sampleVariant, (path) => path);
  expect([...root.children.keys()]).toEqual([
    "si",
    "domain",
    "secrets",
    "resource",
    "resource_value",
    "code",
    "qualification",
    "deleted_at",
  ]);
  expect(root.children.get("code")?.entry?.children.get("format")?.id).toBe("root/code/codeItem/format");
  expect(propTree(sampleVariant, (path) => path)).toEqual(root);
});

test("no two properties have one id, whatever they are called", () => {
  const text = (name: string): PropDefinition => ({ name, kind: "string" });
  const domain: PropDefinition[] = [
    { name: "a", kind: "object", children: [text("b"), text("b/c")] },
    text("a/b"),
    { name: "a/b/c", kind: "object", children: [] },
    text("a~1b"),
  ];
  const ids: string[] = [];
  propTree({ ...sampleVariant, domain }, (path) => {
    ids.push(path);
    return path;
  });
  expect(new Set(ids).size).toBe(ids.length);
});

test("a secret that a schema defines needs a property that holds it, and fields that make sense", () => {
  const secretDefinition = { name: "Token", fields: [{ name: "value", kind: "string" } as const] };
  const holder: PropDefinition = { name: "Token", kind: "string", secret: "Token" };
  const defining = { ...sampleVariant, secretDefinition };
  expect(refusalOf(() => checkVariant(defining)).message).toMatch(
    /property \/secrets\/Token: expected a property for the secret/,
  );
  expect(checkVariant({ ...defining, secrets: [holder] }).secretDefinition).toBe(secretDefinition);
  const nameless = { name: "Token", fields: [{ name: "", kind: "string" } as const] };
  const broken = { ...sampleVariant, secrets: [holder], secretDefinition: nameless };
  expect(refusalOf(() => checkVariant(broken)).message).toMatch(/property \/secret_definition\//);
});
