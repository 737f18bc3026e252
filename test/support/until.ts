import { setTimeout as pause } from "node:timers/promises";

/** Resolves once `condition` holds, looking again every 2 ms; fails with `what` after 20 s. */
export async function until(condition: () => boolean | Promise<boolean>, what?: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`waited 20 s in vain for ${what ?? condition.toString()}`);
    await pause(2);
  }
}
