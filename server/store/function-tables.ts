import type { ActionResultState, FunctionRunState } from "../../src/contract/function-runs.ts";
import type { FunctionKind } from "../../src/contract/functions.ts";
import type { JobKind, JobState } from "../../src/contract/jobs.ts";

/** One run of a function. Rows of one function on one component are kept a bounded number of times. */
export interface FuncRunTable {
  id: string;
  workspace_id: string;
  /** The change set or head that it runs in. */
  layer: string;
  func_id: string;
  kind: FunctionKind;
  state: FunctionRunState;
  component_id: string | null;
  prototype_id: string | null;
  action_id: string | null;
  action_result: ActionResultState | null;
  /** Stands for code, input and secrets, where the same again need not run again; null where it must. */
  fingerprint: string | null;
  code_hash: string | null;
  /** JSON: what the run is told by, as `FuncRunViewV1` names it, but for the members above and below. */
  about: string;
  /** JSON: the arguments as they are shown, secrets redacted. */
  args: string;
  /** JSON: what it returned or `null`. */
  result: string;
  /** Why it failed, in a sentence. */
  failure: string | null;
  /** Whether no line of its log will follow: 0 or 1. */
  finalized: number;
  /** The process that runs it, and until when it is believed to. */
  owner: string | null;
  lease_until: number;
  /** 1 when somebody asked to end it. */
  cancelled: number;
  /** Moves with everything a GET of it shows, log lines included. */
  rev: number;
  created_at: number;
  updated_at: number;
}

/** Lines of a run's log as they came, some at a time; see `server/runs/run-log.ts`. */
export interface FuncLogTable {
  run_id: string;
  part: number;
  /** JSON: an array of lines. */
  lines: string;
}

/** Code by its hash, kept once for all runs of it. */
export interface FuncCodeTable {
  hash: string;
  code: string;
  /** About when a run of it began last. */
  updated_at: number;
}

/** A management or debug job; the partial unique index makes management single flight. */
export interface FuncJobTable {
  id: string;
  workspace_id: string;
  layer: string;
  kind: JobKind;
  state: JobState;
  component_id: string;
  prototype_id: string | null;
  func_run_id: string | null;
  /** JSON: what was asked for. */
  request: string;
  /** JSON: what came of it, or null. */
  result: string | null;
  failure: string | null;
  actor: string;
  cancelled: number;
  rev: number;
  created_at: number;
  updated_at: number;
}

/** What was contributed of a schema to this server's catalogue last; `entry` ascends with its first contribution. */
export interface CatalogueTable {
  entry: string;
  schema_id: string;
  name: string;
  category: string;
  hash: string;
  /** JSON: the package's spec. */
  spec: string;
  workspace_id: string | null;
  actor: string | null;
  at: number;
}

/** A definition whose code is running; until it ends, who reads what it makes is asked to come again. */
export interface BuildingTable {
  key: string;
  owner: string;
  lease_until: number;
}
