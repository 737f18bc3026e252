import { describe, expect, it } from "vitest";
import { detailKey, type Model } from "../../tui/core/model.ts";
import { update } from "../../tui/core/update.ts";
import { view } from "../../tui/view/view.ts";
import { commandsOf, news, rowOf, textOf, theme, tick } from "../support/tui-story.ts";
import {
  headId,
  press,
  redisId,
  told,
  worldComponent,
  worldComponents,
  worldModel,
  worldNow,
  worldStatus,
} from "../support/tui-world.ts";

const size = { cols: 80, rows: 24 };
const components = worldComponents();
const [first, second] = components;
if (first === undefined || second === undefined) throw new Error("an empty world");

describe("a component's page", () => {
  const own = (name: string) => worldComponent(first.componentId, name);
  const opened = (): Model =>
    told(worldModel(size), {
      type: "go",
      route: { screen: "component", changeSetId: redisId, componentId: first.componentId },
    });
  const key = detailKey(redisId, first.componentId);

  it("asks for the component and the head's once, and again when either changed", () => {
    const [model, commands] = update(worldModel(size), {
      type: "go",
      route: { screen: "component", changeSetId: redisId, componentId: first.componentId },
    });
    expect(commands).toEqual([
      {
        type: "component",
        key,
        workspaceId: worldStatus().workspaceId,
        changeSetId: redisId,
        componentId: first.componentId,
        withHead: true,
      },
    ]);
    expect(commandsOf(model, tick(worldNow + 1_000))).toEqual([]);
    const read = told(model, {
      type: "component",
      now: worldNow,
      key,
      result: { own: own("a"), head: null },
    });
    expect(commandsOf(read, tick(worldNow + 1_000))).toEqual([]);
    const change = news(worldNow + 2_000, `components/${headId}`, {
      [first.componentId]: { ...first, name: "b" },
    });
    expect(commandsOf(read, change)).toMatchObject([{ type: "component", key }]);
  });

  it("asks now and then while it is looked at, since a list does not tell every change of a value", () => {
    const read = told(opened(), {
      type: "component",
      now: worldNow,
      key,
      result: { own: own("a"), head: null },
    });
    const later = [1, 2, 3, 4].reduce(
      (model, step) => told(model, { type: "heard", now: worldNow + step * 1_000 }),
      read,
    );
    expect(commandsOf(later, tick(worldNow + 5_000))).toMatchObject([{ type: "component", key }]);
  });

  it.each([
    [
      "This component is gone.",
      news(worldNow, `components/${redisId}`, {}, [first.componentId]),
      "add-redis-cache › components › gone",
    ],
    [
      "The change set of this component is gone.",
      news(worldNow, "changeSets", {}, [redisId]),
      "gone › components › gone",
    ],
  ])("says over what it was: %s", (sentence, erased, where) => {
    const result = { own: own("was-here"), head: null };
    const read = press(told(opened(), { type: "component", now: worldNow, key, result }), "a");
    const gone = told(read, erased);
    const lines = textOf(gone).split("\n");
    expect(lines[0]).toContain(where);
    expect(rowOf(gone, "was-here")).toMatch(/was-here {2}gone/);
    expect(rowOf(gone, sentence)).toContain("Below is what it was.");
    const at = lines.findIndex((line) => line.includes("/domain/Port"));
    const { frame } = view(gone, theme);
    const attr = frame.at[at * frame.cols + frame.row(at).indexOf("/domain/Port")];
    expect(attr).toBe(theme.dimmed(theme.attr("text")));
    expect(commandsOf(told(gone, { type: "heard", now: worldNow + 9_000 }), tick(worldNow + 9_000))).toEqual(
      [],
    );
    expect(textOf(press(told(opened(), erased), "a"))).toContain(`${sentence} esc leads back to the list.`);
  });

  it("marks the values that another reading changed", () => {
    const before = told(opened(), {
      type: "component",
      now: worldNow,
      key,
      result: { own: own("a"), head: null },
    });
    const now = worldNow + 6_000;
    const asked = told(before, { type: "heard", now: worldNow + 5_000 }, tick(now));
    const changed = worldComponent(first.componentId, "a", {
      attributes: { "/domain/NumCacheNodes": 7 },
      domainProps: [],
    });
    const after = press(
      told(asked, { type: "component", now, key, result: { own: changed, head: null } }),
      "a",
    );
    expect(rowOf(after, "/domain/NumCacheNodes")).toMatch(/Δ.*7/);
  });

  it("keeps what it shows when reading it again fails, and says why when there is nothing to show", () => {
    const failed = told(opened(), {
      type: "component",
      now: worldNow,
      key,
      result: { error: "the server said 500" },
    });
    expect(textOf(press(failed, "a"))).toContain("the server said 500");
    const read = press(
      told(opened(), { type: "component", now: worldNow, key, result: { own: own("kept"), head: null } }),
      "a",
    );
    const again = told(read, { type: "heard", now: worldNow + 5_500 }, tick(worldNow + 6_000));
    const still = told(again, { type: "component", now: worldNow + 6_000, key, result: { error: "gone" } });
    expect(textOf(still)).toContain("cache.r7g.large");
  });

  it("reads for the preview only after the cursor has rested", () => {
    const wide = worldModel({ cols: 120, rows: 36 });
    const [model, commands] = update(wide, {
      type: "go",
      route: { screen: "components", changeSetId: redisId },
    });
    expect(commands).toMatchObject([{ type: "rest" }]);
    const rest = commands[0];
    if (rest?.type !== "rest") throw new Error("no rest");
    const moved = press(model, "j");
    expect(commandsOf(moved, { type: "rested", key: rest.key })).toEqual([]);
    expect(commandsOf(model, { type: "rested", key: rest.key })).toMatchObject([
      { type: "component", key: rest.key },
    ]);
  });
});
