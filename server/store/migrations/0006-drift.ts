import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Which components of a head were found to be otherwise than their model. */
export const drift: Migration = {
  name: "0006-drift",
  statements: ({ idType: id }) => [
    sql`create table drift(layer ${id} not null, component ${id} not null, primary key(layer, component))`,
  ],
};
