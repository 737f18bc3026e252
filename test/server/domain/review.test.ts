import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import { canonical, type Json, sameJson } from "../../../server/domain/json.ts";
import { mergeKeys, type Patch, type Settings } from "../../../server/domain/overlay.ts";
import { keyAt, pointerOf } from "../../../server/domain/places.ts";
import { attributeChanges } from "../../../server/domain/review.ts";
import type { ReviewSide, ShownAttribute } from "../../../server/domain/review-attributes.ts";
import { discardAttribute } from "../../../server/domain/review-discard.ts";
import { droppedAttributes } from "../../../server/domain/review-dropped.ts";
import { isBelow } from "../../../server/domain/review-keys.ts";
import { computeValues, valueAt } from "../../../server/domain/values.ts";
import { each, hasMoved, newElementAround } from "./reviewing.ts";
import { patchOf, props, unset, web, written } from "./sample.ts";

/** The attributes as people read them, by stored key. */
function attributesByKey(side: ReviewSide | undefined): Map<string, Json> {
  if (side === undefined) return new Map();
  const shown = showAttributes(props, side.settings, side.exists);
  return new Map(
    Object.entries(shown).map(([pointer, value]) => [keyAt(props, side.settings, pointer) ?? "", value]),
  );
}

const isEmptyContainer = (value: Json | undefined): boolean =>
  isContainer(value) && Object.keys(value ?? {}).length === 0;

describe("the review of a component", () => {
  test("lists every place where the change set's attributes are not the head's, and no other", () => {
    each((reviewed) => {
      const [before, after] = [attributesByKey(reviewed.head), attributesByKey(reviewed.own)];
      const changed = new Map(before);
      for (const { key, old, new: is } of attributeChanges(reviewed)) {
        const said = (side: ReadonlyMap<string, Json>, shown: ShownAttribute | undefined): Json => [
          [...side].filter(([one]) => isBelow(one, key)).map(([one, value]) => [one, value]),
          shown === undefined ? "nothing" : [shown.setting !== undefined, shown.value ?? null],
        ];
        // The attribute may say the same while its source gives something else, or the schema gave the same before.
        expect([key, said(before, old)]).not.toEqual([key, said(after, is)]);
        for (const one of before.keys()) if (isBelow(one, key)) changed.delete(one);
        for (const [one, value] of after) if (isBelow(one, key)) changed.set(one, value);
      }
      // That a container is there is said by what is in it, on either side.
      const plain = (attributes: ReadonlyMap<string, Json>, others: ReadonlyMap<string, Json>) =>
        Object.fromEntries(
          [...attributes].filter(([key, value]) => !isEmptyContainer(value) || others.has(key)).sort(),
        );
      expect(plain(changed, after)).toEqual(plain(after, changed));
    });
  });

  test("shows the values of both sides", () => {
    each((reviewed) => {
      const { head, own } = reviewed;
      for (const { pointer, key, old, new: is } of attributeChanges(reviewed)) {
        // A hidden default is part of the value, and not of what is shown.
        if (key === "/domain") continue;
        if (is !== undefined && own !== undefined) {
          expect([pointer, keyAt(props, own.settings, pointer)]).toEqual([pointer, key]);
          expect([pointer, is.value ?? null]).toEqual([pointer, valueAt(props, own.vals, pointer) ?? null]);
        }
        if (old !== undefined && head !== undefined) {
          const there = pointerOf(head.settings, key) ?? "";
          expect([there, old.value ?? null]).toEqual([there, valueAt(props, head.vals, there) ?? null]);
        }
      }
    }, 40);
  });

  test("names every attribute once", () => {
    each((reviewed) => {
      const pointers = attributeChanges(reviewed).map(({ pointer }) => pointer);
      expect(new Set(pointers).size).toBe(pointers.length);
    }, 40);
  });

  test("marks exactly the edits of which the head says something else than when they were made", () => {
    const counts = { moved: 0, unmoved: 0, followed: 0 };
    each((reviewed) => {
      const { head, own, patch, seen, row } = reviewed;
      for (const { key, edited, headMoved } of attributeChanges(reviewed)) {
        if (!edited) {
          expect(headMoved).toBe(false);
          counts.followed++;
          continue;
        }
        const by = own === undefined ? [key] : Object.keys(patch ?? {}).filter((one) => isBelow(one, key));
        const place = own === undefined ? key : newElementAround(reviewed, key);
        const isMoved = row?.op !== "add" && hasMoved(head?.settings, place, by, seen);
        expect([key, headMoved]).toEqual([key, isMoved]);
        counts[isMoved ? "moved" : "unmoved"]++;
      }
    });
    // A history in which nothing moved proves nothing.
    for (const [what, count] of Object.entries(counts)) expect([what, count > 0]).toEqual([what, true]);
  });

  test("is empty exactly where both sides show the same", () => {
    each((reviewed) => {
      const { head, own } = reviewed;
      if (head === undefined || own === undefined) return;
      const changes = attributeChanges(reviewed);
      if (canonical(head.vals as Json) !== canonical(own.vals as Json)) {
        const onlyFacts = [...Object.keys(head.vals), ...Object.keys(own.vals)].every(
          (key) => !key.startsWith("/") || sameValue(head.vals[key], own.vals[key]),
        );
        expect(changes.length > 0 || onlyFacts).toBe(true);
      } else if (changes.length > 0) {
        expect(visible(head)).not.toBe(visible(own));
      }
    }, 40);
  });
});

/** What is set and not left hanging. */
const visible = ({ settings, exists }: ReviewSide): string =>
  canonical(
    Object.fromEntries(
      Object.entries(settings).filter(([, setting]) => !("s" in setting) || exists(setting.s[0])),
    ) as Json,
  );
const sameValue = (a: Json | undefined, b: Json | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameJson(a, b);
const isContainer = (value: Json | undefined): boolean => typeof value === "object" && value !== null;

/** A head and a patch over it, as a review is given them; nobody reads from others. */
function over(head: Settings, patch: Patch) {
  const side = (settings: Settings): ReviewSide => ({
    props,
    settings,
    vals: computeValues(props, settings, () => undefined),
    exists: () => true,
  });
  return { head: side(head), own: side(mergeKeys(head, patch)), patch, moved: () => false };
}

const valuesBy = (compared: ReturnType<typeof over>) =>
  Object.fromEntries(
    attributeChanges(compared).map(({ pointer, old, new: is }) => [pointer, [old?.value, is?.value]]),
  );

describe("what goes only as a whole", () => {
  const tags = written({ "/domain/tags": [{ Key: "a", Parts: [1] }, { Key: "b" }] });

  test("a removed element is one difference, by the position that it had", () => {
    const compared = over(tags, patchOf(tags, { "/domain/tags/0": unset }));
    expect(valuesBy(compared)).toEqual({
      "/domain/tags/0": [{ Key: "a", Value: "none", Parts: [1] }, undefined],
    });
    const { left } = discardAttribute({ ...compared, name: "c", isNew: false, pointer: "/domain/tags/0" });
    expect(left).toEqual({});
  });

  test("an object that makes way for a subscription is shown beside it", () => {
    const head = written({ "/domain/network/cidr": "10.0.0.0/8" });
    const compared = over(head, patchOf(head, { "/domain/network": web("/domain/network") }));
    expect(valuesBy(compared)).toEqual({
      "/domain/network": [{ cidr: "10.0.0.0/8", mtu: 1500 }, undefined],
    });
  });

  test("defaults that are unset as a whole are one difference, and so is their coming back", () => {
    const [head, bare] = [written({}), written({ "/domain/network": unset })];
    expect(valuesBy(over(head, patchOf(head, { "/domain/network": unset })))).toEqual({
      "/domain/network": [{ mtu: 1500 }, undefined],
    });
    expect(valuesBy(over(bare, { "/domain/network": null }))).toEqual({
      "/domain/network": [undefined, { mtu: 1500 }],
    });
  });

  test("a list that the schema gives makes way for what is set in it", () => {
    const { head, own, ...rest } = over({}, patchOf({}, { "/domain/ports": [80, 81] }));
    const compared = { ...rest, own, head: { ...head, vals: { ...head.vals, "/domain/ports": [1] } } };
    expect(valuesBy(compared)).toEqual({ "/domain/ports": [[1], [80, 81]] });
    const { left } = discardAttribute({ ...compared, name: "c", isNew: false, pointer: "/domain/ports" });
    expect(left).toEqual({});
  });

  test("what is set in a container that is unset as a whole is one difference with it", () => {
    const bare = written({ "/domain/network": unset });
    const compared = over(bare, patchOf(bare, { "/domain/network/mtu": 9 }));
    expect(valuesBy(compared)).toEqual({ "/domain/network": [undefined, { mtu: 9 }] });
  });

  test("a list in place of a subscription is one difference", () => {
    const head = written({ "/domain/ports": web("/domain/ports") });
    const compared = over(head, patchOf(head, { "/domain/ports": [80] }));
    expect(valuesBy(compared)).toEqual({ "/domain/ports": [undefined, [80]] });
    const discardOne = (pointer: string) =>
      discardAttribute({ ...compared, name: "c", isNew: false, pointer });
    expect(() => discardOne("/domain/ports/0")).toThrow("discard /domain/ports");
    expect(discardOne("/domain/ports").left).toEqual({});
  });

  test("an element that was appended goes with the last thing in it", () => {
    const compared = over(tags, patchOf(tags, { "/domain/tags/-": { Key: "c", Parts: [7] } }));
    const discardOne = (pointer: string, patch: Patch) =>
      discardAttribute({ ...over(tags, patch), name: "c", isNew: false, pointer }).left;
    const left = discardOne("/domain/tags/2/Key", compared.patch);
    expect(valuesBy(over(tags, left))).toEqual({
      "/domain/tags/2/Value": [undefined, "none"],
      "/domain/tags/2/Parts/0": [undefined, 7],
    });
    expect(discardOne("/domain/tags/2/Parts/0", left)).toEqual({});
  });
});

describe("edits whose place the head has removed", () => {
  const tags = written({
    "/domain/tags": [{ Key: "a", Parts: [1] }, { Key: "b" }],
    "/domain/network/mtu": 9,
  });
  const patch = patchOf(tags, {
    "/domain/tags/0/Key": "A",
    "/domain/tags/0/Parts/-": 2,
    "/domain/tags/1/Key": "B",
    "/domain/network/cidr": "10.0.0.0/8",
  });
  const dropped = (head: Settings) => droppedAttributes(over(head, patch)).map(({ pointer }) => pointer);

  test("are dropped, and named by the element's id", () => {
    expect(dropped(tags)).toEqual([]);
    const head = mergeKeys(tags, patchOf(tags, { "/domain/tags/0": unset }));
    const pointers = dropped(head);
    expect(pointers).toEqual([
      expect.stringMatching(/^\/domain\/tags\/#[0-9A-Z]{26}\/Key$/),
      expect.stringMatching(/^\/domain\/tags\/#[0-9A-Z]{26}\/Parts\/#[0-9A-Z]{26}$/),
    ]);
    for (const pointer of pointers) {
      const { left } = discardAttribute({ ...over(head, patch), name: "c", isNew: false, pointer });
      expect(Object.keys(left).length).toBe(Object.keys(patch).length - 1);
    }
  });

  test("are dropped below what the head subscribes as a whole", () => {
    const head = mergeKeys(tags, patchOf(tags, { "/domain/network": web("/domain/network") }));
    expect(dropped(head)).toEqual(["/domain/network/cidr"]);
  });
});
