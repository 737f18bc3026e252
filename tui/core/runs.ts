import type { Mirror } from "./mirror.ts";
import type { ListRow } from "./parts/list.ts";
import { isOver, type JobItem, jobProgress, type Progress, type RunItem, runProgress } from "./run-rows.ts";
import { remembered } from "./select.ts";
import { find, type Table } from "./table.ts";

/** A run, or a job that has none yet, wherever in the workspace it is. */
export interface RunRow extends ListRow {
  readonly changeSetId: string;
  readonly changeSet: string;
  readonly progress: Progress;
  /** The state as the server calls it. */
  readonly state: string;
  readonly kind: string;
  readonly componentId: string | null;
  readonly component: string;
  readonly failure: string | null;
  readonly created: number | undefined;
  /** Milliseconds that it took; undefined while it goes on. */
  readonly took: number | undefined;
  /** What can be read of it; null for a job that has no run yet. */
  readonly funcRunId: string | null;
  readonly jobId: string | null;
  readonly actionId: string | null;
}

/** Every run and job that is mirrored, of all change sets, in the order of their ids. */
export const runTable = remembered((mirror: Mirror): Table<RunRow> => {
  const rows: RunRow[] = [];
  for (const { id, name } of mirror.changeSets?.rows ?? []) {
    const place = { mirror, changeSetId: id, changeSet: name };
    const jobs = mirror.jobs.get(id)?.rows ?? [];
    const runs = mirror.runs.get(id);
    const jobOf = new Map(jobs.flatMap((job) => (job.funcRunId === null ? [] : [[job.funcRunId, job]])));
    for (const run of runs?.rows ?? []) rows.push(rowOfRun(place, run, jobOf.get(run.id)));
    for (const job of jobs) {
      if (job.funcRunId === null || find(runs, job.funcRunId) === undefined) rows.push(rowOfJob(place, job));
    }
  }
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));
  const index = new Map(rows.map((row, position) => [row.id, position]));
  return { version: 0, rows, index, changed: null };
});

interface Place {
  readonly mirror: Mirror;
  readonly changeSetId: string;
  readonly changeSet: string;
}

function rowOfRun(place: Place, run: RunItem, job: JobItem | undefined): RunRow {
  const own = runProgress(run);
  // A job goes on after its function has ended well: what it returned is done to the change set.
  const progress = job !== undefined && own === "ok" ? jobProgress(job) : own;
  const failure = job?.failure ?? run.failure;
  return {
    ...rowOf(place, run, progress),
    state: progress === own ? run.state : (job?.state ?? run.state),
    kind: job === undefined ? run.kind : `${job.kind} job`,
    failure,
    funcRunId: run.id,
    jobId: job?.id ?? null,
    actionId: run.actionId,
  };
}

const rowOfJob = (place: Place, job: JobItem): RunRow => ({
  ...rowOf(place, job, jobProgress(job)),
  kind: `${job.kind} job`,
  funcRunId: job.funcRunId,
  jobId: job.id,
  actionId: null,
});

function rowOf({ mirror, changeSetId, changeSet }: Place, item: RunItem | JobItem, progress: Progress) {
  const { id, functionName, state, failure, componentId, created, updated } = item;
  const known = componentId === null ? undefined : find(mirror.components.get(changeSetId), componentId);
  const took = created === undefined || updated === undefined ? undefined : Math.max(0, updated - created);
  return {
    id,
    name: functionName,
    sortName: functionName.toLowerCase(),
    changeSetId,
    changeSet,
    progress,
    state,
    componentId,
    component: known?.name ?? item.componentName ?? componentId ?? "",
    failure,
    created,
    took: isOver(progress) ? took : undefined,
  };
}

/** How many runs are in which state; failures are those of the last hour. */
export function runCounts(
  mirror: Mirror,
  now: number,
): { readonly running: number; readonly failed: number } {
  let running = 0;
  let failed = 0;
  for (const { progress, created } of runTable(mirror).rows) {
    if (progress === "running" || progress === "queued") running++;
    if (progress === "failed" && created !== undefined && now - created < hourMs) failed++;
  }
  return { running, failed };
}

const hourMs = 3_600_000;

/** The newest run for a component in a change set, else in the head, that can be read. */
export function latestRunOf(mirror: Mirror, changeSetId: string, componentId: string): RunRow | undefined {
  const headId = mirror.changeSets?.rows.find(({ isHead }) => isHead)?.id;
  const own = runTable(mirror).rows.filter(
    (row) => row.componentId === componentId && row.funcRunId !== null,
  );
  return (
    own.findLast((row) => row.changeSetId === changeSetId) ??
    own.findLast((row) => row.changeSetId === headId)
  );
}
