import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Failed runs, which are few, and jobs by workspace, newest last; jobs of a component. */
export const failedRuns: Migration = {
  name: "0014-failed-runs",
  statements: () => [
    sql`create index func_run_failed on func_run(workspace_id, id, layer)
      where state in ('Failure', 'Killed') or action_result = 'Failure'`,
    sql`create index func_job_of_workspace on func_job(workspace_id, id, layer)`,
    sql`create index func_job_of_component on func_job(component_id, id)`,
  ],
};
