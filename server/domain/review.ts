import type { ShownAttribute } from "./review-attributes.ts";
import { type Compared, differencesOf } from "./review-differences.ts";
import { nameKeys } from "./review-names.ts";

/** A component in the head and in the change set, with what is remembered of the head when it was edited here. */
export interface ReviewedComponent extends Compared {
  /** Whether the head says something else at or below a key than when one of these keys, which lie there, was last edited. */
  readonly moved: (headKey: string, by: readonly string[]) => boolean;
}

/** One attribute, or one whole, that the change set shows otherwise than the head. */
export interface AttributeChange {
  readonly key: string;
  readonly pointer: string;
  readonly old: ShownAttribute | undefined;
  readonly new: ShownAttribute | undefined;
  /** Whether it was edited here itself; false when it only follows from other edits. */
  readonly edited: boolean;
  /** Whether the head says something else of the same place than when it was last edited here. */
  readonly headMoved: boolean;
}

/** The {@link differencesOf} a component, each with the pointer that people name it by and the mark of the head's moves. */
export function attributeChanges(component: ReviewedComponent): AttributeChange[] {
  const { head, own, moved } = component;
  const differences = differencesOf(component);
  const names = nameKeys(
    head?.settings,
    own?.settings,
    differences.map(({ key }) => key),
  );
  return differences.map(({ key, old, new: now, edited, by, headKey }) => ({
    key,
    pointer: names.get(key) ?? key,
    old,
    new: now,
    edited,
    headMoved: edited && moved(headKey, by),
  }));
}
