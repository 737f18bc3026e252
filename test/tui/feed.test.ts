import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import type { Message } from "../../tui/core/message.ts";
import { type Feed, startFeed } from "../../tui/data/feed.ts";
import { type DaemonScript, type ScriptedDaemon, scriptedDaemon } from "../support/terminal-daemon.ts";
import { headId, idAt, whole, worldAnswer, worldComponent, worldStatus } from "../support/tui-world.ts";

const componentId = idAt(5, 5);
const script: DaemonScript = {
  status: worldStatus(),
  lists: worldAnswer({ components: 3 }).changes,
  answer: (operation, input) => {
    if (Reflect.get(Object(input), "changeSetId") === "HEAD") {
      return { status: 404, body: { message: "component not found", statusCode: 404, code: null } };
    }
    return {
      status: 200,
      body: {
        component: worldComponent(componentId, operation),
        actionFunctions: [],
        managementFunctions: [],
      },
    };
  },
};

let folder = "";
let daemon: ScriptedDaemon | undefined;
let feed: Feed | undefined;
let heard: Message[] = [];
let wake: (() => void) | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-feed-"));
  heard = [];
});
afterEach(async () => {
  feed?.stop();
  await daemon?.close();
  feed = undefined;
  daemon = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const socketPath = (): string => join(folder, "d.sock");
function listen(): void {
  feed = startFeed({
    socketPath: socketPath(),
    clock: systemClock,
    dispatch: (message) => {
      heard.push(message);
      wake?.();
    },
  });
}

/** Resolves with the first message of a type that has come or comes, from `from` on. */
async function next<T extends Message["type"]>(type: T, from = 0): Promise<Message & { type: T }> {
  for (;;) {
    const found = heard
      .slice(from)
      .find((message): message is Message & { type: T } => message.type === type);
    if (found !== undefined) return found;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

describe("the feed", () => {
  it("brings everything first, and then what changes", async () => {
    daemon = await scriptedDaemon(socketPath(), script);
    listen();
    const { answer } = await next("answer");
    expect(answer).toMatchObject({
      fresh: true,
      instance: "scripted",
      status: { serverUrl: worldStatus().serverUrl },
    });
    expect(answer.changes.map(({ resource }) => resource)).toContain(`components/${headId}`);
    expect(answer.changes.map(({ resource }) => resource)).not.toContain("status");
    const from = heard.length;
    daemon.publish([
      {
        ...whole("changeSets", { x: { id: "x", name: "new", status: "Open", isHead: false } }),
        whole: false,
      },
    ]);
    const more = await next("answer", from);
    expect(more.answer).toMatchObject({
      fresh: false,
      status: undefined,
      changes: [{ resource: "changeSets" }],
    });
  });

  it("says why there is no daemon and when it tries again, and goes on when one comes", async () => {
    listen();
    const lost = await next("lost");
    expect(lost.error).toBe("its socket does not exist");
    expect(lost.nextRetryAt).toBeGreaterThan(0);
    daemon = await scriptedDaemon(socketPath(), script);
    expect((await next("answer")).answer.fresh).toBe(true);
  });

  it("gets everything anew from another run of the daemon", async () => {
    daemon = await scriptedDaemon(socketPath(), script);
    listen();
    await next("answer");
    const from = heard.length;
    await daemon.close();
    await next("lost", from);
    daemon = await scriptedDaemon(socketPath(), { ...script, instance: "second" });
    expect((await next("answer", from)).answer).toMatchObject({ fresh: true, instance: "second" });
  });

  it("reads a component and the head's through the daemon; one that the head lacks is simply new", async () => {
    daemon = await scriptedDaemon(socketPath(), script);
    listen();
    await next("answer");
    feed?.perform({
      type: "component",
      key: "k",
      workspaceId: "w",
      changeSetId: idAt(1, 1),
      componentId,
      withHead: true,
    });
    const { key, result } = await next("component");
    expect([key, result]).toMatchObject(["k", { own: { id: componentId }, head: null }]);
    expect(daemon.calls).toEqual(["components.get", "components.get"]);
  });

  it("tells a refusal as a sentence instead of throwing", async () => {
    daemon = await scriptedDaemon(socketPath(), script);
    listen();
    await next("answer");
    feed?.perform({
      type: "component",
      key: "k",
      workspaceId: "w",
      changeSetId: "HEAD",
      componentId,
      withHead: false,
    });
    expect((await next("component")).result).toEqual({ error: "component not found" });
    feed?.perform({ type: "refresh" });
    expect(await next("done")).toMatchObject({ failed: false });
    const from = heard.length;
    await daemon.close();
    feed?.perform({ type: "refresh" });
    expect(await next("done", from)).toMatchObject({ failed: true });
  });

  describe("a run that is followed", () => {
    const runs = (states: readonly string[]): DaemonScript => {
      let asked = 0;
      return {
        ...script,
        answer: () => {
          const state = states[Math.min(asked++, states.length - 1)] ?? "";
          if (state === "")
            return { status: 404, body: { message: "no such run", statusCode: 404, code: null } };
          return {
            status: 200,
            body: { funcRun: { id: componentId, state, logs: { finalized: true, logs: [] } } },
          };
        },
      };
    };
    const follow = (): void =>
      feed?.perform({ type: "followRun", workspaceId: "w", changeSetId: "HEAD", funcRunId: componentId });

    it("is read until it has ended, from a server without tags once a second, and no more after that", async () => {
      daemon = await scriptedDaemon(socketPath(), runs(["Running", "Success"]));
      listen();
      await next("answer");
      follow();
      const first = await next("run");
      expect(first.result).toMatchObject({ run: { state: "Running" } });
      const second = await next("run", heard.indexOf(first) + 1);
      expect(second.result).toMatchObject({ run: { state: "Success" } });
      expect(second.now - first.now).toBeGreaterThanOrEqual(900);
      expect(daemon.calls).toEqual(["functionRuns.get", "functionRuns.get"]);
    });

    it("that cannot be read says why, and is tried again", async () => {
      daemon = await scriptedDaemon(socketPath(), runs(["", "Killed"]));
      listen();
      await next("answer");
      follow();
      const first = await next("run");
      expect(first.result).toEqual({ error: "no such run" });
      expect((await next("run", heard.indexOf(first) + 1)).result).toMatchObject({
        run: { state: "Killed" },
      });
    });
  });

  it("passes on what a person asks for, and says what came of it", async () => {
    const done = { status: 200, body: { success: true } };
    const refused = { status: 404, body: { message: "no such action", statusCode: 404, code: null } };
    let answer: { readonly status: number; readonly body: unknown } = done;
    daemon = await scriptedDaemon(socketPath(), { ...script, answer: () => answer });
    listen();
    await next("answer");
    const ask = (): void =>
      feed?.perform({
        type: "do",
        workspaceId: "w",
        deed: {
          title: "Retry",
          because: [],
          done: "it will run again",
          request: { operation: "actions.retry", input: { changeSetId: "HEAD", actionId: "a" } },
        },
      });
    ask();
    expect(await next("done")).toMatchObject({ text: "it will run again", failed: false });
    answer = refused;
    const from = heard.length;
    ask();
    expect(await next("done", from)).toMatchObject({ text: "not done: no such action", failed: true });
    expect(daemon.calls).toEqual(["actions.retry", "actions.retry"]);
  });

  it("starts from the beginning when a person asks to connect anew", async () => {
    daemon = await scriptedDaemon(socketPath(), script);
    listen();
    await next("answer");
    const from = heard.length;
    feed?.perform({ type: "reconnect" });
    expect((await next("answer", from)).answer.fresh).toBe(true);
  });
});
