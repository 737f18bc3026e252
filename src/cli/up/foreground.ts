import type { Profile } from "../../config/paths.ts";
import { Problem } from "../../lib/problem.ts";
import type { Context } from "../context.ts";
import { aborted } from "../parent.ts";
import { followChanges } from "./changes.ts";
import { type Child, endOf, lastWords, stopChild } from "./children.ts";
import type { Layout } from "./layout.ts";
import { overviewLines, readOverview } from "./overview.ts";

/** What runs behind the foreground. */
export interface Running {
  readonly layout: Layout;
  readonly profile: Profile;
  readonly children: readonly Child[];
  /** Aborts when the foreground is to end. */
  readonly stop: AbortSignal;
}

/** Shows the dashboard as a process of its own on this terminal, until it is left or told to stop. */
export async function openDashboard(context: Context, { layout, profile, stop }: Running): Promise<void> {
  const dashboard = context.launch.spawn(["tui", "--server", profile.serverUrl], {
    environment: layout.environment,
    streams: "terminal",
    detached: false,
  });
  const ended = endOf(dashboard);
  await Promise.race([ended, aborted(stop)]);
  await stopChild(dashboard, ended, context.clock);
  if (!stop.aborted && dashboard.exitCode !== 0)
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
  for (const child of children) void tellDeath(context, child, stop);
  await followChanges(profile.socketPath, {
    clock,
    signal: stop,
    onChange: (event, line) => output.event({ change: event }, line),
    onConnection: (line) => output.warn(line),
  });
}

async function tellDeath({ output }: Context, child: Child, stop: AbortSignal): Promise<void> {
  await child.ended;
  if (!stop.aborted) output.warn(`the ${child.name} has ended: ${await lastWords(child)}`);
}
