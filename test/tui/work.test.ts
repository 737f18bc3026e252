import { describe, expect, it } from "vitest";
import type { Command, Message } from "../../tui/core/message.ts";
import type { Model } from "../../tui/core/model.ts";
import { update } from "../../tui/core/update.ts";
import {
  actionsOfHead,
  atWork,
  failed,
  operating,
  readingOf,
  running,
  workComponents,
} from "../support/tui-runs.ts";
import { commandsOf, news, rowOf, textOf, tick } from "../support/tui-story.ts";
import { headId, press, redisId, told, worldModel, worldNow, worldStatus } from "../support/tui-world.ts";

const size = { cols: 160, rows: 40 };
const work = (): Model => atWork(worldModel(size));
const key = (name: string): Message => ({ type: "key", key: name });
const read = (model: Model, run: unknown, now = worldNow): Model =>
  told(model, { type: "run", now, funcRunId: running.id, result: { run } });
/** The model with a row of the focused list under the cursor. */
const onRow = (model: Model, text: string): Model => {
  let current = press(model, "g");
  for (let step = 0; step < 20 && !rowOf(current, "▸").includes(text); step++) current = press(current, "j");
  expect(rowOf(current, "▸")).toContain(text);
  return current;
};

describe("what is going on", () => {
  it("is counted on the overview, and what failed says why and leads to its log", () => {
    const model = work();
    expect(rowOf(model, "actions  ")).toMatch(/✗ 1 failed {2}● 1 running {2}◌ 1 queued/);
    expect(rowOf(model, "runs  ")).toMatch(/✗ 1 failed in 60 m {2}● 3 running/);
    const narrow = atWork(worldModel({ cols: 80, rows: 24 }));
    expect(rowOf(narrow, "Change sets")).toMatch(/actions ✗ 1 failed {2}● 1 running/);
    const row = rowOf(model, "action failed");
    expect(row).toContain("port 22 is open");
    expect(press(onRow(press(model, "!"), "action failed"), "enter").route).toEqual({
      screen: "run",
      changeSetId: headId,
      funcRunId: failed.id,
    });
  });
});

describe("runs", () => {
  it("stand with the newest first, what failed with its reason, jobs among them", () => {
    const text = textOf(press(work(), "5"));
    const places = ["● running", "● operating", "◌ pending", "✗ failed", "✓ ok"].map((word) =>
      text.indexOf(word),
    );
    expect(places).not.toContain(-1);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(rowOf(press(work(), "5"), "checkPorts")).toContain("port 22 is open to 0.0.0.0/0");
    expect(rowOf(press(work(), "5"), "✓ ok")).toMatch(/createNetwork.*4\.2s +6m/);
  });

  it("go on with their job until that has ended", () => {
    expect(rowOf(press(work(), "5"), "importSubnets")).toMatch(/● operating .*management job/);
  });

  it("count how long they have been running", () => {
    const model = told(press(work(), "5"), tick(worldNow + 3_000));
    expect(rowOf(model, "● running")).toMatch(/15s +15s/);
  });

  it("are filtered by state and by being a job", () => {
    const filtered = (filter: string): string => {
      const open = press(work(), "5", "/");
      return textOf(press(told(open, { type: "paste", text: filter }), "enter"));
    };
    expect(filtered("state:failed")).toContain("Runs 1/5");
    expect(filtered("is:job")).toContain("Runs 2/5");
  });

  it("a job whose function has not begun has no log yet, and says so", () => {
    const model = onRow(press(work(), "5"), "importZones");
    expect(textOf(press(model, "enter"))).toContain("enter is off: its function has not begun yet");
  });

  it("are ended after a question, as the job when they belong to one", () => {
    const asked = press(onRow(press(work(), "5"), "importSubnets"), "x");
    expect(textOf(asked)).toContain("nothing of what it would have changed is applied");
    expect(commandsOf(asked, key("escape"))).toEqual([]);
    expect(commandsOf(asked, key("enter"))).toMatchObject([
      { type: "do", deed: { request: { operation: "jobs.cancel", input: { changeSetId: redisId } } } },
    ]);
    const run = press(onRow(press(work(), "5"), "● running"), "x");
    expect(commandsOf(run, key("enter"))).toMatchObject([
      {
        type: "do",
        deed: { request: { operation: "functionRuns.cancel", input: { funcRunId: running.id } } },
      },
    ]);
    expect(textOf(press(onRow(press(work(), "5"), "✓ ok"), "x"))).toContain("x is off: it has ended already");
  });
});

describe("the log of a run", () => {
  const opened = (): Model => press(onRow(press(work(), "5"), "● running"), "enter");
  const lines = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}.`);

  it("is followed while it is on the screen, and no longer", () => {
    const [model, commands] = update(onRow(press(work(), "5"), "● running"), key("enter"));
    expect(commands).toEqual([
      {
        type: "followRun",
        workspaceId: worldStatus().workspaceId ?? "",
        changeSetId: headId,
        funcRunId: running.id,
      },
    ] satisfies Command[]);
    expect(commandsOf(model, tick(worldNow + 1_000))).toEqual([]);
    expect(commandsOf(model, key("escape"))).toEqual([{ type: "leaveRun" }]);
  });

  it("shows lines as they come, and stays at its end", () => {
    let model = read(opened(), readingOf(running, lines(3)));
    expect(rowOf(model, "line 3.")).toContain("▸");
    model = read(model, readingOf(running, lines(100)));
    expect(rowOf(model, "line 100.")).toContain("▸");
    expect(textOf(model)).not.toContain("line 3.");
  });

  it("stays where somebody reads, and goes on at its end with G", () => {
    let model = press(read(opened(), readingOf(running, lines(60))), "g");
    model = read(model, readingOf(running, lines(90)));
    expect(rowOf(model, "line 1.")).toContain("▸");
    expect(textOf(model)).not.toContain("line 90.");
    model = read(press(model, "G"), readingOf(running, lines(91)));
    expect(rowOf(model, "line 91.")).toContain("▸");
  });

  it("tells state, failure and result below, and that something went wrong above", () => {
    const after = { ...running, state: "Failure", failure: "no such network (main.ts:3)" };
    const model = read(opened(), readingOf(after, lines(2), { resultValue: { status: "error" } }));
    const text = textOf(model);
    expect(text).toContain("Outcome");
    expect(text).toContain("no such network (main.ts:3)");
    expect(text).toContain('"status": "error"');
  });

  it("splits what was written over several lines, keeps sequences away, and searches", () => {
    let model = read(opened(), readingOf(running, ["first\nsecond", "\u001b[2Jthird", "漢字 🚀 done"]));
    for (const part of ["first", "second", "third", "漢字 🚀 done"]) expect(textOf(model)).toContain(part);
    model = told(press(model, "/"), { type: "paste", text: "third" });
    expect(textOf(model)).toContain("1/4");
  });

  it("keeps what was read when it cannot be read any more, and says why", () => {
    const lost: Message = {
      type: "run",
      now: worldNow,
      funcRunId: running.id,
      result: { error: "ECONNRESET" },
    };
    const model = told(read(opened(), readingOf(running, lines(2))), lost);
    expect(textOf(model)).toContain("line 2.");
    expect(textOf(model)).toContain("not up to date: ECONNRESET");
    expect(textOf(told(opened(), lost))).toContain("It could not be read: ECONNRESET. It is tried again.");
  });

  it("is one key away from a component, and from a check that failed", () => {
    const { web } = workComponents;
    const component = told(work(), {
      type: "go",
      route: { screen: "component", changeSetId: headId, componentId: web.componentId },
    });
    expect(press(component, "L").route).toMatchObject({ screen: "run", funcRunId: failed.id });
    const checked = told(
      component,
      news(worldNow, `components/${headId}`, {
        [web.componentId]: {
          ...web,
          qualificationFunctions: [
            {
              functionName: "check ports",
              executionStatus: { state: "Failed", hasActiveRun: false, funcRunId: operating.id },
            },
          ],
        },
      }),
      { type: "tab", tab: "qualifications" },
    );
    expect(rowOf(checked, "▸")).toMatch(/✗ +check ports +Failed/);
    expect(press(checked, "L").route).toMatchObject({ screen: "run", funcRunId: operating.id });
  });
});

describe("actions", () => {
  it("say where they stand, what they wait for, and why they failed", () => {
    const model = press(work(), "4");
    expect(rowOf(model, "✗ failed  ")).toMatch(/create network +port 22 is open/);
    expect(rowOf(model, "● running")).toContain("create database");
    expect(rowOf(model, "◌ pending  ")).toMatch(/create queue +after create cdn-data-01/);
    expect(textOf(model)).toMatch(/‖ on hold .*held: r lets it run/);
    expect(textOf(model)).toMatch(/after the apply +add-redis-cache/);
  });

  it("are retried and held, and cancelled after a question", () => {
    const wanted = (model: Model, name: string): unknown => commandsOf(model, key(name));
    const failing = onRow(press(work(), "4"), "create network");
    const input = { changeSetId: headId, actionId: actionsOfHead.failed.id };
    expect(wanted(failing, "r")).toMatchObject([
      { type: "do", deed: { request: { operation: "actions.retry", input } } },
    ]);
    expect(wanted(failing, "H")).toMatchObject([
      { type: "do", deed: { request: { operation: "actions.putOnHold", input } } },
    ]);
    expect(wanted(failing, "x")).toEqual([]);
    const asked = press(failing, "x");
    expect(textOf(asked)).toContain("Cancel create network?");
    expect(wanted(asked, "enter")).toMatchObject([
      { type: "do", deed: { request: { operation: "actions.cancel", input } } },
    ]);
    expect(press(asked, "escape").popup).toBeNull();
  });

  it("that run say why they cannot be cancelled, and lead to their log", () => {
    const model = onRow(press(work(), "4"), "create database");
    expect(textOf(press(model, "x"))).toContain("x is off: it runs");
    expect(press(model, "L").route).toEqual({ screen: "run", changeSetId: headId, funcRunId: running.id });
  });

  it("are left alone while the server cannot be reached", () => {
    const server = { ...worldStatus().server, state: "offline" as const, error: "connection refused" };
    const model = told(
      onRow(press(work(), "4"), "create network"),
      news(worldNow, "events", {}, [], worldStatus({ server })),
    );
    expect(textOf(press(model, "r"))).toContain("r is off: the server cannot be reached");
  });
});
