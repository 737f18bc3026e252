import { type Clock, systemClock } from "../../src/lib/clock.ts";
import type { Json } from "../domain/json.ts";
import { type CommandRules, createCommands } from "./commands.ts";
import { type Compiled, createCompiler } from "./compile.ts";
import { defaultLimits, maximumInput, type RunLimits } from "./limits.ts";
import { type LogLine, linesOf } from "./log-lines.ts";
import type { CompiledFunction, ConsoleCall } from "./messages.ts";
import { createNetwork } from "./network.ts";
import type { NetworkRules } from "./network-rules.ts";
import { outcomeOf, type RunOutcome } from "./outcome.ts";
import { createPool, type PoolListener, type PoolSettings } from "./pool.ts";
import { createRedactor, secretsIn } from "./redact.ts";

/** What the operator decides about functions. */
export interface SandboxSettings extends Partial<PoolSettings> {
  readonly network?: NetworkRules;
  readonly commands?: CommandRules;
}

/** An authentication function; its argument is secret as a whole. */
export interface BeforeFunction {
  readonly code: string;
  readonly handler: string;
  readonly argument: Json;
}

/** One function to run. */
export interface Run {
  /** TypeScript as the user wrote it. */
  readonly code: string;
  /** Name of the function to call: declared at the top or exported. */
  readonly handler: string;
  readonly input: Json;
  readonly limits?: Partial<RunLimits>;
  /** Run first, in this order; what they put into `requestStorage` is there for those after them. */
  readonly before?: readonly BeforeFunction[];
  /** Whether the code defines a schema and gets the builders. */
  readonly defines?: boolean;
  /** Values to redact beside the arguments of `before`. */
  readonly secrets?: readonly string[];
  /** Who takes turns with others for the children, such as a workspace id. */
  readonly share?: string;
  /** Ends the run as killed. */
  readonly signal?: AbortSignal;
  /** Called when the run leaves the line. */
  readonly onStart?: () => void;
  /** Called for each line while the function runs, never after its end. */
  readonly onLog?: (line: LogLine) => void;
}

/** Where functions run: no memory, file, environment, socket or other run is in reach of their code. */
export interface Sandbox {
  /** Runs a function; it never rejects, every end is an outcome. */
  run(run: Run): Promise<RunOutcome>;
  /** Starts the processes ahead of the first run; resolves when they have come up. */
  prepare(): Promise<void>;
  /** Kills what runs, refuses what waits, and resolves when no process is left. */
  close(): Promise<void>;
  /** The children's process ids. */
  readonly processIds: () => number[];
}

const defaultPool: PoolSettings = {
  children: 2,
  spareChildren: 1,
  maximumChildren: 16,
  maximumQueued: 10_000,
};
const mainFile = "function.ts";

/** Prepares to run functions; processes are started when they are needed. */
export function createSandbox(settings: SandboxSettings = {}, clock: Clock = systemClock): Sandbox {
  const compile = createCompiler();
  const pool = createPool({ ...defaultPool, ...settings }, clock);
  const network = createNetwork(settings.network ?? { mode: "off", hosts: [] });
  const commands = createCommands(settings.commands ?? { programs: {}, path: "" });
  let runs = 0;

  const run = async (asked: Run): Promise<RunOutcome> => {
    const limits = { ...defaultLimits, ...asked.limits };
    const redact = createRedactor([
      ...(asked.secrets ?? []),
      ...(asked.before ?? []).flatMap((one) => secretsIn(one.argument)),
    ]);
    const report = reporter(asked, limits, redact);
    const [compiled, before] = await Promise.all([
      compile(asked.code, asked.handler),
      Promise.all((asked.before ?? []).map((one, index) => compileBefore(one, index, report))),
    ]);
    if (!compiled.ok) {
      const { message, at } = compiled;
      return {
        ended: "threw",
        name: "SyntaxError",
        message: redact(message),
        ...(at === undefined ? {} : { at }),
      };
    }
    const main = ordered(compiled, mainFile, asked.handler, asked.input);
    const length = Math.max(main.input.length, ...before.map((one) => one?.input.length ?? 0));
    if (length > maximumInput)
      return {
        ended: "refused",
        message: `the function's input has ${length} characters as JSON, ${maximumInput} are allowed`,
      };
    if (asked.signal?.aborted === true)
      return outcomeOf({ how: "killed" }, { limits, file: mainFile, compiled, redact });
    runs++;
    const order = {
      type: "run",
      run: runs,
      before: before.filter((one) => one !== undefined),
      main,
      defines: asked.defines ?? false,
      limits,
      wipe: before.length > 0 || (asked.secrets ?? []).length > 0,
    } as const;
    return new Promise((resolve) => {
      const over = new AbortController();
      const listener: PoolListener = {
        started: () => asked.onStart?.(),
        log: report,
        waits: () => {},
        ask: (kind, text) =>
          kind === "fetch" ? network.fetch(text, over.signal) : commands.run(text, over.signal),
        ended: (end) => {
          over.abort();
          asked.signal?.removeEventListener("abort", cancel);
          resolve(outcomeOf(end, { limits, file: mainFile, compiled, redact }));
        },
      };
      const ticket = pool.submit(asked.share ?? "", order, listener);
      const cancel = (): void => ticket.cancel();
      asked.signal?.addEventListener("abort", cancel, { once: true });
    });
  };

  const compileBefore = async (
    { code, handler, argument }: BeforeFunction,
    index: number,
    report: (calls: readonly ConsoleCall[]) => void,
  ): Promise<CompiledFunction | undefined> => {
    const compiled = await compile(code, handler);
    if (compiled.ok) return ordered(compiled, `authentication-${index + 1}.ts`, handler, argument);
    report([["stderr", `authentication function ${handler} could not be read: ${compiled.message}`]]);
    return undefined;
  };

  return { run, prepare: pool.prepare, close: pool.close, processIds: pool.processIds };
}

const ordered = ({ code }: Compiled, file: string, handler: string, input: Json): CompiledFunction => ({
  code,
  file,
  handler,
  input: JSON.stringify(input),
});

/** Hands console calls on as lines, no more than allowed: the child counts too, but is not believed. */
function reporter({ onLog }: Run, limits: RunLimits, redact: (text: string) => string) {
  let left = limits.logLines;
  return (calls: readonly ConsoleCall[]): void => {
    for (const line of calls.flatMap((call) => linesOf(call, redact))) {
      if (left-- > 0) onLog?.(line);
    }
  };
}
