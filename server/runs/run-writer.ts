import type { Cancel, Clock } from "../../src/lib/clock.ts";
import type { Log } from "../../src/lib/log.ts";
import { type RunChanges, writeRuns } from "../store/func-runs.ts";
import type { Store } from "../store/open.ts";
import { packLines } from "./run-log.ts";
import type { RunRecord } from "./run-record.ts";

/** Writes runs some at a time: what happens to a run between two writes is written once. */
export interface RunWriter {
  /** Notes that a run changed: written with the next ones, which is soon when somebody may wait for it. */
  touch(record: RunRecord, when: "soon" | "later"): void;
  /** Resolves when nothing is left to be written. */
  settled(): Promise<void>;
}

/** Between two writes: what ends meanwhile shares one, and lists are read anew at most that often. */
const soonMs = 5;
/** How long a line of a log or a beginning may wait: too short for people to notice. */
const laterMs = 50;
/** After a write that failed. */
const retryMs = 1_000;
/** A run that cannot be written is given up on after so many attempts. */
const maximumAttempts = 5;
/** Runs tried alone after they failed together: when so many fail, it is the database. */
const maximumTries = 3;
/** Code that was written this long ago is written again, so that it is not swept as unused; see `func-run-sweep.ts`. */
const codeKnownMs = 10 * 60_000;
/** Hashes of code remembered, at some 100 bytes each. */
const maximumCodes = 10_000;

/** Makes the writer of one process. */
export function createRunWriter(store: Store, clock: Clock, log: Log): RunWriter {
  const dirty = new Set<RunRecord>();
  const knownCodes = new Map<string, number>();
  let wantedAt = Number.POSITIVE_INFINITY;
  let notBefore = 0;
  let timer: { readonly at: number; readonly cancel: Cancel } | undefined;
  let isBusy = false;
  let idle: (() => void)[] = [];

  const want = (delayMs: number): void => {
    wantedAt = Math.max(notBefore, Math.min(wantedAt, clock.now() + delayMs));
    arm();
  };
  const arm = (): void => {
    if (isBusy || dirty.size === 0 || (timer !== undefined && timer.at <= wantedAt)) return;
    timer?.cancel();
    timer = { at: wantedAt, cancel: clock.after(Math.max(0, wantedAt - clock.now()), () => void flush()) };
  };
  const flush = async (): Promise<void> => {
    timer = undefined;
    wantedAt = Number.POSITIVE_INFINITY;
    isBusy = true;
    const records = [...dirty];
    dirty.clear();
    await write(records);
    isBusy = false;
    if (dirty.size > 0) return arm();
    for (const tell of idle) tell();
    idle = [];
  };

  const write = async (records: readonly RunRecord[]): Promise<void> => {
    const drafts = records.map(draftOf);
    const reason = await attempt(drafts);
    if (reason === undefined) return;
    // One that cannot be written must not keep the others.
    const failed = drafts.length === 1 ? drafts : await eachAlone(drafts);
    for (const draft of failed) giveBack(draft, reason);
    if (failed.length > 0)
      log.warn("runs of functions could not be written and will be tried again", { reason: String(reason) });
  };
  const eachAlone = async (drafts: readonly Draft[]): Promise<Draft[]> => {
    const failed: Draft[] = [];
    for (const draft of drafts) {
      const isHopeless = failed.length >= maximumTries;
      if (isHopeless || (await attempt([draft])) !== undefined) failed.push(draft);
    }
    return failed;
  };
  const giveBack = ({ record, lines, wasStateNew }: Draft, reason: unknown): void => {
    record.attempts++;
    if (record.attempts >= maximumAttempts) {
      record.tellFailed(reason);
      return;
    }
    record.lines.unshift(...lines);
    record.isStateNew ||= wasStateNew;
    dirty.add(record);
    notBefore = clock.now() + retryMs;
    wantedAt = notBefore;
  };
  const attempt = async (drafts: readonly Draft[]): Promise<unknown> => {
    try {
      const changes = changesOf(drafts, clock.now(), knownCodes);
      await store.write((tx) => writeRuns(tx, changes));
      if (knownCodes.size > maximumCodes) knownCodes.clear();
      for (const hash of changes.codes.keys()) knownCodes.set(hash, clock.now());
    } catch (error) {
      return error ?? new Error("no reason given");
    }
    for (const { record, lines, row } of drafts) {
      if (lines.length > 0) record.parts++;
      record.isInDatabase = true;
      record.attempts = 0;
      record.tellRecorded();
      if (row.finalized === 1) record.tellEnded();
    }
    return undefined;
  };

  return {
    touch: (record, when) => {
      dirty.add(record);
      want(when === "soon" ? soonMs : laterMs);
    },
    settled: () =>
      isBusy || dirty.size > 0 ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve(),
  };
}

/** What one write takes of a run; what happens to it meanwhile is left for the next. */
interface Draft {
  readonly record: RunRecord;
  readonly row: RunRecord["row"];
  readonly lines: RunRecord["lines"];
  readonly wasStateNew: boolean;
}

function draftOf(record: RunRecord): Draft {
  const { row, lines, isStateNew } = record;
  record.lines = [];
  record.isStateNew = false;
  return { record, row, lines, wasStateNew: isStateNew };
}

function changesOf(
  drafts: readonly Draft[],
  now: number,
  knownCodes: ReadonlyMap<string, number>,
): RunChanges {
  const fresh = drafts.filter(({ record }) => !record.isInDatabase);
  const codes = fresh
    .filter(({ record, row }) => {
      const known = knownCodes.get(record.code.hash) ?? Number.NEGATIVE_INFINITY;
      return row.code_hash !== null && known < now - codeKnownMs;
    })
    .map(({ record }) => [record.code.hash, record.code.text] as const);
  const isAlive = ({ row }: Draft): boolean => row.finalized === 0;
  return {
    alive: drafts.filter(isAlive).map(({ row }) => row),
    ended: drafts.filter((draft) => !isAlive(draft)).map(({ row }) => row),
    logs: drafts
      .filter(({ lines }) => lines.length > 0)
      .map(({ record, lines }) => ({ run_id: record.id, part: record.parts, lines: packLines(lines) })),
    codes: new Map(codes),
    layers: drafts.filter(({ wasStateNew }) => wasStateNew).map(({ row }) => row.layer),
    seen: drafts.filter(({ record }) => record.isInDatabase).map(({ record }) => record.id),
    begun: fresh.filter(isAlive).map(({ record }) => record.id),
  };
}
