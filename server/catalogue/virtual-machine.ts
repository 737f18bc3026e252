import { choice, scalar, tags, text } from "./prop.ts";
import type { ShippedSchema } from "./shipped.ts";
import { simulatedActions } from "./simulation.ts";
import { source } from "./source.ts";

const types = ["small", "medium", "large", "huge"];

/** A virtual machine of a simulated provider. */
export const virtualMachine: ShippedSchema = {
  name: "Virtual Machine",
  category: "Compute",
  color: "#E0862B",
  description: "A virtual machine; its provider is simulated, so that it works offline",
  domain: [
    choice("InstanceType", types, { defaultValue: "medium" }),
    text("Image", { defaultValue: "linux-stable", createOnly: true }),
    text("SubnetId", { suggestSources: [{ schema: "Subnet", prop: "/resource_value/SubnetId" }] }),
    scalar("DiskGb", "integer", {
      defaultValue: 20,
      validationFormat: '{"type":"number","rules":[{"name":"integer"},{"name":"min","args":{"limit":1}}]}',
    }),
    text("SshKey", { widget: { kind: "textArea" }, description: "Public key of who may sign in" }),
    scalar("MaximumMonthlyPrice", "float", { description: "What it may cost" }),
    scalar("MonthlyPrice", "float", { description: "What it costs; computed" }),
    tags,
  ],
  secrets: [{ name: "Generic Credential", kind: "string", secret: "Generic Credential" }],
  resourceValue: [text("InstanceId"), text("PrivateIp"), text("State")],
  functions: [
    ...simulatedActions({
      noun: "machine",
      prefix: "vm",
      idMember: "InstanceId",
      told: ["InstanceType", "Image", "SubnetId", "DiskGb"],
      steps: ["attaching the disk", "connecting the network", "booting"],
      born: 'State: "running", PrivateIp: "10.0.0." + (2 + (parseInt(id.slice(-2), 16) % 250))',
    }),
    {
      kind: "action",
      actionKind: "Manual",
      name: "restart",
      displayName: "Restart",
      description: "Stops the simulated machine and starts it again",
      code: source`async function main({ properties }: Input): Promise<Output> {
  const payload = properties.resource?.payload;
  if (!payload) return { status: "error", message: "there is no machine to restart: create it first" };
  for (const step of ["stopping", "stopped", "booting"]) {
    console.log("[simulated, offline] " + payload.InstanceId + ": " + step);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const restarts = (payload.Restarts ?? 0) + 1;
  return { status: "ok", payload: { ...payload, State: "running", Restarts: restarts } };
}
`,
    },
    {
      kind: "attribute",
      name: "priceOf",
      displayName: "Price",
      description: "What a machine of that type with that disk costs in a month",
      output: "/domain/MonthlyPrice",
      arguments: [
        { name: "type", kind: "String", path: "/domain/InstanceType" },
        { name: "disk", kind: "Integer", path: "/domain/DiskGb" },
      ],
      returns: "Float",
      code: source`const prices = { small: 5, medium: 20, large: 80, huge: 320 };

async function main({ type, disk }: Input): Promise<Output> {
  const price = prices[type];
  if (price === undefined)
    throw new Error("InstanceType is one of " + Object.keys(prices).join(", ") + ", found " + JSON.stringify(type));
  // Ten cents for each gigabyte.
  return Math.round((price + (disk ?? 0) * 0.1) * 100) / 100;
}
`,
    },
    {
      kind: "qualification",
      name: "staysInBudget",
      displayName: "Stays in its budget",
      description: "Whether the machine costs no more than it may",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const { MonthlyPrice: price, MaximumMonthlyPrice: maximum } = domain ?? {};
  if (price === undefined || price === null)
    return { result: "unknown", message: "there is no price yet: see the runs of priceOf" };
  if (maximum === undefined || maximum === null) return { result: "success", message: price + " a month, no maximum is set" };
  if (price > maximum) return { result: "failure", message: price + " a month is more than " + maximum };
  if (price > maximum * 0.9) return { result: "warning", message: price + " a month is nearly " + maximum };
  return { result: "success", message: price + " a month of at most " + maximum };
}
`,
    },
    {
      kind: "codegen",
      name: "cloudInit",
      displayName: "Cloud-init",
      description: "What the machine does when it boots first",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const key = domain?.SshKey?.trim();
  const config = {
    package_update: true,
    ...(key ? { ssh_authorized_keys: key.split("\n").filter(Boolean) } : {}),
    final_message: "ready",
  };
  return { format: "yaml", code: "#cloud-config\n" + YAML.stringify(config) };
}
`,
    },
  ],
};
