import { type RawBuilder, sql } from "kysely";
import type { Layer } from "./layer.ts";

/** Ids of a head and of the change sets that became part of it, as a subquery. */
export const partsOf = (headId: string): RawBuilder<unknown> =>
  sql`(select c.id from change_set c where c.head_id = ${headId} and (c.id = ${headId} or c.status = 'Applied'))`;

/**
 * Conditions on a table with an index on `workspace_id, id, layer` for the rows that a layer lists, newest first: the
 * head has those of applied change sets too.
 */
export const listedBy = ({ id, headId, workspaceId }: Layer): RawBuilder<unknown>[] =>
  id === headId
    ? // Walked from the newest of the workspace to as many as are wanted: an expression keeps SQLite from gathering and
      // sorting those of every change set that was ever applied.
      [sql`workspace_id = ${workspaceId}`, sql`layer || '' in ${partsOf(headId)}`]
    : [sql`layer = ${id}`];
