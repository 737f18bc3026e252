import type { Store } from "./open.ts";

/** Requests of terminals that were approved. */
export interface CliApprovalTable {
  /** SHA-256 of the terminal's state, base64url. */
  state_hash: string;
  approved_at: number;
}

/** Notes that a terminal's request was approved, by the SHA-256 of its state; false where it had been before. */
export async function useCliApproval(store: Store, stateHash: string): Promise<boolean> {
  return store.write(async (tx) => {
    const rows = await tx.db
      .insertInto("cli_approval")
      .values({ state_hash: stateHash, approved_at: tx.now })
      .onConflict((conflict) => conflict.column("state_hash").doNothing())
      .returning("state_hash")
      .execute();
    return rows.length === 1;
  });
}

/** Forgets approvals from before `before`; answers how many. Terminals wait for minutes, so a day is plenty. */
export async function forgetCliApprovals(store: Store, before: number): Promise<number> {
  const rows = await store.write((tx) =>
    tx.db.deleteFrom("cli_approval").where("approved_at", "<", before).returning("state_hash").execute(),
  );
  return rows.length;
}
