import { type DaemonStatus, statusList } from "../src/ipc/contract.ts";
import { type Cancel, type Clock, toTimestamp } from "../src/lib/clock.ts";
import type { ChangeLog } from "./change-log.ts";
import type { Connection } from "./connection.ts";
import type { MirroredList } from "./mirrored-list.ts";
import type { Notices } from "./notices.ts";
import type { Session } from "./session.ts";

/** What a status is made of. */
interface StatusSources {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly session: Pick<Session, "status" | "serverUrl" | "workspaceId">;
  readonly connection: Pick<Connection, "status">;
  readonly notices: Pick<Notices, "list">;
  readonly lists: () => readonly MirroredList[];
}

/** The status as of now. */
export const statusOf = (sources: StatusSources): DaemonStatus => ({
  version: sources.version,
  pid: sources.pid,
  startedAt: toTimestamp(sources.startedAt),
  serverUrl: sources.session.serverUrl,
  workspaceId: sources.session.workspaceId ?? null,
  session: sources.session.status,
  server: sources.connection.status(),
  lists: sources.lists().map((list) => list.status()),
  notices: sources.notices.list(),
});

/** Urgent news wait for what comes with them; ages and latencies wait until a reader would notice, in milliseconds. */
const delays = { urgent: 20, routine: 1_000 };

/** The key under which the status stands in its list. */
const key = "daemon";

/** Tells readers of the status whenever it changes, so that they need not ask: rarely when only ages move. */
export class StatusFeed {
  readonly #clock: Clock;
  readonly #changes: ChangeLog;
  readonly #read: () => DaemonStatus;
  #due: number | undefined;
  #cancel: Cancel | undefined;

  constructor(clock: Clock, changes: ChangeLog, read: () => DaemonStatus) {
    this.#clock = clock;
    this.#changes = changes;
    this.#read = read;
  }

  /** Has the status told soon. */
  changed(urgency: "urgent" | "routine"): void {
    const due = this.#clock.now() + delays[urgency];
    if (this.#due !== undefined && this.#due <= due) return;
    this.#cancel?.();
    this.#due = due;
    this.#cancel = this.#clock.after(delays[urgency], () => this.publish(), { background: true });
  }

  /** Tells the status now, if it differs from what was told. */
  publish(): void {
    this.#cancel?.();
    this.#due = undefined;
    const text = JSON.stringify(this.#read());
    if (this.#changes.items(statusList).get(key) === text) return;
    this.#changes.edit(statusList, new Map([[key, text]]));
  }

  /** Tells nothing any more. */
  stop(): void {
    this.#cancel?.();
    // Whatever is due from here on was due already.
    this.#due = Number.NEGATIVE_INFINITY;
  }
}
