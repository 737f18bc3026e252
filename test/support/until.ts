import { setTimeout as pause } from "node:timers/promises";

/** Resolves once `condition` holds, looking again every 2 ms; fails with `what` after 20 s, or as many as are given. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what?: string,
  seconds = 20,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`waited ${seconds} s in vain for ${what ?? condition.toString()}`);
    await pause(2);
  }
}

/** What `probe` finds, looking again every 2 ms until it finds something; fails with `what` after 20 s. */
export async function eventually<Found>(
  probe: () => Found | undefined | Promise<Found | undefined>,
  what?: string,
): Promise<Found> {
  let found: Found | undefined;
  await until(async () => {
    found = await probe();
    return found !== undefined;
  }, what ?? probe.toString());
  // Found: `until` has looked.
  return found as Found;
}
