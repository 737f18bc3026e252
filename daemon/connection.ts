import { ApiError } from "../src/contract/errors.ts";
import type { DaemonStatus } from "../src/ipc/contract.ts";
import { type Clock, toTimestamp } from "../src/lib/clock.ts";
import { type Log, type Transition, transition } from "../src/lib/log.ts";
import { isMaintenance, isUnreachable, messageOf } from "./failure.ts";

type ServerStatus = DaemonStatus["server"];

/** One request that fails may be an accident, unless the server says otherwise; from two in a row on it counts as away. */
const failuresThatCount = 2;

/** Whether the server can be reached, judged by the newest answer or failure of anything that asked. */
export class Connection {
  readonly #clock: Clock;
  readonly #transition: Transition;
  readonly #onChange: () => void;
  readonly #onBack: () => void;
  #state: ServerStatus["state"] = "connecting";
  #since: number;
  #lastSuccessAt: number | undefined;
  #error: string | undefined;
  #latencyMs: number | undefined;
  /** When each of those that failed asks again. */
  readonly #retries = new Map<string, number>();
  readonly #failingSince = new Map<string, number>();

  constructor(
    clock: Clock,
    log: Log,
    listeners: { readonly onChange: () => void; readonly onBack: () => void },
  ) {
    this.#clock = clock;
    this.#since = clock.now();
    this.#transition = transition(log, "server away", "server back");
    this.#onChange = listeners.onChange;
    this.#onBack = listeners.onBack;
  }

  /** Starts over, for another server. */
  reset(): void {
    this.#retries.clear();
    this.#latencyMs = undefined;
    this.#lastSuccessAt = undefined;
    this.#error = undefined;
    this.#become("connecting");
  }

  /** The server answered `who`, after `ms` when it was not asked to hold the answer back. */
  answered(who: string, ms: number | undefined): void {
    this.#retries.delete(who);
    this.#lastSuccessAt = this.#clock.now();
    if (ms !== undefined) this.#latencyMs = ms;
    const back = this.#state === "offline";
    if (this.#state === "online") return;
    this.#error = undefined;
    this.#transition.succeeded();
    this.#become("online");
    if (back) this.#onBack();
  }

  /** `who` got no use out of the server for the `failures`-th time and asks again at `nextAt`. */
  failed(who: string, error: unknown, failures: number, nextAt: number): void {
    // A refusal in the server's own words is an answer; words of someone else prove nothing either way.
    if (error instanceof ApiError && !isUnreachable(error)) {
      this.answered(who, undefined);
      return;
    }
    if (failures === 1) this.#failingSince.set(who, this.#clock.now());
    this.#retries.set(who, nextAt);
    if (this.#state !== "online") this.#error = messageOf(error);
    const answeredSince = (this.#lastSuccessAt ?? 0) > (this.#failingSince.get(who) ?? 0);
    const accidental = failures < failuresThatCount || answeredSince;
    if (!isUnreachable(error) || (accidental && !isMaintenance(error))) return;
    this.#error = messageOf(error);
    this.#transition.failed({ reason: this.#error });
    if (this.#state !== "offline") this.#become("offline");
  }

  /** Nobody asks on behalf of `who` any more. */
  forget(who: string): void {
    this.#retries.delete(who);
  }

  status(): ServerStatus {
    const next = this.#state === "online" ? undefined : [...this.#retries.values()].sort((a, b) => a - b)[0];
    return {
      state: this.#state,
      since: toTimestamp(this.#since),
      lastSuccessAt: this.#lastSuccessAt === undefined ? null : toTimestamp(this.#lastSuccessAt),
      nextRetryAt: next === undefined ? null : toTimestamp(next),
      error: this.#error ?? null,
      latencyMs: this.#latencyMs ?? null,
    };
  }

  #become(state: ServerStatus["state"]): void {
    if (this.#state !== state) this.#since = this.#clock.now();
    this.#state = state;
    this.#onChange();
  }
}
