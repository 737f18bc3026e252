/** The engine's memory at one moment, without the idle part of its stack. */
export interface Image {
  readonly parts: readonly { readonly at: number; readonly bytes: Uint8Array }[];
  /** Bytes of the heap: what lies behind the stack. */
  readonly heap: number;
  /** Where the heap ends. */
  readonly end: number;
}

/** Granularity in which memory is looked at. */
const page = 4096;

/** Keeps what `memory` holds now. */
export function takeImage(memory: WebAssembly.Memory): Image {
  const words = new BigUint64Array(memory.buffer);
  const bytes = new Uint8Array(memory.buffer);
  const used = usedPages(words);
  const end = ((used.at(-1) ?? -1) + 1) * page;
  const gap = largestGap(used);
  // Of the pages without anything in them only one run is left out, the idle stack: it is written before it is read.
  // All others are kept as zeros, since whoever uses them next may count on it.
  const parts = [
    { at: 0, bytes: bytes.slice(0, gap.from) },
    { at: gap.to, bytes: bytes.slice(gap.to, end) },
  ];
  return { parts, heap: end - gap.to, end };
}

/** Makes `memory` what it was. */
export function restoreImage(memory: WebAssembly.Memory, image: Image): void {
  const bytes = new Uint8Array(memory.buffer);
  for (const part of image.parts) bytes.set(part.bytes, part.at);
}

/** Leaves nothing of a run: overwrites with zeros whatever an image does not. */
export function wipeOutside(memory: WebAssembly.Memory, image: Image): void {
  const bytes = new Uint8Array(memory.buffer);
  let from = 0;
  for (const part of image.parts) {
    bytes.fill(0, from, part.at);
    from = part.at + part.bytes.length;
  }
  bytes.fill(0, from);
}

function usedPages(words: BigUint64Array): number[] {
  const perPage = page / 8;
  const used: number[] = [];
  for (let at = 0; at < words.length / perPage; at++) {
    for (let word = at * perPage; word < (at + 1) * perPage; word++) {
      if (words[word] === 0n) continue;
      used.push(at);
      break;
    }
  }
  return used;
}

function largestGap(used: readonly number[]): { readonly from: number; readonly to: number } {
  let gap = { from: 0, to: 0 };
  let previous = -1;
  for (const at of used) {
    if (at - previous - 1 > gap.to - gap.from) gap = { from: previous + 1, to: at };
    previous = at;
  }
  return { from: gap.from * page, to: gap.to * page };
}
