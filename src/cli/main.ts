#!/usr/bin/env node
import { readEnvironment } from "../config/load.ts";
import { systemClock } from "../lib/clock.ts";
import { systemLaunch } from "./launch.ts";
import { runCommandLine } from "./program.ts";
import { createPrompt } from "./prompt.ts";
import { untilStopped } from "./signals.ts";

// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

// The status is left for the process to end with by itself, so that everything printed gets out.
process.exitCode = await runCommandLine({
  argv: process.argv.slice(2),
  environment: readEnvironment(),
  clock: systemClock,
  out: process.stdout,
  err: process.stderr,
  prompt: createPrompt(process.stdin, (text) => process.stderr.write(text)),
  launch: systemLaunch,
  untilStopped,
});
