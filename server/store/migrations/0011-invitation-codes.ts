import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/**
 * What an invitation of somebody without an account is answered with, as its hash: an address alone proves nothing. Those
 * from before have none and need none.
 */
export const invitationCodes: Migration = {
  name: "0011-invitation-codes",
  statements: () => [
    sql`alter table invitation add column code_hash text`,
    sql`alter table collective_invitation add column code_hash text`,
    sql`alter table collective_invitation add column code_needed int not null default 0`,
  ],
};
