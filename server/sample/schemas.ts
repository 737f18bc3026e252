import { choice, listOf, mapOf, object, scalar, tags, text } from "../catalogue/prop.ts";
import type { PropDefinition } from "../domain/props.ts";
import type { SchemaPackage } from "../routes/install-schema.ts";

const createOnly = { createOnly: true } as const;

/** The cloud of the sample workspace; between them the schemas use every kind of property. */
export const sampleSchemas: readonly SchemaPackage[] = [
  {
    name: "Cloud Credential",
    category: "Security",
    color: "#7A4FBF",
    description: "The account that everything else is created with",
    domain: [text("AccountId"), choice("Partition", ["public", "government"])],
    secrets: [text("Cloud Credential", { secret: "Cloud Credential", widget: { kind: "secret" } })],
    secretDefinition: {
      name: "Cloud Credential",
      fields: [text("AccessKeyId"), text("SecretAccessKey", { widget: { kind: "password" } })],
    },
  },
  {
    name: "VPC",
    category: "Network",
    color: "#2F6FDE",
    description: "A private network of one region",
    domain: [
      choice("Region", ["eu-central-1", "eu-west-1", "us-east-1"]),
      text("CidrBlock", { ...createOnly, description: "Address range such as 10.0.0.0/16" }),
      scalar("EnableDns", "boolean", { defaultValue: true }),
      choice("Tenancy", ["default", "dedicated"], createOnly),
      tags,
    ],
    secrets: [text("Cloud Credential", { secret: "Cloud Credential" })],
    resourceValue: [text("VpcId"), text("State")],
  },
  {
    name: "Subnet",
    category: "Network",
    color: "#2F8FDE",
    description: "A part of a network's addresses in one zone",
    domain: [
      text("Network", { description: "Name of the network" }),
      text("Region"),
      text("AvailabilityZone", createOnly),
      text("CidrBlock", createOnly),
      scalar("MapPublicIp", "boolean", { defaultValue: false }),
      tags,
    ],
    resourceValue: [text("SubnetId")],
  },
  {
    name: "Security Group",
    category: "Network",
    color: "#C2452D",
    description: "Which traffic reaches what carries it",
    domain: [
      text("Network"),
      text("Description", createOnly),
      listOf(
        "Ingress",
        object(
          "Rule",
          choice("Protocol", ["tcp", "udp", "icmp"]),
          scalar("FromPort", "integer"),
          scalar("ToPort", "integer"),
          listOf("Cidrs", text("Cidr")),
          text("Note"),
        ),
      ),
      tags,
    ],
    resourceValue: [text("GroupId")],
  },
  {
    name: "Server",
    category: "Compute",
    color: "#E0862B",
    description: "A virtual machine",
    domain: [
      choice("InstanceType", ["m.medium", "m.large", "m.xlarge", "c.large", "c.2xlarge"]),
      text("ImageId", createOnly),
      text("Region"),
      text("Subnet"),
      listOf("SecurityGroups", text("SecurityGroup")),
      scalar("DiskGb", "integer", { defaultValue: 20 }),
      scalar("MaximumHourlyPrice", "float"),
      scalar("Monitoring", "boolean", { defaultValue: true }),
      scalar("UserData", "json", { widget: { kind: "codeEditor" } }),
      object(
        "Placement",
        text("Zone"),
        object("Group", text("Name"), choice("Strategy", ["spread", "cluster", "partition"])),
      ),
      text("ProvisioningToken", { hidden: true, defaultValue: "none" }),
      tags,
    ],
    resourceValue: [text("InstanceId"), text("PrivateIp"), text("State")],
  },
  {
    name: "Database",
    category: "Storage",
    color: "#2E9E6B",
    description: "A managed relational database",
    domain: [
      choice("Engine", ["postgres", "mysql"], createOnly),
      text("Version", { defaultValue: "16.4" }),
      choice("InstanceClass", ["db.medium", "db.large", "db.2xlarge"]),
      scalar("StorageGb", "integer", { defaultValue: 50 }),
      scalar("MultiZone", "boolean", { defaultValue: false }),
      text("Region"),
      listOf("Subnets", text("Subnet")),
      mapOf("Parameters", text("Parameter")),
      object(
        "MaintenanceWindow",
        choice("Day", ["Sunday", "Monday", "Saturday"]),
        scalar("HourUtc", "integer"),
      ),
      text("MasterPassword", { widget: { kind: "password" }, hidden: true }),
      tags,
    ],
    resourceValue: [text("Endpoint"), scalar("Port", "integer")],
  },
  {
    name: "Load Balancer",
    category: "Network",
    color: "#D2A51F",
    description: "Spreads requests over servers",
    domain: [
      choice("Scheme", ["internet-facing", "internal"], createOnly),
      text("Network"),
      listOf(
        "Listeners",
        object(
          "Listener",
          scalar("Port", "integer"),
          choice("Protocol", ["https", "http"]),
          scalar("TargetPort", "integer"),
        ),
      ),
      listOf("Targets", text("Target")),
      object(
        "HealthCheck",
        text("Path", { defaultValue: "/healthz" }),
        scalar("IntervalSeconds", "integer", { defaultValue: 15 }),
        scalar("FailureRatio", "float", { defaultValue: 0.5 }),
      ),
      tags,
    ],
    resourceValue: [text("DnsName")],
  },
  dnsRecord(),
];

/** Newer variants, released once the head is full: what is there can be upgraded to them. */
export const newerSampleSchemas: readonly SchemaPackage[] = [
  dnsRecord(
    object("Routing", choice("Policy", ["simple", "weighted", "failover"]), scalar("Weight", "integer")),
    scalar("CheckHealth", "boolean", { defaultValue: false }),
  ),
];

function dnsRecord(...more: readonly PropDefinition[]): SchemaPackage {
  return {
    name: "DNS Record",
    category: "Network",
    color: "#5B8C3A",
    description: "One name and what it stands for",
    domain: [
      text("Zone", createOnly),
      text("Name", createOnly),
      choice("Type", ["A", "AAAA", "CNAME", "TXT"]),
      scalar("TtlSeconds", "integer", { defaultValue: 300 }),
      text("Target", { description: "Name of what the record points to" }),
      listOf("Values", text("Value")),
      text("FullName", { description: "The name with its zone; computed" }),
      ...more,
    ],
    resourceValue: [text("RecordId")],
  };
}
