import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import { copyName, copySettings } from "../../../server/domain/copies.ts";
import type { Json } from "../../../server/domain/json.ts";
import { managerIdsOf, mergeKeys, type Settings, viewIdsOf } from "../../../server/domain/overlay.ts";
import { literalChange, subscriptionTo } from "./arbitraries.ts";
import { idMaker, patchOf, props, refusalOf } from "./sample.ts";

/** Settings after changes one by one; those that are refused change nothing. */
function settingsOf(changes: readonly (readonly [string, Json])[]): Settings {
  const newId = idMaker();
  const findComponent = (reference: string) => ({ id: reference, props });
  return changes.reduce<Settings>((settings, change) => {
    try {
      return mergeKeys(settings, patchOf(settings, Object.fromEntries([change]), { newId, findComponent }));
    } catch {
      return settings;
    }
  }, {});
}

const facts = fc.record(
  {
    ":delete": fc.constant({ v: true }),
    ":view/OLD": fc.constant({ v: true }),
    ":manager/A": fc.constant({ v: true }),
    ":manager/OUTSIDE": fc.constant({ v: true }),
  },
  { requiredKeys: [] },
);
const resource = fc.constantFrom<readonly [string, Json]>(
  ["/resource", { id: 1 }],
  ["/resource/payload", "[]"],
);
const sources = fc.constantFrom("A", "B", "OUTSIDE");
const originals = fc.tuple(
  fc.array(fc.oneof(literalChange, subscriptionTo(sources), resource), { maxLength: 8 }),
  facts,
);

describe("a copy", () => {
  const copies = new Map([
    ["A", "COPY A"],
    ["B", "COPY B"],
  ]);
  const copyOf = (id: string): string | undefined => copies.get(id);

  test("shows what its original shows, with the copies in place of the batch, and no resource", () => {
    fc.assert(
      fc.property(originals, ([changes, more]) => {
        const original: Settings = { ...settingsOf(changes), ...more };
        const copy = copySettings(original, { name: "n", viewId: "NEW", copyOf });
        const expected = Object.entries(showAttributes(props, original))
          .filter(([pointer]) => !/^\/(resource(\/|$)|si\/name$)/.test(pointer))
          .map(([pointer, value]) => [pointer, redirected(value)]);
        const { "/si/name": name, ...shown } = showAttributes(props, copy);
        expect(shown).toEqual(Object.fromEntries(expected));
        expect(name).toBe("n");
      }),
    );
  });
  const redirected = (value: Json): Json =>
    JSON.parse(JSON.stringify(value).replace(/"component":"(A|B)"/, '"component":"COPY $1"'));

  test("is in its view only, unmarked, and managed by copies only", () => {
    fc.assert(
      fc.property(originals, ([changes, more]) => {
        const copy = copySettings({ ...settingsOf(changes), ...more }, { name: "n", viewId: "NEW", copyOf });
        expect([...viewIdsOf(copy)]).toEqual(["NEW"]);
        expect(managerIdsOf(copy)).toEqual(":manager/A" in more ? ["COPY A"] : []);
        expect(Object.keys(copy)).not.toContain(":delete");
      }),
    );
  });

  test("is named by its prefix, immediately followed by the name", () => {
    expect(copyName(undefined, "web")).toBe("copy of web");
    expect(copyName("new-", "web")).toBe("new-web");
    expect(copyName("", "web")).toBe("web");
    expect(refusalOf(() => copyName("x".repeat(499), "ab")).error).toBe("invalidRequest");
  });
});
