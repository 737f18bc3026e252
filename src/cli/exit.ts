/** Every status that the command ends with; the only table of them. */
export const exitCodes = {
  ok: { code: 0, when: "done; also when a question was answered with no" },
  error: { code: 1, when: "it failed: refused, not found, not reachable, not authenticated" },
  usage: { code: 2, when: "the command line itself is wrong: unknown command or option, missing argument" },
  busy: { code: 75, when: "another process holds what is needed; worth another try" },
  interrupted: { code: 130, when: "ended by Ctrl-C" },
  terminated: { code: 143, when: "ended by SIGTERM" },
} as const;

export type ExitName = keyof typeof exitCodes;

/** Words of failures that do not end with `error`. */
const exitByCode: Readonly<Record<string, ExitName>> = {
  usage: "usage",
  lock_timeout: "busy",
  cancelled: "interrupted",
};

/** The status for a failure's word. */
export const exitCodeOf = (code: string): number => exitCodes[exitByCode[code] ?? "error"].code;
