import { cidrCode, cidrFormat } from "./cidr.ts";
import { choice, scalar, tags, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { simulatedActions } from "./simulation.ts";
import { source } from "./source.ts";

/** A part of a network's addresses in one zone. */
export const subnet: ShippedSchema = {
  name: "Subnet",
  category: "Network",
  color: "#2F8FDE",
  description: "A part of a network's addresses in one zone",
  domain: [
    text("NetworkId", { suggestSources: [{ schema: "Virtual Network", prop: "/resource_value/NetworkId" }] }),
    text("NetworkCidr", {
      description: "Range of the network",
      validationFormat: cidrFormat,
      suggestSources: [{ schema: "Virtual Network", prop: "/domain/CidrBlock" }],
    }),
    scalar("PrefixLength", "integer", { defaultValue: 24, createOnly: true }),
    scalar("Number", "integer", {
      defaultValue: 0,
      createOnly: true,
      description: "Which part of the network, from 0",
    }),
    text("CidrBlock", { description: "Range of the subnet; computed of the three above" }),
    choice("Zone", ["a", "b", "c"], { createOnly: true }),
    scalar("Public", "boolean", { defaultValue: false }),
    tags,
  ],
  secrets: [{ name: "Generic Credential", kind: "string", secret: "Generic Credential" }],
  resourceValue: [text("SubnetId")],
  functions: [
    ...simulatedActions({
      noun: "subnet",
      prefix: "subnet",
      idMember: "SubnetId",
      told: ["NetworkId", "CidrBlock", "Zone", "Public"],
      steps: ["reserving the addresses"],
    }),
    {
      kind: "attribute",
      name: "deriveCidr",
      displayName: "Derive the address range",
      description: "The part of the network's range with a prefix length and a number",
      output: "/domain/CidrBlock",
      arguments: [
        { name: "network", kind: "String", path: "/domain/NetworkCidr" },
        { name: "prefix", kind: "Integer", path: "/domain/PrefixLength" },
        { name: "number", kind: "Integer", path: "/domain/Number" },
      ],
      returns: "String",
      code: source`async function main({ network, prefix, number }: Input): Promise<Output> {
  // Nothing to derive from yet.
  if (!network) return null;
  const range = readCidr(network);
  const length = prefix ?? 24;
  if (length < range.prefix || length > 32)
    throw new Error("PrefixLength is " + range.prefix + " to 32 in " + network + ", found " + length);
  const parts = 2 ** (length - range.prefix);
  const which = number ?? 0;
  if (which < 0 || which >= parts)
    throw new Error("Number is 0 to " + (parts - 1) + " for parts of /" + length + " in " + network + ", found " + which);
  return write(range.base + which * 2 ** (32 - length)) + "/" + length;
}
${cidrCode}`,
    },
    {
      kind: "qualification",
      name: "cidrIsInsideNetwork",
      displayName: "Address range is inside the network's",
      description: "Whether the subnet's range is one, and a part of the network's",
      code: source`async function main({ domain }: Input): Promise<Output> {
  if (!domain?.NetworkCidr) return { result: "unknown", message: "NetworkCidr is not set: subscribe to a network's CidrBlock" };
  if (!domain.CidrBlock) return { result: "failure", message: "there is no CidrBlock: see the runs of deriveCidr" };
  try {
    const network = readCidr(domain.NetworkCidr);
    const own = readCidr(domain.CidrBlock);
    const isInside = own.base >= network.base && own.base + own.size <= network.base + network.size;
    if (!isInside) return { result: "failure", message: domain.CidrBlock + " is not inside " + domain.NetworkCidr };
    return { result: "success", message: own.size + " of the network's " + network.size + " addresses" };
  } catch (error) {
    return { result: "failure", message: error.message };
  }
}
${cidrCode}`,
    },
  ],
};
