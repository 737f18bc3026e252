import type { Patch, Settings } from "../domain/overlay.ts";
import type { Tx } from "./open.ts";
import { baseOf, fingerprintsIn } from "./review-bases.ts";
import type { ComponentRules, Definition } from "./rules.ts";
import type { SubTable } from "./tables.ts";

/** What the head says of a component at this moment, and the revision of the edit that it is remembered with. */
export interface HeadNow {
  readonly settings: Settings;
  readonly rev: number;
}

/**
 * One row per patched key: without a source it hides what the head has there, also what comes later. Each remembers
 * what the head says there, and in the places around it, at this moment.
 */
export function patchedSubs(
  rules: ComponentRules,
  layer: string,
  subscriber: string,
  patch: Patch,
  head?: HeadNow,
): SubTable[] {
  const said = head && fingerprintsIn(head.settings);
  return Object.entries(patch).flatMap(([to_path, setting]) => {
    const manager = rules.managerOf(to_path);
    if (manager === undefined && !to_path.startsWith("/")) return [];
    const [source, from_path] =
      setting === null
        ? [null, null]
        : "s" in setting
          ? setting.s
          : [manager ?? rules.secretIn(to_path, setting) ?? null, null];
    const func = setting !== null && "s" in setting ? (setting.f ?? null) : null;
    const base = head === undefined || said === undefined ? null : baseOf(said, to_path, head.rev);
    return [{ layer, subscriber, to_path, source, from_path, func, base }];
  });
}

/** The key of the row that remembers the head's settings all together, of a component that is marked or erased. */
export const wholeKey = ":whole";

/** The key of the row that remembers the head's variant of a component that was moved to another one. */
export const variantKey = ":variant";

/** Remembers all that the head says of a component at this moment. */
export const wholeSub = (layer: string, { id, settings, variantId }: Remembered): SubTable =>
  memory(layer, id, wholeKey, JSON.stringify({ ...fingerprintsOf(settings), [variantKey]: variantId }));

/** Remembers the head's variant of a component at this moment. */
export const variantSub = (layer: string, { id, variantId }: Remembered): SubTable =>
  memory(layer, id, variantKey, variantId);

/** What the head says of a component. */
type Remembered = Pick<Definition, "id" | "settings" | "variantId">;

const memory = (layer: string, subscriber: string, to_path: string, base: string): SubTable => ({
  layer,
  subscriber,
  to_path,
  source: null,
  from_path: null,
  func: null,
  base,
});

/** What stands for each of these settings, by key. */
function fingerprintsOf(settings: Settings): Readonly<Record<string, string>> {
  const said = fingerprintsIn(settings);
  return Object.fromEntries(Object.keys(settings).map((key) => [key, said(key)]));
}

const columns = ["layer", "subscriber", "to_path", "source", "from_path", "func", "base"] as const;

/** Inserts or replaces rows of subscriptions. */
export const putSubs = (tx: Tx, rows: readonly SubTable[]): Promise<void> =>
  tx.engine.bulk(tx.db, "sub", columns, rows, replaced);
const replaced = {
  key: ["layer", "subscriber", "to_path"],
  update: ["source", "from_path", "func", "base"],
} as const;
