import type { ShippedFunction } from "../catalogue/shipped.ts";
import { simulatedActions } from "../catalogue/simulation.ts";
import { source } from "../catalogue/source.ts";

/** How long one step of what the sample's cloud does takes, so that people can watch it. */
const stepMs = 1_200;

const slow = { stepMs } as const;

/** Functions of the sample's schemas, by schema: between them every kind there is. */
export const sampleFunctions: Readonly<Record<string, readonly ShippedFunction[]>> = {
  "Cloud Credential": [
    {
      kind: "authentication",
      name: "signIn",
      displayName: "Sign in",
      description: "Puts the account's key where the functions of what uses it find it",
      code: source`async function main(secret: Input): Promise<Output> {
  requestStorage.setEnv("CLOUD_ACCESS_KEY_ID", secret.AccessKeyId ?? "");
  requestStorage.setEnv("CLOUD_SECRET_ACCESS_KEY", secret.SecretAccessKey ?? "");
}
`,
    },
  ],
  VPC: [
    ...simulatedActions({
      ...slow,
      noun: "network",
      prefix: "vpc",
      idMember: "VpcId",
      told: ["Region", "CidrBlock", "Tenancy"],
      steps: ["reserving addresses", "making route tables", "opening the network"],
      born: 'State: "available"',
    }),
    {
      kind: "management",
      name: "importSubnets",
      displayName: "Import subnets",
      description: "Makes components of the subnets that the cloud has in this network",
      code: source`// Looks through the zones of the network's region; the cloud is simulated, so each has one subnet.
async function main({ thisComponent, components }: Input): Promise<Output> {
  const { si, domain } = thisComponent.properties;
  const known = Object.values(components).map((one) => one.properties.domain?.AvailabilityZone);
  const create = {};
  for (const [index, zone] of ["a", "b", "c", "d"].entries()) {
    await new Promise((resolve) => setTimeout(resolve, 800));
    const name = si.name + "-imported-" + zone;
    if (known.includes(domain.Region + zone)) {
      console.log("zone " + zone + " is known already");
      continue;
    }
    console.log("found a subnet in zone " + zone);
    create[name] = {
      kind: "Subnet",
      properties: {
        si: { resourceId: "subnet-" + zone + "-found" },
        domain: {
          AvailabilityZone: domain.Region + zone,
          CidrBlock: (domain.CidrBlock ?? "10.0.0.0/16").replace(/\.0\.0\/16$/, "." + (128 + index * 16) + ".0/20"),
        },
        resource: { SubnetId: "subnet-" + zone + "-found" },
      },
      attributes: {
        "/domain/Network": { $source: { component: "self", path: "/si/name" } },
        "/domain/Region": { $source: { component: "self", path: "/domain/Region" } },
      },
    };
  }
  const found = Object.keys(create).length;
  return { status: "ok", message: "found " + found + " subnets", ops: { create } };
}
`,
    },
  ],
  Subnet: [
    ...simulatedActions({
      ...slow,
      noun: "subnet",
      prefix: "subnet",
      idMember: "SubnetId",
      told: ["AvailabilityZone", "CidrBlock"],
      steps: ["carving out addresses", "joining the route table"],
    }),
    {
      kind: "qualification",
      name: "addressesArePrivate",
      displayName: "Addresses are private",
      description: "Whether the range is one that nobody else uses",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const cidr = domain?.CidrBlock;
  if (!cidr) return { result: "failure", message: "there is no CidrBlock" };
  const isPrivate = /^(10\.|172\.(1[6-9]|2\d|3[01])\.|192\.168\.)/.test(cidr);
  if (isPrivate) return { result: "success" };
  return { result: "failure", message: cidr + " is not a private range" };
}
`,
    },
  ],
  "Security Group": [
    ...simulatedActions({
      ...slow,
      noun: "security group",
      prefix: "sg",
      idMember: "GroupId",
      told: ["Description"],
      steps: ["writing the rules"],
    }),
    {
      kind: "qualification",
      name: "operatorsComeFromOffice",
      displayName: "Operators come from the office",
      description: "Whether ssh is open to anything but the office's addresses",
      code: source`const office = ["203.0.113.0/24", "10.0.0.0/8"];

async function main({ domain }: Input): Promise<Output> {
  const rules = (domain?.Ingress ?? []).filter((rule) => rule.FromPort <= 22 && rule.ToPort >= 22);
  const others = rules.flatMap((rule) => rule.Cidrs ?? []).filter((cidr) => !office.includes(cidr));
  if (others.length === 0) return { result: "success" };
  return { result: "failure", message: "ssh is open to " + others.join(", ") };
}
`,
    },
  ],
  Server: [
    ...simulatedActions({
      ...slow,
      noun: "server",
      prefix: "i",
      idMember: "InstanceId",
      told: ["InstanceType", "ImageId", "DiskGb"],
      steps: ["attaching the disk", "connecting the network", "booting", "waiting for the health check"],
      born: 'State: "running", PrivateIp: "10.30.0." + (2 + (parseInt(id.slice(-2), 16) % 250))',
    }),
    {
      kind: "action",
      actionKind: "Manual",
      name: "patchServer",
      displayName: "Patch",
      description: "Installs what is outdated, a package at a time, and tells of each",
      code: source`const packages = ["base-files", "libssl3", "openssh-server", "nginx", "linux-image", "curl", "tzdata", "zlib1g"];

async function main({ properties }: Input): Promise<Output> {
  const payload = properties.resource?.payload;
  if (!payload) return { status: "error", message: "there is no server to patch: create it first" };
  for (const [index, name] of packages.entries()) {
    console.log("[" + (index + 1) + "/" + packages.length + "] upgrading " + name);
    if (name === "linux-image") console.warn("a new kernel: a restart is needed");
    await new Promise((resolve) => setTimeout(resolve, ${stepMs}));
  }
  return { status: "ok", payload: { ...payload, Patched: packages.length } };
}
`,
    },
    {
      kind: "codegen",
      name: "cloudInit",
      displayName: "Cloud-init",
      description: "What the server does when it boots first",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const data = typeof domain?.UserData === "string" ? JSON.parse(domain.UserData) : {};
  const config = { package_update: true, packages: data.packages ?? [], growpart: { devices: ["/"] } };
  return { format: "yaml", code: "#cloud-config\n" + YAML.stringify(config) };
}
`,
    },
    {
      kind: "qualification",
      name: "diskHoldsImage",
      displayName: "Disk holds the image",
      description: "Whether there is room for the image and its logs",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const size = domain?.DiskGb ?? 0;
  if (size < 10) return { result: "failure", message: "the image needs 10 GB, the disk has " + size };
  if (size < 20) return { result: "warning", message: "there is little room for logs" };
  return { result: "success" };
}
`,
    },
  ],
  Database: [
    ...simulatedActions({
      ...slow,
      noun: "database",
      prefix: "db",
      idMember: "DatabaseId",
      told: ["Engine", "Version", "InstanceClass", "StorageGb"],
      steps: ["checking the quota", "reserving storage", "starting the engine"],
      refusal: `if ((domain.StorageGb ?? 0) > 500) {
    say("checking the quota");
    await moment();
    await moment();
    console.error("the account may have 500 GB of storage in a database, " + domain.StorageGb + " are asked for");
    return { status: "error", message: "quota exceeded: " + domain.StorageGb + " GB of storage, 500 are allowed" };
  }`,
      born: 'Endpoint: id + ".db.example.net", Port: 5432',
    }),
    {
      kind: "qualification",
      name: "versionIsSupported",
      displayName: "Version is supported",
      description: "Whether its maker still mends what is wrong with it",
      code: source`const oldest = { postgres: 13, mysql: 8 };

async function main({ domain }: Input): Promise<Output> {
  const engine = domain?.Engine ?? "postgres";
  const major = Number.parseInt(domain?.Version ?? "", 10);
  if (major >= oldest[engine]) return { result: "success" };
  return { result: "warning", message: engine + " " + domain?.Version + " gets no more fixes" };
}
`,
    },
  ],
  "Load Balancer": [
    ...simulatedActions({
      ...slow,
      noun: "load balancer",
      prefix: "lb",
      idMember: "BalancerId",
      told: ["Scheme"],
      steps: ["reserving an address", "registering targets", "checking their health"],
      born: 'DnsName: id + ".lb.example.net"',
    }),
    {
      kind: "qualification",
      name: "hasTargets",
      displayName: "Has targets",
      description: "Whether there is anybody to hand requests to",
      code: source`async function main({ domain }: Input): Promise<Output> {
  const targets = (domain?.Targets ?? []).filter(Boolean);
  if (targets.length > 1) return { result: "success" };
  if (targets.length === 1) return { result: "warning", message: "one target only: " + targets[0] };
  return { result: "failure", message: "there are no targets" };
}
`,
    },
  ],
  "DNS Record": [
    ...simulatedActions({
      ...slow,
      noun: "record",
      prefix: "record",
      idMember: "RecordId",
      told: ["Type", "TtlSeconds"],
      steps: ["publishing to the name servers"],
    }),
    {
      kind: "attribute",
      name: "fullName",
      displayName: "Full name",
      description: "The name with its zone",
      output: "/domain/FullName",
      arguments: [
        { name: "name", kind: "String", path: "/domain/Name" },
        { name: "zone", kind: "String", path: "/domain/Zone" },
      ],
      returns: "String",
      code: source`async function main({ name, zone }: Input): Promise<Output> {
  return name === "@" ? zone : name + "." + zone;
}
`,
    },
  ],
};
