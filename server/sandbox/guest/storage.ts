import { define } from "./define.ts";
import type { Storage } from "./host.ts";

/** What authentication functions hand on, as every function of the run reads it. */
export interface RunStorage {
  /** Installs `requestStorage`, writable or not, and what of `process` and `Deno` reads its environment. */
  install(storage: Storage, stores: boolean): void;
  /** What is handed on. */
  taken(): Storage;
}

/** Keeps what is handed on from function to function. */
export function createStorage(say: (line: string) => void): RunStorage {
  let env = new Map<string, string>();
  let data = new Map<string, unknown>();
  const reading = {
    getEnv: (key: string) => env.get(key),
    getItem: (key: string) => data.get(key),
    getEnvKeys: () => [...env.keys()],
    getKeys: () => [...data.keys()],
    rawStorage: () => ({ env: Object.fromEntries(env), data: Object.fromEntries(data) }),
  };
  const writing = {
    setEnv: (key: string, value: unknown) => {
      say(`Registering environment variable ${key}`);
      env.set(String(key), String(value));
    },
    setItem: (key: string, value: unknown) => {
      say(`Setting ${key} to requestStorage`);
      data.set(String(key), value);
    },
    deleteEnv: (key: string) => {
      say(`Removing environment variable ${key}`);
      env.delete(String(key));
    },
    deleteItem: (key: string) => {
      say(`Removing ${key} from requestStorage`);
      data.delete(String(key));
    },
  };
  return {
    install: (storage, stores) => {
      env = new Map(Object.entries(storage.env));
      data = new Map(Object.entries(storage.data));
      define("requestStorage", stores ? { ...reading, ...writing } : reading);
    },
    taken: () => ({ env: Object.fromEntries(env), data: Object.fromEntries(data) }),
  };
}
