import type { ActionKind } from "../../src/contract/actions.ts";
import type { ActionResultState } from "../../src/contract/function-runs.ts";
import type { StoredFunction } from "../domain/functions.ts";
import type { Json } from "../domain/json.ts";
import type { RunOutcome } from "../sandbox/outcome.ts";
import type { BeforeFunction } from "../sandbox/sandbox.ts";
import type { Layer } from "../store/layer.ts";

/** The component that a function runs for, as the run remembers it. */
export interface RunComponent {
  readonly id: string;
  readonly name: string;
  readonly schemaName: string;
}

/** The queued action that a run carries out. */
export interface RunAction {
  readonly id: string;
  readonly kind: ActionKind;
  readonly displayName: string;
  readonly originChangeSetId: string;
  readonly originChangeSetName: string;
}

/** How a run is to be remembered, decided from how the sandbox ended it. */
export interface RunVerdict {
  readonly state: "Success" | "Failure" | "Killed";
  /** What the run's `resultValue` shows. */
  readonly result: Json;
  readonly actionResult?: ActionResultState;
  /** Why it failed, in a sentence for who wrote the function. */
  readonly failure?: string;
  /** What a last line of the log shows, such as the envelope of the result. */
  readonly output?: Json;
}

/** One function to run and to remember. */
export interface RunRequest {
  /** The run's id, where it was told to others before the function began; else a new one. */
  readonly id?: string;
  /** Whether the function begins only once the run's row is in the database, so that it never ran without a trace. */
  readonly recordFirst?: boolean;
  /** Whether it is one of many that one waits for, so that their ends are written together, some 50 ms later. */
  readonly amongMany?: boolean;
  readonly layer: Layer;
  readonly func: StoredFunction;
  readonly component?: RunComponent;
  /** The binding that asks for it. */
  readonly prototypeId?: string;
  readonly action?: RunAction;
  /** The value that it computes. */
  readonly attributeValueId?: string;
  /** What the function is called with. */
  readonly input: Json;
  /** The arguments as the run shows them, where they are not the input. */
  readonly args?: Json;
  /** Authentication functions to run first. */
  readonly before?: readonly BeforeFunction[];
  /** Whether the code defines a schema. */
  readonly defines?: boolean;
  /** What a later run of the same function on the same component compares; see `findLastRuns`. */
  readonly fingerprint?: string;
  /** Ends the run as killed. */
  readonly signal?: AbortSignal;
  /** Decides what is remembered; must not throw. */
  readonly judge: (outcome: RunOutcome, runId: string) => RunVerdict;
}

/** How a run ended. */
export interface EndedRun {
  readonly id: string;
  /** Whether the function left the line: one that did not has done nothing. */
  readonly began: boolean;
  readonly outcome: RunOutcome;
  readonly verdict: RunVerdict;
}

/** A run that has begun, or waits to. */
export interface StartedRun {
  readonly id: string;
  /** Resolves once the run's row is in the database, so that whoever is told of the id finds it. */
  readonly recorded: Promise<void>;
  /** Resolves when the function has ended and the end is in the database; never rejects but when the database does. */
  readonly ended: Promise<EndedRun>;
}

/**
 * Runs functions in the sandbox and remembers each run: its row, its log lines while they come, its end. Rows are
 * written some at a time; what ends within one turn is written once.
 */
export interface FunctionRuns {
  /**
   * Begins a run; as many as the sandbox lets stand in line (10,000) may be started at once, further ones end refused.
   * While the process stops, runs end refused and leave nothing.
   */
  start(request: RunRequest): StartedRun;
  /** Ends runs of this process as killed; others notice the mark in the row. */
  cancel(runIds: readonly string[]): void;
  /** Ends what runs as failed, since the server stops; resolves when everything begun is in the database. */
  close(): Promise<void>;
}
