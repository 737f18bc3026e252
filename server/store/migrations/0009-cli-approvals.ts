import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Which requests of terminals were approved in a browser, so that none is twice. */
export const cliApprovals: Migration = {
  name: "0009-cli-approvals",
  statements: () => [
    sql`create table cli_approval(state_hash text primary key, approved_at bigint not null)`,
    sql`create index cli_approval_by_time on cli_approval(approved_at)`,
  ],
};
