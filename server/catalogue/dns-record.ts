import { choice, listOf, scalar, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { simulatedActions } from "./simulation.ts";
import { source } from "./source.ts";

/** One name and what it stands for. */
export const dnsRecord: ShippedSchema = {
  name: "DNS Record",
  category: "Network",
  color: "#5B8C3A",
  description: "One name and what it stands for; its provider is simulated",
  domain: [
    text("Zone", { createOnly: true, description: "Such as example.org" }),
    text("Name", { createOnly: true, description: "Below the zone, such as www; none for the zone itself" }),
    choice("Type", ["A", "AAAA", "CNAME", "TXT"]),
    scalar("TtlSeconds", "integer", { defaultValue: 300 }),
    listOf("Values", text("Value")),
    text("FullName", { description: "Computed of name and zone" }),
  ],
  secrets: [{ name: "Generic Credential", kind: "string", secret: "Generic Credential" }],
  resourceValue: [text("RecordId")],
  functions: [
    ...simulatedActions({
      noun: "record",
      prefix: "rr",
      idMember: "RecordId",
      told: ["FullName", "Type", "TtlSeconds", "Values"],
      steps: ["telling the name servers"],
    }),
    {
      kind: "attribute",
      name: "fullName",
      displayName: "Full name",
      description: "The record's name with that of its zone",
      output: "/domain/FullName",
      arguments: [
        { name: "name", kind: "String", path: "/domain/Name" },
        { name: "zone", kind: "String", path: "/domain/Zone" },
      ],
      returns: "String",
      code: source`async function main({ name, zone }: Input): Promise<Output> {
  if (!zone) return null;
  return [name, zone.replace(/\.$/, "")].filter(Boolean).join(".");
}
`,
    },
    {
      kind: "codegen",
      name: "zoneFile",
      displayName: "Zone file",
      description: "The record as lines of a zone file",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const { FullName: name = "@", Type: type = "A", TtlSeconds: ttl = 300, Values: values = [] } = domain ?? {};
  const shown = (value: string) => (type === "TXT" ? JSON.stringify(value) : value);
  const lines = values.map((value) => [name + ".", ttl, "IN", type, shown(value)].join("\t") + "\n");
  return { format: "zone", code: lines.join("") };
}
`,
    },
    {
      kind: "qualification",
      name: "valuesFitType",
      displayName: "Values fit the type",
      description: "Whether a record of that type can have these values",
      code: source`const checks = {
  A: { fits: (value) => /^(\d{1,3}\.){3}\d{1,3}$/.test(value) && value.split(".").every((part) => Number(part) <= 255), as: "an IPv4 address" },
  AAAA: { fits: (value) => /^[0-9a-f:]{2,39}$/i.test(value) && value.includes(":"), as: "an IPv6 address" },
  CNAME: { fits: (value) => /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?$/.test(value), as: "a name" },
  TXT: { fits: (value) => value.length <= 255, as: "at most 255 characters" },
};

async function main({ domain }: Input): Promise<Output> {
  const { Type: type = "A", Values: values = [] } = domain ?? {};
  const check = checks[type];
  if (!check) return { result: "failure", message: "Type is one of " + Object.keys(checks).join(", ") + ", found " + type };
  if (values.length === 0) return { result: "failure", message: "Values is empty: a record stands for something" };
  const wrong = values.filter((value) => !check.fits(String(value)));
  if (wrong.length > 0) return { result: "failure", message: type + " needs " + check.as + ", found " + wrong.join(", ") };
  if (type === "CNAME" && values.length > 1) return { result: "failure", message: "a CNAME has one value, found " + values.length };
  return { result: "success" };
}
`,
    },
  ],
};
