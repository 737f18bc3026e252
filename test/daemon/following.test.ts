import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ActionView } from "../../src/contract/actions.ts";
import type { ComponentReview } from "../../src/contract/review.ts";
import type { ListHealth } from "../../src/ipc/contract.ts";
import { TestDaemon } from "../support/daemon.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { type Ability, headId, ScriptedServer } from "../support/scripted-server.ts";

const workId = "01JWRK0000000000000000000A";
const reviews = `reviews/${workId}`;
const mergeStatus = `mergeStatuses/${workId}`;
const actions = `actions/${headId}`;

const reviewOf = (componentId: string, componentName: string, value: unknown): ComponentReview => ({
  componentId,
  componentName,
  schemaName: "Test",
  diffStatus: "Modified",
  toDelete: false,
  canBeUpgraded: false,
  attributeDiffs: {
    "/domain/size": {
      changeType: "modified",
      new: { value, source: "value" },
      edited: true,
      headMoved: false,
    },
  },
  viewsAdded: [],
  viewsRemoved: [],
  managersAdded: [],
  managersRemoved: [],
  headMoved: false,
});

describe("lists that follow others", () => {
  let server: ScriptedServer;
  let proxy: FlakyProxy;
  let daemon: TestDaemon;
  const setUp = async (ability: Ability = "holds", reviewing = true): Promise<void> => {
    server = new ScriptedServer(ability);
    server.reviewing = reviewing;
    await server.start();
    proxy = new FlakyProxy(() => server.url);
    await proxy.start();
    daemon = await TestDaemon.at(proxy.url, server.key);
    server.addChangeSet(workId, "work");
    server.setComponent(workId, "01A0", "web");
    server.reviews.set(workId, [reviewOf("01A0", "web", 1)]);
  };
  const tearDown = async (): Promise<void> => {
    await daemon.remove();
    await proxy.stop();
    await server.stop();
  };
  beforeEach(() => setUp());
  afterEach(tearDown);

  const items = async (list: string): Promise<ReadonlyMap<string, unknown>> =>
    (await daemon.read()).lists.get(list) ?? new Map();
  const health = async (list: string): Promise<ListHealth | undefined> =>
    (await daemon.status()).lists.find(({ resource }) => resource === list);
  /** Edits a component and what the review says of it, in one step of the server. */
  const edit = (value: unknown): void => {
    server.reviews.set(workId, [reviewOf("01A0", "web", value)]);
    server.setComponent(workId, "01A0", `web ${String(value)}`);
  };
  const shows = async (value: unknown): Promise<boolean> =>
    JSON.stringify((await items(reviews)).get("01A0"))?.includes(
      JSON.stringify({ value, source: "value" }),
    ) === true;
  const start = async (): Promise<void> => {
    await daemon.start();
    await daemon.eventually(() => shows(1));
  };

  it.each(["holds", "tags", "plain"] as const)(
    "are asked as soon as what they follow has changed, with a server of this kind: %s",
    async (ability) => {
      await tearDown();
      await setUp(ability);
      await start();
      edit(2);
      await daemon.eventually(() => shows(2));
      server.edit(({ changeSets }) => {
        changeSets.set(workId, { id: workId, name: "work", status: "NeedsApproval", isHead: false });
      });
      await daemon.eventually(async () => {
        const [merge] = (await items(mergeStatus)).values();
        return JSON.stringify(merge)?.includes("NeedsApproval") === true;
      });
    },
  );

  it("hold nothing and ask nothing while nothing changes, and look for themselves once a minute", async () => {
    await start();
    await daemon.eventually(() => server.held === 3);
    await daemon.clock.advance(1_000);
    const before = server.requests.length;
    await daemon.clock.advance(35_000);
    expect(server.requests.length - before).toBe(0);
    expect(server.held).toBe(3);
    await daemon.clock.advance(60_000);
    const asked = server.requests.slice(before).map((request) => request.split("/").at(-1));
    expect(asked).toEqual(expect.arrayContaining(["review", "merge_status", "actions"]));
  });

  it("a review becomes a list of its components, so that one edit is news of one of them", async () => {
    server.setComponent(workId, "01A1", "db");
    server.reviews.set(workId, [reviewOf("01A0", "web", 1), reviewOf("01A1", "db", 1)]);
    await start();
    const before = await items(reviews);
    expect([...before.keys()].sort()).toEqual(["01A0", "01A1", "summary"]);
    server.reviews.set(workId, [reviewOf("01A0", "web", 2), reviewOf("01A1", "db", 1)]);
    server.setComponent(workId, "01A0", "web 2");
    await daemon.eventually(() => shows(2));
    const after = await items(reviews);
    expect(after.get("01A1")).toBe(before.get("01A1"));
    expect(after.get("summary")).toBe(before.get("summary"));
  });

  it("the head has actions, and nothing that compares it with itself", async () => {
    await start();
    const lists = [...(await daemon.read()).lists.keys()];
    expect(lists).toEqual(expect.arrayContaining([actions, `actions/${workId}`, reviews, mergeStatus]));
    expect(lists).not.toContain(`reviews/${headId}`);
    expect(lists).not.toContain(`mergeStatuses/${headId}`);
  });

  it("what a change set only shows of the head's queue is told once, as the head's", async () => {
    const queued = (id: string, originatingChangeSetId: string): ActionView => ({
      id,
      kind: "Create",
      name: `create ${id}`,
      state: "Pending",
      prototypeId: "01JPRT00000000000000000001",
      originatingChangeSetId,
    });
    const applied = queued("01JACT00000000000000000001", "01JAPP00000000000000000001");
    const own = queued("01JACT00000000000000000002", workId);
    server.edit(({ actions: queues }) => {
      queues.set(headId, [applied]);
      queues.set(workId, [applied, own]);
    });
    await start();
    await daemon.eventually(async () => (await items(actions)).size > 0);
    expect([...(await items(actions)).keys()]).toEqual([applied.id]);
    await daemon.eventually(async () => (await items(`actions/${workId}`)).size > 0);
    expect([...(await items(`actions/${workId}`)).keys()]).toEqual([own.id]);
  });

  it("last good wins for them too, and what only restates another list is no history", async () => {
    await start();
    proxy.script(...Array.from({ length: 30 }, () => "error 500" as const));
    proxy.cut();
    edit(2);
    await daemon.eventually(async () => ((await health(`components/${workId}`))?.failures ?? 0) >= 2);
    expect(await shows(1)).toBe(true);
    proxy.clear();
    await daemon.eventually(() => shows(2));
    const told = [...(await items("events")).values()].map((event) => JSON.stringify(event));
    expect(told.filter((event) => event.includes('"reviews"'))).toEqual([]);
    expect(told.filter((event) => event.includes('"components"'))).not.toEqual([]);
  });

  it("go with their change set", async () => {
    await start();
    server.removeChangeSet(workId);
    await daemon.eventually(async () => !(await daemon.read()).lists.get("changeSets")?.has(workId));
    await daemon.eventually(async () => (await health(reviews)) === undefined);
    expect((await items(reviews)).size + (await items(mergeStatus)).size).toBe(0);
  });

  it("a server without reviews fails nothing: it is said, asked rarely, and taken up when a newer one comes", async () => {
    await tearDown();
    await setUp("holds", false);
    await daemon.start();
    await daemon.eventually(async () => (await health(reviews))?.note !== undefined);
    expect(await health(reviews)).toMatchObject({
      items: 0,
      failures: 0,
      error: null,
      syncedAt: null,
      note: "not offered by this server",
    });
    const asked = (): number => server.requests.filter((request) => request.endsWith("/review")).length;
    const before = asked();
    for (let n = 0; n < 5; n++) edit(n);
    await daemon.clock.advance(9 * 60_000);
    expect(asked()).toBe(before);
    expect((await daemon.status()).server.state).toBe("online");
    await daemon.clock.advance(2 * 60_000);
    expect(asked()).toBe(before + 1);
    await server.stop();
    await daemon.eventually(async () => (await daemon.status()).server.state === "offline");
    server.reviewing = true;
    await server.start();
    edit(7);
    await daemon.eventually(() => shows(7));
    expect((await health(reviews))?.note).toBeUndefined();
  });
});
