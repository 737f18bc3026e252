import type { Patch, Setting, Settings } from "../domain/overlay.ts";
import { hashOf } from "./component-rows.ts";
import type { Tx } from "./open.ts";
import type { ComponentRules, Definition } from "./rules.ts";
import type { SubTable } from "./tables.ts";

/**
 * One row per patched key: without a source it hides what the head has there, also what comes later. Each remembers
 * what `head`, the head's settings, says under its key at this moment.
 */
export const patchedSubs = (
  rules: ComponentRules,
  layer: string,
  subscriber: string,
  patch: Patch,
  head?: Settings,
): SubTable[] =>
  Object.entries(patch).flatMap(([to_path, setting]) => {
    const manager = rules.managerOf(to_path);
    if (manager === undefined && !to_path.startsWith("/")) return [];
    const [source, from_path] =
      setting === null
        ? [null, null]
        : "s" in setting
          ? setting.s
          : [manager ?? rules.secretIn(to_path, setting) ?? null, null];
    const func = setting !== null && "s" in setting ? (setting.f ?? null) : null;
    const base = fingerprintOf(head, to_path);
    return [{ layer, subscriber, to_path, source, from_path, func, base }];
  });

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
export const fingerprintsOf = (settings: Settings): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(settings).map((key) => [key, fingerprintOf(settings, key)]));

/** Characters kept of a hash: 96 bits, so that two settings never share them by chance. */
const fingerprintLength = 16;

/** Stands for what settings say under a key: equal exactly for equal settings, empty for none. */
export function fingerprintOf(settings: Settings | undefined, key: string): string {
  const setting = settings !== undefined && Object.hasOwn(settings, key) ? settings[key] : undefined;
  return setting === undefined ? "" : hashOf(textOf(setting)).slice(0, fingerprintLength);
}

const textOf = (setting: Setting): string =>
  "s" in setting ? JSON.stringify([...setting.s, setting.f ?? null]) : JSON.stringify(setting);

const columns = ["layer", "subscriber", "to_path", "source", "from_path", "func", "base"] as const;

/** Inserts or replaces rows of subscriptions. */
export const putSubs = (tx: Tx, rows: readonly SubTable[]): Promise<void> =>
  tx.engine.bulk(tx.db, "sub", columns, rows, replaced);
const replaced = {
  key: ["layer", "subscriber", "to_path"],
  update: ["source", "from_path", "func", "base"],
} as const;
