import type { SchemaPackage } from "../../server/routes/install-schema.ts";

/** A schema with a property of every kind, and a small one to subscribe from. */
export const testSchemas: readonly SchemaPackage[] = [
  {
    name: "Machine",
    category: "Compute",
    color: "#336699",
    domain: [
      { name: "region", kind: "string", defaultValue: "eu-1" },
      { name: "size", kind: "integer" },
      { name: "ratio", kind: "float" },
      { name: "public", kind: "boolean", defaultValue: false },
      { name: "policy", kind: "json" },
      { name: "image", kind: "string", createOnly: true },
      { name: "internal", kind: "string", hidden: true, defaultValue: "x" },
      { name: "labels", kind: "map", entry: { name: "label", kind: "string" } },
      { name: "ports", kind: "array", entry: { name: "port", kind: "integer" } },
      {
        name: "tags",
        kind: "array",
        entry: {
          name: "tag",
          kind: "object",
          children: [
            { name: "Key", kind: "string" },
            { name: "Value", kind: "string", defaultValue: "none" },
          ],
        },
      },
      {
        name: "network",
        kind: "object",
        children: [
          { name: "zone", kind: "string" },
          { name: "nested", kind: "object", children: [{ name: "deep", kind: "string" }] },
        ],
      },
    ],
    secrets: [{ name: "Credential", kind: "string", secret: "Credential" }],
    resourceValue: [{ name: "Id", kind: "string" }],
  },
  {
    name: "Network",
    category: "Network",
    color: "#993366",
    domain: [
      { name: "cidr", kind: "string" },
      { name: "zones", kind: "array", entry: { name: "zone", kind: "string" } },
    ],
  },
];
