import type { Clock } from "../../src/lib/clock.ts";
import type { Log } from "../../src/lib/log.ts";
import type { ServerKeys } from "../auth/server-keys.ts";
import type { VariantCache } from "../read/variants.ts";
import type { FunctionRuns } from "../runs/runs.ts";
import type { Store } from "../store/open.ts";

/** What background work is given: one object for the process, made beside its `Server`. */
export interface JobContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** What rules are bound with: `rulesFor(store, variants)`, or `rulesFor(tx, variants)` inside a transaction. */
  readonly variants: VariantCache;
  /** What secrets are sealed with. */
  readonly keys: ServerKeys;
  /** Where functions run and are remembered. */
  readonly runs: FunctionRuns;
}
