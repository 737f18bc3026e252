import type { Profile } from "../../config/paths.ts";
import { Problem } from "../../lib/problem.ts";
import type { Context } from "../context.ts";
import { exitCodes, isSignalStatus } from "../exit.ts";
import { aborted } from "../parent.ts";
import { onContinued } from "../signals.ts";
import { followChanges } from "./changes.ts";
import { type Child, endOf, stopChild } from "./children.ts";
import type { Layout } from "./layout.ts";
import { overviewLines, readOverview } from "./overview.ts";

/** What runs behind the foreground. */
export interface Running {
  readonly layout: Layout;
  readonly profile: Profile;
  readonly children: readonly Child[];
  /** The children whose death was told. */
  readonly told: Set<Child>;
  /** Aborts when the foreground is to end. */
  readonly stop: AbortSignal;
}

/**
 * Shows the dashboard as a process of its own on this terminal, until it is left or told to stop, and leaves the terminal
 * as it was however the dashboard ended. Gives the status to end with.
 */
export async function openDashboard(context: Context, { layout, profile, stop }: Running): Promise<number> {
  const restoreTerminal = await context.launch.rememberTerminal();
  const dashboard = context.launch.spawn(["tui", "--with-parent", "--server", profile.serverUrl], {
    environment: layout.environment,
    streams: "terminal",
    detached: false,
  });
  // A shell continues the whole job; whoever continues only this process means the dashboard with it.
  const stopListening = onContinued(() => void dashboard.kill("SIGCONT"));
  const ended = endOf(dashboard);
  try {
    await Promise.race([ended, aborted(stop)]);
    await stopChild(dashboard, ended, context.clock);
  } finally {
    stopListening();
    if (dashboard.signalCode !== null) await restoreTerminal();
  }
  const { exitCode } = dashboard;
  if (stop.aborted || exitCode === exitCodes.ok.code) return exitCodes.ok.code;
  // The signal that ended it was meant for all of this.
  if (exitCode !== null && isSignalStatus(exitCode)) return exitCode;
  throw new Problem(`the dashboard ended with ${await ended}`, {
    hint: "svc up --no-tui prints changes instead",
  });
}

/** Prints the overview, then one line for each change, until told to stop. */
export async function printChanges(context: Context, running: Running): Promise<void> {
  const { output, clock } = context;
  const { profile, children, stop } = running;
  const overview = await readOverview(await context.api(), await context.workspaceId(), stop);
  if (output.json) output.event({ overview }, "");
  else output.raw(`${overviewLines(overview).join("\n")}\n`);
  // Whoever keeps the server, the first of them, tells of it.
  for (const child of children.slice(1)) void tellDeath(context, child, running);
  await followChanges(profile.socketPath, {
    clock,
    signal: stop,
    onChange: (event, line) => output.event({ change: event }, line),
    onConnection: (line) => output.warn(line),
  });
}

async function tellDeath({ output }: Context, child: Child, { stop, told }: Running): Promise<void> {
  const how = await child.ended;
  if (stop.aborted) return;
  told.add(child);
  output.warn(`the ${child.name} ended with ${how}`);
}
