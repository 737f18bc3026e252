import { isDeeperThan, type Json, unstorable } from "../domain/json.ts";
import { maximumDepth } from "../domain/limits.ts";
import { type Compiled, type Position, placeIn } from "./compile.ts";
import type { Settled } from "./guest/host.ts";
import type { RunLimits } from "./limits.ts";
import type { PoolEnd } from "./pool.ts";
import { redactJson } from "./redact.ts";

/** How a run ended. Messages are sentences for the person who wrote the function. */
export type RunOutcome =
  /** The function returned; undefined when it returned nothing. */
  | { readonly ended: "ok"; readonly value: Json | undefined }
  /** The code could not be read or threw; `at` is the place in the user's own source. */
  | { readonly ended: "threw"; readonly name: string; readonly message: string; readonly at?: Position }
  /**
   * `invalidResult`: it returned what is not JSON or too large; `timedOut`, `outOfMemory`, `tooMuchOutput`: it went past
   * a limit; `killed`: it was cancelled; `refused`: it never began; `lost`: its process went away, and nobody knows how
   * far it came.
   */
  | {
      readonly ended:
        | "invalidResult"
        | "timedOut"
        | "outOfMemory"
        | "tooMuchOutput"
        | "killed"
        | "refused"
        | "lost";
      readonly message: string;
    };

/** What is needed to say how a run ended. */
interface Told {
  readonly limits: RunLimits;
  readonly file: string;
  readonly compiled: Compiled;
  readonly redact: (text: string) => string;
}

/** The outcome of a run from how it left the pool. */
export function outcomeOf(end: PoolEnd, told: Told): RunOutcome {
  const { limits } = told;
  switch (end.how) {
    case "settled":
      return settledOutcome(end.text, told);
    case "time":
      return { ended: "timedOut", message: `function timed out after ${seconds(limits.wallMs)}` };
    case "cpu":
      return { ended: "timedOut", message: `function computed for more than ${seconds(limits.cpuMs)}` };
    case "hung":
      return {
        ended: "timedOut",
        message: "function did not stop at its limits, so its process was ended",
      };
    case "stalled":
      return {
        ended: "threw",
        name: "Error",
        message: "function waits for something that never happens: its promise is never settled",
      };
    case "memory":
      return {
        ended: "outOfMemory",
        message: `function needs more than ${megabytes(limits.memoryBytes)} of memory`,
      };
    case "depth":
      return { ended: "threw", name: "RangeError", message: tooDeep };
    case "log-lines":
      return { ended: "tooMuchOutput", message: `function wrote more than ${limits.logLines} log lines` };
    case "log-size":
      return {
        ended: "tooMuchOutput",
        message: `function wrote more than ${limits.logCharacters} characters to its log`,
      };
    case "killed":
      return { ended: "killed", message: "function execution terminated" };
    case "full":
      return { ended: "refused", message: "too many functions are waiting to run: try again later" };
    case "closed":
      return { ended: "refused", message: "the server is stopping and runs no more functions" };
    case "broken":
    case "lost":
      return {
        ended: "lost",
        message: "the process that ran the function went away: nobody knows how far it came",
      };
  }
}

const tooDeep = "function calls itself too deeply";
const seconds = (ms: number): string => (ms === 1000 ? "1 second" : `${ms / 1000} seconds`);
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;

function settledOutcome(text: string, told: Told): RunOutcome {
  const settled = read(text);
  if (settled === undefined) return invalid("result is not JSON", told);
  if ("tooLarge" in settled)
    return invalid(`result has more than ${told.limits.resultCharacters} characters as JSON`, told);
  if ("notJson" in settled) return invalid(settled.notJson, told);
  if ("threw" in settled) return threw(settled.threw, told);
  if (settled.value === undefined) return { ended: "ok", value: undefined };
  const value = settled.value as Json; // It came out of JSON.parse.
  const unfit = isDeeperThan(value, maximumDepth + 1)
    ? `nests deeper than ${maximumDepth}`
    : unkept(text, value);
  if (unfit !== undefined) return invalid(`result ${unfit}`, told);
  return { ended: "ok", value: redactJson(value, told.redact) };
}

function read(text: string): Settled | undefined {
  try {
    const settled: unknown = JSON.parse(text);
    return typeof settled === "object" && settled !== null ? (settled as Settled) : undefined; // Only read by members.
  } catch {
    return undefined;
  }
}

const invalid = (message: string, { redact }: Told): RunOutcome => ({
  ended: "invalidResult",
  message: redact(message),
});

/** What of a value cannot be kept; only texts with an escape in them are looked at. */
function unkept(text: string, value: Json): string | undefined {
  if (!text.includes("\\u")) return undefined;
  const why = textsIn(value)
    .map(unstorable)
    .find((found) => found !== undefined);
  return why === undefined ? undefined : `holds ${why}`;
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

function threw(thrown: unknown, { file, compiled, redact }: Told): RunOutcome {
  const { name, message, stack }: Record<string, unknown> = typeof thrown === "object" ? { ...thrown } : {};
  const place = placeIn(String(stack), file);
  const at = place === undefined ? undefined : compiled.position(place);
  const deep = name === "InternalError" && message === "stack overflow";
  return {
    ended: "threw",
    name: deep ? "RangeError" : redact(String(name)),
    message: deep ? tooDeep : keepable(redact(String(message))),
    ...(at === undefined ? {} : { at }),
  };
}

const keepable = (text: string): string => text.toWellFormed().replaceAll("\0", "\uFFFD");

/** Why a run did not return, in one sentence: what was thrown, and where in the author's own source. */
export function reasonOf(outcome: Exclude<RunOutcome, { readonly ended: "ok" }>): string {
  if (outcome.ended !== "threw") return outcome.message;
  const at = outcome.at === undefined ? "" : ` (line ${outcome.at.line}, column ${outcome.at.column})`;
  return `${outcome.name}: ${outcome.message}${at}`;
}
