import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What search needs of a component's row: when it was written last, and the seal on its values. */
export const searchSeals: Migration = {
  name: "0003-search",
  statements: () => [
    sql`alter table component add column row_rev bigint not null default 0`,
    sql`alter table component add column search_seal text`,
    sql`update component set search_seal = '1.' || hash where hash is not null`,
    sql`create index component_by_write on component(layer, row_rev, id)`,
  ],
};
