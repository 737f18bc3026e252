import { type Clock, sleep } from "../../src/lib/clock.ts";
import { type BuiltDefinition, buildDefinition } from "../domain/definition-build.ts";
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

/** What came of running it: no definition where the code fails. */
export interface RanDefinition {
  readonly definition: BuiltDefinition | undefined;
}

interface Entry {
  readonly run: Promise<void>;
  ran: RanDefinition | undefined;
}

/** Milliseconds that a reader waits before being told to come again: most definitions take a tenth of it. */
const patienceMs = 250;
/** Definitions kept; one of 200 properties takes about 50 kB, so all of them 10 MB. */
const maximumKept = 200;

/** By the sandbox that ran them, so that they go with their process's server. */
const kept = new WeakMap<Sandbox, Map<string, Entry>>();

/**
 * What the code of a catalogue's schema defines. It runs at the first read in a process; undefined as long as it runs,
 * for a reader who should not wait any longer.
 */
export async function ranDefinition(
  sandbox: Sandbox,
  clock: Clock,
  packaged: PackagedDefinition,
): Promise<RanDefinition | undefined> {
  const entries = kept.get(sandbox) ?? new Map<string, Entry>();
  kept.set(sandbox, entries);
  const known = entries.get(packaged.hash);
  if (known?.ran !== undefined) return known.ran;
  const entry = known ?? begin(sandbox, packaged, () => entries.delete(packaged.hash));
  if (known === undefined) {
    const [oldest] = entries.keys();
    if (entries.size >= maximumKept && oldest !== undefined) entries.delete(oldest);
    entries.set(packaged.hash, entry);
  }
  const over = new AbortController();
  await Promise.race([entry.run, sleep(clock, patienceMs, over.signal)]);
  over.abort();
  return entry.ran;
}

/** `forget` is called where nothing was learnt, so that the next reader tries again. */
function begin(sandbox: Sandbox, { hash, code, handler }: PackagedDefinition, forget: () => void): Entry {
  const running = sandbox.run({ code, handler, input: {}, defines: true, share: `catalogue ${hash}` });
  const entry: Entry = {
    ran: undefined,
    run: running.then((outcome) => {
      if (outcome.ended === "refused" || outcome.ended === "lost") forget();
      else entry.ran = { definition: definitionIn(outcome) };
    }),
  };
  return entry;
}

function definitionIn(outcome: RunOutcome): BuiltDefinition | undefined {
  const judged = outcome.ended === "ok" ? definitionResult(outcome.value) : undefined;
  if (judged?.ok !== true) return undefined;
  try {
    return buildDefinition(judged.result);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
