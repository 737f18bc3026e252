/** Waiting items of several shares, each share getting its turn. */
export interface FairQueue<Item> {
  /** Appends to the items of `share`; false when the queue is full. */
  push(share: string, item: Item): boolean;
  /** The next item: the oldest of the share whose turn it is. */
  take(): Item | undefined;
  /** Takes an item out wherever it stands; false when it is not there. */
  remove(share: string, item: Item): boolean;
  readonly size: () => number;
}

/** A queue of at most `limit` items. A share that asks for a thousand things delays another by one at a time. */
export function createFairQueue<Item>(limit: number): FairQueue<Item> {
  // A map remembers the order in which its keys came: the first is the share whose turn it is.
  const shares = new Map<string, Item[]>();
  let size = 0;
  return {
    size: () => size,
    push: (share, item) => {
      if (size >= limit) return false;
      const items = shares.get(share);
      if (items === undefined) shares.set(share, [item]);
      else items.push(item);
      size++;
      return true;
    },
    take: () => {
      const [first] = shares;
      if (first === undefined) return undefined;
      const [share, items] = first;
      const item = items.shift();
      shares.delete(share);
      if (items.length > 0) shares.set(share, items);
      size--;
      return item;
    },
    remove: (share, item) => {
      const items = shares.get(share) ?? [];
      const at = items.indexOf(item);
      if (at < 0) return false;
      items.splice(at, 1);
      if (items.length === 0) shares.delete(share);
      size--;
      return true;
    },
  };
}
