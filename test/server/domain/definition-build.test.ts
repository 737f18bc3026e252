import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildDefinition } from "../../../server/domain/definition-build.ts";
import { definitionCode } from "../../../server/domain/definition-code.ts";
import { definitionResult } from "../../../server/domain/definition-result.ts";
import type { Json } from "../../../server/domain/json.ts";
import type { VariantDefinition } from "../../../server/domain/props.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import { sampleSchemas } from "../../../server/sample/schemas.ts";
import { sandboxFixture } from "../../support/sandbox.ts";
import { testSchemas } from "../../support/schemas.ts";
import { type Declared, declared } from "./definition-arbitraries.ts";

const { value } = sandboxFixture();
const run = (code: string): Promise<Json | undefined> => value(code, { defines: true });

async function built(code: string) {
  const judged = definitionResult(await run(code));
  if (!judged.ok) throw new Error(judged.message);
  return buildDefinition(judged.result);
}

const asset = (calls: string): string =>
  `function main() { const asset = new AssetBuilder(); ${calls}; return asset.build(); }`;
const prop = (calls: string): string => `asset.addProp(new PropBuilder()${calls}.build())`;

describe("code of a definition", () => {
  it("returns the definition again, whatever it declares", async () => {
    await fc.assert(
      fc.asyncProperty(declared, async (definition: Declared) => {
        expect(await built(definitionCode(definition))).toEqual({ ...definition, copies: [] });
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it.each([...testSchemas, ...sampleSchemas])("returns what $name declares", async (schema) => {
    const { domain, secrets = [], resourceValue = [], secretDefinition } = schema;
    const variant = {
      domain,
      secrets,
      resourceValue,
      ...(secretDefinition === undefined ? {} : { secretDefinition }),
    };
    const once = await built(definitionCode(variant));
    expect(await built(definitionCode(once))).toEqual(once);
    expect(names(once)).toEqual(names(variant));
  });
});

const names = (variant: Pick<VariantDefinition, "domain" | "secrets" | "resourceValue">): unknown => [
  variant.domain.map(({ name, kind, defaultValue }) => [name, kind, defaultValue]),
  variant.secrets.map(({ name, secret }) => [name, secret]),
  variant.resourceValue.map(({ name, kind }) => [name, kind]),
];

describe("a definition", () => {
  it("leaves out what is so anyway", async () => {
    const code = asset(`
      ${prop('.setName("a").setKind("string").setWidget(new PropWidgetDefinitionBuilder().setKind("text").build())')};
      ${prop('.setName("b").setKind("map").setEntry(new PropBuilder().setName("x").setKind("json").setDefaultValue({ a: 1 }).build()).setDefaultValue({})')};
      ${prop('.setName("c").setKind("integer").setHidden(false).setWidget(new PropWidgetDefinitionBuilder().setCreateOnly().build())')}`);
    expect((await built(code)).domain).toEqual([
      { name: "a", kind: "string" },
      { name: "b", kind: "map", entry: { name: "x", kind: "json", defaultValue: '{"a":1}' } },
      { name: "c", kind: "integer", createOnly: true },
    ]);
  });

  it("keeps what Joi says of a value, and where it is best read from", async () => {
    const code = asset(
      prop(
        '.setName("zone").setKind("string").setValidationFormat(Joi.string().required().min(2)).suggestSource({ schema: "VPC", prop: "/domain/Zone" })',
      ),
    );
    const [zone] = (await built(code)).domain;
    expect(zone).toMatchObject({ suggestSources: [{ schema: "VPC", prop: "/domain/Zone" }] });
    expect(JSON.parse(zone?.validationFormat ?? "")).toMatchObject({
      type: "string",
      flags: { presence: "required" },
    });
  });

  it("defines a secret under the name that it was given", async () => {
    const code = asset(`
      asset.addSecretProp(new SecretPropBuilder().setName("Other").setSecretKind("Other").skipInputSocket().build());
      asset.defineSecret(new SecretDefinitionBuilder().setName("Key").addProp(new PropBuilder().setName("Token").setKind("string").setWidget(new PropWidgetDefinitionBuilder().setKind("password").build()).build()).build())`);
    expect(await built(code)).toMatchObject({
      secretDefinition: {
        name: "Key",
        fields: [{ name: "Token", kind: "string", widget: { kind: "password" } }],
      },
      secrets: [
        { name: "Other", kind: "string", secret: "Other" },
        { name: "Key", kind: "string", secret: "Key" },
      ],
    });
  });

  it("copies values of its own properties, and forgets sockets", async () => {
    const from = (path: string) =>
      `.setValueFrom(new ValueFromBuilder().setKind("prop").setPropPath(${path}).build())`;
    const code = asset(`
      ${prop('.setName("a").setKind("string")')};
      ${prop(`.setName("b").setKind("string")${from('["root", "domain", "a"]')}`)};
      ${prop('.setName("c").setKind("string").setValueFrom(new ValueFromBuilder().setKind("inputSocket").setSocketName("x").build())')};
      asset.addInputSocket(new SocketDefinitionBuilder().setName("x").build());
      asset.addSiPropValueFrom(new SiPropValueFromDefinitionBuilder().setKind("color").setValueFrom(new ValueFromBuilder().setKind("prop").setPropPath(["root", "domain", "b"]).build()).build())`);
    expect((await built(code)).copies).toEqual([
      { from: "/domain/a", output: "/domain/b" },
      { from: "/domain/b", output: "/si/color" },
    ]);
  });

  const copying = (name: string, path: string): string =>
    prop(
      `.setName("${name}").setKind("string").setValueFrom(new ValueFromBuilder().setKind("prop").setPropPath(["root", "domain", "${path}"]).build())`,
    );
  const widget = (of: string): string => `.setWidget({ ${of} })`;

  it.each([
    ["nothing", "function main() {}", "definition cannot be undefined or null"],
    ["a text", 'function main() { return "x"; }', "definition must be what AssetBuilder.build() returns"],
    ["a list for properties", "function main() { return { props: {} }; }", "expected an array in props"],
    ["an unknown member", "function main() { return { domain: [] }; }", 'unknown member "domain"'],
    [
      "a name twice",
      asset(`${prop('.setName("a").setKind("string")')}; ${prop('.setName("a").setKind("string")')}`),
      "property /domain/a: expected each name once, found it twice",
    ],
    [
      "a default of another kind",
      asset(prop('.setName("a").setKind("integer").setDefaultValue("x")')),
      'property /domain/a: expected a default of kind integer, found the string "x"',
    ],
    [
      "a default of a list",
      asset(
        prop(
          '.setName("a").setKind("array").setEntry(new PropBuilder().setName("x").setKind("string").build()).setDefaultValue([1])',
        ),
      ),
      "property /domain/a: expected a default in a property that holds no others",
    ],
    [
      "a reserved name",
      asset(prop('.setName("__proto__").setKind("string")')),
      "expected a name, found the reserved name __proto__",
    ],
    [
      "validation that is no JSON",
      asset(prop('.setName("a").setKind("string").setValidationFormat("Joi.string()")')),
      "property /domain/a: expected a validation format as JSON text of a Joi description, found text that is not JSON",
    ],
    [
      "a widget of no kind",
      asset(prop(`.setName("a").setKind("string")${widget('kind: "slider"')}`)),
      "property /domain/a: expected a widget of one of the kinds array, checkbox",
    ],
    [
      "widget options of another shape",
      asset(prop(`.setName("a").setKind("string")${widget('options: ["x"]')}`)),
      "property /domain/a: expected {label, value} in the widget's options",
    ],
    [
      "a secret among the others",
      asset('asset.addProp(new SecretPropBuilder().setName("a").setSecretKind("K").build())'),
      "property /domain/a: is a secret: add it with AssetBuilder.addSecretProp",
    ],
    [
      "a suggestion without names",
      asset(prop('.setName("a").setKind("string").suggestSource({ schema: "VPC" })')),
      "property /domain/a: expected {schema, prop} with the names of both in suggestSources",
    ],
    [
      "a source that is not there",
      asset(copying("a", "nowhere")),
      "property /domain/a: takes its value from /domain/nowhere, which the schema does not have",
    ],
    [
      "a circle",
      asset(`${copying("a", "b")}; ${copying("b", "a")}`),
      "in a circle: /domain/a → /domain/b → /domain/a",
    ],
  ])("is refused with %s, in a sentence", async (_what, code, sentence) => {
    const judged = definitionResult(await run(code).then((found) => found));
    if (!judged.ok) return expect(judged.message).toContain(sentence);
    const refused = (() => {
      try {
        return buildDefinition(judged.result);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(Refusal);
    expect(refused).toMatchObject({ error: "definitionFailed", message: expect.stringContaining(sentence) });
  });
});
