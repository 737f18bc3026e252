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

/** What was contributed, each schema once, those that were contributed first coming first. */
export const listContributed = (reads: Reads): Promise<ContributedSchema[]> =>
  reads.db
    .selectFrom("catalogue")
    .select(["schema_id", "name", "category", "hash"])
    .orderBy("entry")
    .execute();

/** The package that was contributed of a schema last, as JSON; undefined when there is none. */
export const findContributed = (reads: Reads, schemaId: string): Promise<Contribution | undefined> =>
  reads.db
    .selectFrom("catalogue")
    .select(["schema_id", "name", "category", "hash", "spec"])
    .where("schema_id", "=", schemaId)
    .executeTakeFirst();

/**
 * Puts a contribution in the place of what was contributed of its schema before, unless it says the same. Every head's
 * revision moves with it, since lists of schemas show it everywhere; contributions come one after the other, so that no
 * two wait for each other's heads.
 */
export function contribute(store: Store, contribution: Contribution, event: NewEvent): Promise<void> {
  return store.write(async (tx) => {
    await tx.engine.hold(tx.db, "catalogue");
    const before = await findContributed(tx, contribution.schema_id);
    if (before?.hash === contribution.hash) return;
    const { workspaceId: workspace_id, actor } = event;
    const row = { ...contribution, workspace_id, actor, at: tx.now };
    if (before === undefined) {
      await tx.db
        .insertInto("catalogue")
        .values({ ...row, entry: tx.store.id() })
        .execute();
    } else {
      await tx.db.updateTable("catalogue").set(row).where("schema_id", "=", contribution.schema_id).execute();
    }
    const { rows } = await sql<{ readonly id: string }>`
      update change_set set rev = rev + 1 where id = head_id returning id`.execute(tx.db);
    for (const { id } of rows) tx.changed(id);
    recordEvent(tx, event);
  });
}
