import type { Transaction } from "kysely";
import { type Engine, nothingShared, type Shared } from "./engine.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import type { Tables } from "./tables.ts";

/** Runs work in transactions that reach the disk together; see {@link groupCommits}. */
export interface GroupCommit {
  /** Runs `work` as one transaction: all of it or nothing. Settles when it is on the disk, or is not going to be. */
  readonly transact: Engine["transact"];
  /** Resolves when nothing runs and nothing waits. */
  settled(): Promise<void>;
}

/**
 * Milliseconds without anybody new after which those who are there begin: clients whose answers have just been sent
 * come back in this time, so that 16 of them share one commit instead of two by turns.
 */
const patience = 0.2;
/** As many at least, now or in the last commit, for it to be worth that time. */
const company = 4;

/** Writers that share a commit: bounds how long the first of them waits, at about 1 ms each. */
const maximumGroup = 32;

interface Waiting {
  readonly work: (tx: Transaction<Tables>, shared: Shared) => Promise<void>;
  readonly last: Parameters<Engine["transact"]>[1];
  readonly failed: (error: unknown) => void;
  readonly committed: () => void;
}

/**
 * Lets those who want to write in one turn of the event loop share one commit, since a commit waits for the disk
 * several times as long as an edit works: 16 writers at once get through three times as many edits. As long as more of
 * them come, the next one is waited for; who is alone waits for nobody. They run one after the other, each sees what
 * those before it wrote, and one that fails takes back only its own (a savepoint each). Nobody is told of success before
 * the commit. `moved` is called after every attempt to commit.
 */
export function groupCommits(connection: SqliteConnection, moved: () => void): GroupCommit {
  const waiting: Waiting[] = [];
  let idle: (() => void)[] = [];
  let isBusy = false;
  /** How many shared the last commit. */
  let before = 0;

  const turn = async (): Promise<void> => {
    const group = waiting.splice(0, maximumGroup);
    before = group.length;
    const failures = await commitTogether(connection, group);
    moved();
    for (const one of group) {
      if (failures.has(one)) one.failed(failures.get(one));
      else one.committed();
    }
    if (waiting.length > 0) {
      gather();
      return;
    }
    isBusy = false;
    for (const tell of idle) tell();
    idle = [];
  };

  /** Begins a turn as soon as nobody else comes, or as many are there as may share a commit. */
  const gather = (known = waiting.length, since = performance.now()): void => {
    setImmediate(() => {
      const { length } = waiting;
      const hasCompany = Math.max(length, before) >= company;
      if (length >= maximumGroup) void turn();
      else if (length > known) gather(length);
      else if (hasCompany && performance.now() - since < patience) gather(known, since);
      else void turn();
    });
  };

  return {
    transact: (work, last) =>
      new Promise((resolve, reject) => {
        let finish = (): void => undefined;
        waiting.push({
          work: async (tx, shared) => {
            const result = await work(tx, shared);
            finish = () => resolve(result);
          },
          last,
          failed: reject,
          committed: () => finish(),
        });
        if (isBusy) return;
        isBusy = true;
        // Not at once: who else wants to write in this turn of the event loop comes along.
        gather();
      }),
    settled: () => (isBusy ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve()),
  };
}

/** Runs the works one after the other in one transaction; returns what failed, and why. */
async function commitTogether(
  connection: SqliteConnection,
  group: readonly Waiting[],
): Promise<Map<Waiting, unknown>> {
  const failures = new Map<Waiting, unknown>();
  const shared = nothingShared();
  const isShared = group.length > 1;
  const within = async (work: Waiting["work"]): Promise<void> => {
    const { tx, end } = connection.transaction();
    try {
      await work(tx, shared);
    } finally {
      end();
    }
  };
  try {
    connection.run("begin immediate");
    for (const one of group) {
      if (isShared) connection.run("savepoint writer");
      try {
        await within(one.work);
      } catch (error) {
        failures.set(one, error);
        if (!isShared) throw error;
        connection.run("rollback to writer");
        // It may have looked at what it had changed itself.
        shared.entities = {};
      }
      if (isShared) connection.run("release writer");
    }
    // They write to one store: what is last is the same for all of them.
    const last = group.find((one) => one.last !== undefined)?.last;
    if (last !== undefined) await within(last);
    connection.run("commit");
  } catch (error) {
    // The database may have ended the transaction itself, as it does when the disk is full.
    try {
      connection.run("rollback");
    } catch {}
    for (const one of group) if (!failures.has(one)) failures.set(one, error);
  }
  return failures;
}
