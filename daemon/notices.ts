import { type Clock, toTimestamp } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";

/** One line of trouble that is not the network's. */
interface Notice {
  readonly at: string;
  readonly message: string;
}

/** As many as a person reads. */
const keep = 20;

/** Trouble that a reader should see: a condition stays until it is cleared, an incident until newer ones displace it. */
export class Notices {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #onChange: () => void;
  #notices: (Notice & { readonly topic: string | undefined })[] = [];

  constructor(clock: Clock, log: Log, onChange: () => void) {
    this.#clock = clock;
    this.#log = log;
    this.#onChange = onChange;
  }

  /** Tells of something that happened once. */
  report(message: string): void {
    this.#add(undefined, message);
  }

  /** Tells of something that lasts; the same topic again only replaces a different message. */
  raise(topic: string, message: string): void {
    const known = this.#notices.find((notice) => notice.topic === topic);
    if (known?.message === message) return;
    this.#notices = this.#notices.filter((notice) => notice !== known);
    this.#add(topic, message);
  }

  /** Takes a lasting trouble back; nothing happens when there is none. */
  clear(topic: string): void {
    const left = this.#notices.filter((notice) => notice.topic !== topic);
    if (left.length === this.#notices.length) return;
    this.#notices = left;
    this.#log.info("trouble over", { reason: topic });
    this.#onChange();
  }

  /** Oldest first. */
  list(): Notice[] {
    return this.#notices.map(({ at, message }) => ({ at, message }));
  }

  #add(topic: string | undefined, message: string): void {
    this.#notices = [...this.#notices, { topic, at: toTimestamp(this.#clock.now()), message }].slice(-keep);
    this.#log.warn("trouble", { reason: message });
    this.#onChange();
  }
}
