import { fail } from "../src/contract/errors.ts";
import type { Incoming } from "../src/http/mount.ts";
import { type Context, layerOf, workspaceOf } from "./context.ts";
import { findLayerRevision } from "./store/access.ts";
import { workspaceRevision } from "./store/workspaces.ts";

/** Moves whenever the shape of an answer changes, so that no client keeps one of an older version. */
const format = 1;

/** The revision that an answer's ETag is made of: two counters read by key, never the data. */
export async function revisionOf({ endpoint }: Incoming, context: Context): Promise<string> {
  const { store } = context.server;
  const workspace = workspaceOf(context);
  if (endpoint.revision === "workspace") return `${format}.w${await workspaceRevision(store, workspace.id)}`;
  const row = await findLayerRevision(store, layerOf(context).id);
  // A held request may see its change set deleted while it waits.
  if (row === undefined || row.deleted_at !== null) return fail("changeSetNotFound");
  return `${format}.${row.head_rev}.${row.rev}`;
}

/** Resolves when the counters of {@link revisionOf} may have moved, or when `signal` aborts. */
export function waitForChange({ endpoint }: Incoming, context: Context, signal: AbortSignal): Promise<void> {
  const { store } = context.server;
  const workspace = workspaceOf(context);
  if (endpoint.revision === "workspace") return store.changed(workspace.id, signal);
  const { id, headId } = layerOf(context);
  return store.changed([id, headId], signal);
}
