import { randomFillSync } from "node:crypto";
import { monotonicFactory } from "ulid";
import type { Clock } from "../../src/lib/clock.ts";

/** Random numbers drawn at once: an id takes up to 16, and drawing them one by one costs more than the id. */
const drawn = 1024;

/** Makes ids: ULIDs, upper case, each greater than the one before. */
export function createIds(clock: Clock): () => string {
  const numbers = new Uint32Array(drawn);
  let next = drawn;
  const random = (): number => {
    if (next === drawn) {
      randomFillSync(numbers);
      next = 0;
    }
    // A fraction from 0 to less than 1.
    return (numbers[next++] ?? 0) / 2 ** 32;
  };
  const newId = monotonicFactory(random);
  return () => newId(clock.now());
}
