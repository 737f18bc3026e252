import type { Setting } from "./overlay.ts";
import { keySegments } from "./pointers.ts";
import { isContainer, type Prop } from "./props.ts";
import { type ReviewSide, type Shown, type ShownAttribute, sameShown } from "./review-attributes.ts";
import { isElementOf, outermostAround, propAt } from "./review-keys.ts";
import { elementsOf, plant, type Tree } from "./tree.ts";

/** Both sides of a comparison; one that has no such component sets and shows nothing. */
export interface Sides {
  readonly head: ReviewSide;
  readonly own: ReviewSide;
  readonly before: Shown;
  readonly after: Shown;
}

/** Finds the place of the difference that a stored key belongs to; undefined for a container that only holds others. */
export type PlaceOf = (key: string) => string | undefined;

/**
 * Decides what is one difference: an attribute, or a whole. A place is a whole where what is below it on one side cannot
 * stand below it on the other:
 * - an element that is removed here;
 * - what is subscribed as a whole on either side;
 * - what is unset as a whole on either side, unless something below it is set on both;
 * - a container whose value the schema gives on one side, and in which something is set on the other;
 * - a container in which neither side sets anything, and that is there on one only;
 * - what two variants give different kinds.
 *
 * All that is at or below the outermost of them is one difference. So each is shown, moved under and taken back by
 * itself, whatever becomes of the others.
 */
export function placesOf(sides: Sides): PlaceOf {
  const holders = holdersIn(sides.before, sides.after);
  const planted = {
    head: later(() => plant(sides.head.settings)),
    own: later(() => plant(sides.own.settings)),
  };
  const isWholeHere = (place: string): boolean => isWhole(place, { sides, holders, planted });
  const wholeAround = outermostAround(isWholeHere);
  return (key) => wholeAround(key) ?? (holders.has(key) && !isWholeHere(key) ? undefined : key);
}

/** The places below which something is set, in any of these. */
export function holdersIn(...all: readonly Shown[]): ReadonlySet<string> {
  const holders = new Set<string>();
  for (const shown of all) {
    for (const [key, { setting }] of shown) {
      if (setting === undefined) continue;
      for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
        const place = key.slice(0, end);
        if (holders.has(place)) break;
        holders.add(place);
      }
    }
  }
  return holders;
}

interface Judging {
  readonly sides: Sides;
  readonly holders: ReadonlySet<string>;
  readonly planted: { readonly head: () => Tree<Setting>; readonly own: () => Tree<Setting> };
}

/**
 * Whether a place is a whole, given that none around it is. When some differences are taken back, each place is what it
 * is on one of the two sides: what is no whole must keep room for what is below it in every such mixture.
 */
function isWhole(place: string, { sides, holders, planted }: Judging): boolean {
  const { head, own, before, after } = sides;
  const [was, is] = [head.settings[place], own.settings[place]];
  if (isSubscribed(was) || isSubscribed(is)) return true;
  const [old, prop] = [propAt(head.props, place), propAt(own.props, place) ?? propAt(head.props, place)];
  if (prop === undefined || (old !== undefined && old.kind !== prop.kind)) return prop !== undefined;
  if (!isContainer(prop.kind)) return false;
  const isElement = isElementOf(own.props, place) || isElementOf(head.props, place);
  if (isElement && was !== undefined && is === undefined) return true;
  // Unset as a whole hides the defaults below it, or an element's content, until something is set there.
  if ((isElement || prop.kind === "object") && (isUnset(was) || isUnset(is))) {
    return !setsInBoth(prop, nodeAt(planted.head(), place), nodeAt(planted.own(), place));
  }
  const [shownThen, shownNow] = [before.get(place), after.get(place)];
  if (holders.has(place)) return isGiven(shownThen) || isGiven(shownNow);
  return !sameShown(shownThen, shownNow);
}

/** Whether the schema gives a container its value, which makes way for whatever is set in it. */
const isGiven = (shown: ShownAttribute | undefined): boolean =>
  shown !== undefined && shown.setting === undefined;

/** Whether something below a place is set on both sides: then it is never empty, whichever side is taken. */
function setsInBoth(prop: Prop, was: Tree<Setting> | undefined, is: Tree<Setting> | undefined): boolean {
  if (was === undefined || is === undefined) return false;
  if (prop.kind === "array" || prop.kind === "map") {
    const kept = new Set(elementsOf(was, prop.kind).map(([segment]) => segment));
    return elementsOf(is, prop.kind).some(([segment]) => kept.has(segment));
  }
  return [...prop.children.values()].some((member) => {
    const [a, b] = [was.children.get(member.segment), is.children.get(member.segment)];
    return (sets(a?.value) && sets(b?.value)) || setsInBoth(member, a, b);
  });
}

const isSubscribed = (setting: Setting | undefined): boolean => setting !== undefined && "s" in setting;
const isUnset = (setting: Setting | undefined): boolean => setting !== undefined && "u" in setting;
const sets = (setting: Setting | undefined): boolean => setting !== undefined && !("u" in setting);

const nodeAt = (root: Tree<Setting>, key: string): Tree<Setting> | undefined =>
  keySegments(key).reduce<Tree<Setting> | undefined>((node, segment) => node?.children.get(segment), root);

/** Made when it is first asked for, and then kept. */
function later<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
