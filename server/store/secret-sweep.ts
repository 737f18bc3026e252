import { sql } from "kysely";
import { bodyOf } from "./entities.ts";
import type { Store } from "./open.ts";

/** Contents looked at in one go: some 100 KB of entities. */
const batchSize = 500;

/**
 * Forgets contents older than `before` that no secret holds any more: replaced, or of secrets that are deleted in the
 * head and in every change set that can still be reached. Returns how many went.
 */
export async function forgetSecretContents(store: Store, before: number): Promise<number> {
  let forgotten = 0;
  for (let after = ""; ; ) {
    // Read before what refers to them: a reference never comes later than its content, nor comes back once it is gone.
    const { rows } = await sql<{ id: string; secret_id: string }>`
      select id, secret_id from secret_content where id > ${after} and created_at < ${before}
      order by id limit ${batchSize}`.execute(store.db);
    const held = await heldContents(store, [...new Set(rows.map((row) => row.secret_id))]);
    const gone = rows.map(({ id }) => id).filter((id) => !held.has(id));
    if (gone.length > 0) {
      await store.write((tx) =>
        sql`delete from secret_content where id ${tx.engine.within(gone)}`.execute(tx.db),
      );
    }
    forgotten += gone.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return forgotten;
    after = last.id;
    // SQLite answers at once, so without this no socket and no timer would be served meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Ids of the contents that these secrets hold, in whatever layer; what lies in deleted change sets counts for nothing. */
async function heldContents(store: Store, secretIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ body: string | null }>`
    select e.body from entity e join change_set c on c.id = e.layer
    where e.id ${store.engine.within(secretIds)} and e.kind = 'secret' and c.deleted_at is null`.execute(
    store.db,
  );
  return new Set(
    rows.flatMap((row) => {
      const { content } = bodyOf(row);
      return typeof content === "string" ? [content] : [];
    }),
  );
}
