import { type Json, sameJson } from "./json.ts";
import type { Settings } from "./overlay.ts";
import type { Prop } from "./props.ts";
import {
  computeValues,
  computeWith,
  ownSubscriptions,
  type ReadValue,
  type Subscribed,
  subscribedValue,
  type Vals,
} from "./values.ts";

/** A component's values with null wherever one is read from others, and the places of these. */
interface Template {
  readonly vals: Vals;
  readonly places: readonly Place[];
}

interface Place {
  readonly key: string;
  readonly prop: Prop;
  readonly subscribed: Subscribed;
}

/** What is kept with the settings of a component: from the second time on their template, or that they have none. */
interface Kept {
  readonly root: Prop;
  readonly self: string | undefined;
  template?: Template | "none";
}

const kept = new WeakMap<Settings, Kept>();

/**
 * {@link computeValues} for settings that are likely to be computed again, as those of the head are whenever something
 * that they read has changed: what they say by themselves is then there already, which takes a third of the time.
 */
export function recomputeValues(root: Prop, settings: Settings, read: ReadValue, self?: string): Vals {
  const known = kept.get(settings);
  if (known?.root !== root || known.self !== self) {
    kept.set(settings, { root, self });
    return computeValues(root, settings, read, self);
  }
  known.template ??= templateOf(root, settings, self) ?? "none";
  return known.template === "none" ? computeValues(root, settings, read, self) : fill(known.template, read);
}

/** Undefined where what is read makes other values come and go: within arrays and maps, and from the component itself. */
function templateOf(root: Prop, settings: Settings, self: string | undefined): Template | undefined {
  if (ownSubscriptions(settings, self) > 0) return undefined;
  const places: Place[] = [];
  const vals = computeWith(root, settings, (subscribed, key, prop) => {
    places.push({ key, prop, subscribed });
    return undefined;
  });
  const others = computeWith(root, settings, () => null);
  const all = inOrder(others);
  for (const { key } of places) delete others[key];
  return sameJson(vals, others) ? { vals: all, places } : undefined;
}

/** A copy with its keys in order, and in the form that V8 copies fastest, which objects made key by key are not. */
const inOrder = (vals: Vals): Vals =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(vals).sort(([a], [b]) => (a < b ? -1 : 1)))));

function fill({ vals, places }: Template, read: ReadValue): Vals {
  const filled: Record<string, Json> = { ...vals };
  for (const { key, prop, subscribed } of places) {
    const value = subscribedValue(prop, subscribed, read);
    if (value === undefined) delete filled[key];
    else filled[key] = value;
  }
  return filled;
}
