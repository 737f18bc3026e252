/** Runs work, no more than so many at once; the rest waits in the order in which it came. */
export type AtMost = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets at most `limit` pieces of work run at once. */
export function atMost(limit: number): AtMost {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over, so that nobody who comes later does.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
