import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Indexes of what names something only: most edits of components name neither a source nor a variant, and leave the
 * name as it is; an index that holds them all the same costs each of them one more page. By id alone, without a layer,
 * nothing is looked for.
 */
export const whatIsSet: Migration = {
  name: "0016-what-is-set",
  statements: () => [
    sql`drop index component_by_id`,
    sql`alter table component add column named bigint not null default 1`,
    sql`drop index component_by_name`,
    sql`create index component_by_name on component(layer, name) where named = 1`,
    sql`drop index sub_by_source`,
    sql`create index sub_by_source on sub(source, layer) where source is not null`,
    sql`drop index component_of_variant`,
    sql`create index component_of_variant on component(layer, variant_id) where variant_id is not null`,
  ],
};
