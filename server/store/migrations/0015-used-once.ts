import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What counts once and was used: approvals of terminals as before, and forms that make something. */
export const usedOnce: Migration = {
  name: "0015-used-once",
  statements: () => [
    sql`alter table cli_approval rename to used_once`,
    sql`alter table used_once rename column state_hash to hash`,
    sql`alter table used_once rename column approved_at to used_at`,
    sql`drop index cli_approval_by_time`,
    sql`create index used_once_by_time on used_once(used_at)`,
  ],
};
