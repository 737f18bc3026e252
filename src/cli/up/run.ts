import { type Profile, profileOf } from "../../config/paths.ts";
import { type Context, createContext } from "../context.ts";
import { findDaemon, startDaemonProcess, untilDaemonAnswers } from "../daemon-process.ts";
import { exitCodeOfSignal } from "../exit.ts";
import { toFailure } from "../failure.ts";
import { programFile } from "../launch.ts";
import { watchParent } from "../parent.ts";
import { type Child, startChild, stopChildren } from "./children.ts";
import { ensureLogin, seedOnce } from "./first-user.ts";
import { openDashboard, printChanges } from "./foreground.ts";
import { keepServer } from "./keep-server.ts";
import { shellWord, shortest, writeLauncher } from "./launcher.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { beTheOnlyOne } from "./only-one.ts";
import { isFree } from "./port.ts";
import { startServerChild } from "./server-process.ts";

/** What `svc up` was asked for. */
export interface UpOptions {
  readonly directory: string;
  readonly port: number | undefined;
  /** Whether the dashboard is opened; without it changes are printed. */
  readonly dashboard: boolean;
  readonly keepDaemon: boolean;
}

/**
 * Starts server, daemon and dashboard on the state below one directory, starts the server again when it ends by itself,
 * and ends all of them. Returns when the dashboard
 * was left, when this process was told to stop, or when its parent died.
 */
export async function runUp(caller: Context, options: UpOptions): Promise<void> {
  const { output, clock } = caller;
  const stop = AbortSignal.any([caller.untilStopped(), watchParent(clock)]);
  const layout = layoutOf(options.directory, caller.environment);
  for (const line of layout.config.warnings) output.warn(line);
  if (layout.ignored.length > 0)
    output.note(`ignoring ${layout.ignored.join(", ")}: svc up keeps to the state in ${layout.directory}`);
  const context = within(caller, layout);
  const leave = await beTheOnlyOne(context, layout);
  const children: Child[] = [];
  const told = new Set<Child>();
  const leaving = new AbortController();
  let keeping: Promise<void> = Promise.resolve();
  try {
    if (await seedOnce(context, layout))
      output.note(
        `made a first user and a sample workspace; how to sign in is in ${shortest(layout.firstUserFile)}`,
      );
    const server = await startServerChild(context, layout, options.port, stop);
    if (server === undefined) return;
    children.push(server.child);
    const profile = profileOf(layout.config.directories, server.url);
    await writeLauncher(layout, { node: process.execPath, program: programFile, port: server.port });
    await ensureLogin(context, layout, server.url);
    await startMirror(context, layout, profile, options.keepDaemon, children);
    output.note(`the server is at ${server.url}; its API is described at ${server.url}/docs`);
    output.note(`in another terminal: ${shellWord(shortest(layout.launcher))} change-set create NAME`);
    const lost = new AbortController();
    const held: string[] = [];
    keeping = keepServer(server, {
      clock,
      logFile: layout.serverLog,
      start: () => startServerChild(context, layout, server.port, AbortSignal.any([stop, leaving.signal])),
      isFree: () => isFree(server.port),
      // The dashboard has the terminal, and says itself that the server is away.
      say: (line) => void (options.dashboard ? held.push(line) : output.warn(line)),
      onEnded: ({ child }) => void told.add(child),
      onStarted: ({ child }) => void children.splice(0, 1, child),
      stop: AbortSignal.any([stop, leaving.signal]),
    });
    keeping.catch(() => lost.abort());
    const running = { layout, profile, children, told, stop: AbortSignal.any([stop, lost.signal]) };
    try {
      if (options.dashboard) caller.exitWith(await openDashboard(context, running));
      else await printChanges(context, running);
    } finally {
      for (const line of held) output.warn(line);
    }
    if (lost.signal.aborted) await keeping;
  } catch (error) {
    if (!stop.aborted) throw error;
    // The status says why this ended; what failed besides is said.
    if (!isCutShort(error, stop)) output.failure(toFailure(error));
  } finally {
    leaving.abort();
    await keeping.catch(() => undefined);
    await stopChildren(context, children, told);
    await leave();
    if (stop.aborted) caller.exitWith(exitCodeOfSignal(stop.reason));
  }
}

/** The same context with the environment of the layout: what follows sees nothing of the caller's own. */
const within = (caller: Context, layout: Layout): Context =>
  createContext({ ...caller.flags, server: undefined, workspace: undefined }, caller.output, {
    ...caller,
    environment: layout.environment,
  });

/** A daemon that is kept, or was, outlives this process; any other ends with it. */
async function startMirror(
  context: Context,
  layout: Layout,
  profile: Profile,
  keep: boolean,
  children: Child[],
): Promise<void> {
  if (keep || (await findDaemon(profile)) !== undefined) {
    await startDaemonProcess(context, profile);
    return;
  }
  const daemon = await startChild(context.launch, context.clock, {
    name: "daemon",
    argv: ["daemon", "run", "--log-file", "--with-parent", "--server", profile.serverUrl],
    environment: layout.environment,
    logFile: layout.daemonLog,
  });
  children.push(daemon);
  await untilDaemonAnswers(context, profile, daemon);
}

/** Whether a failure only says that this was told to stop. */
const isCutShort = (error: unknown, stop: AbortSignal): boolean =>
  stop.aborted && (error === stop.reason || (error instanceof Error && error.name === "AbortError"));
