import type { Settled } from "../domain/computed-results.ts";

/** A function that runs, or has run, for one place of a component. */
interface Flight {
  readonly fingerprint: string;
  readonly settled: Promise<Settled>;
  readonly abort: AbortController;
  /** Aborted once the run was ended, by whoever began it or because it became obsolete. */
  readonly ended: AbortSignal;
}

/** What is to run for a place. */
export interface Departure {
  readonly fingerprint: string;
  /** Ends what is begun. */
  readonly signal: AbortSignal;
  readonly begin: (signal: AbortSignal) => Promise<Settled>;
}

/**
 * Functions that were begun for components which are not computed yet: who computes them again joins what runs already,
 * and ends what nobody needs any more. Kept until the component is computed, so that an end is never missed; but one
 * that failed, or was ended with who began it, is nobody's to join: it is begun anew.
 */
export class InFlight {
  readonly #flights = new Map<string, Map<string, Flight>>();

  /**
   * The run for a place with this fingerprint, begun where there is none; one for something else is ended. May reject
   * while nobody waits for it.
   */
  join(component: string, place: string, { fingerprint, signal, begin }: Departure): Promise<Settled> {
    const flights = this.#flights.get(component) ?? new Map<string, Flight>();
    this.#flights.set(component, flights);
    const known = flights.get(place);
    if (known?.fingerprint === fingerprint && !known.ended.aborted) return known.settled;
    known?.abort.abort();
    const abort = new AbortController();
    const ended = AbortSignal.any([signal, abort.signal]);
    const settled = begin(ended);
    const flight = { fingerprint, settled, abort, ended };
    flights.set(place, flight);
    // Whoever joined hears of a failure; nobody has to, and nobody joins it later.
    settled.catch(() => {
      if (flights.get(place) === flight) flights.delete(place);
    });
    return settled;
  }

  /** Forgets a component that was computed, or that no function makes values of any more; what still runs for it ends. */
  forget(component: string): void {
    for (const { abort } of this.#flights.get(component)?.values() ?? []) abort.abort();
    this.#flights.delete(component);
  }
}
