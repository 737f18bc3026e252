import type { Cancel, Clock } from "../../src/lib/clock.ts";
import type { Log } from "../../src/lib/log.ts";
import { cancelledRunsKey, endLeftRuns, findCancelledRuns, renewRuns } from "../store/func-runs.ts";
import { renewMs } from "../store/jobs.ts";
import type { Store } from "../store/open.ts";

/** Keeps this process's runs its own, and hears of those that are to be ended. */
export interface RunLeases {
  stop(): Promise<void>;
}

interface LeaseOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The runs of this process that have not ended and whose rows are in the database. */
  readonly alive: () => string[];
  /** Ends runs as killed. */
  readonly cancel: (runIds: readonly string[]) => void;
}

/** Renews every ten seconds, and ends what nobody runs any more: what other processes left, what could not be written. */
export function keepRunLeases({ store, clock, log, alive, cancel }: LeaseOptions): RunLeases {
  let stopped = false;
  let wait: Cancel = () => {};
  let working: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    const ids = alive();
    if (ids.length > 0) cancel(await findCancelledRuns(store, ids));
  };
  const renew = async (): Promise<void> => {
    try {
      const ids = alive();
      if (ids.length > 0) await renewRuns(store, ids);
      await look();
      await endLeftRuns(store, alive());
    } catch (error) {
      log.warn("runs of functions could not be renewed and will be tried again", { reason: String(error) });
    }
    if (!stopped) wait = clock.after(renewMs, begin, { background: true });
  };
  const begin = (): void => {
    working = renew();
  };
  wait = clock.after(renewMs, begin, { background: true });
  const unwatch = store.watch([cancelledRunsKey], () => void look().catch(() => undefined));
  return {
    stop: async () => {
      stopped = true;
      unwatch();
      wait();
      await working;
      wait();
    },
  };
}
