import { type Json, sameJson } from "./json.ts";

/**
 * What a layer says about one attribute: a literal, a subscription to a pointer on another component (through
 * transformation function `f`), or "explicitly unset" (which hides a default). On a container `v` is `[]` or `{}` and
 * says only that the container is there; its content stands under keys of its own.
 */
export type Setting =
  | { readonly v: Json }
  | { readonly s: readonly [componentId: string, path: string]; readonly f?: string }
  | { readonly u: 1 };

/**
 * All explicit settings of a component, by stored key (`/domain/Tags/#<element id>/Key`, see `pointers.ts`).
 * Keys that do not begin with `/` are facts about the component itself, see {@link deletionKey}.
 */
export type Settings = Readonly<Record<string, Setting>>;

/** What a change set changes: key → its setting, null = no setting any more. A key that is absent follows the head. */
export type Patch = Readonly<Record<string, Setting | null>>;

/** How a layered row differs from the head: `head` in the head itself, else what a change set does to it. */
export type Op = "head" | "add" | "edit" | "calc" | "del";

/**
 * A change set's own row: `add` holds all settings, `edit` the patch, `calc` (only derived values differ) and `del`
 * hold none.
 */
export interface OwnRow {
  readonly op: Exclude<Op, "head">;
  readonly settings: Patch | null;
}

/** The key that holds the deletion mark as a setting, so that it merges like any attribute. */
export const deletionKey = ":delete";

/** Whether a component with these settings is marked for deletion. */
export const isMarked = (settings: Settings): boolean => Object.hasOwn(settings, deletionKey);

/** The patch that marks a component for deletion; empty when it is marked already. */
export const markPatch = (settings: Settings): Patch =>
  isMarked(settings) ? {} : { [deletionKey]: { v: true } };

/** The patch that takes the deletion mark away; undefined when there is none. */
export const restorePatch = (settings: Settings): Patch | undefined =>
  isMarked(settings) ? { [deletionKey]: null } : undefined;

/** The key that puts a component into a view: on the component, so that a view of many costs nothing to join. */
export const viewKey = (viewId: string): string => `:view/${viewId}`;

/** Ids of the views that a component is in. */
export const viewIdsOf = (settings: Settings): ReadonlySet<string> =>
  new Set(
    Object.keys(settings)
      .filter((key) => key.startsWith(":view/"))
      .map((key) => key.slice(":view/".length)),
  );

const managerPrefix = ":manager/";

/** The key that makes a component managed: on the managed one, so that a manager of many costs nothing to join. */
export const managerKey = (managerId: string): string => `${managerPrefix}${managerId}`;

/** The component that manages, if the key says so of one; undefined for every other key. */
export const managerOf = (key: string): string | undefined =>
  key.startsWith(managerPrefix) ? key.slice(managerPrefix.length) : undefined;

/** Ids of a component's managers in ascending order, also of those that are gone. */
export const managerIdsOf = (settings: Settings): string[] =>
  Object.keys(settings)
    .flatMap((key) => managerOf(key) ?? [])
    .sort();

/** Settings with a patch over them: its keys replace, its nulls remove, everything else stays. */
export function mergeKeys(settings: Settings, patch: Patch): Settings {
  const merged: Record<string, Setting> = { ...settings };
  for (const [key, setting] of Object.entries(patch)) {
    if (setting === null) delete merged[key];
    else merged[key] = setting;
  }
  return merged;
}

/** One more edit onto a patch. Nothing of the head is ever copied in, so a patch never changes because the head moved. */
export const editPatch = (patch: Patch, changes: Patch): Patch => ({ ...patch, ...changes });

/** What a layer shows of one component: `head` is the head's settings or undefined, `own` the layer's row. */
export function effective(head: Settings | undefined, own: OwnRow | undefined): Settings | undefined {
  if (own?.op === "del") return undefined;
  if (own?.op === "add") return mergeKeys({}, own.settings ?? {});
  // An edit or a calculation of something the head no longer has: deletion wins.
  if (head === undefined) return undefined;
  return own?.settings ? mergeKeys(head, own.settings) : head;
}

/** The layer's row after one more edit; undefined when the component is not there to be edited. */
export function editRow(
  head: Settings | undefined,
  own: OwnRow | undefined,
  changes: Patch,
): OwnRow | undefined {
  if (effective(head, own) === undefined) return undefined;
  if (own?.op === "add")
    return { op: "add", settings: mergeKeys(mergeKeys({}, own.settings ?? {}), changes) };
  return { op: "edit", settings: editPatch(own?.settings ?? {}, changes) };
}

/** What applying does to the head's row; undefined when the row is dropped (an orphan, or nothing to delete). */
export type Applied = { readonly does: "delete" } | { readonly does: "put"; readonly settings: Settings };

/** Applies one row of a change set to the head: afterwards the head shows what the change set showed. */
export function applyRow(head: Settings | undefined, own: OwnRow): Applied | undefined {
  if (own.op === "del") return head === undefined ? undefined : { does: "delete" };
  const settings = effective(head, own);
  return settings && { does: "put", settings };
}

/** Whether two settings say the same. */
export const sameSetting = (a: Setting, b: Setting): boolean => sameJson(a as Json, b as Json);

/** The smallest patch that turns `from` into `to`. */
export function difference(from: Settings, to: Settings): Patch {
  const patch: Record<string, Setting | null> = {};
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) patch[key] = null;
  for (const [key, setting] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (before === undefined || !sameSetting(before, setting)) patch[key] = setting;
  }
  return patch;
}

/** One subscription: the attribute at `key` reads pointer `path` of component `source`. */
export interface Subscription {
  readonly key: string;
  readonly source: string;
  readonly path: string;
  readonly func: string | undefined;
}

/** The subscriptions among settings, in ascending order of key. */
export function sourcesOf(settings: Settings): Subscription[] {
  const found: Subscription[] = [];
  for (const key of Object.keys(settings)) {
    const setting = settings[key];
    if (setting === undefined || !("s" in setting)) continue;
    found.push({ key, source: setting.s[0], path: setting.s[1], func: setting.f });
  }
  return found.length < 2 ? found : found.sort((one, other) => (one.key < other.key ? -1 : 1));
}
