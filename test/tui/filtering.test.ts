import { describe, expect, it } from "vitest";
import type { Model } from "../../tui/core/model.ts";
import { screenOf } from "../../tui/core/screens/index.ts";
import { themeOf } from "../../tui/view/theme.ts";
import { view } from "../../tui/view/view.ts";
import { headId, press, told, type, upgradeId, worldModel } from "../support/tui-world.ts";

const size = { cols: 80, rows: 24 };
const theme = themeOf("dark", "256", false);
const textOf = (model: Model): string => view(model, theme).frame.text();
const crumbs = (model: Model): string => screenOf(model.route.screen).crumbs(model).join(" › ");

describe("filter and sort", () => {
  it("filters while typing; enter keeps, esc clears", () => {
    const typing = type(press(worldModel(size), "3", "/"), "quals:failed");
    expect(textOf(typing)).toMatch(/HEAD 2\/40 .*quals:failed/);
    const kept = press(typing, "enter");
    expect(kept.prompt).toBeNull();
    expect(textOf(kept)).toMatch(/HEAD 2\/40/);
    expect(textOf(press(kept, "escape"))).toMatch(/HEAD 40/);
    expect(textOf(press(typing, "escape"))).toMatch(/HEAD 40/);
    expect(crumbs(press(kept, "escape"))).toBe("change sets › HEAD › components");
  });

  it("completes fields and values, edits like a line, and takes a paste as one piece", () => {
    const line = (model: Model): string | undefined => model.prompt?.line.text;
    const open = press(worldModel(size), "3", "/");
    expect(line(press(type(open, "qu"), "tab"))).toBe("quals:");
    expect(line(press(type(open, "quals:f"), "tab"))).toBe("quals:failed");
    expect(line(press(type(open, "one two"), "C-w"))).toBe("one ");
    expect(line(press(type(open, "abc"), "left", "backspace", "x"))).toBe("axc");
    expect(line(press(type(open, "abc"), "C-u"))).toBe("");
    expect(line(told(open, { type: "paste", text: "redis\nmain" }))).toBe("redis main");
    expect(told(press(open, "escape"), { type: "paste", text: "q" })).toMatchObject({ prompt: null });
  });

  it("does not keep a filter that cannot be used, and says why as long as it stands", () => {
    const wrong = press(type(press(worldModel(size), "2", "/"), "nonsense:x"), "enter");
    expect(wrong.prompt?.line.text).toBe("nonsense:x");
    expect(textOf(wrong)).toContain("nonsense");
    expect(press(wrong, "C-u", "enter").prompt).toBeNull();
    expect(press(wrong, "escape").prompt).toBeNull();
  });

  it("moves through what is left while still typing", () => {
    const typing = press(type(press(worldModel(size), "3", "/"), "api"), "down");
    expect(typing.lists[`components/${headId}`]?.cursor).toBe(1);
    expect(typing.prompt?.line.text).toBe("api");
  });

  it.each([
    ["change sets", ["2"]],
    ["components", ["2", "j", "enter"]],
    ["overview", []],
  ])("opens nothing that no row shows: a filter that matches nothing, in %s", (_, keys) => {
    for (const at of [size, { cols: 160, rows: 40 }]) {
      const none = press(type(press(worldModel(at), ...keys, "/"), "no-such-name"), "enter");
      const after = press(none, "enter");
      expect(after.route).toEqual(none.route);
      expect(textOf(after)).toMatch(/enter is off: nothing .*selected/);
      if (none.route.screen === "changeSets")
        expect(textOf(press(none, "d"))).toContain("d is off: nothing is selected");
    }
  });

  it("hides what is as in the head, and shows it again", () => {
    const model = press(worldModel(size), "2", "j", "enter", "u");
    expect(textOf(model)).toContain("add-redis-cache 9/44");
    expect(textOf(press(model, "u"))).toContain("add-redis-cache 44 ");
  });

  it("sorts by a column's letter, reverses with the same, and remembers it for other lists of the kind", () => {
    const model = press(worldModel(size), "3", "s", "n", "n", "escape");
    expect(textOf(model)).toContain("NAME↓");
    const other = told(model, { type: "go", route: { screen: "components", changeSetId: upgradeId } });
    expect(textOf(other)).toContain("NAME↓");
  });
});
