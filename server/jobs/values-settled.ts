import { type Clock, sleep } from "../../src/lib/clock.ts";
import type { Store } from "../store/open.ts";
import { hasRoots } from "../store/roots.ts";

/** A wake-up may be lost. */
const lookMs = 1_000;

/** Waits until no value of a layer is pending: false when that was not so after `limitMs`, or when `signal` aborted. */
export async function valuesSettled(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  layerId: string,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const deadline = clock.now() + limitMs;
  while (!signal.aborted) {
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    // Watched before looking, so that nothing said in between is missed.
    const woken = Promise.race([store.changed([layerId], either), sleep(clock, lookMs, either)]);
    try {
      if (!(await hasRoots(store, layerId))) return true;
      if (clock.now() > deadline) return false;
      await woken;
    } finally {
      over.abort();
    }
  }
  return false;
}
