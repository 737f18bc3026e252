import type { Message } from "../../tui/core/message.ts";
import type { Model } from "../../tui/core/model.ts";
import { headId, idAt, redisId, worldComponents, worldNow } from "./tui-data.ts";
import { news } from "./tui-story.ts";
import { told } from "./tui-world.ts";

const [web, db, queue] = worldComponents();
if (web === undefined || db === undefined || queue === undefined) throw new Error("an empty world");
/** Components that runs and actions of the world are of. */
export const workComponents = { web, db, queue };

const at = (ms: number): string => new Date(ms).toISOString();
const seconds = 1_000;

/** A run `ago` milliseconds old; `patch` replaces members. */
export function runOf(
  serial: number,
  ago: number,
  patch: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> & { readonly id: string } {
  const created = worldNow - ago;
  return {
    id: idAt(created, serial),
    state: "Success",
    functionName: "createNetwork",
    functionKind: "action",
    actionKind: "Create",
    componentId: web?.componentId,
    componentName: web?.name,
    failure: null,
    createdAt: at(created),
    updatedAt: at(created + 4_200),
    ...patch,
  };
}

export const running = runOf(1, 12 * seconds, { state: "Running", componentId: db.componentId });
export const failed = runOf(2, 90 * seconds, {
  state: "Failure",
  functionName: "checkPorts",
  functionKind: "qualification",
  actionKind: null,
  failure: "port 22 is open to 0.0.0.0/0 (main.ts:7)",
});
export const finished = runOf(3, 400 * seconds);
/** Its function has ended well, and what it returned is being done. */
export const operating = runOf(4, 30 * seconds, {
  functionName: "importSubnets",
  functionKind: "management",
  actionKind: null,
  componentId: queue.componentId,
});

const keyed = (items: readonly { readonly id: string }[]): Record<string, unknown> =>
  Object.fromEntries(items.map((item) => [item.id, item]));

const job = (
  serial: number,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> & { id: string } => ({
  id: idAt(worldNow - 31 * seconds, serial),
  kind: "management",
  state: "Operating",
  functionName: "importSubnets",
  componentId: queue?.componentId,
  componentName: queue?.name,
  funcRunId: null,
  failure: null,
  actor: "ana",
  createdAt: at(worldNow - 31 * seconds),
  updatedAt: at(worldNow - 30 * seconds),
  ...patch,
});
export const operatingJob = job(8, { funcRunId: operating.id });
export const pendingJob = job(9, { state: "Pending", functionName: "importZones" });

const action = (
  serial: number,
  name: string,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> & { id: string } => ({
  id: idAt(worldNow - 40 * seconds, serial),
  kind: "Create",
  name,
  state: "Pending",
  prototypeId: idAt(7, serial),
  originatingChangeSetId: headId,
  componentId: web?.componentId,
  ...patch,
});
export const actionsOfHead = {
  running: action(1, "create database", {
    state: "Running",
    componentId: db.componentId,
    funcRunId: running.id,
  }),
  failed: action(2, "create network", { state: "Failed", funcRunId: failed.id }),
  waiting: action(3, "create queue", { componentId: queue.componentId }),
};

/** The news that functions run, actions are queued and jobs go on. */
export const workNews = (): readonly Message[] => [
  news(worldNow, `functionRuns/${headId}`, keyed([running, failed, finished])),
  news(worldNow, `functionRuns/${redisId}`, keyed([operating])),
  news(worldNow, `jobs/${redisId}`, keyed([operatingJob, pendingJob])),
  news(worldNow, `actions/${headId}`, keyed(Object.values(actionsOfHead))),
  news(worldNow, `components/${headId}`, {
    [String(queue.componentId)]: {
      ...queue,
      actionFunctions: [
        {
          functionName: "create queue",
          dependsOn: [actionsOfHead.running.id],
          executionStatus: { state: "Pending", hasActiveRun: false, actionId: actionsOfHead.waiting.id },
        },
      ],
    },
  }),
];

/** A world in which something goes on. */
export const atWork = (model: Model): Model => told(model, ...workNews());

/** A reading of a run with lines, as the server tells it. */
export const readingOf = (
  run: Readonly<Record<string, unknown>>,
  lines: readonly string[],
  patch: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  ...run,
  logs: {
    finalized: run["state"] !== "Running",
    logs: lines.map((message, index) => ({
      stream: "stdout",
      level: "info",
      message,
      executionId: "",
      timestamp: Math.floor(worldNow / 1_000) - 10 + index,
    })),
  },
  ...patch,
});
