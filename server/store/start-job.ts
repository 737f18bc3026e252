import { fail } from "../../src/contract/errors.ts";
import { recordEvent } from "./events.ts";
import { createFunctionJob, type NewFunctionJob } from "./function-jobs.ts";
import { type Layer, lockLayer, touchLayers } from "./layer.ts";
import type { Store } from "./open.ts";

/**
 * Starts a management job in an active change set, or a debug job in any layer, and remembers who did. Throws
 * `managementRunning`; for management `headNotEditable` and `changeSetNotActive` too.
 */
export function startFunctionJob(
  store: Store,
  layer: Layer,
  job: NewFunctionJob,
  about: Readonly<Record<string, unknown>>,
): Promise<string> {
  const isManagement = job.kind === "management";
  if (isManagement && layer.id === layer.headId) fail("headNotEditable");
  return store.write(async (tx) => {
    if (isManagement) await lockLayer(tx, layer.id, 0);
    else await touchLayers(tx, [layer.id]);
    const id = await createFunctionJob(tx, layer, job);
    const { workspaceId } = layer;
    const event = { workspaceId, actor: job.actor, changeSetId: layer.id, subject: job.componentId } as const;
    const kind = isManagement ? "management_job.started" : "debug_job.started";
    recordEvent(tx, { ...event, kind, data: { jobId: id, ...about } });
    return id;
  });
}
