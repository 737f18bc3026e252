import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Collectives that were deleted keep their row: what was done by them stays attributed, and the slug stays taken. */
export const deletedCollectives: Migration = {
  name: "0010-deleted-collectives",
  statements: () => [
    sql`alter table collective add column deleted_at bigint`,
    sql`create index collective_by_creator on collective(created_by, deleted_at)`,
  ],
};
