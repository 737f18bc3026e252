import { sameJson } from "./json.ts";
import { type Patch, sameSetting } from "./overlay.ts";
import { type ReviewSide, type ShownAttribute, shownAttributes } from "./review-attributes.ts";
import { ancestorsOf, covers } from "./review-keys.ts";
import { nameKeys } from "./review-names.ts";

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
 * The attributes that differ in value or in source, in the schema's order, what was removed after what it followed.
 * A default that came or went together with the component is left out below `/si`: nobody asked for it.
 */
export function attributeChanges(component: ReviewedComponent): AttributeChange[] {
  const { head, own } = component;
  const [before, after] = [head && shownAttributes(head), own && shownAttributes(own)];
  const keys = inOrder([...(before?.keys() ?? [])], [...(after?.keys() ?? [])]).filter(
    (key) => differ(key, before?.get(key), after?.get(key)) && !isCovered(key, before, after),
  );
  const names = nameKeys(head?.settings, own?.settings, keys);
  const edits = editsOf(component);
  return keys.map((key) => {
    const [was, is] = [before?.get(key), after?.get(key)];
    const by = edits(key, was, is);
    return {
      key,
      pointer: names.get(key) ?? key,
      old: was,
      new: is,
      edited: by !== undefined,
      headMoved: by !== undefined && hasMoved(component, key, by, was),
    };
  });
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

/** Whether a default is only missing because the whole that it belongs to comes from elsewhere now. */
const isCovered = (key: string, before: Shown | undefined, after: Shown | undefined): boolean =>
  before?.get(key)?.setting === undefined &&
  ancestorsOf(key).some((ancestor) => {
    const setting = after?.get(ancestor)?.setting;
    return setting !== undefined && "s" in setting;
  });

type Shown = ReadonlyMap<string, ShownAttribute>;

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
) => string | undefined;

/** Tells which edited key made an attribute what it is; undefined when it only follows from edits elsewhere. */
function editsOf({ patch, own }: ReviewedComponent): Edits {
  if (patch === undefined || own === undefined) return (key) => key;
  const above = new Set(Object.keys(patch).flatMap(ancestorsOf));
  return (key, was, is) => {
    if (Object.hasOwn(patch, key)) return key;
    // An empty container shows because of what was taken out of it, and hides because of what was put in.
    const setting = (is ?? was)?.setting;
    if (setting !== undefined && "v" in setting && above.has(key)) return key;
    // What is set there is the head's, and a default that shows through is nobody's.
    if (is !== undefined) return undefined;
    return ancestorsOf(key).find((ancestor) => {
      const covered = covers(own.props, patch, ancestor);
      return covered === "all" || (covered === "defaults" && was?.setting === undefined);
    });
  };
}

function hasMoved(
  { patch, moved }: ReviewedComponent,
  key: string,
  by: string,
  was: ShownAttribute | undefined,
): boolean {
  if (patch === undefined || Object.hasOwn(patch, key)) return moved(key);
  if (by === key) return false;
  // What the head had below a place when it was taken away is in the patch itself: this came later.
  return was?.setting !== undefined;
}
