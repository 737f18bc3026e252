import { describe, expect, test } from "vitest";
import { showAttributes } from "../../../server/domain/attribute-view.ts";
import { mergeKeys, type Settings } from "../../../server/domain/overlay.ts";
import { propTree } from "../../../server/domain/props.ts";
import { patchOf, props, refusalOf, sampleVariant, web, written } from "./sample.ts";

test("a subscription to a component that is not there is not shown", () => {
  const settings = written({ "/domain/size": 1, "/domain/region": web("/domain/region") });
  expect(showAttributes(props, settings, () => false)).toEqual({ "/domain/size": 1 });
});

describe("a patch", () => {
  test("knows one zero only", () => {
    expect(patchOf({}, { "/domain/size": -0 })["/domain/size"]).toEqual({ v: 0 });
  });

  test("holds only what really changes", () => {
    const settings = written({ "/domain/size": 1, "/domain/ports": [1, 2] });
    expect(patchOf(settings, { "/domain/size": 1, "/domain/ports": [1, 2] })).toEqual({});
  });

  test("keeps the facts about the component itself", () => {
    expect(patchOf({ ":delete": { v: true } }, { "/domain/size": 1 })).toEqual({ "/domain/size": { v: 1 } });
  });

  test("of a whole list keeps the elements that are still there", () => {
    const settings = written({ "/domain/ports": [1, 2, 3] });
    const [first] = Object.keys(settings).filter((key) => key.includes("#"));
    expect(patchOf(settings, { "/domain/ports": [2, 3] })).toEqual({ [first ?? ""]: null });
  });

  test("of a whole list writes position by position where that touches less", () => {
    const settings = written({ "/domain/ports": [1, 2, 3] });
    const second = Object.keys(settings).filter((key) => key.includes("#"))[1] ?? "";
    expect(patchOf(settings, { "/domain/ports": [1, 9, 3] })).toEqual({ [second]: { v: 9 } });
  });

  test("names an attribute by the id of its value as well", () => {
    const pointerOfValueId = (id: string): string | undefined => (id === "01JX" ? "/domain/size" : undefined);
    expect(patchOf({}, { "01JX": 4 }, { pointerOfValueId })).toEqual({ "/domain/size": { v: 4 } });
  });

  test("of a list that is subscribed does not bring back what another change set left below it", () => {
    const hidden: Settings = {
      "/domain/ports": { s: ["WEB", "/domain/ports"] },
      "/domain/ports/#01A": { v: 1 },
    };
    const after = mergeKeys(hidden, patchOf(hidden, { "/domain/ports": [7] }));
    expect(showAttributes(props, after)).toEqual({ "/domain/ports/0": 7 });
    const again = { component: "web", path: "/domain/ports" };
    expect(patchOf(hidden, { "/domain/ports": { $source: again } })).toEqual({});
  });

  test("leaves alone what is hidden in elements that another change set removed", () => {
    const orphans: Settings = {
      "/domain/tags": { v: [] },
      "/domain/tags/#01A/Key": { v: "k" },
      "/domain/tagsByName": { v: {} },
      "/domain/tagsByName/x/Key": { v: "k" },
    };
    const shown = showAttributes(props, orphans);
    expect(shown).toEqual({ "/domain/tags": [], "/domain/tagsByName": {} });
    expect(patchOf(orphans, shown)).toEqual({});
  });

  test("of a removed entry made anew does not bring back what another change set left inside it", () => {
    const orphan = { "/domain/tagsByName/x/Value": { v: "old" } } as const;
    const after = mergeKeys(orphan, patchOf(orphan, { "/domain/tagsByName/x/Key": "k" }));
    expect(showAttributes(props, after)).toEqual({ "/domain/tagsByName/x/Key": "k" });
  });
});

describe("a subscription that is sent as it was read", () => {
  const own = { "/domain/size": { s: ["WEB", "/domain/size"] } } as const;
  const shown = { "/domain/size": { $source: { component: "WEB", path: "/domain/size" } } };

  test("is not judged again: its source was upgraded or a circle was closed since", () => {
    const gone = propTree({ ...sampleVariant, domain: [] }, (path) => path);
    expect(patchOf(own, shown, { findComponent: () => ({ id: "WEB", props: gone }) })).toEqual({});
    expect(patchOf(own, shown, { circleThrough: () => ["a", "b", "a"] })).toEqual({});
  });

  test("is judged when its component is gone, or when it says something else", () => {
    const missing = () => patchOf(own, shown, { findComponent: () => undefined });
    expect(refusalOf(missing).error).toBe("componentNotFound");
    const other = { "/domain/size": { $source: { component: "WEB", path: "/domain/nope" } } };
    expect(refusalOf(() => patchOf(own, other)).error).toBe("notFound");
  });
});
