import { type Json, sameJson } from "./json.ts";
import type { Settings } from "./overlay.ts";
import type { Prop } from "./props.ts";
import {
  computeWith,
  ownSubscriptions,
  type ReadValue,
  type Subscribed,
  subscribedValue,
  type Vals,
} from "./values.ts";

/** What settings are computed to whatever they read: values with null wherever one is read, and the places of these. */
export interface Template {
  readonly vals: Vals;
  readonly places: readonly Place[];
  /** The values as JSON, a comma before each member: text of one or more of them, or the number of a place. */
  readonly parts: readonly (string | number)[];
}

interface Place {
  readonly key: string;
  readonly prop: Prop;
  readonly subscribed: Subscribed;
  /** What stands before its value in the JSON. */
  readonly before: string;
}

/** Values with their keys in order, as JSON, and as they are for whoever looks at them. */
export interface Filled {
  readonly text: string;
  readonly vals: () => Vals;
}

/** Undefined where what is read makes other values come and go: within arrays and maps, and from the component itself. */
export function templateOf(root: Prop, settings: Settings, self: string): Template | undefined {
  if (ownSubscriptions(settings, self) > 0) return undefined;
  const places: Place[] = [];
  const vals = computeWith(root, settings, (subscribed, key, prop) => {
    places.push({ key, prop, subscribed, before: `,${JSON.stringify(key)}:` });
    return undefined;
  });
  const others = computeWith(root, settings, () => null);
  const all = inOrder(others);
  for (const { key } of places) delete others[key];
  return sameJson(vals, others) ? { vals: all, places, parts: partsOf(all, places) } : undefined;
}

/** What the settings of a template are computed to, in a fraction of the time. */
export function fill(template: Template, read: ReadValue): Filled {
  const values = template.places.map(({ prop, subscribed }) => subscribedValue(prop, subscribed, read));
  return { text: textOf(template, values), vals: () => valsOf(template, values) };
}

function partsOf(vals: Vals, places: readonly Place[]): (string | number)[] {
  const parts: (string | number)[] = [];
  for (const [key, value] of Object.entries(vals)) {
    const place = places.findIndex((one) => one.key === key);
    const text = `,${JSON.stringify(key)}:${JSON.stringify(value)}`;
    const last = parts.at(-1);
    if (place >= 0) parts.push(place);
    else if (typeof last === "string") parts[parts.length - 1] = last + text;
    else parts.push(text);
  }
  return parts;
}

/** A copy with its keys in order, and in the form that V8 copies fastest, which objects made key by key are not. */
const inOrder = (vals: Vals): Vals =>
  JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(vals).sort(([a], [b]) => (a < b ? -1 : 1)))));

function valsOf({ vals, places }: Template, values: readonly (Json | undefined)[]): Vals {
  const filled: Record<string, Json> = { ...vals };
  for (const [at, { key }] of places.entries()) {
    const value = values[at];
    if (value === undefined) delete filled[key];
    else filled[key] = value;
  }
  return filled;
}

/** Put together by `+`, which copies no text: whoever looks at it first does, once. */
function textOf({ places, parts }: Template, values: readonly (Json | undefined)[]): string {
  let text = "";
  for (const part of parts) {
    const member = typeof part === "string" ? part : memberText(places[part], values[part]);
    text += text === "" ? member.slice(1) : member;
  }
  return `{${text}}`;
}

const memberText = (place: Place | undefined, value: Json | undefined): string =>
  place === undefined || value === undefined ? "" : place.before + jsonOf(value);

/** The value that was written last: many read the same one. */
let last: { readonly value: Json; readonly text: string } = { value: null, text: "null" };

function jsonOf(value: Json): string {
  if (value !== last.value) last = { value, text: JSON.stringify(value) };
  return last.text;
}
