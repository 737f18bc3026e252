import type { NewComponent } from "../routes/create-component.ts";
import type { ComponentUpdate } from "../routes/update-component.ts";
import { from } from "./components.ts";
import type { SampleManager, SampleView } from "./relations.ts";

/** One thing that somebody does in a change set; components are named, as people would. */
export type SampleStep =
  | { readonly does: "create"; readonly component: NewComponent }
  | { readonly does: "update"; readonly name: string; readonly update: ComponentUpdate }
  | ({ readonly does: "manage" } & SampleManager)
  | ({ readonly does: "view" } & SampleView)
  | { readonly does: "upgrade"; readonly name: string }
  | { readonly does: "delete"; readonly name: string };

/** Work in progress of the sample workspace. */
export interface SampleChangeSet {
  readonly name: string;
  readonly steps: readonly SampleStep[];
}

const webServer = (n: number, zone: string): SampleStep => ({
  does: "create",
  component: {
    schemaName: "Server",
    name: `web-${n}`,
    attributes: {
      "/domain/ImageId": "image-debian-13",
      "/domain/InstanceType": "m.large",
      "/domain/Region": from(`production-${zone}`, "/domain/Region"),
      "/domain/Subnet": from(`production-${zone}`, "/si/name"),
      "/domain/Placement/Zone": from(`production-${zone}`, "/domain/AvailabilityZone"),
      "/domain/Placement/Group/Name": "web",
      "/domain/SecurityGroups": ["web-access"],
      "/domain/Tags/role": "web",
    },
  },
});

const made = (
  schemaName: string,
  name: string,
  attributes: NonNullable<NewComponent["attributes"]>,
): SampleStep => ({
  does: "create",
  component: { schemaName, name, attributes },
});

/** A new environment: applied, it is built in the order in which its parts read from each other; its database is too large. */
const testEnvironment: readonly SampleStep[] = [
  made("VPC", "test-network", {
    "/domain/Region": "us-east-1",
    "/domain/CidrBlock": "10.30.0.0/16",
    "/domain/Tags/environment": "test",
    "/secrets/Cloud Credential": from("cloud-account", "/secrets/Cloud Credential"),
  }),
  ...["a", "b"].map((zone, index) =>
    made("Subnet", `test-${zone}`, {
      "/domain/Network": from("test-network", "/si/name"),
      "/domain/Region": from("test-network", "/domain/Region"),
      "/domain/AvailabilityZone": `us-east-1${zone}`,
      "/domain/CidrBlock": `10.30.${index * 16}.0/20`,
    }),
  ),
  made("Security Group", "test-access", {
    "/domain/Network": from("test-network", "/si/name"),
    "/domain/Description": "for whoever tests",
    "/domain/Ingress": [{ Protocol: "tcp", FromPort: 443, ToPort: 443, Cidrs: ["0.0.0.0/0"], Note: "https" }],
  }),
  ...["web-1", "web-2", "app"].map((name, index) =>
    made("Server", `test-${name}`, {
      "/domain/ImageId": "image-debian-13",
      "/domain/Region": from(`test-${index === 1 ? "b" : "a"}`, "/domain/Region"),
      "/domain/Subnet": from(`test-${index === 1 ? "b" : "a"}`, "/si/name"),
      "/domain/SecurityGroups/-": from("test-access", "/si/name"),
      "/domain/Tags/environment": "test",
    }),
  ),
  made("Database", "test-db", {
    "/domain/Region": from("test-network", "/domain/Region"),
    "/domain/StorageGb": 800,
    "/domain/Tags/environment": "test",
  }),
  made("Load Balancer", "test-entry", {
    "/domain/Network": from("test-network", "/si/name"),
    "/domain/Targets/0": from("test-web-1", "/si/name"),
    "/domain/Targets/1": from("test-web-2", "/si/name"),
    "/domain/Listeners": [{ Port: 443, Protocol: "https", TargetPort: 8443 }],
  }),
  made("DNS Record", "test.example.net", {
    "/domain/Zone": "example.net",
    "/domain/Name": "test",
    "/domain/Type": "CNAME",
    "/domain/Target": from("test-entry", "/si/name"),
  }),
  made("DNS Record", "test-db.example.net", {
    "/domain/Zone": "example.net",
    "/domain/Name": "test-db",
    "/domain/Type": "CNAME",
    "/domain/Target": from("test-db", "/si/name"),
  }),
];

/** The open change sets, each told apart from the head by additions, edits, a deletion mark, a subscription or an upgrade. */
export const sampleChangeSets: readonly SampleChangeSet[] = [
  {
    name: "Scale out the web tier",
    steps: [
      webServer(4, "a"),
      webServer(5, "b"),
      {
        does: "update",
        name: "public-entry",
        update: {
          attributes: {
            "/domain/Targets/-": from("web-4", "/si/name"),
            "/domain/HealthCheck/IntervalSeconds": 10,
          },
        },
      },
      { does: "update", name: "web-1", update: { attributes: { "/domain/DiskGb": 40 } } },
      { does: "manage", manager: "public-entry", components: ["web-4", "web-5"] },
      { does: "view", view: "Compute", components: ["web-4", "web-5"] },
    ],
  },
  {
    name: "Retire the legacy database",
    steps: [
      { does: "delete", name: "legacy-db" },
      {
        does: "update",
        name: "orders-db",
        update: { attributes: { "/domain/Version": "17.2", "/domain/Parameters/max_connections": "600" } },
      },
      {
        does: "update",
        name: "catalogue-db",
        update: {
          attributes: { "/domain/MultiZone": true, "/domain/Version": from("orders-db", "/domain/Version") },
        },
      },
    ],
  },
  {
    name: "Tighten operator access",
    steps: [
      {
        does: "update",
        name: "operator-access",
        update: {
          attributes: { "/domain/Ingress/1": { $source: null }, "/domain/Ingress/0/Note": "from the VPN" },
        },
      },
      { does: "update", name: "bastion", update: { attributes: { "/domain/Monitoring": true } } },
      { does: "upgrade", name: "bastion.example.net" },
      {
        does: "create",
        component: {
          schemaName: "Security Group",
          name: "monitoring-access",
          attributes: {
            "/domain/Network": from("production-network", "/si/name"),
            "/domain/Description": "for what collects metrics",
            "/domain/Ingress": [{ Protocol: "tcp", FromPort: 9100, ToPort: 9100, Cidrs: ["10.10.32.0/20"] }],
          },
        },
      },
    ],
  },
  { name: "Bring up the test environment", steps: testEnvironment },
];
