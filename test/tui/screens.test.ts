import { describe, expect, it } from "vitest";
import { clashes, keyMapText } from "../../tui/core/keymap.ts";
import { detailKey, type Model } from "../../tui/core/model.ts";
import { palettes, type ThemeName, themeOf } from "../../tui/view/theme.ts";
import { view } from "../../tui/view/view.ts";
import { width } from "../../tui/view/width.ts";
import { atWork, readingOf, running } from "../support/tui-runs.ts";
import {
  blankModel,
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
  worldStatus,
} from "../support/tui-world.ts";

const sizes = [
  { cols: 80, rows: 24 },
  { cols: 100, rows: 30 },
  { cols: 120, rows: 36 },
  { cols: 200, rows: 50 },
];
const [small = { cols: 80, rows: 24 }] = sizes;
const theme = themeOf("dark", "256", false);
const golden = (name: string): string => `../golden/screens/${name}.txt`;
const textOf = (model: Model, ascii = false): string =>
  `${view(model, ascii ? themeOf("dark", "none", true) : theme).frame.text()}\n`;

/** A component whose reading has arrived, with another state in the head. */
function withReading(model: Model): Model {
  if (model.route.screen !== "component") throw new Error("not on a component");
  const { componentId } = model.route;
  const prop = (path: string, value: unknown) => ({ id: "a", propId: "b", path, value });
  const own = worldComponent(componentId, "bucket-eu-08");
  const head = worldComponent(componentId, "bucket-eu-08", {
    attributes: { "/domain/NumCacheNodes": 1 },
    domainProps: [
      prop("root/domain/NumCacheNodes", 1),
      prop("root/domain/Port", 11_211),
      prop("root/domain/SnapshotWindow", "03:00-04:00"),
      prop("root/domain/TransitEncryption", true),
    ],
  });
  return told(model, {
    type: "component",
    now: worldNow,
    key: detailKey(redisId, componentId),
    result: { own, head },
  });
}

const opened = (model: Model): Model => press(model, "2", "j", "enter", "j", "j", "j", "j", "j");

describe.each(sizes)("at $cols x $rows", (size) => {
  const name = `${size.cols}x${size.rows}`;
  it("the overview leads with what waits", async () => {
    await expect(textOf(worldModel(size))).toMatchFileSnapshot(golden(`overview-${name}`));
  });
  it("change sets say how they differ from the head", async () => {
    await expect(textOf(press(worldModel(size), "2", "j"))).toMatchFileSnapshot(
      golden(`change-sets-${name}`),
    );
  });
  it("a review tells every attribute that a change set changes, old beside new", async () => {
    await expect(textOf(press(worldModel(size), "2", "j", "d", "j", "j"))).toMatchFileSnapshot(
      golden(`review-${name}`),
    );
  });
  it("components stand with what differs first", async () => {
    await expect(textOf(opened(worldModel(size)))).toMatchFileSnapshot(golden(`components-${name}`));
  });
  it("a component shows its diff, and then its attributes", async () => {
    const detail = withReading(press(opened(worldModel(size)), "enter"));
    await expect(textOf(detail)).toMatchFileSnapshot(golden(`component-${name}`));
    await expect(textOf(press(detail, "a"))).toMatchFileSnapshot(golden(`component-attributes-${name}`));
  });
  it("actions say what they wait for, runs how they went, and a log how it goes on", async () => {
    const model = atWork(worldModel(size));
    await expect(textOf(press(model, "4"))).toMatchFileSnapshot(golden(`actions-${name}`));
    await expect(textOf(press(model, "5", "j"))).toMatchFileSnapshot(golden(`runs-${name}`));
    const reading = readingOf(running, ["reserving addresses", "making route tables", "opening the network"]);
    const open = press(model, "5", "enter");
    const log = told(open, { type: "run", now: worldNow, funcRunId: running.id, result: { run: reading } });
    await expect(textOf(log)).toMatchFileSnapshot(golden(`run-${name}`));
  });
  it("help comes from the key table", async () => {
    await expect(textOf(press(worldModel(size), "?"))).toMatchFileSnapshot(golden(`help-${name}`));
  });
});

const offline = worldStatus({
  server: {
    state: "offline",
    since: new Date(worldNow - 48_000).toISOString(),
    lastSuccessAt: new Date(worldNow - 48_000).toISOString(),
    nextRetryAt: new Date(worldNow + 4_000).toISOString(),
    error: "connection refused",
    latencyMs: null,
  },
});
const withStatus = (model: Model, status: typeof offline): Model =>
  told(model, {
    type: "answer",
    now: worldNow,
    answer: { instance: "world", revision: 2, fresh: false, status, changes: [] },
  });
const calm = worldModel(small, { calm: true });

describe("every state says what it is", () => {
  it.each<[string, () => Model]>([
    ["loading", () => blankModel(small)],
    [
      "no-daemon-at-start",
      () =>
        told(blankModel(small), {
          type: "lost",
          now: worldNow,
          error: "its socket does not exist",
          nextRetryAt: worldNow + 2_000,
        }),
    ],
    ["calm", () => calm],
    ["offline", () => withStatus(opened(worldModel(small)), offline)],
    [
      "daemon-gone",
      () =>
        told(
          opened(worldModel(small)),
          { type: "lost", now: worldNow, error: "ECONNREFUSED", nextRetryAt: worldNow + 8_000 },
          { type: "tick", now: worldNow + 5_000 },
        ),
    ],
    ["behind", () => told(worldModel(small), { type: "tick", now: worldNow + 14_000 })],
    [
      "signed-out",
      () =>
        withStatus(
          worldModel(small),
          worldStatus({ session: { state: "rejected", username: "ana", message: "The key was revoked." } }),
        ),
    ],
    ["version-differs", () => withStatus(worldModel(small), worldStatus({ version: "0.9.0" }))],
    [
      "empty-change-set",
      () =>
        press(
          told(blankModel(small), {
            type: "answer",
            now: worldNow,
            answer: {
              ...worldAnswer({ components: 0, calm: true }),
              changes: [
                whole("changeSets", {
                  [redisId]: { id: redisId, name: "empty", status: "Open", isHead: false },
                }),
                whole(`components/${redisId}`, {}),
              ],
            },
          }),
          "2",
          "enter",
        ),
    ],
    [
      "changed",
      () => {
        const model = opened(worldModel(small));
        const [first, second] = worldComponents();
        const upserted = {
          [first?.componentId ?? ""]: { ...first, hasDiff: true, diffStatus: "Modified" },
          [second?.componentId ?? ""]: {
            ...second,
            name: "renamed just now",
            hasDiff: true,
            diffStatus: "Modified",
          },
        };
        return told(model, {
          type: "answer",
          now: worldNow,
          answer: {
            instance: "world",
            revision: 2,
            fresh: false,
            status: undefined,
            changes: [{ resource: `components/${redisId}`, upserted, deleted: [], whole: false }],
          },
        });
      },
    ],
    ["filtered", () => type(press(opened(worldModel(small)), "/"), "quals:ok api")],
    [
      "filtered-empty",
      () => press(type(press(opened(worldModel(small)), "/"), "nothing-like-this"), "enter"),
    ],
    ["filter-error", () => type(press(opened(worldModel(small)), "/"), "colour:red")],
    ["sorting", () => press(opened(worldModel(small)), "s", "n", "n")],
    ["daemon", () => press(worldModel(small), "D")],
    ["all-keys", () => press(worldModel(small), "?", "?")],
    [
      "gone-component",
      () =>
        told(press(opened(worldModel(small)), "enter"), {
          type: "answer",
          now: worldNow,
          answer: { ...worldAnswer({ components: 1 }), instance: "other" },
        }),
    ],
    ["too-small", () => told(worldModel(small), { type: "resize", size: { cols: 50, rows: 9 } })],
  ])("%s", async (name, model) => {
    await expect(textOf(model())).toMatchFileSnapshot(golden(`state-${name}`));
  });

  it("ascii: every symbol has a plain form", async () => {
    const text = textOf(worldModel(small, { wideNames: false }), true);
    expect(text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(text).not.toContain("?  ");
    await expect(text).toMatchFileSnapshot(golden("ascii-overview"));
  });
});

describe("whatever is shown", () => {
  const models: readonly (readonly [string, Model])[] = [
    ["overview", worldModel(small, { wideNames: true })],
    ["components", opened(worldModel(small, { wideNames: true }))],
    ["help", press(worldModel(small), "?")],
    ["offline", withStatus(worldModel(small), offline)],
  ];

  it.each(models)("%s fits every size from 1x1 to 250x70 to the cell", (_, model) => {
    for (let cols = 1; cols <= 250; cols += 13) {
      for (let rows = 1; rows <= 70; rows += 7) {
        const { frame } = view(told(model, { type: "resize", size: { cols, rows } }), theme);
        expect([frame.cols, frame.rows]).toEqual([cols, rows]);
        for (let y = 0; y < rows; y++) expect(width(frame.row(y))).toBe(cols);
      }
    }
  });

  it.each(Object.keys(palettes))("the theme %s differs only in looks", (name) => {
    const frames = (["none", "16", "256"] as const).map((depth) => {
      // The names come from the table itself.
      const { frame } = view(worldModel(small), themeOf(name as ThemeName, depth, false));
      return frame.text();
    });
    expect(new Set(frames).size).toBe(1);
  });

  it("without colours no cell has one, and the selection still shows", () => {
    const { frame } = view(worldModel(small), themeOf("dark", "none", false));
    for (const attr of frame.at) expect(attr & 0x3ffff).toBe(0x3ffff);
    expect(frame.text()).toMatch(/▸ +HEAD/);
  });

  it("dims what is not fresh, and nothing else", () => {
    const fresh = view(opened(worldModel(small)), theme).frame;
    const stale = view(withStatus(opened(worldModel(small)), offline), theme).frame;
    const dimmed = theme.dimmed(theme.attr("text"));
    const row = (frame: typeof fresh): readonly number[] => [...frame.at.slice(5 * 80 + 4, 5 * 80 + 14)];
    expect(row(fresh)).not.toContain(dimmed);
    expect(new Set(row(stale))).toEqual(new Set([dimmed]));
  });
});

describe("the key map", () => {
  it("gives every key of a screen to one binding", () => {
    expect(clashes()).toEqual([]);
  });
  it("is the same table that help and dispatch use", async () => {
    await expect(keyMapText()).toMatchFileSnapshot("../golden/key-map.txt");
  });
  it("puts nothing on the prefixes of terminal multiplexers, and no change on ctrl-d or ctrl-k", () => {
    expect(keyMapText()).not.toMatch(/ctrl-[abk]\b/);
  });
});
