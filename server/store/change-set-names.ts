import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import type { Reads } from "./open.ts";

/** Whether a change set of exactly this name is in the workspace: of that status, or whatever became of it. */
export async function hasChangeSetNamed(
  reads: Reads,
  workspaceId: string,
  name: string,
  status?: ChangeSetStatus,
): Promise<boolean> {
  let query = reads.db
    .selectFrom("change_set")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("name", "=", name);
  if (status !== undefined) query = query.where("status", "=", status);
  return (await query.limit(1).execute()).length > 0;
}
