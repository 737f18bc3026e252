import { fail } from "../../src/contract/errors.ts";
import { idOf } from "../auth/workspace-access.ts";
import { type Context, userOf } from "../context.ts";
import type { WorkspaceTarget } from "../store/workspace-changes.ts";

/**
 * The workspace of the path, and who asks, where it is decided which tokens may act in it: `what` names these. Throws
 * `forbidden` for a workspace token, which lets no other in and outlives none that it made.
 */
export function tokensTarget(context: Context, workspaceId: string, what: string): WorkspaceTarget {
  if (context.principal?.kind === "workspace") {
    fail("forbidden", `a workspace token manages no ${what}: use a personal key or a session`);
  }
  return { workspaceId: idOf(workspaceId), actor: userOf(context).id };
}
