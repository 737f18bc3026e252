import type { ComponentView } from "../../src/contract/components.ts";
import type { DaemonStatus, ListDelta } from "../../src/ipc/contract.ts";
import type { MirrorEvent } from "../../src/mirror/resources.ts";
import type { Answer } from "../../tui/core/answer.ts";
import { actionItems, mergeItem, partsByKey, worldReview } from "./tui-review.ts";

/** The moment at which every scripted world stands still. */
export const worldNow = Date.UTC(2026, 0, 5, 14, 7, 31);
const minute = 60_000;
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A ULID of a moment and a number, the same for the same input. */
export function idAt(time: number, serial: number): string {
  const digits = (value: number, length: number): string => {
    let text = "";
    for (let left = value, index = 0; index < length; index++, left = Math.floor(left / 32)) {
      text = alphabet.charAt(left % 32) + text;
    }
    return text;
  };
  return digits(time, 10) + digits(serial, 16);
}

/** Numbers in [0, 1) that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface WorldOptions {
  /** Components in the head. Default 40. */
  readonly components?: number;
  readonly seed?: number;
  /** Names with emoji, CJK and combining marks among the plain ones. */
  readonly wideNames?: boolean;
  /** Nothing fails in a calm world, and its components have neither checks nor resources. */
  readonly calm?: boolean;
  /** Components that the change set `redisId` modifies. Default 5. */
  readonly differing?: number;
}

const roles = [
  "api",
  "worker",
  "redis",
  "postgres",
  "queue",
  "cdn",
  "alarm",
  "vpc",
  "subnet",
  "iam",
  "bucket",
  "dns",
];
const places = ["main", "backup", "eu", "us", "staging", "edge", "jobs", "data"];
const schemas = [
  "ECS::Service",
  "ElastiCache::CacheCluster",
  "EC2::SecurityGroup",
  "S3::Bucket",
  "IAM::Role",
  "RDS::DBInstance",
];
const wide = [
  "🐢 turtle",
  "漢字-service",
  "🚀launch pad",
  "café",
  "👩‍💻 dev box",
  "한국어",
  "⚠️ careful",
  "ไทย",
];

export const headId = idAt(worldNow - 90 * 24 * 60 * minute, 1);
export const redisId = idAt(worldNow - 130 * minute, 2);
export const upgradeId = idAt(worldNow - 27 * 60 * minute, 3);
export const importId = idAt(worldNow - 18 * minute, 4);

const sets = [
  { id: headId, name: "HEAD", status: "Open", isHead: true },
  { id: redisId, name: "add-redis-cache", status: "Open", isHead: false },
  { id: upgradeId, name: "eks-131-upgrade", status: "NeedsApproval", isHead: false },
  { id: importId, name: "vpc-import", status: "Open", isHead: false },
];

export interface WorldComponent {
  readonly componentId: string;
  readonly name: string;
  readonly schemaName: string;
  readonly [member: string]: unknown;
}

/** The components of the head of a world. */
export function worldComponents(options: WorldOptions = {}): readonly WorldComponent[] {
  const random = seeded(options.seed ?? 1);
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  return Array.from({ length: options.components ?? 40 }, (_, serial) => {
    const plain = `${pick(roles)}-${pick(places)}-${String(serial).padStart(2, "0")}`;
    const name = options.wideNames === true && random() < 0.3 ? `${pick(wide)} ${serial}` : plain;
    const state = random() < 0.04 ? "Failed" : random() < 0.08 ? "Warning" : "Succeeded";
    const resource = random() < 0.03 ? "Error" : random() < 0.8 ? "Ok" : undefined;
    return {
      componentId: idAt(worldNow - Math.floor(random() * 60 * 24 * 60) * minute, 1_000 + serial),
      name,
      schemaName: `AWS::${pick(schemas)}`,
      hasDiff: false,
      diffStatus: "None",
      ...(options.calm === true
        ? {}
        : {
            qualificationFunctions: [
              {
                functionName: "is sized right",
                executionStatus: { hasActiveRun: false, state: "Succeeded" },
              },
              { functionName: "no open ports", executionStatus: { hasActiveRun: false, state } },
            ],
            ...(serial % 13 === 4
              ? { manages: [{ toComponentId: idAt(1, serial), toComponentName: `managed-${serial}` }] }
              : {}),
            ...(resource === undefined
              ? {}
              : { hasResource: true, resourceStatus: resource, resourceId: `arn:${serial}` }),
          }),
    };
  });
}

/** The same components as a change set shows them: some modified, some added. */
export function changedComponents(
  components: readonly WorldComponent[],
  modified: number,
  added: readonly string[],
): readonly WorldComponent[] {
  const step = Math.max(1, Math.floor(components.length / Math.max(1, modified)));
  const edited = components.map((component, index) =>
    index % step === 0 && index / step < modified
      ? { ...component, hasDiff: true, diffStatus: "Modified" }
      : component,
  );
  const fresh = added.map((name, serial) => ({
    componentId: idAt(worldNow - (12 - serial) * minute, 900_000 + serial),
    name,
    schemaName: "AWS::ElastiCache::CacheCluster",
    hasDiff: true,
    diffStatus: "Added",
  }));
  return [...edited, ...fresh];
}

const keyed = (items: readonly WorldComponent[]): Record<string, unknown> =>
  Object.fromEntries(items.map((item) => [item.componentId, item]));

export const whole = (resource: string, upserted: Record<string, unknown>): ListDelta => ({
  resource,
  upserted,
  deleted: [],
  whole: true,
});

/** The history of a world: bursts of changes over the last hour. */
export function worldEvents(components: readonly WorldComponent[]): readonly MirrorEvent[] {
  const random = seeded(7);
  return Array.from({ length: 120 }, (_, serial): MirrorEvent => {
    const ago = Math.floor(random() ** 2 * 58 * minute);
    const component = components[Math.floor(random() * components.length)];
    const at = worldNow - ago;
    return {
      id: idAt(at, serial),
      at: new Date(at).toISOString(),
      kind: random() < 0.15 ? "added" : "changed",
      resource: "components",
      changeSetId: random() < 0.6 ? redisId : importId,
      key: component?.componentId ?? "",
      name: component?.name ?? "something",
    };
  }).sort((a, b) => (a.id < b.id ? -1 : 1));
}

const listHealth = (resource: string, items: number): DaemonStatus["lists"][number] => ({
  resource,
  items,
  syncedAt: new Date(worldNow - 3_000).toISOString(),
  changedAt: new Date(worldNow - 60_000).toISOString(),
  failures: 0,
  error: null,
  nextAt: null,
});

/** A daemon in good health; `patch` replaces members. */
export const worldStatus = (patch: Partial<DaemonStatus> = {}): DaemonStatus => ({
  version: "0.1.0",
  pid: 4242,
  startedAt: new Date(worldNow - 95 * minute).toISOString(),
  serverUrl: "http://127.0.0.1:5380",
  workspaceId: idAt(worldNow - 100 * 24 * 60 * minute, 9),
  session: { state: "signed-in", username: "ana", message: null },
  server: {
    state: "online",
    since: new Date(worldNow - 95 * minute).toISOString(),
    lastSuccessAt: new Date(worldNow - 2_000).toISOString(),
    nextRetryAt: null,
    error: null,
    latencyMs: 42.4,
  },
  lists: [
    listHealth("changeSets", 4),
    listHealth(`components/${headId}`, 40),
    listHealth(`components/${redisId}`, 44),
  ],
  notices: [],
  ...patch,
});

/** The first answer of a daemon that knows everything about a world. */
export function worldAnswer(options: WorldOptions = {}): Answer {
  const head = worldComponents(options);
  const redis = changedComponents(head, options.differing ?? 5, [
    "redis-cache",
    "redis-params",
    "redis-subnets",
    "redis-alarm",
  ]);
  const upgrade = changedComponents(head, 9, []);
  const imported = changedComponents(head, 0, ["vpc-legacy", "vpc-peering"]);
  const asked = new Date(worldNow - 42 * minute).toISOString();
  return {
    instance: "world",
    revision: 1,
    fresh: true,
    status: worldStatus(),
    changes: [
      whole(
        "changeSets",
        Object.fromEntries(
          sets.map((set) => [set.id, options.calm === true ? { ...set, status: "Open" } : set]),
        ),
      ),
      whole(`components/${headId}`, keyed(head)),
      whole(`components/${redisId}`, keyed(redis)),
      whole(`components/${upgradeId}`, keyed(upgrade)),
      whole(`components/${importId}`, keyed(imported)),
      ...(options.calm === true
        ? []
        : [
            whole(`reviews/${redisId}`, partsByKey(worldReview(redis))),
            whole(`reviews/${upgradeId}`, partsByKey(worldReview(upgrade, { seed: 12 }))),
            whole(`reviews/${importId}`, partsByKey(worldReview(imported, { seed: 13, pending: true }))),
            whole(`mergeStatuses/${redisId}`, mergeItem(redisId, "Ready")),
            whole(
              `mergeStatuses/${upgradeId}`,
              mergeItem(upgradeId, "NeedsApproval", { mergeRequestedByUser: "bo", mergeRequestedAt: asked }),
            ),
            whole(`mergeStatuses/${importId}`, mergeItem(importId, "Open")),
            whole(
              `actions/${redisId}`,
              actionItems(
                redisId,
                redis.slice(-4).map(({ componentId }) => componentId),
                ["Pending", "Pending", "OnHold", "Pending"],
              ),
            ),
          ]),
      whole("events", Object.fromEntries(worldEvents(head).map((event) => [event.id, event]))),
    ],
  };
}

/** A component as the server tells it in full. */
export function worldComponent(id: string, name: string, patch: Partial<ComponentView> = {}): ComponentView {
  const prop = (path: string, value: unknown) => ({ id: idAt(1, 1), propId: idAt(1, 2), path, value });
  return {
    id,
    name,
    schemaId: idAt(1, 3),
    schemaVariantId: idAt(1, 4),
    resourceId: "",
    secretId: "",
    toDelete: false,
    canBeUpgraded: false,
    attributes: {
      "/domain/NumCacheNodes": 2,
      "/domain/SecurityGroupIds/0": { $source: { component: "redis-sg", path: "/resource/GroupId" } },
    },
    domainProps: [
      prop("root/domain/AuthToken", null),
      prop("root/domain/CacheNodeType", "cache.r7g.large"),
      prop("root/domain/NumCacheNodes", 2),
      prop("root/domain/Port", 6379),
      prop("root/domain/SecurityGroupIds", ["sg-0f3c9a"]),
      prop("root/domain/SecurityGroupIds/SecurityGroupIdsItem[0]", "sg-0f3c9a"),
      prop("root/domain/Tags", { team: "platform-core" }),
      prop("root/domain/Tags/TagsItem[team]", "platform-core"),
      prop("root/domain/TransitEncryption", true),
    ],
    resourceProps: [],
    connections: [],
    views: [],
    ...patch,
  };
}
