import { ApiError } from "../src/contract/errors.ts";
import { maintenanceSentence } from "../src/contract/maintenance.ts";
import type { Clock } from "../src/lib/clock.ts";
import type { Store } from "./store/open.ts";
import { findSwitch, type Switches, switchKey } from "./store/switches.ts";

/** Whether the operator has closed the server: one answer for all processes of a database. */
export interface Maintenance {
  /** What everybody is refused with now; undefined while the server is open, a promise while that is being looked up. */
  refusal(): ApiError | undefined | Promise<ApiError | undefined>;
  /** Whether the server is known to be open, from memory alone. */
  isOpen(): boolean;
  /** Stops looking; the store stays open. */
  stop(): void;
}

/** A notification may be lost with its connection: no process is wrong for longer than this. */
const lookEveryMs = 5_000;
/** When callers should ask again: maintenance takes minutes, and its end should be noticed soon. */
const retryAfterSeconds = 30;

/** Reads how things are, and follows every change: at once when it is announced, else with the next look. */
export async function openMaintenance(store: Store, clock: Clock): Promise<Maintenance> {
  let state: Switches["maintenance"] | undefined;
  let reads = 0;
  let looking: Promise<void> | undefined;
  let cancel = (): void => {};

  /** Of reads that overlap the one that began last counts. */
  const read = async (): Promise<void> => {
    const mine = ++reads;
    const found = await findSwitch(store, "maintenance");
    if (mine === reads) state = found?.value;
  };
  /** Until it is read anew nobody relies on what was known; where that fails, what was known stands until the next look. */
  const look = (): void => {
    const mine = read()
      .catch(() => undefined)
      .then(() => {
        if (looking === mine) looking = undefined;
      });
    looking = mine;
  };
  const lookAgain = (): void => {
    cancel = clock.after(
      lookEveryMs,
      () => {
        if (looking === undefined) read().catch(() => undefined);
        lookAgain();
      },
      { background: true },
    );
  };
  const refusal: Maintenance["refusal"] = () =>
    looking === undefined ? refusalOf(state) : looking.then(refusal);

  // Watched before it is read, so that no change slips between the two.
  const unwatch = store.watch([switchKey], look);
  try {
    await read();
  } catch (error) {
    unwatch();
    throw error;
  }
  lookAgain();
  return {
    refusal,
    isOpen: () => looking === undefined && state?.on !== true,
    stop: () => {
      unwatch();
      cancel();
    },
  };
}

function refusalOf(state: Switches["maintenance"] | undefined): ApiError | undefined {
  if (state?.on !== true) return undefined;
  return new ApiError("maintenance", maintenanceSentence(state.message), { retryAfterSeconds });
}
