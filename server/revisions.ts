import type { Endpoint } from "../src/contract/endpoint.ts";
import { fail } from "../src/contract/errors.ts";
import type { Incoming } from "../src/http/mount.ts";
import { credentialIdOf } from "./auth/principals.ts";
import { type Context, layerOf, type WorkspaceAccess, workspaceOf } from "./context.ts";
import { findRunRev } from "./store/func-run-reads.ts";
import { runKey } from "./store/func-runs.ts";
import { switchKey } from "./store/switches.ts";

/** Moves whenever the shape of an answer changes, so that no client keeps one of an older version. */
const format = 1;

/**
 * The revision that an answer's ETag is made of: counters that were read as the caller was admitted, before the data.
 * Undefined where they do not say it: of one function run.
 */
export function revisionIn({ revision }: Endpoint, workspace: WorkspaceAccess): string | undefined {
  if (revision === "run") return undefined;
  if (revision === "workspace") return `${format}.w${workspace.rev}`;
  // Forgetting old events moves the workspace's own counter.
  if (revision === "events") return `${format}.w${workspace.rev}.e${workspace.eventSeq}`;
  const layer = workspace.layer ?? fail("changeSetNotFound");
  const own = `${format}.${workspace.headRev}.${layer.rev}`;
  return revision === "review" ? `${own}.w${workspace.rev}` : own;
}

/** The revision of a request's answer. Throws `functionRunNotFound`. */
export const revisionOf = ({ endpoint, request }: Incoming, context: Context): string | Promise<string> =>
  revisionIn(endpoint, workspaceOf(context)) ?? runRevision(runIdOf(request), context);

async function runRevision(runId: string, context: Context): Promise<string> {
  const rev = await findRunRev(context.server.store, workspaceOf(context).id, runId);
  return `${format}.r${rev ?? fail("functionRunNotFound")}`;
}

function runIdOf({ params }: Incoming["request"]): string {
  // The router's boundary: a row with the revision `run` has this parameter.
  const { funcRunId = "" } = params as { readonly funcRunId?: string };
  return funcRunId.toUpperCase();
}

/**
 * Resolves when the counters of {@link revisionIn} may have moved, the caller's credential was revoked, maintenance
 * began, or `signal` aborts.
 */
export function waitForChange(
  { endpoint, request }: Incoming,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { store } = context.server;
  const workspace = workspaceOf(context);
  const { revision } = endpoint;
  const always = [switchKey, ...(context.principal === undefined ? [] : [credentialIdOf(context.principal)])];
  if (revision === "workspace" || revision === "events") {
    return store.changed([workspace.id, ...always], signal);
  }
  const { id, headId } = layerOf(context);
  // The layer as well: below a deleted change set nothing can be read any more.
  if (revision === "run") return store.changed([runKey(runIdOf(request)), id, ...always], signal);
  const keys = [id, headId, ...always];
  return store.changed(revision === "review" ? [...keys, workspace.id] : keys, signal);
}
