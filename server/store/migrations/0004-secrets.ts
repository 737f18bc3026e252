import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** What secrets hold, sealed; a row never changes but for the key that it is sealed with. */
export const sealedSecrets: Migration = {
  name: "0004-secrets",
  statements: ({ idType: id }) => [
    sql`create table secret_content(
      id ${id} primary key, workspace_id ${id} not null, secret_id ${id} not null, key_id ${id} not null,
      sealed text not null, created_at bigint not null)`,
    sql`create index secret_content_by_key on secret_content(key_id, id)`,
  ],
};
