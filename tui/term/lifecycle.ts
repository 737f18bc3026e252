/** The part of `process` that endings and suspension need. */
export interface HostProcess {
  readonly pid: number;
  on(event: string, listener: (...values: readonly unknown[]) => void): unknown;
  removeListener(event: string, listener: (...values: readonly unknown[]) => void): unknown;
  kill(pid: number, signal: string): unknown;
  exit(code: number): void;
}

export interface LifecycleOptions {
  readonly process: HostProcess;
  /** Takes the terminal: raw input, screen, modes. */
  readonly take: () => void;
  /** Gives it back; called any number of times, also while the process dies. */
  readonly release: () => void;
  /** Tells a person why the dashboard crashed, on the restored terminal. */
  readonly explain: (error: unknown) => void;
}

/** Ends, crashes and suspensions of the process. */
export interface Lifecycle {
  /** Stops the process group until a shell's `fg`. */
  readonly suspend: () => void;
  /** Ends because the terminal is gone. */
  readonly hangUp: () => void;
  /** Forgets all listeners. */
  readonly remove: () => void;
}

/** 128 + the number of the signal, as shells count. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;
const crashCode = 70;

/** Makes sure that the terminal is given back however the process ends or pauses, with the exit code that says why. */
export function watchLifecycle(options: LifecycleOptions): Lifecycle {
  const { process } = options;
  let suspended = false;
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
  on("SIGTSTP", () => {
    suspended = true;
    options.release();
    // The handler took the default action's place; SIGSTOP is the pause that cannot be caught.
    process.kill(process.pid, "SIGSTOP");
  });
  on("SIGCONT", () => {
    if (!suspended) return;
    suspended = false;
    options.take();
  });
  return {
    // The whole group, as the terminal's own ctrl-z does: whoever waits for this process must stop too.
    suspend: () => void process.kill(0, "SIGTSTP"),
    hangUp: () => end(exitCodes.SIGHUP),
    remove: () => {
      for (const [event, listener] of listeners) process.removeListener(event, listener);
    },
  };
}
