/** Every status that the command ends with; the only table of them. */
export const exitCodes = {
  ok: { code: 0, when: "done; also when a question was answered with no" },
  error: { code: 1, when: "it failed: refused, not found, not reachable, not authenticated" },
  usage: { code: 2, when: "the command line itself is wrong: unknown command or option, missing argument" },
  busy: { code: 75, when: "what is needed is held by another process, or being computed; worth another try" },
  hungUp: { code: 129, when: "ended by SIGHUP: the terminal was closed" },
  interrupted: { code: 130, when: "ended by Ctrl-C" },
  quit: { code: 131, when: "ended by SIGQUIT" },
  terminated: { code: 143, when: "ended by SIGTERM" },
} as const;

export type ExitName = keyof typeof exitCodes;

/** Words of failures that do not end with `error`. */
const exitByCode: Readonly<Record<string, ExitName>> = {
  usage: "usage",
  lock_timeout: "busy",
  values_pending: "busy",
  building: "busy",
  cancelled: "interrupted",
};

/** The status for a failure's word. */
export const exitCodeOf = (code: string): number => exitCodes[exitByCode[code] ?? "error"].code;

const exitBySignal: Readonly<Record<string, ExitName>> = {
  SIGHUP: "hungUp",
  SIGINT: "interrupted",
  SIGQUIT: "quit",
  SIGTERM: "terminated",
};

/** The status for the signal that ended this process; `ok` for any other reason to end. */
export const exitCodeOfSignal = (name: unknown): number =>
  exitCodes[(typeof name === "string" ? exitBySignal[name] : undefined) ?? "ok"].code;

/** Whether a status says that a process was told to end by a signal that it heeded. */
export const isSignalStatus = (status: number | null): boolean =>
  Object.values(exitBySignal).some((name) => exitCodes[name].code === status);
