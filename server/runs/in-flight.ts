import type { Settled } from "../domain/computed-results.ts";

/** A function that runs, or has run, for one place of a component. */
interface Flight {
  readonly fingerprint: string;
  readonly settled: Promise<Settled>;
  readonly abort: AbortController;
}

/**
 * Functions that were begun for components which are not computed yet: who computes them again joins what runs already,
 * and ends what nobody needs any more. Kept until the component is computed, so that an end is never missed.
 */
export class InFlight {
  readonly #flights = new Map<string, Map<string, Flight>>();

  /** The run for a place with this fingerprint, begun by `begin` where there is none; one for something else is ended. */
  join(
    component: string,
    place: string,
    fingerprint: string,
    begin: (signal: AbortSignal) => Promise<Settled>,
  ): Promise<Settled> {
    const flights = this.#flights.get(component) ?? new Map<string, Flight>();
    this.#flights.set(component, flights);
    const known = flights.get(place);
    if (known?.fingerprint === fingerprint && !known.abort.signal.aborted) return known.settled;
    known?.abort.abort();
    const abort = new AbortController();
    const settled = begin(abort.signal);
    // Whoever joins hears of a failure; until then it is nobody's.
    settled.catch(() => {});
    flights.set(place, { fingerprint, settled, abort });
    return settled;
  }

  /** Forgets a component that was computed, or that no function makes values of any more; what still runs for it ends. */
  forget(component: string): void {
    for (const { abort } of this.#flights.get(component)?.values() ?? []) abort.abort();
    this.#flights.delete(component);
  }
}
