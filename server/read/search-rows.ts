import type { WindowRow } from "../domain/pages.ts";
import type { Prop } from "../domain/props.ts";
import type { Subject } from "../domain/search-match.ts";
import { asciiLower } from "../domain/search-text.ts";
import { type Shape, searchValues, shapeOf } from "../domain/search-values.ts";
import type { Vals } from "../domain/values.ts";
import { isSealed, type SearchCursor, type SearchRow, searchStart } from "../store/search.ts";
import type { LayerOp } from "../store/tables.ts";

/** One component as a layer shows it, ready to be searched. */
export interface Indexed extends Subject {
  readonly name: string;
  readonly variantId: string;
}

/** One row of a layer, ready to be searched and to be merged with the other layer's. */
export interface IndexedRow extends Indexed, WindowRow {
  readonly op: LayerOp;
  /** False when its values are not what was sealed: nothing can be said about it. */
  readonly sealed: boolean;
  /** About the bytes that it takes. */
  readonly weight: number;
}

/** Bytes that an entry takes beside its values. */
const entryWeight = 400;

/** What components are made of while they are read into memory: equal shapes become one. */
export class Shapes {
  readonly #byPointers = new Map<string, Shape>();

  get size(): number {
    return this.#byPointers.size;
  }

  /** What search needs of a component's values. */
  index(props: Prop | undefined, vals: Vals): Pick<Subject, "shape" | "values"> {
    const { pointers, values } = searchValues(props, vals);
    // No text that is stored has a zero character in it.
    const key = pointers.join("\u0000");
    const shape = this.#byPointers.get(key) ?? shapeOf(pointers);
    this.#byPointers.set(key, shape);
    return { shape, values };
  }

  /** Forgets all shapes: those in use stay as they are, equal new ones are made again. */
  clear(): void {
    this.#byPointers.clear();
  }
}

/** A row as it is kept in memory. */
export function indexRow(shapes: Shapes, row: SearchRow, props: Prop | undefined): IndexedRow {
  const sealed = row.op === "del" || isSealed(row);
  const vals: Vals = sealed ? JSON.parse(row.vals ?? "{}") : {};
  const name = row.name ?? "";
  return {
    id: row.id,
    op: row.op,
    hash: row.hash,
    edit_rev: row.edit_rev,
    base_rev: row.base_rev,
    name,
    lowerName: asciiLower(name),
    variant_id: row.variant_id,
    variantId: row.variant_id ?? "",
    diff: "None",
    ...shapes.index(props, vals),
    sealed,
    weight: entryWeight + 2 * (row.vals?.length ?? 0),
  };
}

/** The rows of one layer that were read so far. */
export class LayerRows {
  /** Everything up to here was read. */
  cursor: SearchCursor = searchStart;
  /** The graph revision when they were as many as there are. */
  counted = -1;
  weight = 0;
  readonly #rows = new Map<string, IndexedRow>();
  #sorted: readonly IndexedRow[] | undefined;

  get size(): number {
    return this.#rows.size;
  }

  put(row: IndexedRow): void {
    this.weight += row.weight - (this.#rows.get(row.id)?.weight ?? 0);
    this.#rows.set(row.id, row);
    this.#sorted = undefined;
  }

  /** Notes that everything up to here was read. */
  pass(cursor: SearchCursor): void {
    const { rev, id } = this.cursor;
    if (cursor.rev > rev || (cursor.rev === rev && cursor.id > id)) this.cursor = cursor;
  }

  /** Forgets everything: it is read again from the start. */
  clear(): void {
    this.keep(new Set());
    this.cursor = searchStart;
    this.counted = -1;
  }

  /** Forgets the rows that are not among these. */
  keep(ids: ReadonlySet<string>): void {
    for (const [id, row] of this.#rows) {
      if (ids.has(id)) continue;
      this.weight -= row.weight;
      this.#rows.delete(id);
    }
    this.#sorted = undefined;
  }

  /** In ascending order of id; what was given out is never changed. */
  sorted(): readonly IndexedRow[] {
    this.#sorted ??= [...this.#rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    return this.#sorted;
  }
}
