import type { DaemonStatus } from "../../src/ipc/contract.ts";
import type { MirrorEvent } from "../../src/mirror/resources.ts";
import type { ActionRow } from "./action-rows.ts";
import type { MergeStatus } from "./merge.ts";
import type { Review } from "./review.ts";
import type { ChangeSetItem, ComponentRow } from "./rows.ts";
import type { JobItem, RunItem } from "./run-rows.ts";
import type { Table, Touch } from "./table.ts";

/** A row that changed a moment ago, and how. */
export interface Mark {
  readonly at: number;
  readonly kind: Touch["kind"];
}

/** Everything the daemon has told so far; what lives in a change set by the change set's id. */
export interface Mirror {
  readonly instance: string | null;
  readonly revision: number;
  readonly status: DaemonStatus | null;
  readonly changeSets: Table<ChangeSetItem> | undefined;
  readonly components: ReadonlyMap<string, Table<ComponentRow>>;
  readonly reviews: ReadonlyMap<string, Review>;
  readonly merges: ReadonlyMap<string, MergeStatus>;
  readonly actions: ReadonlyMap<string, Table<ActionRow>>;
  readonly runs: ReadonlyMap<string, Table<RunItem>>;
  readonly jobs: ReadonlyMap<string, Table<JobItem>>;
  /** The history, oldest first. */
  readonly events: readonly MirrorEvent[];
  /** By list name and id, see {@link markKey}. */
  readonly marks: ReadonlyMap<string, Mark>;
}

export const emptyMirror: Mirror = {
  instance: null,
  revision: -1,
  status: null,
  changeSets: undefined,
  components: new Map(),
  reviews: new Map(),
  merges: new Map(),
  actions: new Map(),
  runs: new Map(),
  jobs: new Map(),
  events: [],
  marks: new Map(),
};

/** How long a changed row stays marked. */
export const markMs = 10_000;

/** How the daemon names the lists of a change set. */
export const componentsList = (changeSetId: string): string => `components/${changeSetId}`;
export const reviewList = (changeSetId: string): string => `reviews/${changeSetId}`;
export const mergeList = (changeSetId: string): string => `mergeStatuses/${changeSetId}`;
export const actionsList = (changeSetId: string): string => `actions/${changeSetId}`;
export const runsList = (changeSetId: string): string => `functionRuns/${changeSetId}`;
export const jobsList = (changeSetId: string): string => `jobs/${changeSetId}`;
export const markKey = (list: string, id: string): string => `${list}\n${id}`;

/** The mirror without marks that have stood long enough; the same mirror when there are none. */
export function fadeMarks(mirror: Mirror, now: number): Mirror {
  const kept = [...mirror.marks].filter(([, mark]) => now - mark.at < markMs);
  return kept.length === mirror.marks.size ? mirror : { ...mirror, marks: new Map(kept) };
}
