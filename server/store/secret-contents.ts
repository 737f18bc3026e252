import { sql } from "kysely";
import type { Reads, Store, Tx } from "./open.ts";
import { findSwitch, setSwitch } from "./switches.ts";
import type { SecretContentTable } from "./tables.ts";

/** What one version of a secret holds, as it is kept. */
export interface SealedContent {
  readonly id: string;
  readonly workspaceId: string;
  readonly secretId: string;
  /** Name of the key that it is sealed with. */
  readonly keyId: string;
  readonly sealed: string;
}

/**
 * The name of the key to seal with, held until the transaction ends: a rotation waits for it, so that nothing is sealed
 * with the old key once the new one was named. Where none was named yet `first` becomes it.
 */
export async function holdSealingKey(tx: Tx, first: string): Promise<string> {
  const value = JSON.stringify({ id: first });
  await tx.db
    .insertInto("switch")
    .values({ name: "sealing-key", value, at: tx.now })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  await sql`select name from switch where name = 'sealing-key' ${tx.engine.forShare}`.execute(tx.db);
  return (await findSwitch(tx, "sealing-key"))?.value.id ?? first;
}

/** The name of the key that everything is sealed with from now on; undefined before the first secret. */
export const findSealingKey = async (reads: Reads): Promise<string | undefined> =>
  (await findSwitch(reads, "sealing-key"))?.value.id;

/** Names the key that everything is sealed with from now on; waits for those who seal with the one before. */
export const nameSealingKey = (tx: Tx, id: string): Promise<void> => setSwitch(tx, "sealing-key", { id });

/** Only one process at a time changes which keys there are: held until the transaction ends. */
export const holdKeyList = (tx: Tx): Promise<void> => tx.engine.hold(tx.db, "server keys");

/** Keeps what a version of a secret holds, in the transaction that makes the secret refer to it. */
export async function putSecretContent(tx: Tx, content: SealedContent): Promise<void> {
  await tx.db.insertInto("secret_content").values(rowOf(content, tx.now)).execute();
}

/** Those of these contents that are kept, by id, in one statement. */
export async function findSecretContents(
  reads: Reads,
  contentIds: readonly string[],
): Promise<Map<string, SealedContent>> {
  if (contentIds.length === 0) return new Map();
  const { rows } = await sql<SecretContentTable>`
    select * from secret_content where id ${reads.engine.within(contentIds)}`.execute(reads.db);
  return new Map(rows.map((row) => [row.id, contentOf(row)]));
}

/** Names of the keys that anything is sealed with. */
export async function listKeysInUse(reads: Reads): Promise<string[]> {
  const rows = await reads.db.selectFrom("secret_content").select("key_id").distinct().execute();
  return rows.map((row) => row.key_id);
}

/** How many contents are sealed with another key than this one. */
export async function countSealedOtherwise(reads: Reads, keyId: string): Promise<number> {
  const row = await reads.db
    .selectFrom("secret_content")
    .select((select) => select.fn.countAll<number | string>().as("count"))
    .where("key_id", "<>", keyId)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** A batch keeps writers waiting for some milliseconds. */
const batchSize = 100;

/** What a batch of resealing did. */
export interface Resealed {
  readonly count: number;
  /** Where the next batch goes on; undefined after the last one. */
  readonly next: string | undefined;
}

/**
 * Seals a batch of what is sealed with another key than `keyId` anew, in one transaction, after the content `after`;
 * `reseal` gives the new text, or undefined for what it cannot open. Contents that another process is at are left to it.
 */
export async function resealBatch(
  store: Store,
  keyId: string,
  after: string,
  reseal: (content: SealedContent) => Promise<string | undefined>,
): Promise<Resealed> {
  return store.write(async (tx) => {
    const { rows } = await sql<SecretContentTable>`
      select * from secret_content where key_id <> ${keyId} and id > ${after}
      order by id limit ${batchSize} ${tx.engine.forUpdateSkipLocked}`.execute(tx.db);
    const done: SecretContentTable[] = [];
    for (const row of rows) {
      const sealed = await reseal(contentOf(row));
      if (sealed !== undefined) done.push({ ...row, key_id: keyId, sealed });
    }
    await tx.engine.bulk(tx.db, "secret_content", columns, done, {
      key: ["id"],
      update: ["key_id", "sealed"],
    });
    return { count: done.length, next: rows.length < batchSize ? undefined : rows.at(-1)?.id };
  });
}

const columns = ["id", "workspace_id", "secret_id", "key_id", "sealed", "created_at"] as const;

const rowOf = (
  { id, workspaceId, secretId, keyId, sealed }: SealedContent,
  now: number,
): SecretContentTable => ({
  id,
  workspace_id: workspaceId,
  secret_id: secretId,
  key_id: keyId,
  sealed,
  created_at: now,
});

const contentOf = (row: SecretContentTable): SealedContent => ({
  id: row.id,
  workspaceId: row.workspace_id,
  secretId: row.secret_id,
  keyId: row.key_id,
  sealed: row.sealed,
});
