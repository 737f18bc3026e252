import { nextInterval, shortestIntervalMs } from "./backoff.ts";

/** How an answer came, in milliseconds since the epoch, and what was in it. */
export interface Arrival {
  readonly startedAt: number;
  /** When its first page had come; with one page, or none, the same as `endedAt`. */
  readonly firstAt: number;
  readonly endedAt: number;
  /** Whether the server was asked to hold it, and whether it was to be, had there been a slot. */
  readonly held: boolean;
  readonly mayHold: boolean;
  readonly unchanged: boolean;
  /** Whether any item is another than before, and whether a tag stands for them. */
  readonly changed: boolean;
  readonly tagged: boolean;
}

/** Shortest and longest rest after a list was read in full, in milliseconds: bursts of edits are read as one. */
const shortestRestMs = 100;
const longestRestMs = 5_000;
/**
 * An answer that took this much longer than reading does, and three times as long, was held back: the server is believed
 * to hold for a while.
 */
const visibleHoldMs = 300;
const holdBelievedMs = 5 * 60_000;
/** Between two questions to a server that holds, when the answer had a new tag and the same items. */
const equalIntervalMs = 500;

/**
 * When a list is asked again after an answer. Reading takes at most half of the time, as far as can be told: how long a
 * server held an answer back is no reading. One that holds is asked again at once, and every half second while only its
 * tags change; one that answers at once whatever it is asked, ever more rarely while the items stay the same.
 */
export class Pace {
  /** What a first page takes that nothing holds back: as the last such answer took, or less if a held one took less. */
  #firstMs: number | undefined;
  #doubtful = false;
  #interval = shortestIntervalMs;
  #holdSeenAt = Number.NEGATIVE_INFINITY;

  /** True when it is not known how much of the last answer was reading: the next one should not be held, which tells. */
  get doubtful(): boolean {
    return this.#doubtful;
  }

  /** Takes note of an answer: `rest` is what reading calls for, `pause` the time until the list is asked again. */
  after(answer: Arrival): { readonly rest: number; readonly pause: number } {
    const { startedAt, endedAt, unchanged } = answer;
    const read = endedAt - answer.firstAt + this.#firstTook(answer);
    const rest = unchanged ? 0 : Math.min(Math.max(read, shortestRestMs), longestRestMs);
    return { rest, pause: Math.max(rest, startedAt + this.#spacing(answer) - endedAt) };
  }

  /** How long the server needed for the first page, without the time for which it held it. */
  #firstTook({ startedAt, firstAt, endedAt, held, unchanged }: Arrival): number {
    const first = firstAt - startedAt;
    const took = held ? Math.min(first, this.#firstMs ?? 0) : first;
    if (first - took >= Math.max(visibleHoldMs, 2 * took)) this.#holdSeenAt = endedAt;
    else if (held && unchanged) this.#holdSeenAt = Number.NEGATIVE_INFINITY;
    this.#doubtful = held && !unchanged && this.#firstMs === undefined;
    // A short 304 says nothing of what a reading takes, unless nothing else is known.
    if (held ? !unchanged && this.#firstMs !== undefined : !unchanged || this.#firstMs === undefined)
      this.#firstMs = took;
    return took;
  }

  /** The least time from this question to the next. */
  #spacing({ endedAt, held, mayHold, unchanged, changed, tagged }: Arrival): number {
    const holds = held && endedAt - this.#holdSeenAt < holdBelievedMs;
    const onlyTag = tagged && !unchanged && !changed;
    this.#interval = holds && onlyTag ? shortestIntervalMs : nextInterval(this.#interval, changed, unchanged);
    // A server that holds answers has already waited; one that does not is asked again after the interval.
    if (tagged && (changed || !mayHold)) return 0;
    return holds && onlyTag ? equalIntervalMs : this.#interval;
  }
}
