/** First and longest pause after a failure, in milliseconds. */
export const firstRetryMs = 250;
export const longestRetryMs = 15_000;

/**
 * The pause after `failures` failures in a row: 250 ms doubling to 15 s, each taken between 75 % and 125 %, so that
 * lists that failed together do not retry together. One list asks a server that is away about 10 times in the first
 * minute and 4 times in each minute after it. `Retry-After` is a floor: it is never undercut.
 */
export function retryPause(
  failures: number,
  random: () => number,
  retryAfterSeconds: number | undefined = undefined,
  longestMs: number = longestRetryMs,
): number {
  const base = Math.min(firstRetryMs * 2 ** Math.min(Math.max(failures, 1) - 1, 16), longestMs);
  return Math.max(Math.round(base * (0.75 + random() / 2)), longestRetryAfter(retryAfterSeconds));
}

/** A server that names a moment further away than this is asked again anyway: it may have been mended. */
const longestRetryAfterMs = 10 * 60_000;

const longestRetryAfter = (seconds: number | undefined): number =>
  seconds === undefined ? 0 : Math.min(seconds * 1000, longestRetryAfterMs);

/** Shortest and longest time between two readings of a list whose server holds nothing back, in milliseconds. */
export const shortestIntervalMs = 1_000;
const longestIntervalMs = 30_000;
/** The longest between two questions that a tag makes cheap: the answer is 304 without a body. */
const longestCheapIntervalMs = 5_000;

/**
 * How often a list is looked at that others tell the news of: its answer is 304 without a body, and only a server that
 * forgets to tell makes it anything else.
 */
export const followingIntervalMs = 60_000;

/** How often a server is asked for a list that it does not offer: it may have been replaced by a newer one. */
export const notOfferedIntervalMs = 10 * 60_000;

/** The interval after a reading: back to the shortest when something changed, else half as long again, to a cap. */
export const nextInterval = (interval: number, changed: boolean, cheap: boolean): number =>
  changed
    ? shortestIntervalMs
    : Math.min(Math.round(interval * 1.5), cheap ? longestCheapIntervalMs : longestIntervalMs);
