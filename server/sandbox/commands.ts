import { spawn } from "node:child_process";
import { tmpdir } from "node:os";

/** Which programs of the host functions may run. */
export interface CommandRules {
  /** Name as functions say it → absolute path of the program. Empty: none at all. */
  readonly programs: Readonly<Record<string, string>>;
  /** `PATH` of the programs' environment, for what they start themselves. */
  readonly path: string;
}

/** Programs run for functions, by the server. */
export interface Commands {
  /** Runs what `question` describes; gives JSON of `{value}` or `{error}` and never rejects. */
  run(question: string, signal: AbortSignal): Promise<string>;
}

interface Question {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, unknown>>;
  readonly input?: string;
  readonly timeout?: number;
}

/** Most characters of one output; more ends the program. */
const maximumOutput = 4_000_000;
/** Longest life of a program. */
const maximumMs = 30 * 60_000;
/** Variables that would make a program load other code than its own. */
const codeVariables = /^(LD_|DYLD_|NODE_OPTIONS$|PYTHON|PERL|RUBY|BASH_ENV$|ENV$|PATH$)/i;

/** Runs programs under `rules`: an argument list, never a shell. */
export function createCommands({ programs, path }: CommandRules): Commands {
  const judged = (question: Question): string | undefined => {
    const names = Object.keys(programs);
    if (names.length === 0)
      return "functions may not run programs on this server: its operator has named none";
    if (Object.hasOwn(programs, question.command)) return undefined;
    return `functions may not run ${JSON.stringify(question.command.slice(0, 100))}: this server allows ${names.join(", ")}`;
  };
  return {
    run: async (text, signal) => {
      try {
        const question: Question = JSON.parse(text);
        const refused = judged(question);
        if (refused !== undefined) return refusal(refused);
        return JSON.stringify({
          value: await execute(programs[question.command] ?? "", path, question, signal),
        });
      } catch (error) {
        // What no program can be given, such as a zero character in an argument.
        return refusal(
          `the program could not be run: ${error instanceof Error ? error.message : "no reason given"}`,
        );
      }
    },
  };
}

const refusal = (error: string): string => JSON.stringify({ error });

function execute(program: string, path: string, question: Question, signal: AbortSignal): Promise<object> {
  const { command, args, env, input, timeout = maximumMs } = question;
  const given = Object.entries(env).filter(([name]) => !codeVariables.test(name));
  const escapedCommand = [command, ...args].join(" ");
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      shell: false,
      cwd: tmpdir(),
      env: { ...Object.fromEntries(given.map(([name, value]) => [name, String(value)])), PATH: path },
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      signal,
      killSignal: "SIGKILL",
      timeout: Math.min(timeout, maximumMs),
      // A group of its own would outlive the server: what the program starts is for it to end.
      detached: false,
    });
    const outputs = { stdout: "", stderr: "", all: "" };
    let problem: string | undefined;
    const collect = (name: "stdout" | "stderr") => (chunk: string) => {
      outputs[name] += chunk;
      outputs.all += chunk;
      if (outputs.all.length <= maximumOutput) return;
      problem ??= `the program wrote more than ${maximumOutput} characters`;
      child.kill("SIGKILL");
    };
    child.stdout?.setEncoding("utf8").on("data", collect("stdout"));
    child.stderr?.setEncoding("utf8").on("data", collect("stderr"));
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
    child.on("error", (error) => {
      problem ??= `the program could not be run: ${error.message}`;
    });
    child.on("close", (code, killed) => {
      resolve({
        command: escapedCommand,
        escapedCommand,
        exitCode: code ?? -1,
        ...(killed === null ? {} : { signal: killed }),
        stdout: trimmed(outputs.stdout),
        stderr: trimmed(outputs.stderr),
        all: trimmed(outputs.all),
        failed: code !== 0,
        timedOut: killed !== null && problem === undefined && !signal.aborted,
        isCanceled: signal.aborted,
        killed: killed !== null,
        ...(problem === undefined ? {} : { shortMessage: problem }),
      });
    });
  });
}

/** Output without its last line break, as functions are used to. */
const trimmed = (text: string): string => text.slice(0, maximumOutput).replace(/\r?\n$/, "");
