import { type ScheduledTask, schedule, validate } from "node-cron";
import type { Log } from "../src/lib/log.ts";
import { Problem } from "../src/lib/problem.ts";
import { messageOf } from "./failure.ts";

/** What is done by the calendar, each at its cron expression (local time; five fields, or six with seconds first). */
export interface Schedule {
  /** Every list is read again in full. */
  readonly resync: string;
  /** The server is asked whether the key still stands. */
  readonly sessionCheck: string;
  /** Cache files that nobody will read again are removed. */
  readonly cachePruning: string;
  /** A log file that has grown is set aside. */
  readonly logRotation: string;
}

export type Chore = keyof Schedule;

/** Off the full hour, when everybody else's calendars run. */
export const defaultSchedule: Schedule = {
  resync: "23 * * * *",
  sessionCheck: "*/5 * * * *",
  cachePruning: "47 3 * * *",
  logRotation: "*/10 * * * *",
};

/** Runs chores by the calendar until it is stopped. */
export interface Calendar {
  /** Puts other expressions in force. Throws a Problem, and changes nothing, when one is not understood. */
  reschedule(expressions: Schedule): void;
  /** Does one chore now; resolves when it is done. */
  run(chore: Chore): Promise<void>;
  stop(): void;
}

/** Starts the calendar. A chore that fails is logged and done again when it is next due; none overlaps itself. */
export function startCalendar(
  expressions: Schedule,
  chores: Readonly<Record<Chore, () => Promise<void> | void>>,
  log: Log,
): Calendar {
  const names = Object.keys(defaultSchedule) as Chore[];
  const run = async (chore: Chore): Promise<void> => {
    try {
      await chores[chore]();
    } catch (error) {
      log.warn("chore failed", { job: chore, reason: messageOf(error) });
    }
  };
  let tasks: ScheduledTask[] = [];
  const stop = (): void => {
    for (const task of tasks) void task.destroy();
    tasks = [];
  };
  const reschedule = (next: Schedule): void => {
    for (const chore of names) refuseUnreadable(chore, next[chore]);
    stop();
    tasks = names.map((chore) =>
      schedule(next[chore], () => run(chore), {
        name: chore,
        noOverlap: true,
        // It says on the console what it skips; nothing here depends on that.
        logger: quietLogger(log),
        suppressMissedWarning: true,
        unref: true,
      }),
    );
  };
  reschedule(expressions);
  return { reschedule, run, stop };
}

function refuseUnreadable(chore: Chore, expression: string): void {
  if (!validate(expression))
    throw new Problem(`daemon.${chore}: expected a cron expression, found ${JSON.stringify(expression)}`, {
      code: "validation_failed",
      hint: `use five fields, such as "${defaultSchedule[chore]}"`,
    });
}

const quietLogger = (log: Log) => ({
  info: (message: string) => log.debug("calendar", { reason: message }),
  debug: (message: string | Error) => log.debug("calendar", { reason: messageOf(message) }),
  warn: (message: string) => log.debug("calendar", { reason: message }),
  error: (message: string | Error) => log.warn("calendar", { reason: messageOf(message) }),
});
