let stopping: AbortController | undefined;

/**
 * A signal that aborts, with the name of it as the reason, at the first SIGINT, SIGTERM or SIGHUP; the second one ends
 * the process at once. Until this is first called the process ends at a signal the way every process does.
 */
export function untilStopped(): AbortSignal {
  if (stopping !== undefined) return stopping.signal;
  const controller = new AbortController();
  stopping = controller;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      if (controller.signal.aborted) process.kill(process.pid, "SIGKILL");
      controller.abort(name);
    });
  return controller.signal;
}
