import type { AskKind, Host } from "./host.ts";

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** What the function waits for: questions to the outside that are not answered yet. */
export interface Asks {
  /** Resolves with the outside's answer to `question`, rejects with its sentence. */
  ask(kind: AskKind, question: unknown): Promise<unknown>;
  /** Calls back after `ms`; gives the number that {@link Asks.forget} takes. */
  later(ms: number, callback: () => void): number;
  forget(number: number): void;
  answer(number: number, text: string): void;
}

/** Longest pause, that of every platform: 2^31 - 1 ms. */
const longestPause = 2_147_483_647;

/** Keeps the questions of one run. */
export function createAsks(host: Host): Asks {
  const { parse, stringify } = JSON;
  const waiting = new Map<number, Waiting>();
  const later = (ms: number, callback: () => void): number => {
    const pause = Math.min(Math.max(Math.trunc(Number(ms)) || 0, 0), longestPause);
    const number = host.ask("sleep", String(pause));
    waiting.set(number, { resolve: callback, reject: callback });
    return number;
  };
  return {
    later,
    ask: (kind, question) =>
      new Promise((resolve, reject) => {
        waiting.set(host.ask(kind, stringify(question)), { resolve, reject });
      }),
    forget: (number) => {
      if (waiting.delete(number)) host.drop(number);
    },
    answer: (number, text) => {
      const found = waiting.get(number);
      waiting.delete(number);
      const { value, error }: { value?: unknown; error?: string } = parse(text);
      if (error === undefined) found?.resolve(value);
      else found?.reject(new TypeError(error));
    },
  };
}
