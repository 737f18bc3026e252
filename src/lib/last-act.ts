const acts = new Set<() => void>();

/**
 * Has `act` done at once should this process be ended without time to stop in order; it must neither wait nor throw. The
 * function it gives takes that back.
 */
export function asLastAct(act: () => void): () => void {
  acts.add(act);
  return () => void acts.delete(act);
}

/** Does all that is left to do, and ends this process at once. */
export function endAtOnce(): void {
  for (const act of acts) act();
  process.kill(process.pid, "SIGKILL");
}
