import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * Which addresses were invited with a code that is needed, and by which workspace or collective: what an invitation says
 * of that goes with the invitation, and who registered the address meanwhile stays.
 */
export const codedAddresses: Migration = {
  name: "0013-coded-addresses",
  statements: ({ idType }) => [
    sql`create table coded_address(
      email ${idType} not null, place ${idType} not null, primary key(email, place))`,
    sql`insert into coded_address(email, place)
      select distinct email, workspace_id from invitation where code_hash is not null`,
    sql`insert into coded_address(email, place)
      select distinct email, collective_id from collective_invitation where code_needed = 1`,
  ],
};
