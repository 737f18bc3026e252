import type { Listed, ListOptions } from "./resources.ts";

/** One page, or the news that the list has not changed. */
export type Page<T> =
  | { readonly unchanged: true }
  | {
      readonly unchanged: false;
      readonly items: readonly T[];
      readonly next: string | undefined;
      readonly etag: string | undefined;
    };

/** How often a list that moves while it is read is read at most; the last reading is taken with what moved in it. */
const attempts = 3;

/**
 * Reads a list to its end. The first page is asked conditionally and held; the others must carry the first page's tag,
 * else the list moved in between and is read again. Without tags one reading is enough. While a page is handed to
 * `onPage`, the next one is on its way.
 */
export async function allPages<T>(
  options: ListOptions,
  page: (cursor: string | undefined, options: ListOptions) => Promise<Page<T>>,
): Promise<Listed<T>> {
  const plain: ListOptions = { signal: options.signal, etag: undefined, waitSeconds: 0 };
  let first = await page(undefined, options);
  for (let attempt = 1; ; attempt++) {
    if (first.unchanged) return first;
    const { etag } = first;
    const items: T[] = [];
    let moved = false;
    let current: Page<T> | undefined = first;
    for (let index = 0; current !== undefined && !current.unchanged; index++) {
      const found: readonly T[] = current.items;
      const cursor: string | undefined = current.next;
      for (const item of found) items.push(item);
      const coming: Promise<Page<T>> | undefined = cursor === undefined ? undefined : page(cursor, plain);
      await whileComing(coming, () => options.onPage?.(found, index));
      current = await coming;
      if (current === undefined || current.unchanged || current.etag === etag) continue;
      moved = true;
      if (attempt < attempts) break;
    }
    // A list that never stands still is taken without a tag, so that the next reading is a full one.
    if (!moved || attempt === attempts) return { unchanged: false, items, etag: moved ? undefined : etag };
    first = await page(undefined, plain);
  }
}

/** Does `work` once the request that is coming has had the chance to leave; its failure is its awaiter's. */
async function whileComing(coming: Promise<unknown> | undefined, work: () => void): Promise<void> {
  if (coming !== undefined) {
    coming.catch(() => undefined);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  work();
}
