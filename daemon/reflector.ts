import { type Clock, sleep } from "../src/lib/clock.ts";
import type { Listed, ListOptions } from "../src/mirror/resources.ts";
import { followingIntervalMs, longestRetryMs, notOfferedIntervalMs, retryPause } from "./backoff.ts";
import { isNotOffered, messageOf, retryAfterOf } from "./failure.ts";
import { type Arrival, Pace } from "./pace.ts";
import type { Slots } from "./slots.ts";

/** How one list stands: failures in a row with the last one's reason, and when it is asked again. */
export interface Health {
  readonly failures: number;
  readonly error: string | undefined;
  /** Milliseconds since the epoch; undefined while a request is under way. */
  readonly nextAt: number | undefined;
  /** Why there is no list although nothing fails. */
  readonly note?: string | undefined;
}

interface ReflectorOptions {
  readonly clock: Clock;
  readonly slots: Slots;
  /** The longest that the server is asked to hold an unchanged answer, in seconds. */
  readonly holdSeconds: number;
  readonly list: (options: ListOptions) => Promise<Listed<unknown>>;
  /** True when {@link Reflector.hint} tells of its news: nothing is held, and the server may lack the list. */
  readonly follows?: boolean;
  /** The tag of the snapshot that is there; undefined asks for everything. */
  readonly etag: () => string | undefined;
  /** Hears of the pages of a long list as they come, see `ListOptions`. */
  readonly onPage?: (items: readonly unknown[], index: number) => void;
  /** Takes an answer, never a failure; says whether the items changed. */
  readonly take: (listed: Listed<unknown>) => boolean;
  readonly onHealth: (health: Health) => void;
  /** Hears of each answer (with its milliseconds when it was not held) and of each failure. */
  readonly onAnswer?: (ms: number | undefined) => void;
  readonly onFailure?: (error: unknown, failures: number, nextAt: number) => void;
  /** Hears, after `ms`, that the server does not offer the list; `first` when it was not known. */
  readonly onAbsent?: (error: unknown, ms: number, first: boolean) => void;
}

/** What a nudge asks for: the news, or everything again whatever the tag says. */
export type Nudge = "news" | "everything";

const notOffered = "not offered by this server";

/**
 * Keeps one list in step with the server: ask, take, rest, for ever. A failure changes the health and nothing else.
 * Never more than one request at a time. Reading takes at most half of the time, so a long list that never stands still
 * leaves the server as much rest as it costs.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  #nudged: Nudge | undefined;
  #interrupt: (() => void) | undefined;
  #failures = 0;
  #error: string | undefined;
  readonly #pace = new Pace();
  #note: string | undefined;
  /** What the server asked for with `Retry-After`, and the rest after a reading that hints ask for: nothing undercuts it. */
  #notBefore = 0;

  constructor(options: ReflectorOptions) {
    this.#options = options;
  }

  /** Asks now instead of later: ends a rest or a held request, and follows a reading that is under way. */
  nudge(nudge: Nudge): void {
    this.#nudged = this.#nudged === "everything" ? "everything" : nudge;
    this.#interrupt?.();
  }

  /** Another list has news, so this one may have some. A list that fails or is not offered keeps its pace. */
  hint(): void {
    if (this.#failures === 0 && this.#note === undefined) this.nudge("news");
  }

  /** Runs until `signal` aborts; never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const nudged = this.#nudged;
      this.#nudged = undefined;
      const pause = await this.#ask(nudged, signal);
      if (pause > 0) await this.#rest(pause, signal);
    }
  }

  /** Makes one request (or one for each page) and gives the milliseconds to rest after it. */
  async #ask(nudged: Nudge | undefined, signal: AbortSignal): Promise<number> {
    const { clock, slots, onHealth } = this.#options;
    const etag = nudged === "everything" ? undefined : this.#options.etag();
    const follows = this.#options.follows === true;
    const asUsual = nudged === undefined && this.#failures === 0 && etag !== undefined;
    const mayHold = asUsual && !follows && !this.#pace.doubtful;
    const slot = await slots.take(mayHold ? "held" : "quick", signal);
    if (slot === undefined) return 0;
    onHealth({ failures: this.#failures, error: this.#error, nextAt: undefined, note: this.#note });
    const attempt = linkedTo(signal);
    const startedAt = clock.now();
    let firstAt: number | undefined;
    let reading = !slot.held;
    // Only a held request is given up for a nudge; a reading is always finished.
    this.#interrupt = () => {
      if (!reading) attempt.abort();
    };
    try {
      const listed = await this.#options.list({
        etag,
        waitSeconds: slot.held ? this.#options.holdSeconds : 0,
        signal: attempt.signal,
        onPage: (items, index) => {
          firstAt ??= clock.now();
          reading = true;
          this.#options.onPage?.(items, index);
        },
      });
      if (signal.aborted) return 0;
      return this.#taken(listed, { startedAt, firstAt, held: slot.held, mayHold });
    } catch (error) {
      if (signal.aborted || (attempt.signal.aborted && this.#nudged !== undefined)) return 0;
      if (follows && isNotOffered(error)) return this.#absent(startedAt, error);
      return this.#failed(error);
    } finally {
      this.#interrupt = undefined;
      attempt.unlink();
      slot.release();
    }
  }

  #taken(
    listed: Listed<unknown>,
    times: Pick<Arrival, "startedAt" | "held" | "mayHold"> & { readonly firstAt: number | undefined },
  ): number {
    const { clock, take, onHealth, onAnswer } = this.#options;
    const now = clock.now();
    const changed = take(listed);
    this.#failures = 0;
    this.#error = undefined;
    this.#note = undefined;
    onAnswer?.(times.held ? undefined : now - times.startedAt);
    const { unchanged } = listed;
    const tagged = listed.unchanged || listed.etag !== undefined;
    const firstAt = times.firstAt ?? now;
    const { rest, pause } = this.#pace.after({ ...times, firstAt, endedAt: now, unchanged, changed, tagged });
    if (this.#options.follows === true) {
      this.#notBefore = Math.max(this.#notBefore, now + rest);
      onHealth({ failures: 0, error: undefined, nextAt: now + followingIntervalMs });
      return followingIntervalMs;
    }
    onHealth({ failures: 0, error: undefined, nextAt: pause > 0 ? now + pause : undefined });
    return pause;
  }

  /** The server has no such list: it is asked again much later, and what was there before stays. */
  #absent(startedAt: number, error: unknown): number {
    const { clock, onHealth, onAbsent } = this.#options;
    const now = clock.now();
    const first = this.#note === undefined;
    this.#failures = 0;
    this.#error = undefined;
    this.#note = notOffered;
    onHealth({ failures: 0, error: undefined, nextAt: now + notOfferedIntervalMs, note: notOffered });
    onAbsent?.(error, now - startedAt, first);
    return notOfferedIntervalMs;
  }

  #failed(error: unknown): number {
    const { clock, onHealth, onFailure } = this.#options;
    this.#failures++;
    this.#error = messageOf(error);
    const retryAfterSeconds = retryAfterOf(error);
    // While the server is away there is no use in asking for more than what others follow.
    const longest = this.#options.follows === true ? followingIntervalMs : longestRetryMs;
    const pause = retryPause(this.#failures, clock.random, retryAfterSeconds, longest);
    const nextAt = clock.now() + pause;
    if (retryAfterSeconds !== undefined) this.#notBefore = nextAt;
    onHealth({ failures: this.#failures, error: this.#error, nextAt });
    onFailure?.(error, this.#failures, nextAt);
    return pause;
  }

  /** Rests for `pause`; a nudge ends it, but not before the server may be asked. */
  async #rest(pause: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const until = clock.now() + pause;
    while (!signal.aborted) {
      const end = this.#nudged === undefined ? until : Math.min(until, this.#notBefore);
      const left = end - clock.now();
      if (left <= 0) return;
      const rest = linkedTo(signal);
      // A second nudge has nothing to add to the first.
      this.#interrupt = this.#nudged === undefined ? () => rest.abort() : undefined;
      await sleep(clock, left, rest.signal);
      this.#interrupt = undefined;
      rest.unlink();
    }
  }
}

/** A controller that aborts with `parent` until it is unlinked: `AbortSignal.any` would be kept by a long-lived parent. */
function linkedTo(parent: AbortSignal): AbortController & { readonly unlink: () => void } {
  const controller = new AbortController();
  const abort = (): void => controller.abort(parent.reason);
  if (parent.aborted) abort();
  parent.addEventListener("abort", abort, { once: true });
  return Object.assign(controller, { unlink: () => parent.removeEventListener("abort", abort) });
}
