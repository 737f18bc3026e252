/** How many requests may be under way at once, over all lists. */
interface SlotLimits {
  /** Requests that the server holds back until something changes: they cost a socket and nothing else. */
  readonly held: number;
  /** Requests that are answered at once. */
  readonly quick: number;
}

/** 24 change sets are followed without delay; those beyond are asked every few seconds, 8 at a time. */
const defaultSlots: SlotLimits = { held: 24, quick: 8 };

/** The right to make one request; `held` says whether it may ask the server to hold the answer. */
export interface Slot {
  readonly held: boolean;
  release(): void;
}

/** Bounds the requests under way. Held ones have places of their own, so that they never keep quick ones waiting. */
export class Slots {
  readonly #limits: SlotLimits;
  #held = 0;
  #quick = 0;
  readonly #queue: (() => void)[] = [];

  constructor(limits: SlotLimits = defaultSlots) {
    this.#limits = limits;
  }

  /** A place, at once or when one comes free, first come, first served; undefined when `signal` aborts before. */
  async take(wanted: "held" | "quick", signal: AbortSignal): Promise<Slot | undefined> {
    if (wanted === "held" && this.#held < this.#limits.held) {
      this.#held++;
      return this.#slot(true, () => this.#held--);
    }
    while (this.#quick >= this.#limits.quick && !signal.aborted) await this.#turn(signal);
    if (signal.aborted) {
      // Whoever was woken and does not want the place any more passes it on.
      this.#queue.shift()?.();
      return undefined;
    }
    this.#quick++;
    return this.#slot(false, () => {
      this.#quick--;
      this.#queue.shift()?.();
    });
  }

  #slot(held: boolean, giveBack: () => void): Slot {
    let taken = true;
    return {
      held,
      release: () => {
        if (taken) giveBack();
        taken = false;
      },
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener("abort", done);
        const index = this.#queue.indexOf(done);
        if (index >= 0) this.#queue.splice(index, 1);
        resolve();
      };
      this.#queue.push(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
