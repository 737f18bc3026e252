import { type Clock, sleep } from "../../lib/clock.ts";
import { Problem } from "../../lib/problem.ts";
import { toFailure } from "../failure.ts";
import { aborted } from "../parent.ts";
import type { ListeningServer } from "./server-process.ts";

/** What keeping a server takes. */
export interface KeptServer {
  readonly clock: Clock;
  readonly logFile: string;
  /** Starts it at the same address; undefined when told to stop before it listens. */
  readonly start: () => Promise<ListeningServer | undefined>;
  /** Whether nobody listens at its address. */
  readonly isFree: () => Promise<boolean>;
  /** Each line that a person is to read. */
  readonly say: (line: string) => void;
  /** When its end by itself was noticed, before that is said. */
  readonly onEnded: (server: ListeningServer) => void;
  /** Whenever another child has taken the place of the one before. */
  readonly onStarted: (server: ListeningServer) => void;
  readonly stop: AbortSignal;
}

/** How long to wait before each start in a row: 3, 6, 12, 24 and 48 s, so that whoever starts it by hand comes first. */
const waitsMs = [3_000, 6_000, 12_000, 24_000, 48_000];
/** A server that ran this long is well: what ends it then is counted anew. */
const wellMs = 60_000;
/** How often to look whether a server that somebody else started is still there. */
const lookMs = 1_000;

/**
 * Starts the server again whenever it ends by itself, and says so; one that was started by hand at the same address is
 * left alone. Resolves when told to stop. Throws a Problem when it has ended too often in a row.
 */
export async function keepServer(first: ListeningServer, kept: KeptServer): Promise<void> {
  const { clock, say, stop } = kept;
  let server: ListeningServer | undefined = first;
  let since = clock.now();
  for (let inRow = 0; !stop.aborted; inRow++) {
    const how: string = server === undefined ? "" : await ended(server, stop);
    if (stop.aborted) return;
    if (server !== undefined) {
      kept.onEnded(server);
      if (clock.now() - since >= wellMs) inRow = 0;
    }
    const wait = waitsMs[inRow];
    const what = server === undefined ? "the server did not start" : `the server ended with ${how}`;
    if (wait === undefined) throw lost(what, kept.logFile);
    say(`${what}; starting it again in ${wait / 1_000} s`);
    await sleep(clock, wait, stop);
    await untilFree(kept);
    if (stop.aborted) return;
    since = clock.now();
    server = await tryStart(kept);
    if (server !== undefined) say(`the server is back at ${server.url}`);
  }
}

/** How it ended, in words that nobody reads once told to stop. */
const ended = ({ child }: ListeningServer, stop: AbortSignal): Promise<string> =>
  Promise.race([child.ended, aborted(stop).then(() => "")]);

async function untilFree({ clock, isFree, say, stop }: KeptServer): Promise<void> {
  for (let said = false; !stop.aborted && !(await isFree()); said = true) {
    if (!said) say("another process listens there now; the server is started again when that ends");
    await sleep(clock, lookMs, stop);
  }
}

async function tryStart({ start, say, onStarted, stop }: KeptServer): Promise<ListeningServer | undefined> {
  try {
    const server = await start();
    if (server !== undefined) onStarted(server);
    return server;
  } catch (error) {
    if (!stop.aborted) say(toFailure(error).message);
    return undefined;
  }
}

const lost = (what: string, logFile: string): Problem =>
  new Problem(`${what}; after ${waitsMs.length} starts in a row it is not started again`, {
    code: "server_lost",
    hint: `all it said is in ${logFile}`,
  });
