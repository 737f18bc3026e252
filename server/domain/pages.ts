import type { Op } from "./overlay.ts";

/** The columns of a layered row that merging looks at; a row may carry any others. */
export interface WindowRow {
  readonly id: string;
  readonly op: Op;
  readonly hash: string | null;
  readonly edit_rev: number;
  readonly base_rev: number;
  /** Null where the row says nothing of it and the head's counts. */
  readonly variant_id: string | null;
}

/** Rows of one layer in ascending order of id; `full` when the query's limit cut it, so that more may follow. */
export interface Window<Row extends WindowRow> {
  readonly rows: readonly Row[];
  readonly full: boolean;
}

/** How a component differs from the head. `Removed` is for review only: lists do not show what is gone. */
export type DiffStatus = "Added" | "Modified" | "None" | "Removed";

/** One component as a layer shows it; a `stale` row was computed against an older head row and is merged again. */
export interface Shown<Row extends WindowRow> {
  readonly id: string;
  readonly head: Row | undefined;
  readonly own: Row | undefined;
  /** The own row, else the head's. */
  readonly row: Row;
  readonly diff: DiffStatus;
  readonly stale: boolean;
}

/** What two windows show together; read on after `completeTo` when it is not undefined and more is wanted. */
export interface Merged<Row extends WindowRow> {
  readonly shown: readonly Shown<Row>[];
  /** Nothing is missing up to this id; undefined when both windows reached their end. */
  readonly completeTo: string | undefined;
}

/** The difference by hash and variant at the time of reading: a row may equal the head after the head moved. */
export function diffStatus(head: WindowRow | undefined, own: WindowRow | undefined): DiffStatus {
  if (own === undefined) return "None";
  if (own.op === "del") return "Removed";
  if (head === undefined) return "Added";
  const sameVariant = own.variant_id === null || own.variant_id === head.variant_id;
  return sameVariant && head.hash === own.hash ? "None" : "Modified";
}

/**
 * Merges the head's window with the layer's own (empty for the head itself) into at most `limit` components. What is
 * past the last row of a full window is not known yet, so the answer ends there: page after page gives every id once.
 */
export function mergeWindows<Row extends WindowRow>(
  head: Window<Row>,
  own: Window<Row>,
  limit: number,
): Merged<Row> {
  const completeTo = [head, own]
    .filter((window) => window.full)
    .map((window) => window.rows.at(-1)?.id ?? "")
    .sort()[0];
  const shown: Shown<Row>[] = [];
  let h = 0;
  let o = 0;
  while (shown.length < limit) {
    const nextHead = head.rows[h];
    const nextOwn = own.rows[o];
    const id = smaller(nextHead?.id, nextOwn?.id);
    if (id === undefined || (completeTo !== undefined && id > completeTo)) break;
    const headRow = nextHead?.id === id ? nextHead : undefined;
    const ownRow = nextOwn?.id === id ? nextOwn : undefined;
    if (headRow !== undefined) h++;
    if (ownRow !== undefined) o++;
    const one = show(id, headRow, ownRow);
    if (one !== undefined) shown.push(one);
  }
  return { shown, completeTo };
}

/** What a layer shows of one component, given both rows; undefined when it shows nothing. */
export function show<Row extends WindowRow>(
  id: string,
  head: Row | undefined,
  own: Row | undefined,
): Shown<Row> | undefined {
  const row = own ?? head;
  if (row === undefined || own?.op === "del") return undefined;
  // An edit of something the head lost: deletion wins.
  if (own !== undefined && own.op !== "add" && head === undefined) return undefined;
  const stale = own !== undefined && head !== undefined && own.base_rev !== head.edit_rev;
  return { id, head, own, row, diff: diffStatus(head, own), stale };
}

const smaller = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a;
