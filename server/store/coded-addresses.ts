import type { Reads, Tx } from "./open.ts";

/** A place that invited an address with a code which is needed, until somebody shows it one of its codes. */
export interface CodedAddressTable {
  /** Lower case. */
  email: string;
  /** Id of the workspace or the collective. */
  place: string;
}

/**
 * Whether who has the address must show a code where they are invited next: somebody invited it when nobody had it, and
 * has not been shown the code. Who has it by now may be anybody.
 */
export async function isCoded(reads: Reads, email: string): Promise<boolean> {
  const found = await reads.db
    .selectFrom("coded_address")
    .select("place")
    .where("email", "=", email)
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Remembers that a place invited the address with a code that is needed, whatever becomes of the invitation. */
export async function rememberCoded(tx: Tx, email: string, place: string): Promise<void> {
  await tx.db
    .insertInto("coded_address")
    .values({ email, place })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Forgets that of places to which somebody with an account of the address has shown the code. */
export async function forgetCoded(tx: Tx, email: string, places: readonly string[]): Promise<void> {
  if (places.length === 0) return;
  await tx.db.deleteFrom("coded_address").where("email", "=", email).where("place", "in", places).execute();
}
