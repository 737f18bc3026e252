import { describe, expect, it } from "vitest";
import { sandboxFixture } from "../../support/sandbox.ts";

const { run, value } = sandboxFixture();
const define = (body: string) => value(`function main() { ${body} }`, { defines: true });
const refused = async (body: string) => (await run(`function main() { ${body} }`, { defines: true })).outcome;

describe("the builders of schema definitions", () => {
  it("make a property of every kind and setting", async () => {
    expect(
      await define(`
        return new PropBuilder().setName("ports").setKind("array").setEntry(
          new PropBuilder().setName("port").setKind("integer").setDefaultValue(80).build()
        ).setDocLink("https://docs.example/x").setDocLinkRef("ref").setDocumentation("what it is").setHidden(true)
         .setWidget(new PropWidgetDefinitionBuilder().setKind("comboBox").addOption("a", "1").setCreateOnly().build())
         .setValueFrom(new ValueFromBuilder().setKind("prop").setPropPath(["root", "si", "name"]).build())
         .setValidationFormat(Joi.array().min(1))
         .suggestSource({ schema: "A", prop: "/p" }).suggestSource({ schema: "B", prop: "/q" })
         .suggestAsSourceFor({ schema: "C", prop: "/r" }).build();`),
    ).toEqual({
      name: "ports",
      kind: "array",
      entry: { name: "port", kind: "integer", defaultValue: 80 },
      docLink: "https://docs.example/x",
      docLinkRef: "ref",
      documentation: "what it is",
      hidden: true,
      widget: {
        kind: "comboBox",
        options: [
          { label: "a", value: "1" },
          { label: "si_create_only_prop", value: "true" },
        ],
      },
      valueFrom: { kind: "prop", prop_path: ["root", "si", "name"] },
      validationFormat: '{"type":"array","rules":[{"name":"min","args":{"limit":1}}]}',
      suggestSources: [
        { schema: "A", prop: "/p" },
        { schema: "B", prop: "/q" },
      ],
      suggestAsSourceFor: [{ schema: "C", prop: "/r" }],
    });
  });

  it("make objects with children and maps with functions for their keys", async () => {
    expect(
      await define(`
        const child = new PropBuilder().setName("a").setKind("string").build();
        const from = new ValueFromBuilder().setKind("inputSocket").setSocketName("in").build();
        return [
          new PropBuilder().setKind("object").setName("o").addChild(child).addChild(child).build(),
          new PropBuilder().setKind("map").setName("m").setEntry(child).addMapKeyFunc(new MapKeyFuncBuilder().setKey("k").setValueFrom(from).build()).build(),
        ];`),
    ).toEqual([
      {
        kind: "object",
        name: "o",
        children: [
          { name: "a", kind: "string" },
          { name: "a", kind: "string" },
        ],
      },
      {
        kind: "map",
        name: "m",
        entry: { name: "a", kind: "string" },
        mapKeyFuncs: [{ key: "k", valueFrom: { kind: "inputSocket", socket_name: "in" } }],
      },
    ]);
  });

  it("make a schema of properties, sockets, resources, links and what sets its own fields", async () => {
    expect(
      await define(`
        const prop = new PropBuilder().setName("a").setKind("string").build();
        const from = new ValueFromBuilder().setKind("prop").setPropPath(["root", "domain", "a"]).build();
        return new AssetBuilder().addProp(prop).addResourceProp(prop)
          .addInputSocket(new SocketDefinitionBuilder().setName("In").setArity("many").setConnectionAnnotation(" Net ").setUiHidden(true).build())
          .addOutputSocket(new SocketDefinitionBuilder().setName("Out").setValueFrom(from).build())
          .addSiPropValueFrom(new SiPropValueFromDefinitionBuilder().setKind("name").setValueFrom(from).build())
          .addDocLink("a", "https://a.example").addDocLink("b", "https://b.example").build();`),
    ).toEqual({
      props: [{ name: "a", kind: "string" }],
      resourceProps: [{ name: "a", kind: "string" }],
      inputSockets: [{ name: "In", arity: "many", uiHidden: true, connectionAnnotations: '["net","in"]' }],
      outputSockets: [
        {
          name: "Out",
          valueFrom: { kind: "prop", prop_path: ["root", "domain", "a"] },
          connectionAnnotations: '["out"]',
        },
      ],
      siPropValueFroms: [{ kind: "name", valueFrom: { kind: "prop", prop_path: ["root", "domain", "a"] } }],
      docLinks: { a: "https://a.example", b: "https://b.example" },
    });
  });

  it("give a secret property the input socket of its kind, unless it is skipped", async () => {
    const widget = { kind: "secret", options: [{ label: "secretKind", value: "AWS Credential" }] };
    expect(
      await define(`
        const secret = () => new SecretPropBuilder().setName("credential").setSecretKind("AWS Credential");
        return new AssetBuilder().addSecretProp(secret().build()).addSecretProp(secret().skipInputSocket().build()).build();`),
    ).toEqual({
      secretProps: [
        {
          name: "credential",
          kind: "string",
          widget,
          hasInputSocket: true,
          valueFrom: { kind: "inputSocket", socket_name: "AWS Credential" },
        },
        { name: "credential", kind: "string", widget, hasInputSocket: false },
      ],
      inputSockets: [{ arity: "one", name: "AWS Credential", connectionAnnotations: '["aws credential"]' }],
    });
  });

  it("define a secret with its fields, its property and the socket that gives it", async () => {
    expect(
      await define(`
        const key = new PropBuilder().setName("Key").setKind("string").setWidget(new PropWidgetDefinitionBuilder().setKind("password").build()).build();
        return new AssetBuilder().defineSecret(new SecretDefinitionBuilder().setName("Demo").addProp(key).setConnectionAnnotation("Token").build()).build();`),
    ).toEqual({
      secretDefinition: [{ name: "Key", kind: "string", widget: { kind: "password" } }],
      secretProps: [
        {
          name: "Demo",
          kind: "string",
          widget: { kind: "secret", options: [{ label: "secretKind", value: "Demo" }] },
          hasInputSocket: false,
        },
      ],
      outputSockets: [
        {
          name: "Demo",
          arity: "one",
          valueFrom: { kind: "prop", prop_path: ["root", "secrets", "Demo"] },
          connectionAnnotations: '["token","demo"]',
        },
      ],
    });
  });

  it("make an empty schema of nothing", async () => {
    expect(await define("return new AssetBuilder().build();")).toEqual({});
  });

  it.each([
    [
      'new PropBuilder().setKind("text")',
      'PropBuilder.setKind takes one of array, boolean, float, integer, json, map, object, string, got "text"',
    ],
    [
      "new PropBuilder().addChild({})",
      'addChild is for properties of kind object: call setKind("object") first',
    ],
    [
      'new PropBuilder().setKind("string").setEntry({})',
      "setEntry is for properties of kind array or map: call setKind first",
    ],
    [
      'new PropBuilder().setWidget({ kind: "secret" })',
      "a secret's widget comes with SecretPropBuilder: use it instead of PropBuilder",
    ],
    [
      "new PropBuilder().setValidationFormat(5)",
      "setValidationFormat takes a Joi schema, such as Joi.string().required()",
    ],
    [
      "new PropBuilder().setValidationFormat(Joi.string().custom((value) => value))",
      'expected a validation format that Joi can build of its description, such as Joi.string().min(3), which no function of one\'s own is part of: "rules[0].args" must have at least 1 key',
    ],
    [
      'return new AssetBuilder().addProp(new PropBuilder().setKind("object").setName("net").addChild(new PropBuilder().setKind("string").setName("cidr").setValidationFormat(JSON.stringify({ type: "nope" })).build()).build()).build()',
      "property /domain/net/cidr: expected a validation format that Joi can build of its description, such as Joi.string().min(3), which no function of one's own is part of: not a function",
    ],
    [
      "new AssetBuilder().addProp(new PropBuilder())",
      "AssetBuilder.addProp takes what build() returns: call .build() on the builder",
    ],
    [
      'new AssetBuilder().addProp("x")',
      "AssetBuilder.addProp takes what a builder's build() returns, got string",
    ],
    [
      'new SecretPropBuilder().setName("x").build()',
      "a secret property needs the name of a secret definition: call setSecretKind before build",
    ],
    [
      'new AssetBuilder().addSecretProp(new PropBuilder().setKind("string").setName("x").build())',
      "addSecretProp takes a secret property: build it with SecretPropBuilder and setSecretKind",
    ],
    [
      "new SecretDefinitionBuilder().addProp({}).build()",
      "a secret definition needs a name: call setName before build",
    ],
    [
      'new SecretDefinitionBuilder().setName("x").build()',
      "a secret definition needs properties: call addProp before build",
    ],
    ["new SocketDefinitionBuilder().build()", "a socket needs a name: call setName before build"],
    [
      'new SocketDefinitionBuilder().setArity("two")',
      'SocketDefinitionBuilder.setArity takes one of one, many, got "two"',
    ],
    [
      'new ValueFromBuilder().setKind("prop").setSocketName("x")',
      "setSocketName is for values from sockets: setKind inputSocket or outputSocket first",
    ],
    [
      "new ValueFromBuilder().setPropPath([])",
      "setPropPath is for values from properties: setKind prop first",
    ],
    [
      'new PropWidgetDefinitionBuilder().setKind("slider")',
      expect.stringMatching(
        /^PropWidgetDefinitionBuilder.setKind takes one of array, checkbox, .*, got "slider"$/,
      ),
    ],
    [
      'new SiPropValueFromDefinitionBuilder().setKind("size")',
      'SiPropValueFromDefinitionBuilder.setKind takes one of color, name, resourcePayload, got "size"',
    ],
    [
      'new AssetBuilder().defineSecret({ name: "A", props: [{}] }).addOutputSocket({}).build()',
      "a schema that defines a secret has one output socket, the secret's: remove the others",
    ],
  ])("say what is wrong with %s", async (expression, message) => {
    expect(await refused(expression)).toMatchObject({ ended: "threw", name: "TypeError", message });
  });
});
