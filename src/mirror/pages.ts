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

/** How often a list that moves while it is read is read again before its last reading is taken as it is. */
const attempts = 3;

/**
 * Reads a list to its end. The first page is asked conditionally and held; the others must carry the first page's
 * tag, else the list moved in between and is read again. Without tags one reading is enough.
 */
export async function allPages<T>(
  options: ListOptions,
  page: (cursor: string | undefined, options: ListOptions) => Promise<Page<T>>,
): Promise<Listed<T>> {
  const plain: ListOptions = { signal: options.signal, etag: undefined, waitSeconds: 0 };
  let first = await page(undefined, options);
  if (first.unchanged) return first;
  options.onFirstPage?.();
  for (let attempt = 1; ; attempt++) {
    const items = [...first.items];
    let moved = false;
    for (let cursor = first.next; cursor !== undefined && !moved; ) {
      const more = await page(cursor, plain);
      if (more.unchanged) break;
      moved = more.etag !== first.etag;
      items.push(...more.items);
      cursor = more.next;
    }
    // A list that never stands still is taken without a tag, so that the next reading is a full one.
    if (!moved || attempt === attempts)
      return { unchanged: false, items, etag: moved ? undefined : first.etag };
    const again = await page(undefined, plain);
    if (again.unchanged) return again;
    first = again;
  }
}
