import type { JsonObject } from "../../../server/domain/json.ts";
import { packageSpec } from "../../../server/domain/package-export.ts";
import type { Package, PackageFunction } from "../../../server/domain/packages.ts";

/** A function of a package; one argument `domain` where it takes any. */
export const packageFunction = (
  key: string,
  kind: PackageFunction["kind"],
  more: Partial<PackageFunction> = {},
): PackageFunction => ({
  key,
  name: key,
  displayName: null,
  description: null,
  link: null,
  kind,
  handler: "main",
  code: `async function main() { return "${key} ≥ 1"; }`,
  isLocked: true,
  arguments: [],
  isTransformation: false,
  ...(kind === "Attribute" ? { responseType: "Unset" } : {}),
  ...more,
});

/** A package with everything that one can have. */
export const wholePackage: Package = {
  name: "Bucket",
  category: "Storage",
  description: "Keeps objects",
  functions: [
    packageFunction("bucketScaffold", "SchemaVariantDefinition"),
    packageFunction("make", "Action", {
      displayName: "Make it",
      description: "In the region",
      link: "https://example.org/make",
    }),
    packageFunction("touch", "Action"),
    packageFunction("drop", "Action"),
    packageFunction("login", "Authentication"),
    packageFunction("render", "CodeGeneration"),
    packageFunction("hasRegion", "Qualification"),
    packageFunction("adopt", "Management"),
    packageFunction("address", "Attribute", {
      responseType: "String",
      arguments: [
        { name: "region", kind: "String" },
        { name: "names", kind: "Array", elementKind: "String" },
        { name: "suffix", kind: "Any" },
      ],
    }),
    packageFunction("si:identity", "Intrinsic", { handler: "", code: "" }),
  ],
  variants: [
    {
      displayName: "Object store",
      color: "#336699",
      description: "A place for objects",
      link: "https://example.org",
      assetFunc: "bucketScaffold",
      domain: [
        {
          name: "Region",
          kind: "string",
          defaultValue: "eu-1",
          description: "Where it is",
          docLink: "https://example.org/region",
        },
        { name: "Address", kind: "string", createOnly: true, validationFormat: '{"type":"string"}' },
        { name: "Again", kind: "string" },
        { name: "Size", kind: "integer", defaultValue: 3, hidden: true },
        { name: "Ratio", kind: "float", defaultValue: 0.5 },
        { name: "Open", kind: "boolean", defaultValue: false },
        { name: "Policy", kind: "json", widget: { kind: "codeEditor" } },
        { name: "Names", kind: "array", entry: { name: "Name", kind: "string" } },
        {
          name: "Rules",
          kind: "map",
          entry: {
            name: "Rule",
            kind: "object",
            children: [
              {
                name: "Class",
                kind: "string",
                widget: { kind: "select", options: [{ label: "Cold", value: "c" }] },
              },
            ],
          },
        },
      ],
      secrets: [
        { name: "Store Login", kind: "string", secret: "Store Login" },
        { name: "Other", kind: "string", secret: "Cloud Login" },
      ],
      secretDefinition: {
        name: "Store Login",
        fields: [{ name: "Token", kind: "string", widget: { kind: "password" } }],
      },
      resourceValue: [{ name: "Id", kind: "string" }],
      bindings: [
        { kind: "action", func: "make", actionKind: "Create" },
        { kind: "action", func: "touch", actionKind: "Manual" },
        { kind: "action", func: "drop", actionKind: "Destroy" },
        { kind: "authentication", func: "login" },
        { kind: "codegen", func: "render", inputs: ["domain", "resource"] },
        { kind: "qualification", func: "hasRegion", inputs: ["domain", "code"] },
        { kind: "management", func: "adopt" },
        {
          kind: "attribute",
          func: "si:identity",
          output: "/si/color",
          arguments: [{ name: "identity", kind: "Any", path: "/domain/Region" }],
        },
        {
          kind: "attribute",
          func: "address",
          output: "/domain/Address",
          arguments: [
            { name: "region", kind: "String", path: "/domain/Region" },
            { name: "names", kind: "Array", elementKind: "String", path: "/domain/Names" },
            { name: "suffix", kind: "Any", value: { any: ["json", 1] } },
          ],
        },
        {
          kind: "attribute",
          func: "si:identity",
          output: "/domain/Again",
          arguments: [{ name: "identity", kind: "Any", path: "/domain/Address" }],
        },
      ],
    },
  ],
  defaultVariant: 0,
};

/** When and by whom packages of tests were made. */
export const stamp = {
  version: "20240101000000",
  createdAt: "2024-01-01T00:00:00Z",
  createdBy: "ada@example.org",
};

/** {@link wholePackage} as a spec. */
export const wholeSpec = (): JsonObject => packageSpec(wholePackage, stamp);

const object = (name: string, entries: readonly JsonObject[]): JsonObject => ({
  kind: "object",
  name,
  data: { name },
  entries,
});

/** The least that is accepted, as a person writes it. */
export const minimalSpec = (name = "Demo"): JsonObject => ({
  kind: "module",
  name,
  version: "20240101000000",
  description: "",
  createdAt: "2024-01-01T00:00:00Z",
  createdBy: "me@example.com",
  funcs: [
    {
      name: "demoScaffold",
      uniqueId: "A1",
      arguments: [],
      data: {
        name: "demoScaffold",
        handler: "main",
        codeBase64: "ZnVuY3Rpb24gbWFpbigpe3JldHVybiBuZXcgQXNzZXRCdWlsZGVyKCkuYnVpbGQoKX0",
        backendKind: "jsSchemaVariantDefinition",
        responseType: "schemaVariantDefinition",
        hidden: false,
        isTransformation: false,
      },
    },
  ],
  schemas: [
    {
      name,
      data: { name, category: "Demo", categoryName: null, uiHidden: false, defaultSchemaVariant: null },
      variants: [
        {
          version: "20240101000000",
          data: {
            version: "20240101000000",
            componentType: "component",
            funcUniqueId: "A1",
            color: "#00b0bc",
          },
          actionFuncs: [],
          authFuncs: [],
          leafFunctions: [],
          sockets: [],
          siPropFuncs: [],
          managementFuncs: [],
          domain: object("domain", [{ kind: "string", name: "region", data: { name: "region" } }]),
          secrets: object("secrets", []),
          resourceValue: object("resource_value", []),
        },
      ],
    },
  ],
});
