import type { Endpoint } from "../src/contract/endpoint.ts";
import { fail } from "../src/contract/errors.ts";
import type { Incoming } from "../src/http/mount.ts";
import { credentialIdOf } from "./auth/principals.ts";
import { type Context, layerOf, type WorkspaceAccess, workspaceOf } from "./context.ts";
import { switchKey } from "./store/switches.ts";

/** Moves whenever the shape of an answer changes, so that no client keeps one of an older version. */
const format = 1;

/** The revision that an answer's ETag is made of: counters that were read as the caller was admitted, before the data. */
export function revisionIn({ revision }: Endpoint, workspace: WorkspaceAccess): string {
  if (revision === "workspace") return `${format}.w${workspace.rev}`;
  // Forgetting old events moves the workspace's own counter.
  if (revision === "events") return `${format}.w${workspace.rev}.e${workspace.eventSeq}`;
  const layer = workspace.layer ?? fail("changeSetNotFound");
  const own = `${format}.${workspace.headRev}.${layer.rev}`;
  return revision === "review" ? `${own}.w${workspace.rev}` : own;
}

/** The revision of a request's answer. */
export const revisionOf = ({ endpoint }: Incoming, context: Context): string =>
  revisionIn(endpoint, workspaceOf(context));

/**
 * Resolves when the counters of {@link revisionIn} may have moved, the caller's credential was revoked, maintenance
 * began, or `signal` aborts.
 */
export function waitForChange({ endpoint }: Incoming, context: Context, signal: AbortSignal): Promise<void> {
  const { store } = context.server;
  const workspace = workspaceOf(context);
  const { revision } = endpoint;
  const always = [switchKey, ...(context.principal === undefined ? [] : [credentialIdOf(context.principal)])];
  if (revision === "workspace" || revision === "events") {
    return store.changed([workspace.id, ...always], signal);
  }
  const { id, headId } = layerOf(context);
  const keys = [id, headId, ...always];
  return store.changed(revision === "review" ? [...keys, workspace.id] : keys, signal);
}
