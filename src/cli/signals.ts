let stopping: AbortController | undefined;

/**
 * A signal that aborts, with the name of it as the reason, at the first SIGINT, SIGTERM, SIGHUP or SIGQUIT; the second
 * one ends the process at once. Until this is first called the process ends at a signal the way every process does.
 */
export function untilStopped(): AbortSignal {
  if (stopping !== undefined) return stopping.signal;
  const controller = new AbortController();
  stopping = controller;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.kill(process.pid, "SIGKILL");
      controller.abort(name);
    });
  return controller.signal;
}

/** Calls `listener` whenever this process is continued after a stop, until the function it gives is called. */
export function onContinued(listener: () => void): () => void {
  process.on("SIGCONT", listener);
  return () => void process.removeListener("SIGCONT", listener);
}
