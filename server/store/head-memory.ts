import type { HeadComponent } from "./definitions.ts";
import type { Readers } from "./edges.ts";

/** Components and readers that are known of one head: about 20,000 × 3 KB = 60 MB with settings and templates. */
const limit = 20_000;

/**
 * What is known of a head at one number of its graph: no component and no subscription of it changes without that
 * number. What there is no room for is not kept.
 */
export class HeadMemory {
  readonly #components = new Map<string, HeadComponent | undefined>();
  readonly #readers = new Map<string, readonly Readers[]>();
  #size = 0;

  /** Components by id; undefined stands for one that the head does not have. */
  get components(): ReadonlyMap<string, HeadComponent | undefined> {
    return this.#components;
  }

  /** Who reads a component, by its id. */
  get readers(): ReadonlyMap<string, readonly Readers[]> {
    return this.#readers;
  }

  /** Components and readers that it holds. */
  get size(): number {
    return this.#size;
  }

  get isFull(): boolean {
    return this.#size >= limit;
  }

  keepComponents(found: ReadonlyMap<string, HeadComponent | undefined>): void {
    for (const [id, one] of found) {
      if (this.isFull) return;
      this.#components.set(id, one);
      this.#size++;
    }
  }

  keepReaders(found: ReadonlyMap<string, readonly Readers[]>): void {
    for (const [id, readers] of found) {
      if (this.isFull) return;
      this.#readers.set(id, readers);
      this.#size += 1 + readers.reduce((sum, { subscribers }) => sum + subscribers.length, 0);
    }
  }
}
