import { sameJson } from "./json.ts";
import { type Patch, sameSetting } from "./overlay.ts";
import { type ReviewSide, type ShownAttribute, shownAttributes } from "./review-attributes.ts";
import { ancestorsOf, isBelow, propAt } from "./review-keys.ts";
import { nameKeys } from "./review-names.ts";
import { touchedPlaces } from "./review-places.ts";
import { type Folded, foldWholes, type Shown } from "./review-wholes.ts";

/** A component in the head and in the change set, each undefined where it is not shown. */
export interface ReviewedComponent {
  readonly head: ReviewSide | undefined;
  readonly own: ReviewSide | undefined;
  /** What the change set says of it; for a new one all of its settings, undefined for one that it erased. */
  readonly patch: Patch | undefined;
  /** Whether the head says something else under a stored key than it said when the key was last edited here. */
  readonly moved: (key: string) => boolean;
}

/** One attribute that the change set shows otherwise than the head. */
export interface AttributeChange {
  readonly key: string;
  readonly pointer: string;
  readonly old: ShownAttribute | undefined;
  readonly new: ShownAttribute | undefined;
  /** Whether it was edited here itself; false when it only follows from other edits. */
  readonly edited: boolean;
  /** Whether the head changed the same attribute after it was edited here. */
  readonly headMoved: boolean;
}

/**
 * The attributes that differ in value or in source, in the schema's order, what was removed after what it followed;
 * what can only be taken back as a whole is one of them. A default that came or went together with the component is
 * left out below `/si`: nobody asked for it.
 */
export function attributeChanges(component: ReviewedComponent): AttributeChange[] {
  const { head, own } = component;
  const { before, after, parts } = bothSides(component);
  const keys = inOrder([...before.keys()], [...after.keys()]).filter((key) =>
    differ(key, before.get(key), after.get(key)),
  );
  const names = nameKeys(head?.settings, own?.settings, keys);
  const edits = editsOf(component, parts);
  return keys.map((key) => {
    const [was, is] = [before.get(key), after.get(key)];
    const by = edits(key, was, is);
    return {
      key,
      pointer: names.get(key) ?? key,
      old: was,
      new: is,
      // What another variant has no place for follows from the choice of that variant.
      edited: by.length > 0 && (own === undefined || propAt(own.props, key) !== undefined),
      headMoved: hasMoved(component, by, parts.get(key)),
    };
  });
}

function bothSides({ head, own, patch }: ReviewedComponent): Folded {
  const places = head && own && patch && touchedPlaces(head, own, patch);
  const before: Shown = head === undefined ? new Map() : shownAttributes(head, places);
  const after: Shown = own === undefined ? new Map() : shownAttributes(own, places);
  if (head === undefined || own === undefined) return { before, after, parts: new Map() };
  return foldWholes(head, own, before, after);
}

function differ(key: string, was: ShownAttribute | undefined, is: ShownAttribute | undefined): boolean {
  if (was === undefined || is === undefined) {
    return !(key.startsWith("/si/") && (was ?? is)?.setting === undefined);
  }
  const sameSource =
    was.setting === undefined || is.setting === undefined
      ? was.setting === is.setting
      : sameSetting(was.setting, is.setting);
  if (!sameSource) return true;
  return was.value === undefined || is.value === undefined
    ? was.value !== is.value
    : !sameJson(was.value, is.value);
}

/** The keys of both sides, each once: those of the later one in its order, the others behind their predecessors. */
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

type Edits = (
  key: string,
  was: ShownAttribute | undefined,
  is: ShownAttribute | undefined,
) => readonly string[];

/** Tells which edited keys made an attribute what it is; none when it only follows from edits elsewhere. */
function editsOf({ patch, own }: ReviewedComponent, parts: Folded["parts"]): Edits {
  if (patch === undefined || own === undefined) return (key) => [key];
  const edited = Object.keys(patch);
  const above = new Set(edited.flatMap(ancestorsOf));
  return (key, was, is) => {
    if (parts.has(key)) return edited.filter((one) => isBelow(one, key));
    if (Object.hasOwn(patch, key)) return [key];
    // An empty container shows because of what was taken out of it, and hides because of what was put in.
    const setting = (is ?? was)?.setting;
    return setting !== undefined && "v" in setting && above.has(key) ? [key] : [];
  };
}

function hasMoved(
  { patch, head, moved }: ReviewedComponent,
  by: readonly string[],
  parts: readonly string[] = [],
): boolean {
  if (patch === undefined) return by.some(moved);
  if (by.some((key) => Object.hasOwn(patch, key) && moved(key))) return true;
  // What the head had in a whole when that was taken away is in the patch itself: anything else came later.
  return (
    by.length > 0 && parts.some((key) => head?.settings[key] !== undefined && !Object.hasOwn(patch, key))
  );
}
