import type { Cancel, Clock } from "../../src/lib/clock.ts";

/** The part of `process` that endings and suspension need. */
export interface HostProcess {
  on(event: string, listener: (...values: readonly unknown[]) => void): unknown;
  removeListener(event: string, listener: (...values: readonly unknown[]) => void): unknown;
  kill(pid: number, signal: string): unknown;
  exit(code: number): void;
}

export interface LifecycleOptions {
  readonly process: HostProcess;
  readonly clock: Clock;
  /** Takes the terminal: raw input, screen, modes. */
  readonly take: () => void;
  /** Gives it back; called any number of times, also while the process dies. */
  readonly release: () => void;
  /** Tells a person why the dashboard crashed, on the restored terminal. */
  readonly explain: (error: unknown) => void;
}

/** Ends, crashes and suspensions of the process. */
export interface Lifecycle {
  /** Gives the terminal back and then stops the whole job, until a shell's `fg`. */
  readonly suspend: () => void;
  /** Ends because the terminal, or whoever waited for this process, is gone. */
  readonly hangUp: () => void;
  /** Forgets all listeners. */
  readonly remove: () => void;
}

/** 128 + the number of the signal, as shells count. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;
const crashCode = 70;
/**
 * How long a step of the suspension is left to settle: a process that was stopped meanwhile hears of its continuation
 * before the step after it. Nobody notices it, and the system needs microseconds.
 */
const settleMs = 20;
/** A continuation so soon after another is the same one, told by two senders: the shell and the parent. */
const sameMs = 1_000;

/** Makes sure that the terminal is given back however the process ends or pauses, with the exit code that says why. */
export function watchLifecycle(options: LifecycleOptions): Lifecycle {
  const { process } = options;
  const listeners: [string, (...values: readonly unknown[]) => void][] = [];
  const on = (event: string, listener: (...values: readonly unknown[]) => void): void => {
    process.on(event, listener);
    listeners.push([event, listener]);
  };
  const end = (code: number): void => {
    options.release();
    process.exit(code);
  };
  const crash = (error: unknown): void => {
    options.release();
    options.explain(error);
    process.exit(crashCode);
  };
  for (const [signal, code] of Object.entries(exitCodes)) on(signal, () => end(code));
  on("uncaughtException", crash);
  on("unhandledRejection", crash);
  on("exit", () => options.release());
  const suspension = watchSuspension(options);
  on("SIGCONT", suspension.resume);
  return {
    suspend: suspension.suspend,
    hangUp: () => end(exitCodes.SIGHUP),
    remove: () => {
      suspension.remove();
      for (const [event, listener] of listeners) process.removeListener(event, listener);
    },
  };
}

/**
 * Pauses in two steps: the terminal is given back first, and only then is the job stopped. Otherwise its other
 * processes, which stop at once, would let the shell take a terminal that is still full of the dashboard.
 */
function watchSuspension({ process, clock, take, release }: LifecycleOptions) {
  let suspended = false;
  let resumedAt = Number.NEGATIVE_INFINITY;
  let cancel: Cancel = () => undefined;
  const suspend = (): void => {
    if (suspended) return;
    suspended = true;
    release();
    cancel = clock.after(settleMs, stopJob);
  };
  const stopJob = (): void => {
    // Without a listener the signal does to this process what it does to the rest of the job.
    process.removeListener("SIGTSTP", suspend);
    process.kill(0, "SIGTSTP");
    // Where no shell could continue the job, the system stops nobody, and the dashboard goes on.
    cancel = clock.after(settleMs, resume);
  };
  const resume = (): void => {
    const again = !suspended;
    if (again && clock.now() - resumedAt < sameMs) return;
    suspended = false;
    resumedAt = clock.now();
    cancel();
    process.removeListener("SIGTSTP", suspend);
    process.on("SIGTSTP", suspend);
    // Stopped without warning, by SIGSTOP: whoever had the terminal since has left its own settings there.
    if (again) release();
    take();
  };
  process.on("SIGTSTP", suspend);
  return {
    suspend,
    resume,
    remove: (): void => {
      cancel();
      process.removeListener("SIGTSTP", suspend);
    },
  };
}
