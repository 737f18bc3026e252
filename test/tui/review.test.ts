import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListDelta } from "../../src/ipc/contract.ts";
import { comparedFacts } from "../../tui/core/fact-rows.ts";
import { lensKey, lensRows } from "../../tui/core/lists.ts";
import type { Message } from "../../tui/core/message.ts";
import type { Model } from "../../tui/core/model.ts";
import { screenOf } from "../../tui/core/screens/index.ts";
import { themeOf } from "../../tui/view/theme.ts";
import { view } from "../../tui/view/view.ts";
import { news, rowOf, textOf } from "../support/tui-story.ts";
import {
  headId,
  partsByKey,
  press,
  redisId,
  told,
  type,
  whole,
  worldAnswer,
  worldComponent,
  worldComponents,
  worldModel,
  worldNow,
  worldReview,
  worldStatus,
} from "../support/tui-world.ts";

const size = { cols: 120, rows: 36 };
const small = { cols: 80, rows: 24 };
const list = `reviews/${redisId}`;
const [first, second, third] = worldComponents();
if (first === undefined || second === undefined || third === undefined) throw new Error("an empty world");

const side = (value: unknown) => ({ value, source: "value" });
const diff = (rest: Readonly<Record<string, unknown>>) => ({
  changeType: "modified",
  old: side("before"),
  new: side("after"),
  edited: true,
  headMoved: false,
  ...rest,
});
const component = (
  { componentId, name }: { readonly componentId: string; readonly name: string },
  attributeDiffs: Readonly<Record<string, unknown>>,
  rest: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  [componentId]: {
    part: "component",
    component: {
      componentId,
      componentName: name,
      schemaName: "AWS::S3::Bucket",
      diffStatus: "Modified",
      toDelete: false,
      canBeUpgraded: false,
      viewsAdded: [],
      viewsRemoved: [],
      managersAdded: [],
      managersRemoved: [],
      headMoved: false,
      attributeDiffs,
      ...rest,
    },
  },
});
const reviewed = (...parts: readonly Readonly<Record<string, unknown>>[]): Message => ({
  type: "answer",
  now: worldNow,
  answer: {
    instance: "world",
    revision: 2,
    fresh: false,
    status: undefined,
    changes: [whole(list, Object.assign({}, ...parts))],
  },
});
/** The review of one change set on the whole screen. */
const opened = (at: typeof size, ...parts: readonly Readonly<Record<string, unknown>>[]): Model =>
  press(parts.length === 0 ? worldModel(at) : told(worldModel(at), reviewed(...parts)), "2", "j", "d");
const crumbs = (model: Model): string => screenOf(model.route.screen).crumbs(model).join(" › ");

describe("the review of a change set", () => {
  it("shows each attribute, old beside new, a subscription by whose value it is", () => {
    const link = {
      value: "sg-1",
      source: "subscription",
      componentId: second.componentId,
      componentName: "db",
      path: "/domain/id",
      func: "upper",
    };
    const model = opened(
      { cols: 160, rows: 36 },
      component(first, {
        "/domain/port": diff({ old: side(80), new: side(443) }),
        "/domain/group": diff({ new: link }),
        "/domain/added": { changeType: "added", new: side("fresh"), edited: true, headMoved: false },
        "/domain/removed": { changeType: "removed", old: side("gone"), edited: true, headMoved: false },
      }),
    );
    expect(crumbs(model)).toBe("change sets › add-redis-cache › review");
    expect(rowOf(model, first.name)).toMatch(/~ .*4 attributes {2}AWS::S3::Bucket/);
    expect(rowOf(model, "/domain/port")).toMatch(/~ .*80 .*443/);
    expect(rowOf(model, "/domain/group")).toMatch(/~ .*before .*sg-1 {2}← db \/domain\/id through upper/);
    expect(rowOf(model, "/domain/added")).toMatch(/\+ .*– .*fresh/);
    expect(rowOf(model, "/domain/removed")).toMatch(/− .*gone .*–/);
  });

  it("shows edits that are not applied, because the head has removed what they were made in", () => {
    const dropped = {
      componentId: second.componentId,
      componentName: "old-db",
      componentRemoved: true,
      attributes: ["/domain/size"],
    };
    const model = opened({ cols: 160, rows: 36 }, component(first, { "/domain/port": diff({}) }), {
      [`dropped ${second.componentId}`]: { part: "dropped", dropped },
    });
    expect(rowOf(model, "old-db")).toMatch(
      /− old-db .*1 attribute {2}removed in the head: edits are dropped/,
    );
    expect(rowOf(model, "/domain/size")).toMatch(/− .*– .*not applied/);
  });

  it.each([size, small])(
    "shows what changed in a subscription, whole at its foot, at $cols x $rows",
    (at) => {
      const link = (value: string) => ({
        value,
        source: "subscription",
        componentId: second.componentId,
        componentName: "staging-network",
        path: "/domain/RegionOfTheWholeStagingNetwork",
      });
      const long = `eu-${"north-".repeat(15)}1`;
      const diffs = { "/domain/region": diff({ old: link("eu-west-1"), new: link(long) }) };
      const model = press(opened(at, component(first, diffs)), "j");
      expect(rowOf(model, "▸")).toMatch(/eu-west-1.*eu-north-/);
      const flat = (text: Model): string =>
        textOf(text)
          .split("\n")
          .map((line) => line.slice(1, -1).trim())
          .join("");
      for (const shown of [
        model,
        press(told(worldModel(at), reviewed(component(first, diffs))), "2", "j", "d", "j", "enter"),
      ]) {
        expect(rowOf(shown, "▸")).toMatch(/eu-west-1.*eu-north-/);
        expect(rowOf(shown, " head  eu-west-1")).toContain("← staging-network");
        expect(flat(shown)).toContain(long);
        expect(flat(shown)).toContain("← staging-network /domain/RegionOfTheWholeStagingNetwork");
      }
    },
  );

  it.each([size, small, { cols: 60, rows: 20 }])(
    "says in words what the head has moved under, what is computed, what goes and what can be upgraded, at $cols x $rows",
    (at) => {
      const model = opened(
        at,
        component(
          first,
          {
            "/domain/a": diff({ headMoved: true }),
            "/domain/b": diff({ edited: false, new: { value: "c", source: "prototype" } }),
          },
          { toDelete: true, canBeUpgraded: true, headMoved: true, diffStatus: "Removed" },
        ),
      );
      expect(rowOf(model, first.name)).toMatch(/− .*to delete.*head moved/);
      expect(rowOf(model, "/domain/a")).toContain("head moved");
      expect(rowOf(model, "/domain/b")).toContain("computed");
      const plain = view(model, themeOf("dark", "none", true)).frame.text();
      expect(plain).toMatch(/^[\x20-\x7e\n]*$/);
      expect(plain).toContain("<> head moved");
    },
  );

  it("dims what nobody edited, beside the word", () => {
    const theme = themeOf("dark", "256", false);
    const model = opened(size, component(first, { "/domain/b": diff({ edited: false, new: side("zzz") }) }));
    const { frame } = view(model, theme);
    const y = textOf(model)
      .split("\n")
      .findIndex((line) => line.includes("zzz"));
    const x = frame.row(y).indexOf("zzz");
    expect(frame.at[y * frame.cols + x]).toBe(theme.attr("muted"));
  });

  it("tells views, managers and what is no component too", () => {
    const model = opened(
      size,
      component(first, {}, { viewsAdded: ["network"], viewsRemoved: ["default"], managersAdded: ["boss"] }),
      {
        s1: {
          part: "entity",
          entity: { kind: "SchemaVariant", id: "s1", name: "My::Schema", diffStatus: "Added" },
        },
      },
    );
    expect(rowOf(model, "network")).toMatch(/\+ .*in the view/);
    expect(rowOf(model, "in the view  ")).not.toBe("");
    expect(rowOf(model, "boss")).toMatch(/\+ .*managed by/);
    expect(rowOf(model, "My::Schema")).toMatch(/\+ My::Schema .*schema variant/);
    const off = press(model, "G", "enter");
    expect(off.route.screen).toBe("review");
    expect(textOf(off)).toContain("enter is off: this is no component but a schema variant");
  });

  describe.each([small, { cols: 140, rows: 36 }])("of another variant, at $cols x $rows", (at) => {
    const [old, now] = ["01JQVARIANT000000000000OLD", "01JQVARIANT000000000000NEW"];
    const variant = { old, new: now };
    const moved = told(worldModel(at), reviewed(component(first, {}, { variant })));
    const whole = (model: Model): void => {
      expect(rowOf(model, `head  ${old}`)).not.toBe("");
      expect(rowOf(model, `here  ${now}`)).not.toBe("");
    };

    it("stands below its component, old beside new, whole at the foot", () => {
      const model = press(moved, "2", "j", "d", "j");
      expect(rowOf(model, "▸")).toMatch(/~ +variant .*01JQVARIANT0.*01JQVARIANT0/);
      expect(rowOf(model, `~ ${first.name}`)).not.toContain("attribute");
      whole(model);
      const filtered = press(type(press(model, "/"), "what:variant"), "enter");
      expect(rowOf(filtered, "▸")).toContain(`${first.name} variant`);
    });

    it("stands in the lens beside the change sets, where there is room", () => {
      const model = press(moved, "2", "j");
      const lens = textOf(model).includes("Review");
      expect(lens).toBe(at.cols === 140);
      if (lens) expect(rowOf(model, "variant ")).toMatch(/~ +variant +01JQ.*01JQ/);
    });

    it("stands on the component's page and before its attributes", () => {
      const both = reviewed(component(first, { "/domain/a": diff({}) }, { variant }));
      const model = press(told(worldModel(at), both), "2", "j", "d", "j", "enter", "g");
      expect(rowOf(model, "▸")).toMatch(/~ +variant .*01JQVARIANT0.*01JQVARIANT0/);
      expect(textOf(model)).toMatch(/variant [\s\S]*\/domain\/a /);
      whole(model);
    });
  });

  it("of another variant, where the server tells no review, is known from both readings", () => {
    const of = (schemaVariantId: string) =>
      worldComponent(first.componentId, first.name, { schemaVariantId });
    const facts = (head: string) => comparedFacts(of(head), of("new"), () => undefined);
    expect(facts("old")).toMatchObject([{ name: "variant", kind: "changed", before: "old", value: "new" }]);
    expect(facts("new")).toEqual([]);
  });

  it("takes half a variant for none", () => {
    const model = opened(size, component(first, {}, { variant: { old: "a", new: 7 } }));
    expect(textOf(model)).not.toMatch(/~ +variant /);
  });

  it("leads to the component under the cursor, and back to the same line", () => {
    const model = press(opened(size), "j", "j", "j");
    const selected = model.lists[lensKey(redisId)]?.selected;
    const inside = press(model, "enter");
    expect(inside.route).toMatchObject({ screen: "component", changeSetId: redisId });
    expect(inside.tab).toBe("diff");
    const back = press(inside, "-");
    expect(back.route).toEqual(model.route);
    expect(back.lists[lensKey(redisId)]?.selected).toBe(selected);
    expect(crumbs(press(back, "escape"))).toBe("change sets");
    expect(press(back, "c").route).toEqual({ screen: "components", changeSetId: redisId });
  });

  it("opens in the head what only the head has any more", () => {
    const model = opened(size, component(first, { "/domain/a": diff({}) }, { diffStatus: "Removed" }));
    const erased = told(model, news(worldNow, `components/${redisId}`, {}, [first.componentId]));
    expect(press(erased, "enter").route).toEqual({
      screen: "component",
      changeSetId: headId,
      componentId: first.componentId,
    });
  });

  it("says whose a line is when its component is out of sight or filtered away", () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`/domain/a${String(index).padStart(2, "0")}`, diff({})]),
    );
    const model = opened(size, component(first, attributes));
    const below = press(model, "G");
    expect(textOf(below)).not.toContain("40 attributes");
    const [, , , , top = ""] = textOf(below).split("\n");
    expect(top).toContain(first.name);
    const filtered = press(type(press(model, "/"), "path:a07"), "enter");
    expect(rowOf(filtered, "/domain/a07")).toContain(first.name);
  });

  it("is filtered by what happened, and in sorting keeps each line", () => {
    const model = opened(
      size,
      component(first, { "/domain/a": diff({ headMoved: true }), "/domain/b": diff({ edited: false }) }),
      component(second, { "/domain/c": diff({}) }),
    );
    const moved = press(type(press(model, "/"), "is:moved"), "enter");
    expect(textOf(moved)).toContain("/domain/a");
    expect(textOf(moved)).not.toContain("/domain/b");
    const computed = press(type(press(model, "/"), "is:computed"), "enter");
    expect(textOf(computed)).toContain("/domain/b");
    expect(textOf(computed)).not.toContain("/domain/c");
    expect(textOf(press(model, "s", "t"))).toContain("/domain/a");
  });

  it("of the head there is none, and the key says so", () => {
    const model = press(worldModel(small), "2", "d");
    expect(model.route.screen).toBe("changeSets");
    expect(textOf(model)).toContain("d is off: this is the head");
  });

  it("says that nothing differs, that it is loading, and that its change set is gone", () => {
    expect(textOf(opened(small, {}))).toContain("Everything is as in the head.");
    const { changes, ...rest } = worldAnswer();
    const without = changes.filter(({ resource }) => resource !== list);
    const answer: Message = {
      type: "answer",
      now: worldNow,
      answer: { ...rest, instance: "new", changes: without },
    };
    expect(textOf(press(told(worldModel(small), answer), "2", "j", "d"))).toContain("loading changes");
    const gone = told(opened(small), news(worldNow, "changeSets", {}, [redisId]));
    expect(textOf(gone)).toContain("This change set is gone.");
  });

  it("names the components that differ where the server compares no attributes", () => {
    const { changes, ...rest } = worldAnswer();
    const health = { items: 0, syncedAt: null, changedAt: null, failures: 0, error: null, nextAt: null };
    const status = worldStatus({
      lists: [{ resource: list, ...health, note: "not offered by this server" }],
    });
    const answer: Message = {
      type: "answer",
      now: worldNow,
      answer: {
        ...rest,
        instance: "old",
        status,
        changes: changes.filter(({ resource }) => !resource.startsWith("reviews/")),
      },
    };
    const model = press(told(worldModel(small), answer), "2", "j", "d");
    expect(rowOf(model, "+ redis-cache")).not.toBe("");
    expect(textOf(model)).not.toContain("loading");
    expect(textOf(press(model, "D"))).toContain("not offered by this server");
    expect(textOf(model)).toContain("live 42 ms");
  });

  it("stands beside the change sets where there is room, and follows the cursor there", () => {
    const model = press(worldModel({ cols: 160, rows: 40 }), "2");
    expect(textOf(model)).toContain("This is the head");
    const moved = press(model, "j");
    expect(rowOf(moved, "Review")).toContain("attributes");
    const inside = press(moved, "tab", "j");
    expect(inside.pane).toBe("review");
    expect(press(inside, "enter").route).toMatchObject({ screen: "component", changeSetId: redisId });
  });

  it("makes nothing anew while a person moves about in thousands of lines", () => {
    const model = press(worldModel(size, { components: 3_000, differing: 3_000 }), "2", "j", "d");
    const table = lensRows(model, redisId);
    expect(table?.rows.length).toBeGreaterThan(9_000);
    const moved = press(model, "pagedown", "j", "G", "k");
    expect(lensRows(moved, redisId)).toBe(table);
    expect(moved.lists[lensKey(redisId)]?.order).toBe(model.lists[lensKey(redisId)]?.order);
  });

  it("keeps the lines of components that did not change", () => {
    const model = worldModel(size);
    const before = lensRows(model, redisId)?.rows ?? [];
    const after = lensRows(told(model, news(worldNow, list, component(first, { "/x": diff({}) }))), redisId);
    const untouched = before.filter(
      ({ componentId }) => componentId !== null && componentId !== first.componentId,
    );
    for (const row of untouched) expect(after?.rows).toContain(row);
  });
});

describe("the cursor in a review", () => {
  const people = worldComponents({ components: 12 });
  const delta = fc.record({
    seed: fc.integer({ min: 1, max: 60 }),
    some: fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 5 }),
    gone: fc.array(fc.integer({ min: 0, max: 11 }), { maxLength: 3 }),
    all: fc.boolean(),
  });

  it("stays on its line whatever changes around it, and on a line that exists when its own goes", () => {
    fc.assert(
      fc.property(fc.array(delta, { maxLength: 8 }), fc.nat(40), (deltas, start) => {
        let model = press(worldModel(size, { components: 12, differing: 12 }), "2", "j", "d");
        for (let step = 0; step < start; step++) model = press(model, "j");
        for (const { seed, some, gone, all } of deltas) {
          const selected = model.lists[lensKey(redisId)]?.selected ?? null;
          const changed = people.filter((_, index) => all || some.includes(index));
          const upserted = partsByKey(
            worldReview(
              changed.map((one) => ({ ...one, diffStatus: "Modified" })),
              { seed },
            ),
          );
          const deleted = people
            .filter((_, index) => gone.includes(index))
            .map(({ componentId }) => componentId);
          const change: ListDelta = { resource: list, upserted, deleted: all ? [] : deleted, whole: all };
          model = told(model, {
            type: "answer",
            now: worldNow,
            answer: { instance: "world", revision: 3, fresh: false, status: undefined, changes: [change] },
          });
          const table = lensRows(model, redisId);
          const state = model.lists[lensKey(redisId)];
          const there = selected !== null && table?.index.has(selected) === true;
          if (there) expect(state?.selected).toBe(selected);
          else expect(table?.index.has(state?.selected ?? "")).toBe((table?.rows.length ?? 0) > 0);
          expect(table?.rows[state?.order[state.cursor] ?? -1]?.id ?? state?.selected).toBe(state?.selected);
        }
      }),
      { numRuns: 60 },
    );
  });
});
