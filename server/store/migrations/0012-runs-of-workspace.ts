import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Runs by workspace, newest last: the head's list has those of every change set that became part of it. */
export const runsOfWorkspace: Migration = {
  name: "0012-runs-of-workspace",
  statements: () => [sql`create index func_run_of_workspace on func_run(workspace_id, id, layer)`],
};
