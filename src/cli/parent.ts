import type { Clock } from "../lib/clock.ts";

/** How often a process looks whether its parent still lives: a death is noticed within a second, at no cost. */
const lookMs = 1_000;

/**
 * A signal that aborts when the process that started this one has died: whoever waited for this one is no more.
 * `parentOf` stands in for the system's answer in tests. Watching alone keeps no process alive.
 */
export function watchParent(clock: Clock, parentOf: () => number = () => process.ppid): AbortSignal {
  const controller = new AbortController();
  const parent = parentOf();
  const look = (): void => {
    if (parentOf() === parent) clock.after(lookMs, look, { background: true });
    else controller.abort("the parent process ended");
  };
  look();
  return controller.signal;
}

/** Resolves when the signal has aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
