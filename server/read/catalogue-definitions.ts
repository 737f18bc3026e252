import { type Clock, sleep } from "../../src/lib/clock.ts";
import { buildDefinition } from "../domain/definition-build.ts";
import { definitionResult } from "../domain/definition-result.ts";
import { Refusal } from "../domain/refusal.ts";
import type { RunOutcome } from "../sandbox/outcome.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** The code of a schema of the catalogue, known by its package's hash. */
export interface PackagedDefinition {
  readonly hash: string;
  readonly code: string;
  readonly handler: string;
}

interface Entry {
  readonly run: Promise<void>;
  hasRun: boolean;
}

/** Milliseconds that a reader waits before being told to come again: most definitions take a tenth of it. */
const patienceMs = 250;
/** Definitions remembered. */
const maximumKept = 1_000;

/** By the sandbox that ran them, so that they go with their process's server. */
const kept = new WeakMap<Sandbox, Map<string, Entry>>();

/**
 * Whether the code of a catalogue's schema has run in this process, which it does at the first read; false as long as it
 * runs, for a reader who should not wait any longer. `complain` is told once of code that defines no schema: what the
 * package says is shown and installed all the same, but nobody can make it anew.
 */
export async function definitionHasRun(
  sandbox: Sandbox,
  clock: Clock,
  packaged: PackagedDefinition,
  complain: (reason: string) => void,
): Promise<boolean> {
  const entries = kept.get(sandbox) ?? new Map<string, Entry>();
  kept.set(sandbox, entries);
  const known = entries.get(packaged.hash);
  if (known?.hasRun === true) return true;
  const entry = known ?? begin(sandbox, packaged, { complain, forget: () => entries.delete(packaged.hash) });
  if (known === undefined) {
    const [oldest] = entries.keys();
    if (entries.size >= maximumKept && oldest !== undefined) entries.delete(oldest);
    entries.set(packaged.hash, entry);
  }
  const over = new AbortController();
  await Promise.race([entry.run, sleep(clock, patienceMs, over.signal)]);
  over.abort();
  return entry.hasRun;
}

/** `forget` is called where nothing was learnt, so that the next reader tries again. */
function begin(
  sandbox: Sandbox,
  { hash, code, handler }: PackagedDefinition,
  told: { readonly complain: (reason: string) => void; readonly forget: () => void },
): Entry {
  const running = sandbox.run({ code, handler, input: {}, defines: true, share: `catalogue ${hash}` });
  const entry: Entry = {
    hasRun: false,
    run: running.then((outcome) => {
      if (outcome.ended === "refused" || outcome.ended === "lost") return void told.forget();
      entry.hasRun = true;
      const problem = problemOf(outcome);
      if (problem !== undefined) told.complain(problem);
    }),
  };
  return entry;
}

function problemOf(outcome: RunOutcome): string | undefined {
  if (outcome.ended !== "ok") return outcome.message;
  const judged = definitionResult(outcome.value);
  if (!judged.ok) return judged.message;
  try {
    buildDefinition(judged.result);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}
