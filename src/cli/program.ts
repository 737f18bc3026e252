import { variable } from "../config/load.ts";
import { version } from "../lib/version.ts";
import type { AnyCommand, GlobalArguments } from "./command.ts";
import { commands as allCommands } from "./commands/index.ts";
import { createContext, type Surroundings } from "./context.ts";
import { exitCodeOf, exitCodes } from "./exit.ts";
import { toFailure } from "./failure.ts";
import { helpDocument, helpText } from "./help.ts";
import { createOutput, type Output, type Sink } from "./output.ts";
import { parseArguments } from "./parse.ts";

/** One run of the command: what the process is given, and where its text goes. */
export interface Invocation extends Omit<Surroundings, "exitWith" | "commands"> {
  readonly argv: readonly string[];
  readonly out: Sink;
  readonly err: Sink;
  readonly commands?: readonly AnyCommand[];
}

/** Runs one command line to its end and gives the status to exit with; never throws. */
export async function runCommandLine(invocation: Invocation): Promise<number> {
  const commands = invocation.commands ?? allCommands;
  // Failures of the command line itself are printed before it is understood: the form is taken from the bare words.
  let output = outputFor(invocation, rough(invocation.argv));
  let status: number = exitCodes.ok.code;
  const exitWith = (code: number): void => {
    status = code;
  };
  try {
    const parsed = await parseArguments(invocation.argv, commands);
    output = outputFor(invocation, parsed.flags);
    switch (parsed.kind) {
      case "version":
        output.result({ version }, [version]);
        break;
      case "help":
        if (output.json) output.result(helpDocument(parsed.topic, commands), []);
        else output.text(helpText(parsed.topic, commands));
        break;
      case "run": {
        const context = createContext(parsed.flags, output, { ...invocation, commands, exitWith });
        // The key is looked for before anything else is done, so that nothing is half done without one.
        if (parsed.command.needs === "key") await context.api();
        await parsed.command.run(parsed.args, context);
        break;
      }
    }
    return status;
  } catch (thrown) {
    const inEnvironment = variable(invocation.environment, "SVC_API_KEY") !== undefined;
    const failure = toFailure(thrown, inEnvironment ? "SVC_API_KEY" : undefined);
    output.failure(failure);
    return exitCodeOf(failure.code);
  }
}

const rough = (argv: readonly string[]): Pick<GlobalArguments, "json" | "quiet" | "no-color" | "debug"> => ({
  json: argv.includes("--json"),
  quiet: false,
  "no-color": argv.includes("--no-color"),
  debug: argv.includes("--debug"),
});

const outputFor = (
  { out, err, environment }: Invocation,
  flags: Pick<GlobalArguments, "json" | "quiet" | "no-color" | "debug">,
): Output =>
  createOutput({
    out,
    err,
    json: flags.json,
    quiet: flags.quiet,
    debug: flags.debug,
    color:
      !flags["no-color"] && variable(environment, "NO_COLOR") === undefined && environment["TERM"] !== "dumb",
  });
