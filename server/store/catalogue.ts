import { sql } from "kysely";
import { type NewEvent, recordEvent } from "./events.ts";
import type { CatalogueTable } from "./function-tables.ts";
import type { Reads, Store } from "./open.ts";

/** A contributed schema without its package. */
export type ContributedSchema = Pick<CatalogueTable, "schema_id" | "name" | "category" | "hash">;

/** What is contributed. */
export interface Contribution extends ContributedSchema {
  /** JSON: the package. */
  readonly spec: string;
}

/** The newest contribution of each schema, those that were contributed first coming first. */
export async function listContributed(reads: Reads): Promise<ContributedSchema[]> {
  const { rows } = await sql<ContributedSchema>`
    select c.schema_id, c.name, c.category, c.hash from catalogue c
    where c.entry = (select max(n.entry) from catalogue n where n.schema_id = c.schema_id)
    order by (select min(o.entry) from catalogue o where o.schema_id = c.schema_id)`.execute(reads.db);
  return rows;
}

/** The newest package that was contributed of a schema, as JSON; undefined when there is none. */
export async function findContributed(reads: Reads, schemaId: string): Promise<Contribution | undefined> {
  return reads.db
    .selectFrom("catalogue")
    .select(["schema_id", "name", "category", "hash", "spec"])
    .where("schema_id", "=", schemaId)
    .orderBy("entry", "desc")
    .limit(1)
    .executeTakeFirst();
}

/**
 * Adds a contribution, unless it says what the newest of its schema says. Every head's revision moves with it, since
 * lists of schemas show it everywhere; contributions come one after the other, so that no two wait for each other's heads.
 */
export function contribute(
  store: Store,
  contribution: Contribution,
  event: Omit<NewEvent, "workspaceId"> & { readonly workspaceId: string },
): Promise<void> {
  return store.write(async (tx) => {
    await tx.engine.hold(tx.db, "catalogue");
    const newest = await findContributed(tx, contribution.schema_id);
    if (newest?.hash === contribution.hash) return;
    const row: CatalogueTable = {
      ...contribution,
      entry: tx.store.id(),
      workspace_id: event.workspaceId,
      actor: event.actor,
      at: tx.now,
    };
    await tx.db.insertInto("catalogue").values(row).execute();
    const { rows } = await sql<{ readonly id: string }>`
      update change_set set rev = rev + 1 where id = head_id returning id`.execute(tx.db);
    for (const { id } of rows) tx.changed(id);
    await recordEvent(tx, event);
  });
}
