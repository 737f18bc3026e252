import { describe, expect, it } from "vitest";
import { attentionRows, changeSetRows } from "../../tui/core/lists.ts";
import type { Model } from "../../tui/core/model.ts";
import { themeOf } from "../../tui/view/theme.ts";
import { view } from "../../tui/view/view.ts";
import { news, rowOf, textOf } from "../support/tui-story.ts";
import {
  actionItems,
  headId,
  importId,
  mergeItem,
  press,
  redisId,
  told,
  type,
  upgradeId,
  worldComponents,
  worldModel,
  worldNow,
} from "../support/tui-world.ts";

const wide = { cols: 200, rows: 50 };
const minute = 60_000;
const ago = (minutes: number): string => new Date(worldNow - minutes * minute).toISOString();
const worldModelTitles = (size: { readonly cols: number; readonly rows: number }): string =>
  rowOf(press(worldModel(size), "2"), "NAME↑");
const setStatus = (model: Model, id: string, status: string): Model =>
  told(model, news(worldNow, "changeSets", { [id]: { id, name: "add-redis-cache", status, isHead: false } }));
const merged = (model: Model, id: string, status: string, rest: Record<string, string> = {}): Model =>
  told(model, news(worldNow, `mergeStatuses/${id}`, mergeItem(id, status, rest)));
const stateOf = (model: Model, id: string): string | undefined =>
  changeSetRows(model)?.rows.find((row) => row.id === id)?.state;
const waits = (model: Model, what: string): string =>
  attentionRows(model)
    .rows.filter((row) => row.what === what)
    .map(({ name, why, severity }) => `${severity} ${name}: ${why}`)
    .join("\n");

describe("how far a change set is from the head", () => {
  it("says that it is ready, that it needs approval, who asked and when", () => {
    const text = textOf(press(worldModel(wide), "2"));
    expect(text).toMatch(/add-redis-cache +✓ ready/);
    expect(text).toMatch(/eks-131-upgrade +‖ needs approval +bo, 42m ago/);
    const down = press(worldModel(wide), "2", "j", "j");
    expect(rowOf(down, "asked by")).toMatch(/bo, 42m ago/);
  });

  it("believes the list of change sets where the merge status has not heard yet", () => {
    const model = setStatus(worldModel(wide), redisId, "NeedsApproval");
    expect(stateOf(model, redisId)).toBe("NeedsApproval");
    expect(stateOf(merged(worldModel(wide), redisId, "Open"), redisId)).toBe("Open");
    expect(stateOf(merged(setStatus(worldModel(wide), redisId, "Approved"), redisId, "Ready"), redisId)).toBe(
      "Ready",
    );
  });

  it("names nobody for a status that nobody brought about", () => {
    const deed = { reviewedByUser: "cé", reviewedAt: ago(3), note: "old" };
    const reopened = press(merged(worldModel(wide), redisId, "Ready", deed), "2", "j");
    expect(textOf(reopened)).not.toContain("cé");
    const unheard = setStatus(merged(worldModel(wide), redisId, "Open", deed), redisId, "Approved");
    expect(textOf(unheard)).not.toContain("cé");
  });

  it("that is gone is said to be gone, on each of its screens", () => {
    const gone = (keys: readonly string[]): Model =>
      told(press(worldModel(wide), "2", "j", ...keys), news(worldNow, "changeSets", {}, [redisId]));
    expect(textOf(gone(["enter"]))).toContain("This change set is gone.");
    expect(textOf(gone(["d"]))).toContain("This change set is gone.");
    expect(textOf(press(gone(["d"]), "c"))).toContain("c is off: this change set is gone");
  });

  it("counts what differs: components, attributes, and those that the head has moved under", () => {
    const model = press(worldModel(wide), "2", "j");
    expect(textOf(model)).toMatch(/add-redis-cache .*\+4 ~4 −1 +30 +≠ 4/);
    expect(rowOf(model, "differs")).toContain("+4 ~4 −1  30 attributes");
    expect(rowOf(model, "head moved  ≠")).toContain("under 4 of them");
  });

  it.each([24, 36, 50])("shows no less of the list in a wider terminal, %i rows high", (rows) => {
    const titles = ["NAME", "STATUS", "BY", "COMPONENTS", "DIFF VS HEAD", "ATTRS", "MOVED", "ACTIONS"];
    const more = [...titles, "TROUBLE", "LAST CHANGE", "AGE"];
    const name = "a set with a name of 24c";
    const named = (cols: number): Model =>
      press(
        told(
          worldModel({ cols, rows }),
          news(worldNow, "changeSets", { [redisId]: { id: redisId, name, status: "Open", isHead: false } }),
        ),
        "2",
        "j",
      );
    let before: readonly string[] = [];
    for (let cols = 60; cols <= 250; cols += 5) {
      const row = rowOf(named(cols), "NAME↑");
      const shown = more.filter((title) => row.includes(title));
      expect(shown).toEqual(expect.arrayContaining([...before]));
      expect(rowOf(named(cols), "a set with")).toContain(`${name} `);
      before = shown;
    }
    expect(before).toEqual(more);
    const wider = worldModelTitles({ cols: 120, rows: 36 });
    expect(worldModelTitles({ cols: 80, rows: 24 })).toContain("MOVED");
    expect(wider).toMatch(/COMPONENTS.*ATTRS.*MOVED/);
  });

  it("gives the status no more room than its longest word needs", () => {
    const calm = press(worldModel({ cols: 100, rows: 30 }, { calm: true }), "2");
    const row = rowOf(calm, "NAME↑");
    expect(row.indexOf("COMPONENTS") - row.indexOf("STATUS")).toBeLessThan(12);
  });

  it("says that values are still being computed, beside the status and in words", () => {
    const model = press(worldModel({ cols: 80, rows: 24 }), "2");
    expect(rowOf(model, "vpc-import")).toContain("◌ open ● computing");
    const ascii = view(model, themeOf("dark", "none", true)).frame.text();
    expect(ascii).toMatch(/vpc-import +\.\. open >> computing/);
  });

  it("counts its own actions by state, and of the head all", () => {
    const model = told(
      worldModel(wide),
      news(worldNow, `actions/${headId}`, actionItems(upgradeId, [], ["Failed", "Running", "Dispatched"])),
      news(worldNow, `actions/${importId}`, actionItems(headId, [], ["Pending"])),
    );
    const text = textOf(model);
    expect(text).toMatch(/HEAD .*✗1 ●2/);
    expect(text).toMatch(/add-redis-cache .*◌3 ‖1/);
    expect(changeSetRows(model)?.rows.find(({ id }) => id === importId)?.actions?.queued).toBe(0);
  });

  it("is filtered by status, by who asked, and by what is to be looked at", () => {
    const shown = (filter: string): string => {
      const model = press(type(press(worldModel(wide), "2", "/"), filter), "enter");
      return ["HEAD", "add-redis-cache", "eks-131-upgrade", "vpc-import"]
        .filter((name) => new RegExp(`│.{3}${name} `).test(textOf(model)))
        .join(" ");
    };
    expect(shown("status:ready")).toBe("add-redis-cache");
    expect(shown("status:needs")).toBe("eks-131-upgrade");
    expect(shown("by:bo")).toBe("eks-131-upgrade");
    expect(shown("is:computing")).toBe("vpc-import");
    expect(shown("is:moved")).toBe("add-redis-cache eks-131-upgrade vpc-import");
  });
});

describe("what needs somebody", () => {
  it("an approval: who asked, since when, and the review that is to be read", () => {
    const model = worldModel(wide);
    expect(waits(model, "needs approval")).toBe("waiting eks-131-upgrade: asked by bo");
    const row = attentionRows(model).rows.find(({ what }) => what === "needs approval");
    expect(row).toMatchObject({
      since: worldNow - 42 * minute,
      route: { screen: "review", changeSetId: upgradeId },
    });
  });

  it("a rejection, with the note of whoever rejected it", () => {
    const deed = { reviewedByUser: "cé", reviewedAt: ago(3), note: "not before Monday" };
    const model = merged(setStatus(worldModel(wide), redisId, "Rejected"), redisId, "Rejected", deed);
    expect(waits(model, "rejected")).toBe("warn add-redis-cache: not before Monday, decided by cé");
    const there = press(model, "2", "j");
    expect(rowOf(there, "rejected by")).toContain("cé, 3m ago");
    expect(rowOf(there, "note")).toContain("not before Monday");
  });

  it("edits that the head has moved under, and values that are not final", () => {
    const model = worldModel(wide);
    expect(waits(model, "head moved")).toContain("warn add-redis-cache: under 4 edited attributes");
    expect(waits(model, "computing")).toBe("running vpc-import: values are still being computed");
  });

  it("a failed action, at its component, told once", () => {
    const [component] = worldComponents();
    const id = component?.componentId ?? "";
    const failed = actionItems(headId, [id], ["Failed"]);
    const model = told(worldModel(wide), news(worldNow, `actions/${headId}`, failed));
    expect(waits(model, "action failed")).toBe(`failed ${component?.name}: create 0`);
  });
});
