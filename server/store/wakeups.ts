/** Lets callers wait for the next change of a layer or workspace; holds no state but who waits. */
export interface Wakeups {
  /** Calls `changed` at every change of one of the keys until the returned function is called. */
  watch(keys: readonly string[], changed: () => void): () => void;
  /** Wakes those who watch the key; all of them when it is undefined. */
  wake(key: string | undefined): void;
}

export function createWakeups(): Wakeups {
  const watchers = new Map<string, Set<() => void>>();
  return {
    watch: (keys, changed) => {
      for (const key of keys) {
        const set = watchers.get(key) ?? new Set();
        watchers.set(key, set.add(changed));
      }
      return () => {
        for (const key of keys) {
          const set = watchers.get(key);
          set?.delete(changed);
          if (set?.size === 0) watchers.delete(key);
        }
      };
    },
    wake: (key) => {
      const sets = key === undefined ? [...watchers.values()] : [watchers.get(key) ?? []];
      for (const changed of new Set(sets.flatMap((set) => [...set]))) changed();
    },
  };
}
