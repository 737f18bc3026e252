import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Who did what to accounts, keys, tokens and workspaces, when and from where. */
export const audit: Migration = {
  name: "0008-audit",
  statements: ({ idType: id }) => [
    sql`create table audit(
      id ${id} primary key, at bigint not null, kind text not null,
      actor_kind text not null, actor ${id}, credential_kind text, credential ${id}, ip text, user_agent text,
      subject ${id}, user_id ${id}, workspace_id ${id}, collective_id ${id}, data text not null)`,
    sql`create index audit_by_user on audit(user_id, id)`,
    sql`create index audit_by_workspace on audit(workspace_id, id)`,
    sql`create index audit_by_collective on audit(collective_id, id)`,
    sql`create index audit_by_time on audit(at)`,
  ],
};
