import { ApiError } from "../contract/errors.ts";
import { sleep } from "../lib/clock.ts";
import type { Flag } from "./command.ts";
import type { Context } from "./context.ts";

/** Seconds that a command waits for values when nothing else is said: most propagations end within one. */
const defaultSeconds = 60;
/** Asked again after this where the server does not say when. */
const usualPauseSeconds = 1;

/** The option of every command that may have to wait for values. */
export const waitFlag = {
  kind: "number",
  value: "seconds",
  doc: `How long to wait for values that are still being computed; default ${defaultSeconds}`,
} as const satisfies Flag;

/**
 * Does `work`, again and again while the server says that values are still being computed, as often as it asks for;
 * says once what is waited for. Past the time it throws what the server said last.
 */
export async function retryPending<T>(
  { clock, output }: Context,
  seconds: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = clock.now() + (seconds ?? defaultSeconds) * 1000;
  for (let said = false; ; said = true) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.error !== "valuesPending") throw error;
      const pauseMs = (error.retryAfterSeconds ?? usualPauseSeconds) * 1000;
      if (clock.now() + pauseMs > deadline) throw error;
      if (!said) output.note(`waiting: ${error.message}`);
      await sleep(clock, pauseMs);
    }
  }
}
