import type { FunctionSettings } from "../src/config/server-settings.ts";
import { errorMessage } from "../src/lib/error-message.ts";
import { Problem } from "../src/lib/problem.ts";
import type { RunLimits } from "./sandbox/limits.ts";
import { createJudge } from "./sandbox/network-rules.ts";
import type { SandboxSettings } from "./sandbox/sandbox.ts";

/** Processes for each that may compute: those whose functions wait for an answer make room for others. */
const processesEach = 8;

/** The sandbox's settings from the operator's. Throws a {@link Problem} for hosts that nobody can read. */
export function sandboxSettings({ network, commands, processes }: FunctionSettings): SandboxSettings {
  try {
    createJudge(network);
  } catch (error) {
    throw new Problem(`server.functionHosts cannot be read: ${errorMessage(error)}`, {
      code: "validation_failed",
      hint: "name hosts as api.example.com, *.example.com, 10.1.2.3 or 10.1.0.0/16",
    });
  }
  return { network, commands, children: processes, maximumChildren: processes * processesEach };
}

/** What one run may use, from the operator's settings; computing stays at its usual limit. */
export const runLimits = ({ seconds, megabytes }: FunctionSettings): Partial<RunLimits> => ({
  wallMs: seconds * 1000,
  memoryBytes: megabytes * 1024 * 1024,
});
