import { describe, expect, test } from "vitest";
import type { Patch } from "../../../server/domain/overlay.ts";
import { type PropDefinition, propTree } from "../../../server/domain/props.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import type { AttributeChange } from "../../../server/domain/review.ts";
import { isBelow } from "../../../server/domain/review-keys.ts";
import { discard, each, listed, newElementAround, type Reviewed, reviewIn, type Scene } from "./reviewing.ts";
import { props, sampleVariant } from "./sample.ts";
import { closeSteps } from "./workspace.ts";

/** What differences are, whatever positions and order they have at present. */
const factsOf = (changes: readonly AttributeChange[]) =>
  Object.fromEntries(changes.map(({ key, pointer: _, ...facts }) => [key, facts]));

/** The component once something was discarded. */
const without = (reviewed: Reviewed, scene: Scene, left: Patch): Reviewed =>
  reviewIn(
    scene,
    reviewed.id,
    { op: reviewed.row?.op === "add" ? "add" : "edit", settings: left },
    reviewed.own?.props,
  );

const isShown = ({ own, patch, row }: Reviewed): boolean =>
  own !== undefined && patch !== undefined && row !== undefined;

/** What can be discarded by itself: a new component keeps its name. */
const discardable = (reviewed: Reviewed): AttributeChange[] =>
  listed(reviewed).changes.filter(
    ({ key, edited }) => edited && (reviewed.row?.op !== "add" || key !== "/si/name"),
  );

const [tags] = sampleVariant.domain.filter(({ name }) => name === "tags");
const instead: Readonly<Record<string, PropDefinition>> = {
  size: { name: "size", kind: "string", defaultValue: "small" },
  network: { name: "network", kind: "string" },
  ports: { name: "ports", kind: "array", entry: { name: "port", kind: "string" } },
  tagsByName: { ...tags, name: "tagsByName", kind: "array" },
};
/** A variant that has other kinds, and no labels. */
const otherProps = propTree(
  {
    ...sampleVariant,
    domain: sampleVariant.domain.flatMap((prop) =>
      prop.name === "labels" ? [] : (instead[prop.name] ?? prop),
    ),
  },
  (path) => `other ${path}`,
);

describe("discarding what the review lists", () => {
  test.each([
    ["in the head's variant", props],
    ["in another variant", otherProps],
  ])("takes one difference back, and no other changes, %s", (_, ownProps) => {
    const counts = { edited: 0, followed: 0, wholes: 0 };
    each((shown, scene) => {
      const reviewed = ownProps === props ? shown : reviewIn(scene, shown.id, shown.row, ownProps);
      if (!isShown(reviewed)) return;
      const before = listed(reviewed);
      const all = discardable(reviewed);
      // One of each state, in turn: all of them would cost a review of each.
      const one = all[counts.edited % Math.max(all.length, 1)];
      if (one !== undefined) {
        const result = discard(reviewed, one.pointer);
        if (result instanceof Refusal) throw result;
        expect([one.pointer, result.keys.length > 0]).toEqual([one.pointer, true]);
        const later = without(reviewed, scene, result.left);
        const after = listed(later);
        // What stays there follows from others: nothing of it can be discarded again.
        expect(after.changes.filter(({ key, edited }) => edited && isBelow(key, one.key))).toEqual([]);
        const element = newElementAround(reviewed, one.key);
        const place = later.own?.settings[element] === undefined ? element : one.key;
        const others = (changes: readonly AttributeChange[]) =>
          factsOf(changes.filter(({ key, edited }) => !isBelow(key, edited ? one.key : place)));
        expect([one.key, others(after.changes)]).toEqual([one.key, others(before.changes)]);
        expect(after.dropped.map(({ key }) => key)).toEqual(
          before.dropped.map(({ key }) => key).filter((key) => !isBelow(key, place)),
        );
        counts.edited++;
        if (result.keys.length > 1) counts.wholes++;
      }
      const following = before.changes.find(({ edited }) => !edited);
      if (following !== undefined) {
        expect(String(discard(reviewed, following.pointer))).toMatch(/follows from/);
        counts.followed++;
      }
    }, 50);
    for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
  });

  test("takes one dropped edit back, and no other changes", () => {
    let count = 0;
    each(
      (reviewed, scene) => {
        if (!isShown(reviewed)) return;
        const before = listed(reviewed);
        const pointers = new Set(before.changes.map(({ pointer }) => pointer));
        for (const one of before.dropped) {
          if (pointers.has(one.pointer)) continue;
          const result = discard(reviewed, one.pointer);
          if (result instanceof Refusal) throw result;
          const after = listed(without(reviewed, scene, result.left));
          expect(factsOf(after.changes)).toEqual(factsOf(before.changes));
          expect(after.dropped.map(({ key }) => key)).toEqual(
            before.dropped.map(({ key }) => key).filter((key) => key !== one.key),
          );
          count++;
        }
      },
      60,
      closeSteps,
    );
    expect(count).toBeGreaterThan(0);
  });

  test("leaves nothing to review when all of it is taken back, whatever comes first", () => {
    let pick = 0;
    each((reviewed, scene) => {
      if (!isShown(reviewed)) return;
      const all = (of: Reviewed) => [...discardable(of), ...listed(of).dropped];
      let rest = reviewed;
      for (let most = all(reviewed).length; most > 0; most--) {
        const left = all(rest);
        const one = left[pick++ % Math.max(left.length, 1)];
        if (one === undefined) break;
        const result = discard(rest, one.pointer);
        if (result instanceof Refusal) throw result;
        rest = without(rest, scene, result.left);
      }
      expect(all(rest)).toEqual([]);
    }, 30);
  });

  test("takes everything below a container back", () => {
    each((reviewed, scene) => {
      if (!isShown(reviewed)) return;
      const before = listed(reviewed).changes;
      for (const pointer of ["/domain", "/domain/tags", "/domain/network", "/domain/tags/0"]) {
        const edited = discardable(reviewed).filter((one) => isBelow(one.pointer, pointer));
        if (edited.length === 0) continue;
        const result = discard(reviewed, pointer);
        if (result instanceof Refusal) throw result;
        const after = listed(without(reviewed, scene, result.left)).changes;
        const gone = new Set(edited.map(({ key }) => key));
        expect(factsOf(after.filter(({ edited }) => edited))).toEqual(
          factsOf(before.filter(({ key, edited }) => edited && !gone.has(key))),
        );
      }
    }, 40);
  });
});
