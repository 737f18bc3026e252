/** Makes a global as the platform's own are: writable, not listed. */
export function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Makes a global that is computed when it is first touched, and stays. */
export function defineLazily(name: string, make: () => unknown): void {
  Object.defineProperty(globalThis, name, {
    configurable: true,
    enumerable: false,
    get: () => {
      // Libraries look for a global of their own name while they are made: there is none yet.
      define(name, undefined);
      const value = make();
      define(name, value);
      return value;
    },
    set: (value: unknown) => define(name, value),
  });
}
