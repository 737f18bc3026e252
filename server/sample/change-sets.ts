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
];
