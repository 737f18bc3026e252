import { type RawBuilder, sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Approvals, actions, policy reports; what an operator and the owners of a workspace decide. */
export const reviewAndManagement: Migration = {
  name: "0002-review-and-management",
  statements: ({ idType: id }) => [...review(id), ...management(id)],
};

const review = (id: RawBuilder<unknown>): RawBuilder<unknown>[] => [
  sql`alter table change_set add column requested_by ${id}`,
  sql`alter table change_set add column requested_at bigint`,
  sql`alter table change_set add column reviewed_by ${id}`,
  sql`alter table change_set add column reviewed_at bigint`,
  sql`alter table change_set add column note text`,
  sql`alter table sub add column base text`,
  sql`create table action(
    layer ${id} not null, id ${id} not null, op text not null, edit_rev bigint not null, base_rev bigint not null,
    component_id ${id}, prototype_id ${id} not null, kind text not null, name text not null, description text,
    state text not null, origin ${id} not null, func_run_id ${id}, primary key(layer, id))`,
  sql`create index action_by_component on action(component_id, layer)`,
  sql`create index action_by_id on action(id, layer)`,
  sql`create table policy_report(
    change_set_id ${id} not null, id ${id} not null, version bigint not null, entry ${id} not null,
    name ${id} not null, policy text not null, report text not null, result text not null, actor ${id} not null,
    at bigint not null, primary key(change_set_id, id, version))`,
  sql`create unique index policy_report_by_name on policy_report(change_set_id, name, version)`,
  sql`create unique index policy_report_by_entry on policy_report(change_set_id, entry)`,
];

const management = (id: RawBuilder<unknown>): RawBuilder<unknown>[] => [
  sql`alter table workspace add column external_id ${id}`,
  sql`alter table workspace add column instance_env_type text not null default 'PRIVATE'`,
  sql`alter table workspace add column quarantined_at bigint`,
  sql`alter table member add column is_default bigint not null default 0`,
  sql`create table invitation(
    workspace_id ${id} not null, email ${id} not null, id ${id} not null, role text not null,
    invited_by ${id} not null, created_at bigint not null, primary key(workspace_id, email))`,
  sql`create index invitation_by_email on invitation(email)`,
  sql`create table workspace_token(
    id ${id} primary key, workspace_id ${id} not null, user_id ${id} not null, name text,
    created_at bigint not null, expires_at bigint, revoked_at bigint, last_used_at bigint)`,
  sql`create index workspace_token_by_workspace on workspace_token(workspace_id, id)`,
  sql`create table switch(name ${id} primary key, value text not null, at bigint not null)`,
];
