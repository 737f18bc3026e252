import type { Reads, Tx } from "./open.ts";

/** What watchers of the store wake by when any switch was set. */
export const switchKey = "switch";

/** The switches there are, and what each one holds. */
export interface Switches {
  /** Whether every route is closed, and what callers are told. */
  readonly maintenance: { readonly on: boolean; readonly message: string | null };
  /** Which server key the database was served with last; says nothing about the key. */
  readonly "server-key": { readonly fingerprint: string };
  /** Name of the key that secrets are sealed with from now on, by every process. */
  readonly "sealing-key": { readonly id: string };
}

/** A switch as it was set last. */
export interface SwitchSetting<K extends keyof Switches> {
  readonly value: Switches[K];
  /** Since when, in milliseconds; a change of its value alone may keep it. */
  readonly at: number;
}

/** What was set for all processes; undefined for what was never set. */
export async function findSwitch<K extends keyof Switches>(
  reads: Reads,
  name: K,
): Promise<SwitchSetting<K> | undefined> {
  const row = await reads.db
    .selectFrom("switch")
    .select(["value", "at"])
    .where("name", "=", name)
    .executeTakeFirst();
  // Written below and nowhere else.
  return row === undefined ? undefined : { value: JSON.parse(row.value) as Switches[K], at: row.at };
}

/** Sets a switch and tells all processes; `at` defaults to now. */
export async function setSwitch<K extends keyof Switches>(
  tx: Tx,
  name: K,
  value: Switches[K],
  at: number = tx.now,
): Promise<void> {
  const row = { value: JSON.stringify(value), at };
  await tx.db
    .insertInto("switch")
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
  tx.changed(switchKey);
}
