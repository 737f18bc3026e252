import { type RawBuilder, sql } from "kysely";
import type { Migration } from "./migration.ts";

/** The model of layers, the work queue, events, and the accounts with their sessions and keys. */
export const layersAndAccounts: Migration = {
  name: "0001-layers-and-accounts",
  statements: ({ idType: id }) => [...layers(id), ...workspaces(id), ...accounts(id)],
};

const layers = (id: RawBuilder<unknown>): RawBuilder<unknown>[] => [
  sql`create table change_set(
    id ${id} primary key, workspace_id ${id} not null, head_id ${id} not null, name ${id} not null,
    status text not null, rev bigint not null, graph_rev bigint not null, created_by ${id} not null,
    created_at bigint not null, updated_at bigint not null, deleted_at bigint)`,
  sql`create unique index change_set_active_name on change_set(workspace_id, name)
    where status in ('Open', 'NeedsApproval', 'Approved', 'Rejected')`,
  sql`create index change_set_by_head on change_set(head_id, status)`,
  sql`create table component(
    layer ${id} not null, id ${id} not null, op text not null, hash text, edit_rev bigint not null,
    base_rev bigint not null, to_delete bigint not null, name ${id}, schema_id ${id}, variant_id ${id},
    item text, settings text, vals text, primary key(layer, id))`,
  sql`create index component_by_id on component(id, layer)`,
  sql`create index component_by_name on component(layer, name)`,
  sql`create table sub(
    layer ${id} not null, subscriber ${id} not null, to_path ${id} not null, source ${id}, from_path text,
    func text, primary key(layer, subscriber, to_path))`,
  sql`create index sub_by_source on sub(source, layer)`,
  sql`create table root(
    layer ${id} not null, component ${id} not null, mark ${id} not null, primary key(layer, component))`,
  sql`create table job(
    key ${id} primary key, kind text not null, wanted bigint not null, owner ${id}, lease_until bigint not null)`,
  sql`create index job_by_lease on job(lease_until, key)`,
  sql`create table entity(
    layer ${id} not null, kind ${id} not null, id ${id} not null, op text not null, edit_rev bigint not null,
    base_rev bigint not null, name ${id}, body text, primary key(layer, kind, id))`,
  sql`create index entity_by_id on entity(id, layer)`,
  sql`create index entity_by_name on entity(layer, kind, name)`,
];

const workspaces = (id: RawBuilder<unknown>): RawBuilder<unknown>[] => [
  sql`create table workspace(
    id ${id} primary key, head_id ${id} not null, display_name text not null, description text not null,
    instance_url text, approvals_enabled bigint not null, creator ${id} not null, rev bigint not null,
    event_seq bigint not null, created_at bigint not null, deleted_at bigint)`,
  sql`create table member(
    workspace_id ${id} not null, user_id ${id} not null, role text not null, created_at bigint not null,
    primary key(workspace_id, user_id))`,
  sql`create index member_by_user on member(user_id, workspace_id)`,
  sql`create table event(
    workspace_id ${id} not null, seq bigint not null, at bigint not null, actor ${id} not null,
    kind text not null, layer ${id}, subject ${id}, data text, primary key(workspace_id, seq))`,
  sql`create index event_by_time on event(at)`,
];

const accounts = (id: RawBuilder<unknown>): RawBuilder<unknown>[] => [
  sql`create table "user"(
    id ${id} primary key, email ${id} not null unique, username ${id} not null unique, name text not null,
    password_hash text not null, created_at bigint not null, updated_at bigint not null, suspended_at bigint)`,
  sql`create table session(
    id ${id} primary key, token_hash ${id} not null unique, user_id ${id} not null, created_at bigint not null,
    expires_at bigint not null, last_used_at bigint not null, ip text, user_agent text, revoked_at bigint)`,
  sql`create index session_by_user on session(user_id)`,
  sql`create index session_by_expiry on session(expires_at)`,
  sql`create table api_key(
    id ${id} primary key, user_id ${id} not null, name text, start text not null, prefix text not null,
    key_hash ${id} not null unique, state text not null, expires_at bigint, created_at bigint not null,
    updated_at bigint not null, last_used_at bigint, request_count bigint not null, metadata text)`,
  sql`create index api_key_by_user on api_key(user_id, id)`,
  sql`create table key_audit(
    id ${id} primary key, key_id ${id} not null, at bigint not null, from_state text, to_state text not null,
    actor ${id} not null)`,
  sql`create index key_audit_by_key on key_audit(key_id, id)`,
  sql`create table telemetry(
    id ${id} primary key, at bigint not null, distinct_id ${id} not null, actor ${id}, operation text not null)`,
  sql`create index telemetry_by_time on telemetry(at)`,
];
