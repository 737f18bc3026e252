import type { Asks } from "./asks.ts";
import { define } from "./define.ts";

interface Result {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly all: string;
  readonly failed: boolean;
}

interface Retry {
  readonly maxAttempts?: number;
  readonly baseDelay?: number;
  readonly maxDelay?: number;
  readonly jitter?: boolean;
  readonly isRateLimitedFn?: (error: unknown) => boolean;
}

interface Watch {
  readonly cmd: string;
  readonly args?: readonly string[];
  readonly execaOptions?: object;
  readonly retryMs?: number;
  readonly maxRetryCount?: number;
  readonly callback: (result: Result) => unknown;
}

interface Poll {
  readonly url: string;
  readonly headers?: unknown;
  readonly maxAttempts?: number;
  readonly baseDelay?: number;
  readonly maxDelay?: number;
  readonly isCompleteFn: (response: unknown, body: unknown) => unknown;
  readonly isErrorFn?: (response: unknown, body: unknown) => unknown;
  readonly extractResultFn?: (response: unknown, body: unknown) => unknown;
}

/** `siExec`: programs of the host, where the operator allows any, and patience. */
export function installSiExec(asks: Asks, environment: () => object, say: (line: string) => void): void {
  const pause = (ms: number): Promise<void> => new Promise((resolve) => void asks.later(ms, () => resolve()));

  const waitUntilEnd = async (
    cmd: string,
    args: readonly string[] = [],
    options: object = {},
  ): Promise<Result> => {
    say(`Running CLI command: "${[cmd, ...args].join(" ")}"`);
    const { input, env, timeout } = options as { input?: string; env?: object; timeout?: number };
    const question = {
      command: String(cmd),
      args: args.map(String),
      env: { ...environment(), ...env },
      ...(input === undefined ? {} : { input: String(input) }),
      ...(timeout === undefined ? {} : { timeout: Number(timeout) }),
    };
    return (await asks.ask("exec", question)) as Result; // The outside answers in this shape.
  };

  const watch = async (options: Watch, deadlineCount?: number) => {
    const { cmd, args, execaOptions, retryMs = 2000, maxRetryCount = 10, callback } = options;
    for (let count = 0; ; count++) {
      const result = await waitUntilEnd(cmd, args, execaOptions);
      if (result.failed) return { result, failed: "commandFailed" };
      if (await callback(result)) return { result };
      if (count >= (deadlineCount ?? maxRetryCount)) return { result, failed: "deadlineExceeded" };
      await pause(retryMs);
    }
  };

  const withRetry = async <Value>(work: () => Promise<Value>, options: Retry = {}) => {
    const { maxAttempts = 20, isRateLimitedFn } = options;
    for (let attempts = 1; ; attempts++) {
      try {
        return { result: await work(), attempts };
      } catch (error) {
        if (attempts >= maxAttempts || isRateLimitedFn?.(error) === false) throw error;
        await pause(delay(attempts, { baseDelay: 1000, maxDelay: 90_000, ...options }));
      }
    }
  };

  const pollLRO = async (options: Poll) => {
    const { url, headers, maxAttempts = 20, isCompleteFn, isErrorFn, extractResultFn } = options;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const response = await fetch(url, { method: "GET", headers: headers as Record<string, string> });
      const text = await response.text();
      const body = readJson(text);
      if (isErrorFn !== undefined && (await isErrorFn(response, body)))
        throw new Error(`the operation failed: ${text.slice(0, 1000)}`);
      if (await isCompleteFn(response, body)) return extractResultFn?.(response, body) ?? body;
      await pause(delay(attempt, { baseDelay: 2000, maxDelay: 30_000, ...options }));
    }
    throw new Error(`the operation did not complete within ${maxAttempts} attempts`);
  };

  define("siExec", {
    waitUntilEnd,
    watch,
    withRetry,
    pollLRO,
    waitUntilEndWithRetry: (cmd: string, args?: readonly string[], options?: object, retry?: Retry) =>
      withRetry(() => waitUntilEnd(cmd, args, options), retry),
  });
}

/** Doubles from `baseDelay` to `maxDelay`, with up to 30 % on top. */
function delay(attempt: number, { baseDelay = 0, maxDelay = 0, jitter = true }: Retry): number {
  const { random } = Math;
  return Math.min(baseDelay * 2 ** (attempt - 1), maxDelay) * (jitter ? 1 + 0.3 * random() : 1);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
