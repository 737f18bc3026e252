import { cidrCode, cidrFormat } from "./cidr.ts";
import { choice, scalar, tags, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { simulatedActions } from "./simulation.ts";
import { source } from "./source.ts";

/** A private network of one region. */
export const virtualNetwork: ShippedSchema = {
  name: "Virtual Network",
  category: "Network",
  color: "#2F6FDE",
  description: "A private network of one region",
  domain: [
    choice("Region", ["eu-central", "eu-west", "us-east"], { createOnly: true }),
    text("CidrBlock", {
      createOnly: true,
      description: "Address range such as 10.0.0.0/16",
      validationFormat: cidrFormat,
      suggestAsSourceFor: [{ schema: "Subnet", prop: "/domain/NetworkCidr" }],
    }),
    scalar("Addresses", "integer", { description: "How many addresses the range has; computed" }),
    scalar("EnableDns", "boolean", { defaultValue: true }),
    tags,
  ],
  secrets: [{ name: "Generic Credential", kind: "string", secret: "Generic Credential" }],
  resourceValue: [text("NetworkId"), text("State")],
  functions: [
    ...simulatedActions({
      noun: "network",
      prefix: "net",
      idMember: "NetworkId",
      told: ["Region", "CidrBlock", "EnableDns"],
      steps: ["reserving the address range", "making the routing table"],
      born: 'State: "available"',
    }),
    {
      kind: "attribute",
      name: "countAddresses",
      displayName: "Count addresses",
      description: "How many addresses the network's range has",
      output: "/domain/Addresses",
      arguments: [{ name: "cidr", kind: "String", path: "/domain/CidrBlock" }],
      returns: "Integer",
      code: source`async function main({ cidr }: Input): Promise<Output> {
  // Nothing to count yet.
  if (!cidr) return null;
  return readCidr(cidr).size;
}
${cidrCode}`,
    },
    {
      kind: "qualification",
      name: "cidrIsUsable",
      displayName: "Address range is usable",
      description: "Whether the range is one, and private",
      code: source`async function main({ domain }: Input): Promise<Output> {
  if (!domain?.CidrBlock) return { result: "failure", message: "CidrBlock is not set: choose a range such as 10.0.0.0/16" };
  let range;
  try {
    range = readCidr(domain.CidrBlock);
  } catch (error) {
    return { result: "failure", message: "CidrBlock: " + error.message };
  }
  const privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"].map(readCidr);
  const isPrivate = privateRanges.some(({ base, size }) => range.base >= base && range.base + range.size <= base + size);
  if (!isPrivate) return { result: "warning", message: domain.CidrBlock + " is not a private range: others may own its addresses" };
  return { result: "success", message: range.size + " private addresses" };
}
${cidrCode}`,
    },
  ],
};
