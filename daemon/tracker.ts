import { type Clock, sleep, toTimestamp } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import { listName, type MirroredRun, newestKept } from "../src/mirror/resources.ts";
import { longestRetryMs, retryPause } from "./backoff.ts";
import { isGone, messageOf, retryAfterOf } from "./failure.ts";
import type { SignedIn } from "./session-client.ts";
import type { Slots } from "./slots.ts";
import { askFor, type Seen, type Tracked } from "./tracked.ts";

interface TrackerOptions {
  readonly clock: Clock;
  readonly slots: Slots;
  readonly log: Log;
  /** Puts an item into a mirrored list; says whether it is news. */
  readonly put: (list: string, item: unknown) => boolean;
  /** What the mirror knows of a run. */
  readonly findRun: (changeSetId: string, funcRunId: string) => MirroredRun | undefined;
}

/** First and longest pause between two questions for one id without news, in milliseconds; half as long again each time. */
const firstPauseMs = 1_000;
const longestPauseMs = longestRetryMs;

interface Entry {
  readonly tracked: Tracked;
  etag: string | undefined;
  pause: number;
  failures: number;
  nextAt: number;
}

/**
 * Asks for runs and jobs by their ids, on servers that do not list them: each until it has ended, one request at a time,
 * the newest {@link newestKept} at most. With nothing to ask for it does nothing.
 */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #entries = new Map<string, Entry>();
  /** Ids that the server does not know, which lists may go on naming: as many as are kept, twice. */
  readonly #gone = new Set<string>();
  #running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  #wake: () => void = () => undefined;

  constructor(options: TrackerOptions) {
    this.#options = options;
  }

  /** Asks for it from now on, until it has ended; the oldest id goes when there are too many. */
  track(tracked: Tracked): void {
    if (this.#entries.has(tracked.id) || this.#gone.has(tracked.id)) return;
    const nextAt = this.#options.clock.now();
    this.#entries.set(tracked.id, { tracked, etag: undefined, pause: firstPauseMs, failures: 0, nextAt });
    if (this.#entries.size > newestKept) {
      const oldest = [...this.#entries.keys()].reduce((a, b) => (a < b ? a : b));
      this.#entries.delete(oldest);
    }
    this.#wake();
  }

  /** Lets go of what is not wanted any more. */
  keep(wanted: (tracked: Tracked) => boolean): void {
    for (const [id, { tracked }] of this.#entries) if (!wanted(tracked)) this.#entries.delete(id);
  }

  /** Has everything asked for soon that waits after failures. */
  nudge(): void {
    const now = this.#options.clock.now();
    for (const entry of this.#entries.values()) if (entry.failures > 0) entry.nextAt = now;
    this.#wake();
  }

  begin(session: SignedIn): void {
    if (this.#running !== undefined) return;
    const stop = new AbortController();
    this.#running = { stop, ended: this.#run(session, stop.signal) };
  }

  async pause(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
    this.#running = undefined;
  }

  async #run(session: SignedIn, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const next = [...this.#entries.values()].sort((a, b) => a.nextAt - b.nextAt)[0];
      const left = next === undefined ? undefined : next.nextAt - clock.now();
      if (next !== undefined && left !== undefined && left <= 0) await this.#ask(session, next, signal);
      else await this.#rest(left, signal);
    }
  }

  /** Rests for `ms`, or for ever, until something is tracked. */
  async #rest(ms: number | undefined, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    const wake = (): void => woken.abort();
    this.#wake = wake;
    signal.addEventListener("abort", wake, { once: true });
    if (ms !== undefined) await sleep(this.#options.clock, ms, woken.signal);
    else if (!signal.aborted)
      await new Promise<void>((resolve) => {
        woken.signal.addEventListener("abort", () => resolve(), { once: true });
      });
    signal.removeEventListener("abort", wake);
    this.#wake = () => undefined;
  }

  async #ask(session: SignedIn, entry: Entry, signal: AbortSignal): Promise<void> {
    const { clock, slots, log } = this.#options;
    const { tracked } = entry;
    const slot = await slots.take("quick", signal);
    if (slot === undefined) return;
    try {
      const options = { etag: entry.etag, waitSeconds: 0, signal };
      const find = (id: string): MirroredRun | undefined => this.#options.findRun(tracked.changeSetId, id);
      const seen = await askFor(session.api, tracked, options, toTimestamp(clock.now()), find);
      entry.failures = 0;
      entry.etag = seen === undefined ? entry.etag : seen.etag;
      const news = seen !== undefined && this.#take(tracked, seen);
      entry.pause = news ? firstPauseMs : Math.min(Math.round(entry.pause * 1.5), longestPauseMs);
      entry.nextAt = clock.now() + entry.pause;
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) {
        this.#entries.delete(tracked.id);
        this.#gone.add(tracked.id);
        for (const oldest of this.#gone) {
          if (this.#gone.size <= 2 * newestKept) break;
          this.#gone.delete(oldest);
        }
        log.info("gone, not asked for any more", { resource: tracked.id, reason: messageOf(error) });
        return;
      }
      entry.nextAt = clock.now() + retryPause(++entry.failures, clock.random, retryAfterOf(error));
    } finally {
      slot.release();
    }
  }

  /** Mirrors what was seen; says whether it is news. */
  #take({ kind, workspaceId, changeSetId, id }: Tracked, { item, ended, funcRunId }: Seen): boolean {
    const { put, findRun } = this.#options;
    const news = put(listName(kind === "run" ? "functionRuns" : "jobs", changeSetId), item);
    if (ended) this.#entries.delete(id);
    // The log of what a job runs is read by the run.
    if (funcRunId !== undefined && findRun(changeSetId, funcRunId) === undefined)
      this.track({ kind: "run", workspaceId, changeSetId, id: funcRunId, known: {} });
    return news;
  }
}
