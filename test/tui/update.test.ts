import { describe, expect, it } from "vitest";
import type { DaemonStatus } from "../../src/ipc/contract.ts";
import { healthOf } from "../../tui/core/health.ts";
import type { Message } from "../../tui/core/message.ts";
import type { Model } from "../../tui/core/model.ts";
import { screenOf } from "../../tui/core/screens/index.ts";
import { view } from "../../tui/view/view.ts";
import { commandsOf, news, rowOf, textOf, theme, tick } from "../support/tui-story.ts";
import {
  blankModel,
  headId,
  press,
  redisId,
  told,
  worldAnswer,
  worldComponents,
  worldModel,
  worldNow,
  worldStatus,
} from "../support/tui-world.ts";

const size = { cols: 80, rows: 24 };
const crumbs = (model: Model): string => screenOf(model.route.screen).crumbs(model).join(" › ");
const statusNews = (now: number, status: DaemonStatus): Message => ({
  type: "answer",
  now,
  answer: { instance: "world", revision: 3, fresh: false, status, changes: [] },
});
const components = worldComponents();
const [first, second] = components;
if (first === undefined || second === undefined) throw new Error("an empty world");
const listOfRedis = `components/${redisId}`;

describe("going about", () => {
  it("leads in with enter, out with esc, and back with -", () => {
    let model = worldModel(size);
    expect(crumbs(model)).toBe("overview");
    model = press(model, "j", "enter");
    expect(crumbs(model)).toBe("change sets › add-redis-cache › components");
    model = press(model, "enter");
    expect(crumbs(model)).toBe("change sets › add-redis-cache › components › api-staging-24");
    model = press(model, "escape", "escape");
    expect(crumbs(model)).toBe("change sets");
    model = press(model, "-");
    expect(crumbs(model)).toBe("change sets › add-redis-cache › components");
    model = press(model, "1");
    expect(crumbs(model)).toBe("overview");
    expect(crumbs(press(model, "3"))).toBe("change sets › add-redis-cache › components");
  });

  it("finds the row again that it came from", () => {
    const inside = press(worldModel(size), "2", "j", "j", "enter", "escape");
    expect(rowOf(inside, "eks-131-upgrade")).toContain("▸");
  });

  it("opens what needs attention where it is", () => {
    const model = press(worldModel(size), "!", "enter");
    expect(model.route).toMatchObject({ screen: "component", changeSetId: headId });
  });

  it("steps to the next and the previous component without leaving the page", () => {
    const model = press(worldModel(size), "3", "enter", "a");
    const next = press(model, "J");
    expect(next.route).not.toEqual(model.route);
    expect(next.tab).toBe("attributes");
    expect(press(next, "K").route).toEqual(model.route);
  });

  it("says why a key is off instead of doing nothing", () => {
    expect(textOf(press(worldModel(size), "escape"))).toContain("esc is off: this is the top");
    expect(textOf(press(worldModel(size, { calm: true }), "!"))).toContain("! is off: nothing needs you");
    expect(textOf(press(blankModel(size), "R"))).toContain("R is off: the daemon cannot be reached");
  });

  it("shows the components of whatever is chosen beside them on a large screen", () => {
    const model = press(worldModel({ cols: 160, rows: 40 }), "3", "tab", "j");
    expect(model.pane).toBe("changeSets");
    expect(crumbs(model)).toBe("change sets › add-redis-cache › components");
    expect(crumbs(press(model, "j"))).toBe("change sets › eks-131-upgrade › components");
  });
});

describe("the mouse", () => {
  const at = (model: Model, text: string): Message => {
    const { frame, targets } = view(model, theme);
    const y =
      Array.from({ length: frame.rows }, (_, row) => row).find((row) => frame.row(row).includes(text)) ?? -1;
    const x = frame.row(y).indexOf(text);
    const target = targets.findLast(
      ({ rect, wheel }) => wheel === undefined && x >= rect.x && x < rect.x + rect.w && y === rect.y,
    );
    if (target?.click === undefined) throw new Error(`nothing to click at ${text}`);
    return target.click;
  };

  it("selects with the first click and opens with the second", () => {
    const model = worldModel(size);
    const click = at(model, "vpc-import");
    const once = told(model, click);
    expect(rowOf(once, "vpc-import ")).toContain("▸");
    expect(crumbs(once)).toBe("overview");
    expect(crumbs(told(once, click))).toBe("change sets › vpc-import › components");
  });

  it("scrolls the list under it without losing the selection's place in the window", () => {
    const model = press(worldModel(size), "3");
    const scrolled = told(model, { type: "wheel", list: `components/${headId}`, rows: 6 });
    expect(textOf(scrolled)).toContain("7-24 of 40");
    expect(textOf(scrolled)).toContain("▸");
    expect(textOf(told(scrolled, { type: "wheel", list: `components/${headId}`, rows: -60 }))).toContain(
      "1-18 of 40",
    );
  });
});

describe("what changes", () => {
  it("is marked on its row for ten seconds", () => {
    const model = press(worldModel(size), "2", "j", "enter");
    const changed = { ...first, name: "renamed", hasDiff: true, diffStatus: "Modified" };
    const marked = told(model, news(worldNow, listOfRedis, { [first.componentId]: changed }));
    expect(rowOf(marked, "renamed")).toMatch(/Δ ~\s+renamed/);
    expect(rowOf(told(marked, tick(worldNow + 9_000)), "renamed")).toContain("Δ");
    expect(rowOf(told(marked, tick(worldNow + 11_000)), "renamed")).not.toContain("Δ");
  });

  it("keeps the selection on its row", () => {
    const model = press(worldModel(size), "3", "j", "j", "j");
    const selected = model.lists[`components/${headId}`]?.selected;
    const other = { ...second, name: "000 comes first" };
    const next = told(model, news(worldNow, `components/${headId}`, { [second.componentId]: other }));
    expect(next.lists[`components/${headId}`]?.selected).toBe(selected);
  });

  it("is not news on the very first answer", () => {
    expect(textOf(worldModel(size))).not.toContain("Δ");
  });

  it("leaves the model before it as it was", () => {
    const model = press(worldModel(size), "3");
    const before = textOf(model);
    told(
      model,
      news(worldNow, `components/${headId}`, { [first.componentId]: { ...first, name: "other" } }, [
        second.componentId,
      ]),
    );
    press(model, "/", "x", "y", "enter", "s", "n");
    expect(textOf(model)).toBe(before);
  });
});

describe("when the server or the daemon goes", () => {
  const gone = (now: number): DaemonStatus =>
    worldStatus({
      server: {
        state: "offline",
        since: new Date(now).toISOString(),
        lastSuccessAt: new Date(now).toISOString(),
        nextRetryAt: null,
        error: "connection refused",
        latencyMs: null,
      },
    });
  const synced = (now: number): DaemonStatus =>
    worldStatus({
      lists: worldStatus().lists.map((list) => ({ ...list, syncedAt: new Date(now).toISOString() })),
    });

  it("says that the operator has closed the server, and why", () => {
    const closed = (error: string) => {
      const status = gone(worldNow);
      const model = told(
        worldModel(size),
        statusNews(worldNow, { ...status, server: { ...status.server, error } }),
      );
      const { short, sentence } = healthOf(told(model, { type: "heard", now: worldNow + 48_000 }));
      return [short, sentence];
    };
    expect(closed("the server is in maintenance: disks move")).toEqual([
      "maintenance 48 s",
      "The server is in maintenance: disks move. Reading still works.",
    ]);
    expect(closed("the server is in maintenance; try again later")).toEqual([
      "maintenance 48 s",
      "The server is in maintenance; try again later. Reading still works.",
    ]);
  });

  it("calls a server that its operator has closed in maintenance on every screen, not offline", () => {
    const { server } = gone(worldNow);
    const closed = worldStatus({ server: { ...server, error: "the server is in maintenance: disks move" } });
    const model = told(worldModel({ cols: 120, rows: 36 }), statusNews(worldNow, closed));
    expect(rowOf(model, "server  ")).toContain("○ in maintenance");
    expect(textOf(press(model, "D"))).toMatch(/server .*in maintenance since/);
    expect(textOf(model)).not.toContain("offline");
  });

  it("keeps what is known, says since when, and sums up what happened once it is back", () => {
    let model = told(worldModel(size), statusNews(worldNow, gone(worldNow)));
    model = told(model, { type: "heard", now: worldNow + 48_000 });
    expect(healthOf(model)).toMatchObject({ state: "offline", stale: true });
    expect(textOf(model)).toContain("offline 48 s");
    expect(textOf(model)).toContain("add-redis-cache");
    const back = worldNow + 48_000;
    model = told(model, statusNews(back, worldStatus()));
    const items = Object.fromEntries(
      components.slice(0, 31).map((item) => [item.componentId, { ...item, name: `${item.name}!` }]),
    );
    model = told(
      model,
      news(back + 500, `components/${headId}`, items),
      statusNews(back + 600, synced(back + 600)),
    );
    expect(textOf(model)).toContain("back after 48 s, 31 changes while away");
    expect(textOf(told(model, tick(back + 20_000)))).not.toContain("back after");
  });

  it("counts what arrives before the word that the server is back", () => {
    const [first] = components;
    if (first === undefined) throw new Error("a world has components");
    let model = told(worldModel(size), statusNews(worldNow, gone(worldNow)));
    const back = worldNow + 48_000;
    const item = { [first.componentId]: { ...first, name: "renamed" } };
    model = told(
      model,
      { type: "heard", now: back },
      news(back, `components/${headId}`, item),
      statusNews(back + 5, worldStatus()),
      statusNews(back + 600, synced(back + 600)),
    );
    expect(textOf(model)).toContain("back after 48 s, 1 change while away");
  });

  it("never ends because the daemon is gone, and counts what a fresh answer changed", () => {
    let model = worldModel(size);
    const lost: Message = {
      type: "lost",
      now: worldNow,
      error: "ECONNREFUSED",
      nextRetryAt: worldNow + 4_000,
    };
    for (const message of [lost, tick(worldNow + 60_000), lost, tick(worldNow + 3_600_000)]) {
      expect(commandsOf(model, message).filter((command) => command.type === "quit")).toEqual([]);
      model = told(model, message);
    }
    expect(textOf(model)).toContain("no daemon 1 h");
    const answer = worldAnswer();
    const now = worldNow + 3_601_000;
    model = told(model, {
      type: "answer",
      now,
      answer: { ...answer, instance: "another run", status: synced(now) },
    });
    expect(textOf(model)).toContain("back after 1 h, nothing changed");
    expect(healthOf(model).state).toBe("live");
  });

  it("says behind after two missed signs of life, and live again with the next", () => {
    const silent = told(worldModel(size), tick(worldNow + 13_000));
    expect(healthOf(silent)).toMatchObject({ state: "behind", short: "13 s behind", stale: true });
    expect(healthOf(told(silent, { type: "heard", now: worldNow + 14_000 })).state).toBe("live");
  });
});
