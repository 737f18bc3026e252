import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestDaemon } from "../support/daemon.ts";
import { type Ability, headId, ScriptedServer } from "../support/scripted-server.ts";
import { until } from "../support/until.ts";

const components = `components/${headId}`;
const workId = "01JWRK0000000000000000000A";

describe("how soon a change is seen", () => {
  let server: ScriptedServer;
  let daemon: TestDaemon;

  const setUp = async (ability: Ability): Promise<void> => {
    server = new ScriptedServer(ability);
    await server.start();
    daemon = await TestDaemon.at(server.url, server.key);
    server.setComponent(headId, "01A0", "web");
  };
  const tearDown = async (): Promise<void> => {
    await daemon.remove();
    await server.stop();
  };
  beforeEach(() => setUp("holds"));
  afterEach(tearDown);

  /** Lets `ms` of the daemon's time pass, and every answer that is under way come at the moment it was sent. */
  const pass = async (ms: number, step = 50): Promise<void> => {
    for (let passed = 0; passed < ms; passed += step) {
      await until(async () => {
        const { lists } = await daemon.status();
        const asking = lists.filter(({ nextAt }) => nextAt === null).length;
        return asking === server.held;
      }, "lists that are held or at rest");
      await daemon.clock.advance(step);
    }
  };
  const names = async (list: string): Promise<string[]> => {
    await daemon.read();
    return Object.values(daemon.names(list));
  };
  /** The milliseconds of the daemon's time until a list has an item of that name. */
  const seenAfter = async (list: string, name: string): Promise<number> => {
    const since = daemon.clock.now();
    while (!(await names(list)).includes(name) && daemon.clock.now() - since < 60_000) await pass(50);
    return daemon.clock.now() - since;
  };
  const start = async (): Promise<void> => {
    await daemon.start();
    await daemon.eventually(() => server.held === 2);
  };
  const rename = (name: string): void =>
    server.edit(({ changeSets }) => {
      changeSets.set(workId, { id: workId, name, status: "Open", isHead: false });
    });
  const asked = (): number => server.requests.filter((request) => request.endsWith("/components")).length;

  it.each([
    { every: 1_000, title: "a second" },
    { every: 300, title: "300 ms" },
    { every: 50, title: "50 ms" },
  ])(
    "within a second, also when tags moved without their items every $title for a minute",
    async ({ every }) => {
      await start();
      await pass(2_000);
      const before = asked();
      for (let passed = 0; passed < 60_000; passed += every) {
        server.edit(() => undefined);
        await pass(every);
      }
      // Every tag, and no more than two a second.
      expect(asked() - before).toBeLessThanOrEqual(Math.min(60_000 / every, 120) + 1);
      server.setComponent(headId, "01A0", "renamed");
      expect(await seenAfter(components, "renamed")).toBeLessThanOrEqual(600);
    },
    60_000,
  );

  it.each(["that was just filled", "from the cache"])(
    "within a second in a list that is not read in pages, after a quiet spell of a mirror %s",
    async (kind) => {
      server.addChangeSet(workId, "work");
      await daemon.start();
      await daemon.eventually(() => server.held === 3);
      if (kind === "from the cache") {
        await daemon.stop();
        await daemon.start();
        await daemon.eventually(() => server.held === 3);
      }
      await pass(20_000);
      rename("first");
      expect(await seenAfter("changeSets", "first")).toBeLessThanOrEqual(200);
      rename("second");
      expect(await seenAfter("changeSets", "second")).toBeLessThanOrEqual(200);
    },
  );

  it.each(["holds", "tags"] as const)(
    "a server whose tags move at each question is asked ever more rarely: %s",
    async (ability) => {
      await tearDown();
      await setUp(ability);
      server.beforePage = () => server.edit(() => undefined);
      await daemon.start();
      await daemon.eventually(async () => (await names(components)).length === 1);
      await pass(120_000, 500);
      const before = asked();
      await pass(120_000, 500);
      expect(asked() - before).toBeGreaterThanOrEqual(3);
      expect(asked() - before).toBeLessThanOrEqual(5);
    },
  );
});
