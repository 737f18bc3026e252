import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Collectives with their members and tokens, and the workspaces in which their tokens act. */
export const collectives: Migration = {
  name: "0007-collectives",
  statements: ({ idType: id }) => [
    sql`create table collective(
      id ${id} primary key, slug ${id} not null unique, name text not null, personal_of ${id} unique,
      created_by ${id} not null, created_at bigint not null)`,
    sql`create table collective_member(
      collective_id ${id} not null, user_id ${id} not null, role text not null, created_at bigint not null,
      primary key(collective_id, user_id))`,
    sql`create index collective_member_by_user on collective_member(user_id, collective_id)`,
    sql`create table collective_invitation(
      id ${id} primary key, collective_id ${id} not null, email ${id} not null, role text not null,
      invited_by ${id} not null, created_at bigint not null, expires_at bigint not null,
      unique(collective_id, email))`,
    sql`create index collective_invitation_by_email on collective_invitation(email)`,
    sql`create table collective_token(
      id ${id} primary key, collective_id ${id} not null, name text not null, start text not null,
      token_hash ${id} not null unique, state text not null, expires_at bigint, created_by ${id} not null,
      created_at bigint not null, updated_at bigint not null, last_used_at bigint)`,
    sql`create index collective_token_by_collective on collective_token(collective_id, id)`,
    sql`create table collective_grant(
      workspace_id ${id} not null, collective_id ${id} not null, granted_by ${id} not null,
      created_at bigint not null, primary key(workspace_id, collective_id))`,
    sql`create index collective_grant_by_collective on collective_grant(collective_id, workspace_id)`,
  ],
};
