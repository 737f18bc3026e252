import type { Json } from "./json.ts";
import { type Patch, sameSetting } from "./overlay.ts";
import type { Prop } from "./props.ts";
import {
  type ReviewSide,
  type Shown,
  type ShownAttribute,
  sameShown,
  shownAttributes,
} from "./review-attributes.ts";
import { hiddenIn, isElementOf, outermostAround, propAt } from "./review-keys.ts";
import { touchedPlaces } from "./review-places.ts";
import { type PlaceOf, placesOf, type Sides } from "./review-wholes.ts";
import { plantBelow } from "./tree.ts";
import { render } from "./values.ts";

/** A component in the head and in the change set, each undefined where it is not shown. */
export interface Compared {
  readonly head: ReviewSide | undefined;
  readonly own: ReviewSide | undefined;
  /** What the change set says of it; for a new one all of its settings, undefined for one that it erased. */
  readonly patch: Patch | undefined;
}

/** One attribute, or one whole, that the change set shows otherwise than the head. */
export interface Difference {
  readonly key: string;
  /** What each side shows there, a whole put together; undefined where it shows nothing. */
  readonly old: ShownAttribute | undefined;
  readonly new: ShownAttribute | undefined;
  /** Whether it was edited here itself; false when it only follows from other edits. */
  readonly edited: boolean;
  /** The keys of the patch that make it. */
  readonly by: readonly string[];
  /** Where the head would speak of it: its own place, or the outermost element around it that the head does not have. */
  readonly headKey: string;
}

/**
 * The differences of a component, each thing in one of them, in the schema's order; what was removed after what it
 * followed. A default that came or went together with the component is left out below `/si`: nobody asked for it.
 */
export function differencesOf(compared: Compared): Difference[] {
  const sides = sidesOf(compared);
  if (sides === undefined) return [];
  const { own, patch } = compared;
  const [placeOf, elementAround] = [placesOf(sides), newElementAround(sides)];
  const [before, after] = [byPlace(sides.before, placeOf), byPlace(sides.after, placeOf)];
  const edits = editsByPlace(patch ?? {}, placeOf);
  const isEdited = own === undefined || patch === undefined ? () => true : editedIn(sides, patch);
  return inOrder([...before.keys()], [...after.keys()]).flatMap((key): Difference[] => {
    const [was, is] = [before.get(key) ?? nothing, after.get(key) ?? nothing];
    if (!differ(was, is)) return [];
    const by = edits.get(key) ?? [];
    return [
      {
        key,
        old: together(was, sides.head.props, key),
        new: together(is, sides.own.props, key),
        edited: isEdited(key, by),
        by,
        headKey: elementAround(key) ?? key,
      },
    ];
  });
}

const nothing: Shown = new Map();

function sidesOf({ head, own, patch }: Compared): Sides | undefined {
  const either = own ?? head;
  if (either === undefined) return undefined;
  const places = head && own && patch && touchedPlaces(head, own, patch);
  return {
    head: head ?? { ...either, settings: {}, vals: {} },
    own: own ?? { ...either, settings: {}, vals: {} },
    before: head === undefined ? nothing : shownAttributes(head, places),
    after: own === undefined ? nothing : shownAttributes(own, places),
  };
}

/** What a side shows, by the difference that it belongs to; a container that only holds others belongs to none. */
function byPlace(shown: Shown, placeOf: PlaceOf): Map<string, Map<string, ShownAttribute>> {
  const found = new Map<string, Map<string, ShownAttribute>>();
  for (const [key, attribute] of shown) {
    const place = placeOf(key);
    if (place === undefined) continue;
    const known = found.get(place);
    if (known === undefined) found.set(place, new Map([[key, attribute]]));
    else known.set(key, attribute);
  }
  return found;
}

function editsByPlace(patch: Patch, placeOf: PlaceOf): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const key of Object.keys(patch)) {
    const place = key.startsWith("/") ? placeOf(key) : undefined;
    if (place === undefined) continue;
    const known = found.get(place);
    if (known === undefined) found.set(place, [key]);
    else known.push(key);
  }
  return found;
}

const differ = (was: Shown, is: Shown): boolean =>
  [...was.keys(), ...is.keys()].some((key) => {
    const [old, now] = [was.get(key), is.get(key)];
    const isDefault = (old ?? now)?.setting === undefined;
    if ((old === undefined || now === undefined) && isDefault && key.startsWith("/si/")) return false;
    return !sameShown(old, now);
  });

/** What one side has at a place: the attribute itself, or the whole that several make, set where one of them is. */
function together(shown: Shown, props: Prop, place: string): ShownAttribute | undefined {
  const own = shown.get(place);
  if (shown.size === 0 || (own !== undefined && shown.size === 1)) return own;
  const values: Record<string, Json> = {};
  for (const [key, { value }] of shown) if (value !== undefined) values[key] = value;
  const prop = propAt(props, place);
  const tree = plantBelow(values, Object.keys(values), place);
  const value = (prop && tree && render(prop, tree)) ?? null;
  const isSet = [...shown.values()].some(({ setting }) => setting !== undefined);
  return { setting: isSet ? { v: value } : undefined, value };
}

/**
 * Tells whether a patch says something else than the head at a place that either side shows. What another variant has no
 * place for follows from the choice of that variant.
 */
function editedIn({ head, own }: Sides, patch: Patch): (place: string, by: readonly string[]) => boolean {
  const [isHiddenThen, isHiddenNow] = [
    hiddenIn(head.props, head.settings),
    hiddenIn(own.props, own.settings),
  ];
  return (place, by) =>
    propAt(own.props, place) !== undefined &&
    by.some((key) => {
      const [was, is] = [head.settings[key], patch[key] ?? undefined];
      if (was === undefined || is === undefined ? was === is : sameSetting(was, is)) return false;
      return (was !== undefined && !isHiddenThen(key)) || (is !== undefined && !isHiddenNow(key));
    });
}

/** Finds the outermost element around a key that only the change set has. */
const newElementAround = ({ head, own }: Sides): ((key: string) => string | undefined) =>
  outermostAround(
    (place) =>
      own.settings[place] !== undefined &&
      head.settings[place] === undefined &&
      isElementOf(own.props, place),
  );

/** The places of both sides, each once: those of the later one in its order, the others behind their predecessors. */
function inOrder(before: readonly string[], after: readonly string[]): string[] {
  const present = new Set(after);
  const behind = new Map<string, string[]>();
  let anchor = "";
  for (const key of before) {
    if (present.has(key)) anchor = key;
    else {
      const known = behind.get(anchor);
      if (known === undefined) behind.set(anchor, [key]);
      else known.push(key);
    }
  }
  return ["", ...after].flatMap((key) => [...(key === "" ? [] : [key]), ...(behind.get(key) ?? [])]);
}
