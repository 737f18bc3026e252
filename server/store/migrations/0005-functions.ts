import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Runs of functions with their logs, management and debug jobs, the catalogue of schemas. */
export const functions: Migration = {
  name: "0005-functions",
  statements: ({ idType: id }) => [
    sql`create table func_run(
      id ${id} primary key, workspace_id ${id} not null, layer ${id} not null, func_id ${id} not null,
      kind text not null, state text not null, component_id ${id}, prototype_id ${id}, action_id ${id},
      action_result text, fingerprint text, code_hash text, about text not null, args text not null,
      result text not null, failure text, finalized bigint not null, owner ${id}, lease_until bigint not null,
      cancelled bigint not null, rev bigint not null, created_at bigint not null, updated_at bigint not null)`,
    sql`create index func_run_of_component on func_run(component_id, func_id, layer, id, state, prototype_id)`,
    sql`create index func_run_of_layer on func_run(layer, id)`,
    sql`create index func_run_alive on func_run(layer, id) where state in ('Created', 'Running', 'PostProcessing')`,
    sql`create table func_log(
      run_id ${id} not null, part bigint not null, lines text not null, primary key(run_id, part))`,
    sql`create index func_run_of_code on func_run(code_hash)`,
    sql`create table func_code(hash ${id} primary key, updated_at bigint not null, code text not null)`,
    sql`create table func_job(
      id ${id} primary key, workspace_id ${id} not null, layer ${id} not null, kind text not null,
      state text not null, component_id ${id} not null, prototype_id ${id}, func_run_id ${id},
      request text not null, result text, failure text, actor ${id} not null, cancelled bigint not null,
      rev bigint not null, created_at bigint not null, updated_at bigint not null)`,
    sql`create unique index func_job_single_flight on func_job(layer, component_id, prototype_id)
      where kind = 'management' and state in ('Pending', 'Executing', 'Operating')`,
    sql`create index func_job_of_layer on func_job(layer, id)`,
    sql`create table catalogue(
      entry ${id} primary key, schema_id ${id} not null, name text not null, category text not null,
      hash text not null, spec text not null, workspace_id ${id}, actor ${id}, at bigint not null)`,
    sql`create unique index catalogue_of_schema on catalogue(schema_id)`,
    sql`create table building(key ${id} primary key, owner ${id} not null, lease_until bigint not null)`,
    sql`create index component_of_variant on component(layer, variant_id)`,
    sql`create index sub_by_func on sub(func, layer) where func is not null`,
  ],
};
