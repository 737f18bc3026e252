import type { NewComponent } from "../routes/create-component.ts";

type Attributes = NonNullable<NewComponent["attributes"]>;

/** The attribute of another component, read by its name. */
export const from = (component: string, path: string) => ({ $source: { component, path } });

/** What stands for something that exists: its id there, and what the cloud last said of it. */
const existing = (resourceId: string, payload: object): Pick<NewComponent, "attributes" | "resourceId"> => ({
  resourceId,
  attributes: { "/resource/payload": JSON.stringify(payload) },
});

const component = (
  schemaName: string,
  name: string,
  attributes: Attributes,
  resource: Pick<NewComponent, "attributes" | "resourceId"> = {},
): NewComponent => ({ ...resource, schemaName, name, attributes: { ...attributes, ...resource.attributes } });

const networks = [
  { environment: "production", region: "eu-central-1", octet: 10 },
  { environment: "staging", region: "eu-west-1", octet: 20 },
] as const;
const zones = ["a", "b", "c"] as const;

const networking: readonly NewComponent[] = networks.flatMap(({ environment, region, octet }) => {
  const vpc = `${environment}-network`;
  return [
    component(
      "VPC",
      vpc,
      {
        "/domain/Region": region,
        "/domain/CidrBlock": `10.${octet}.0.0/16`,
        "/domain/Tags/environment": environment,
        "/secrets/Cloud Credential": from("cloud-account", "/secrets/Cloud Credential"),
      },
      existing(`vpc-0${octet}c41f7`, { VpcId: `vpc-0${octet}c41f7`, State: "available" }),
    ),
    ...zones.map((zone, index) =>
      component(
        "Subnet",
        `${environment}-${zone}`,
        {
          "/domain/Network": from(vpc, "/si/name"),
          "/domain/Region": from(vpc, "/domain/Region"),
          "/domain/AvailabilityZone": `${region}${zone}`,
          "/domain/CidrBlock": `10.${octet}.${index * 16}.0/20`,
          "/domain/MapPublicIp": zone === "a",
          "/domain/Tags/environment": environment,
        },
        existing(`subnet-0${octet}${zone}77`, { SubnetId: `subnet-0${octet}${zone}77` }),
      ),
    ),
  ];
});

const rule = (port: number, cidrs: readonly string[], note: string) => ({
  Protocol: "tcp",
  FromPort: port,
  ToPort: port,
  Cidrs: cidrs,
  Note: note,
});
const group = (name: string, network: string, description: string, rules: readonly object[]): NewComponent =>
  component("Security Group", name, {
    "/domain/Network": from(network, "/si/name"),
    "/domain/Description": description,
    "/domain/Ingress": rules,
  });

const groups: readonly NewComponent[] = [
  group("web-access", "production-network", "the public's way in", [
    rule(443, ["0.0.0.0/0"], "https from anywhere"),
    rule(80, ["0.0.0.0/0"], "redirected to https"),
  ]),
  group("app-access", "production-network", "from the web servers only", [
    rule(8080, ["10.10.0.0/20"], "from web"),
  ]),
  group("database-access", "production-network", "from the application only", [
    rule(5432, ["10.10.16.0/20"], "from app"),
  ]),
  group("operator-access", "production-network", "for people on call", [
    rule(22, ["203.0.113.0/24"], "from the office"),
    rule(22, ["198.51.100.7/32"], "from the old office"),
  ]),
];

const server = (name: string, subnet: string, groupName: string, more: Attributes): NewComponent => {
  const id = `i-0${Buffer.from(name).toString("hex").slice(0, 8)}`;
  return component(
    "Server",
    name,
    {
      "/domain/ImageId": "image-debian-13",
      "/domain/Region": from(subnet, "/domain/Region"),
      "/domain/Subnet": from(subnet, "/si/name"),
      "/domain/SecurityGroups": [groupName],
      "/domain/Placement/Zone": from(subnet, "/domain/AvailabilityZone"),
      "/domain/Tags/role": name.replace(/-?\d+$/, ""),
      ...more,
    },
    existing(id, { InstanceId: id, State: "running" }),
  );
};

const servers: readonly NewComponent[] = [
  ...[1, 2, 3].map((n) =>
    server(`web-${n}`, `production-${zones[n - 1]}`, "web-access", {
      "/domain/InstanceType": "m.large",
      "/domain/Placement/Group/Name": "web",
      "/domain/UserData": JSON.stringify({ packages: ["nginx"], drain: 30 }),
    }),
  ),
  ...[1, 2, 3].map((n) =>
    server(`app-${n}`, `production-${zones[n - 1]}`, "app-access", {
      "/domain/InstanceType": "c.2xlarge",
      "/domain/DiskGb": 80,
      "/domain/MaximumHourlyPrice": 0.84,
    }),
  ),
  ...[1, 2].map((n) =>
    server(`worker-${n}`, `production-${zones[n]}`, "app-access", {
      "/domain/InstanceType": "c.large",
      "/domain/DiskGb": 200,
      "/domain/MaximumHourlyPrice": 0.31,
      "/domain/Tags/interruptible": "yes",
    }),
  ),
  server("bastion", "production-a", "operator-access", { "/domain/Monitoring": false }),
  server("staging-web", "staging-a", "web-access", {}),
  server("staging-app", "staging-b", "app-access", {}),
];

const database = (name: string, environment: string, more: Attributes): NewComponent =>
  component(
    "Database",
    name,
    {
      "/domain/Region": from(`${environment}-network`, "/domain/Region"),
      "/domain/Subnets": zones.map((zone) => `${environment}-${zone}`),
      "/domain/MaintenanceWindow": { Day: "Sunday", HourUtc: 3 },
      "/domain/Tags/environment": environment,
      ...more,
    },
    existing(`db-${name}`, { Endpoint: `${name}.db.example.net`, Port: 5432 }),
  );

const databases: readonly NewComponent[] = [
  database("orders-db", "production", {
    "/domain/InstanceClass": "db.2xlarge",
    "/domain/StorageGb": 500,
    "/domain/MultiZone": true,
    "/domain/Parameters": { max_connections: "400", work_mem: "64MB" },
  }),
  database("catalogue-db", "production", { "/domain/InstanceClass": "db.large", "/domain/StorageGb": 120 }),
  database("legacy-db", "production", { "/domain/Engine": "mysql", "/domain/Version": "5.7.44" }),
  database("staging-db", "staging", {}),
];

const balancer = (
  name: string,
  network: string,
  targets: readonly string[],
  more: Attributes,
): NewComponent =>
  component(
    "Load Balancer",
    name,
    {
      "/domain/Network": from(network, "/si/name"),
      ...Object.fromEntries(
        targets.map((target, index) => [`/domain/Targets/${index}`, from(target, "/si/name")]),
      ),
      ...more,
    },
    existing(`lb-${name}`, { DnsName: `${name}.lb.example.net` }),
  );

const https = { Port: 443, Protocol: "https", TargetPort: 8443 };
const balancers: readonly NewComponent[] = [
  balancer("public-entry", "production-network", ["web-1", "web-2", "web-3"], {
    "/domain/Listeners": [https, { Port: 80, Protocol: "http", TargetPort: 8080 }],
  }),
  balancer("app-entry", "production-network", ["app-1", "app-2", "app-3"], {
    "/domain/Scheme": "internal",
    "/domain/Listeners": [{ Port: 8080, Protocol: "http", TargetPort: 8080 }],
    "/domain/HealthCheck/IntervalSeconds": 5,
  }),
  balancer("staging-entry", "staging-network", ["staging-web"], { "/domain/Listeners": [https] }),
];

const record = (name: string, target: string, more: Attributes = {}): NewComponent =>
  component("DNS Record", `${name}.example.net`, {
    "/domain/Zone": "example.net",
    "/domain/Name": name,
    "/domain/Type": "CNAME",
    "/domain/Target": from(target, "/si/name"),
    ...more,
  });

const records: readonly NewComponent[] = [
  record("www", "public-entry"),
  record("shop", "public-entry", { "/domain/TtlSeconds": 60 }),
  record("api", "app-entry"),
  record("orders", "orders-db"),
  record("catalogue", "catalogue-db"),
  record("staging", "staging-entry"),
  record("bastion", "bastion", { "/domain/Type": "A", "/domain/Values": ["203.0.113.80"] }),
  component("DNS Record", "mail-policy", {
    "/domain/Zone": "example.net",
    "/domain/Name": "@",
    "/domain/Type": "TXT",
    "/domain/Values": ["v=spf1 -all"],
  }),
];

/** The head of the sample workspace, in an order in which each finds what it reads. */
export const sampleComponents: readonly NewComponent[] = [
  component("Cloud Credential", "cloud-account", { "/domain/AccountId": "4711-0815-2342" }),
  ...networking,
  ...groups,
  ...servers,
  ...databases,
  ...balancers,
  ...records,
];
