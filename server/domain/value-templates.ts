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
  /** The members of the values as JSON in their order: text of one or more of them, or the number of a place. */
  readonly parts: readonly (string | number)[];
}

interface Place {
  readonly key: string;
  readonly prop: Prop;
  readonly subscribed: Subscribed;
}

/** Values that were computed again, as JSON, and as they are for whoever looks at them. */
export interface Recomputed {
  readonly text: string;
  readonly vals: () => Vals;
  /** The same object for all in which nothing but what was read may differ, and which keys that is. */
  readonly template: { readonly places: readonly { readonly key: string }[]; readonly vals: Vals };
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
  if (known.template === "none") return computeValues(root, settings, read, self);
  return fill(known.template, valuesOf(known.template, read));
}

/** {@link recomputeValues} as JSON, from the third time on; undefined before that, and where there is no template. */
export function recomputeText(
  root: Prop,
  settings: Settings,
  read: ReadValue,
  self?: string,
): Recomputed | undefined {
  const known = kept.get(settings);
  const template = known?.root === root && known.self === self ? known.template : undefined;
  if (template === undefined || template === "none") return undefined;
  const values = valuesOf(template, read);
  return { text: textOf(template, values), vals: () => fill(template, values), template };
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
  return sameJson(vals, others) ? { vals: all, places, parts: partsOf(all, places) } : undefined;
}

function partsOf(vals: Vals, places: readonly Place[]): (string | number)[] {
  const parts: (string | number)[] = [];
  for (const [key, value] of Object.entries(vals)) {
    const place = places.findIndex((one) => one.key === key);
    const text = `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    const last = parts.at(-1);
    if (place >= 0) parts.push(place);
    else if (typeof last === "string") parts[parts.length - 1] = `${last},${text}`;
    else parts.push(text);
  }
  return parts;
}

/** A copy with its keys in order, and in the form that V8 copies fastest, which objects made key by key are not. */
const inOrder = (vals: Vals): Vals =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(vals).sort(([a], [b]) => (a < b ? -1 : 1)))));

const valuesOf = ({ places }: Template, read: ReadValue): (Json | undefined)[] =>
  places.map(({ prop, subscribed }) => subscribedValue(prop, subscribed, read));

function fill({ vals, places }: Template, values: readonly (Json | undefined)[]): Vals {
  const filled: Record<string, Json> = { ...vals };
  for (const [at, { key }] of places.entries()) {
    const value = values[at];
    if (value === undefined) delete filled[key];
    else filled[key] = value;
  }
  return filled;
}

function textOf({ places, parts }: Template, values: readonly (Json | undefined)[]): string {
  const members: string[] = [];
  for (const part of parts) {
    if (typeof part === "string") members.push(part);
    else {
      const value = values[part];
      if (value !== undefined) members.push(`${JSON.stringify(places[part]?.key)}:${JSON.stringify(value)}`);
    }
  }
  return `{${members.join(",")}}`;
}
