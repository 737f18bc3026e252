import { systemClock } from "../lib/clock.ts";
import { endAtOnce } from "../lib/last-act.ts";

let stopping: AbortController | undefined;

/** `timeout` and the like tell the process and then its group: a signal this soon after the first is the same request. */
const sameRequestMs = 1_000;

/**
 * A signal that aborts, with the name of it as the reason, at the first SIGINT, SIGTERM, SIGHUP or SIGQUIT; one that
 * comes more than a second later ends the process at once. Until this is first called the process ends at a signal the way every process does.
 */
export function untilStopped(): AbortSignal {
  if (stopping !== undefined) return stopping.signal;
  const controller = new AbortController();
  stopping = controller;
  let since = 0;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
    process.on(name, () => {
      if (!controller.signal.aborted) {
        since = systemClock.now();
        controller.abort(name);
      } else if (systemClock.now() - since >= sameRequestMs) endAtOnce();
    });
  return controller.signal;
}

/** Calls `listener` whenever this process is continued after a stop, until the function it gives is called. */
export function onContinued(listener: () => void): () => void {
  process.on("SIGCONT", listener);
  return () => void process.removeListener("SIGCONT", listener);
}
