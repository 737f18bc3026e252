import { sql } from "kysely";
import type { Clock } from "../../src/lib/clock.ts";
import { leaseMs, renewMs } from "./jobs.ts";
import { touchLayers } from "./layer.ts";
import type { Store } from "./open.ts";

/** The schema of a layer whose definition is running. */
export interface BuildingPlace {
  readonly layerId: string;
  readonly schemaId: string;
}

const prefixOf = ({ layerId, schemaId }: BuildingPlace): string => `${layerId}:${schemaId}:`;

/** Whether a definition is running there, in any process; one whose process died counts until its lease ends. */
export async function isBuilding(store: Store, place: BuildingPlace): Promise<boolean> {
  const prefix = prefixOf(place);
  const { now, shared } = store.engine;
  // On a database of one process what another one left behind is over.
  const alive = shared ? sql`` : sql`and owner = ${store.instance}`;
  const { rows } = await sql`select key from building
    where key > ${prefix} and key < ${`${prefix}~`} and lease_until > ${now()} ${alive} limit 1`.execute(
    store.db,
  );
  return rows.length > 0;
}

/**
 * Does `work` while everybody who reads the schema in that layer is told to come again. The tags of the layer move with
 * its beginning and its end, so that nobody is answered from memory meanwhile.
 */
export async function whileBuilding<T>(
  store: Store,
  clock: Clock,
  place: BuildingPlace,
  work: () => Promise<T>,
): Promise<T> {
  const key = `${prefixOf(place)}${store.id()}`;
  await store.write(async (tx) => {
    await sql`delete from building where lease_until <= ${tx.engine.now()}`.execute(tx.db);
    await sql`insert into building(key, owner, lease_until)
      values (${key}, ${store.instance}, ${tx.engine.now()} + ${leaseMs})`.execute(tx.db);
    await touchLayers(tx, [place.layerId]);
  });
  const renewal = renewing(store, clock, key);
  try {
    return await work();
  } finally {
    await renewal.stop();
    await store.write(async (tx) => {
      await tx.db.deleteFrom("building").where("key", "=", key).execute();
      await touchLayers(tx, [place.layerId]);
    });
  }
}

function renewing(store: Store, clock: Clock, key: string): { readonly stop: () => Promise<void> } {
  let isOver = false;
  let running: Promise<unknown> = Promise.resolve();
  let cancel = (): void => {};
  const schedule = (): void => {
    cancel = clock.after(renewMs, renew, { background: true });
  };
  const renew = (): void => {
    // A renewal that fails is tried again: the lease outlives two of them.
    running = store
      .write((tx) =>
        sql`update building set lease_until = ${tx.engine.now()} + ${leaseMs} where key = ${key}`.execute(
          tx.db,
        ),
      )
      .catch(() => undefined)
      .then(() => {
        if (!isOver) schedule();
      });
  };
  schedule();
  return {
    stop: async () => {
      isOver = true;
      cancel();
      await running;
    },
  };
}
