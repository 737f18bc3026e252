import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "../../tui/core/message.ts";
import type { Model } from "../../tui/core/model.ts";
import { newModel } from "../../tui/core/model.ts";
import { update } from "../../tui/core/update.ts";
import { chartLayer } from "../../tui/term/charts.ts";
import { Terminal } from "../../tui/term/terminal.ts";
import { styleOf } from "../../tui/view/attr.ts";
import type { Rect, Size } from "../../tui/view/rect.ts";
import { contains } from "../../tui/view/rect.ts";
import type { Scene } from "../../tui/view/scene.ts";
import { themeOf } from "../../tui/view/theme.ts";
import { view } from "../../tui/view/view.ts";
import { type FakeTty, fakeTty } from "../support/terminal-tty.ts";
import { readingOf, running, workNews } from "../support/tui-runs.ts";
import {
  changedComponents,
  partsByKey,
  press,
  redisId,
  seeded,
  told,
  type WorldComponent,
  whole,
  worldAnswer,
  worldComponent,
  worldComponents,
  worldModel,
  worldNow,
  worldReview,
} from "../support/tui-world.ts";

const theme = themeOf("dark", "256", false);
const open: Terminal[] = [];
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.destroy();
});

function terminalOn(tty: FakeTty, charts = false): Terminal {
  const terminal = new Terminal(tty, { mouse: true, alternateScreen: true });
  open.push(terminal);
  terminal.open();
  if (charts) terminal.useCharts(chartLayer);
  return terminal;
}

/** Cells of charts belong to the widgets, unless a popup lies over them. */
function isWidgets(scene: Scene<unknown>, charts: boolean, x: number, y: number): boolean {
  const within = (rects: readonly Rect[]): boolean => rects.some((rect) => contains(rect, x, y));
  return charts && within(scene.charts.map(({ rect }) => rect)) && !within(scene.over);
}

/** The first place where the terminal shows something else than the view drew, in words; undefined when there is none. */
function firstDifference(tty: FakeTty, scene: Scene<unknown>, charts: boolean): string | undefined {
  const { frame } = scene;
  for (let y = 0; y < frame.rows; y++) {
    const seen = tty.emulator.cells(y);
    for (let x = 0; x < frame.cols; x++) {
      if (isWidgets(scene, charts, x, y)) continue;
      const cell = seen[x];
      const ch = frame.ch[y * frame.cols + x];
      const { fg, bg, bold, inverse } = styleOf(frame.at[y * frame.cols + x] ?? 0);
      const same =
        cell?.ch === ch &&
        (ch === "" || (cell?.fg === fg && cell.bg === bg && cell.bold === bold && cell.inverse === inverse));
      if (!same)
        return `row ${y} column ${x}: drawn ${JSON.stringify([ch, fg, bg, bold])}, seen ${JSON.stringify(cell)}\n${frame.row(y)}\n${tty.emulator.row(y)}`;
    }
  }
  return undefined;
}

const keys = [
  ..."jkgGnpuadc12!?sDR/\\-lhyJK",
  ..."jjjjjkkk",
  ..."4455LLHrxc",
  "enter",
  "enter",
  "escape",
  "tab",
  "down",
  "up",
  "pagedown",
  "C-d",
  "left",
  "right",
  "backspace",
  "C-u",
];
const sizes: readonly Size[] = [
  { cols: 80, rows: 24 },
  { cols: 120, rows: 36 },
  { cols: 200, rows: 50 },
  { cols: 61, rows: 13 },
  { cols: 40, rows: 8 },
  { cols: 101, rows: 31 },
  { cols: 143, rows: 30 },
  { cols: 97, rows: 45 },
];

describe("the terminal shows exactly what the view draws", () => {
  it.each([{ charts: false }, { charts: true }])(
    "through 1,000 random keys, resizes, clicks and changes, with wide names and popups (charts $charts)",
    async ({ charts }) => {
      const random = seeded(charts ? 20_261 : 4_711);
      const pick = <T>(values: readonly T[]): T => {
        const value = values[Math.floor(random() * values.length)];
        if (value === undefined) throw new Error("nothing to pick from");
        return value;
      };
      const world = { wideNames: true, components: 70 };
      const tty = fakeTty({ cols: 80, rows: 24 });
      const terminal = terminalOn(tty, charts);
      let model: Model = newModel({
        now: worldNow,
        size: { cols: 80, rows: 24 },
        zoneMinutes: 0,
        version: "0.1.0",
      });
      let revision = 1;
      const apply = (message: Message): void => {
        const [next, commands] = update(model, message);
        model = next;
        for (const command of commands) {
          if (command.type === "redraw") terminal.redraw();
          if (command.type === "rest") apply({ type: "rested", key: command.key });
          if (command.type === "followRun") {
            const lines = Array.from({ length: 60 }, (_, line) => `${line} 漢字 🚀 \u001b[2J\tdone\n`);
            const run = readingOf(running, lines, { resultValue: { "🐢": ["한국어"] } });
            apply({ type: "run", now: model.now, funcRunId: command.funcRunId, result: { run } });
          }
          if (command.type === "component" && random() < 0.9) {
            const result = { own: worldComponent(command.componentId, "漢字 component"), head: null };
            apply({ type: "component", now: model.now, key: command.key, result });
          }
        }
      };
      const news = (): void => {
        const all = worldComponents({ ...world, seed: revision });
        const some: readonly WorldComponent[] = changedComponents(all, 7, ["🐢 fresh"]).filter(
          () => random() < 0.1,
        );
        const upserted = Object.fromEntries(some.map((item) => [item.componentId, item]));
        const deleted = random() < 0.3 ? all.slice(0, 2).map(({ componentId }) => componentId) : [];
        const parts = partsByKey(worldReview(some, { seed: revision, pending: random() < 0.2 }));
        const changes = [
          { resource: `components/${redisId}`, upserted, deleted, whole: false },
          { resource: `reviews/${redisId}`, upserted: parts, deleted, whole: random() < 0.2 },
        ];
        apply({
          type: "answer",
          now: model.now,
          answer: { instance: "world", revision: ++revision, fresh: false, status: undefined, changes },
        });
      };
      for (let step = 0; step < 1_000; step++) {
        const dice = random();
        if (step === 20) {
          apply({ type: "answer", now: model.now, answer: worldAnswer(world) });
          for (const message of workNews()) apply(message);
        } else if (dice < 0.06) {
          const size = pick(sizes);
          tty.resizeTo(size);
          terminal.redraw();
          apply({ type: "resize", size });
        } else if (dice < 0.12) news();
        else if (dice < 0.16) apply({ type: "tick", now: model.now + Math.floor(random() * 4_000) });
        else if (dice < 0.18)
          apply({ type: "lost", now: model.now, error: "ECONNREFUSED", nextRetryAt: model.now + 4_000 });
        else if (dice < 0.2) apply({ type: "heard", now: model.now });
        else if (dice < 0.26) {
          const targets = view(model, theme).targets;
          const target = targets.length === 0 ? undefined : pick(targets);
          const message = target?.click ?? target?.wheel?.(random() < 0.5 ? 1 : -1);
          if (message !== undefined) apply(message);
        } else {
          const key = pick(keys);
          apply({ type: "key", key, ...([...key].length === 1 ? { text: key } : {}) });
        }
        const scene = view(model, theme);
        terminal.paint(scene);
        await tty.settled();
        const difference = firstDifference(tty, scene, charts);
        if (difference !== undefined)
          expect.fail(
            `step ${step} on ${model.route.screen} at ${model.size.cols}x${model.size.rows}: ${difference}`,
          );
      }
    },
    120_000,
  );

  it.each([
    { cols: 80, rows: 24 },
    { cols: 140, rows: 36 },
  ])("of a component that was only moved to another variant, at $cols x $rows", async (size) => {
    const tty = fakeTty(size);
    const terminal = terminalOn(tty);
    const [old, now] = ["01JQVARIANT000000000000OLD", "01JQVARIANT000000000000NEW"];
    const [moved] = worldComponents().map((one) => ({ ...one, diffStatus: "Modified" }));
    const parts = worldReview(moved === undefined ? [] : [moved]);
    const only = parts.flatMap((part) =>
      part.part === "component"
        ? [
            {
              ...part,
              component: {
                ...part.component,
                attributeDiffs: {},
                viewsAdded: [],
                variant: { old, new: now },
              },
            },
          ]
        : [],
    );
    const change = whole(`reviews/${redisId}`, partsByKey(only));
    const answer = { instance: "world", revision: 2, fresh: false, status: undefined, changes: [change] };
    const model = told(worldModel(size), { type: "answer", now: worldNow, answer });
    const scene = view(press(model, "2", "j", "d", "j"), theme);
    terminal.paint(scene);
    await tty.settled();
    expect(firstDifference(tty, scene, false)).toBeUndefined();
    const seen = tty.emulator.text();
    expect(seen).toMatch(/▸ +~ +variant +01JQVARIANT\S+ +01JQVARIANT/);
    expect(seen).toMatch(/head {2}01JQVARIANT0{12}OLD/);
    expect(seen).toMatch(/here {2}01JQVARIANT0{12}NEW/);
  });

  it("draws charts in their places and gives the cells back when a popup closes over them", async () => {
    const size = { cols: 200, rows: 50 };
    const tty = fakeTty(size);
    const terminal = terminalOn(tty, true);
    const model = worldModel(size);
    const shown = async (next: Model): Promise<string> => {
      terminal.paint(view(next, theme));
      await tty.settled();
      return tty.emulator.text();
    };
    const before = await shown(model);
    expect(before).toMatch(/changes per minute over the last \d+ minutes:/);
    expect(before).toMatch(/[▁▂▃▄▅▆▇█]{20}/);
    expect(before).toMatch(/[⠁-⣿]{10}/);
    const help = await shown(told(model, { type: "key", key: "?" }));
    expect(help).toContain("keys on overview");
    expect(await shown(model)).toBe(before);
  });
});
