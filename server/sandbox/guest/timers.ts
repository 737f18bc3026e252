import type { Asks } from "./asks.ts";
import { define } from "./define.ts";

type Callback = (...values: unknown[]) => unknown;

/** Timers, clones and microtasks as every platform has them. */
export function installTimers(asks: Asks): void {
  const repeated = new Map<number, number>();
  define("setTimeout", (callback: Callback, ms = 0, ...values: unknown[]) => {
    if (typeof callback !== "function") throw new TypeError("a timer takes a function, not text");
    return asks.later(ms, () => callback(...values));
  });
  define("setInterval", (callback: Callback, ms = 0, ...values: unknown[]) => {
    if (typeof callback !== "function") throw new TypeError("a timer takes a function, not text");
    const again = (): void => {
      repeated.set(first, asks.later(Math.max(1, ms), again));
      callback(...values);
    };
    const first = asks.later(Math.max(1, ms), again);
    repeated.set(first, first);
    return first;
  });
  const clear = (timer: number): void => {
    asks.forget(repeated.get(timer) ?? timer);
    repeated.delete(timer);
  };
  define("clearTimeout", clear);
  define("clearInterval", clear);
  define("queueMicrotask", (callback: Callback) => void Promise.resolve().then(() => callback()));
  define("structuredClone", (value: unknown) => clone(value, new Map()));
}

function clone(value: unknown, done: Map<object, unknown>): unknown {
  if (typeof value === "function" || typeof value === "symbol")
    throw new TypeError(`a ${typeof value} cannot be cloned`);
  if (typeof value !== "object" || value === null) return value;
  if (done.has(value)) return done.get(value);
  const made = emptyCopy(value);
  done.set(value, made);
  if (value instanceof Map && made instanceof Map) {
    for (const [key, inner] of value) made.set(clone(key, done), clone(inner, done));
  } else if (value instanceof Set && made instanceof Set) {
    for (const inner of value) made.add(clone(inner, done));
  } else if (Array.isArray(value) || Object.getPrototypeOf(made) === Object.prototype) {
    for (const key of Object.keys(value)) Reflect.set(made, key, clone(Reflect.get(value, key), done));
  }
  return made;
}

function emptyCopy(value: object): object {
  if (Array.isArray(value)) return new Array(value.length);
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (value instanceof Error) return Object.assign(new Error(value.message), { name: value.name });
  return {};
}
