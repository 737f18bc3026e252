import { beforeAll, describe, expect, it } from "vitest";
import { listEvents, recordEvent } from "../../server/store/events.ts";
import { forgetEvents, readHistory } from "../../server/store/history.ts";
import { startSweeper } from "../../server/sweeper.ts";
import { describeEngines, sqlite, suiteStore } from "../support/engines.ts";
import { createWorld, rowOf, runScenarios, sendRow, tokenFor, type World } from "../support/scenarios.ts";
import { startTestServer, suiteServer } from "../support/server.ts";
import { until } from "../support/until.ts";
import { allScenarios } from "./routes/all-scenarios.ts";
import { eventScenarios } from "./routes/events.scenarios.ts";
import { newWorkspace } from "./store/model.ts";

const dayMs = 24 * 60 * 60 * 1000;

describeEngines("the history of a workspace over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(eventScenarios, () => world);

  const ask = (query = "", headers: Record<string, string> = {}) =>
    suite.server.request("GET", `/v1/w/${world.ada.workspaceId}/events${query}`, {
      as: world.ada.key,
      headers,
    });

  it("is followed by one held request after the other, without a miss", async () => {
    const { ada } = world;
    const first = JSON.parse((await ask()).text);
    const seen: string[] = [];
    let since: number = first.newest;
    const follow = async (): Promise<void> => {
      while (seen.length < 6) {
        const now = await ask(`?since=${since}`);
        let page = JSON.parse(now.text);
        if (page.events.length === 0) {
          const etag = now.headers.get("etag") ?? "";
          const held = await ask(`?since=${since}`, { "if-none-match": etag, prefer: "wait=30" });
          page = JSON.parse(held.text);
        }
        for (const event of page.events) seen.push(event.subject);
        since = page.events.at(-1)?.seq ?? since;
      }
    };
    const following = follow();
    const made: string[] = [];
    for (let n = 0; n < 6; n++) made.push(await world.changeSet());
    await following;
    expect(seen).toEqual(made);
    expect((await listEvents(suite.server.store, ada.workspaceId, { since: first.newest })).length).toBe(6);
  });

  it("says that some are missed where they are no longer kept, under another tag", async () => {
    const before = await ask("?since=0&limit=1");
    expect(JSON.parse(before.text)).toMatchObject({ oldest: 1, missed: false });
    const kept = await suite.server.store.db
      .selectFrom("event")
      .select("at")
      .where("workspace_id", "=", world.ada.workspaceId)
      .where("seq", "=", 3)
      .executeTakeFirstOrThrow();
    await suite.server.store.write((tx) =>
      tx.db.updateTable("event").set({ at: 1 }).where("seq", "<", 3).execute(),
    );
    expect(await forgetEvents(suite.server.store, kept.at)).toBeGreaterThan(1);
    const after = await ask("?since=0&limit=1");
    const { oldest } = JSON.parse(after.text);
    expect(JSON.parse(after.text)).toMatchObject({ events: [{ seq: oldest }], missed: true });
    expect(oldest).toBeGreaterThan(2);
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect(JSON.parse((await ask(`?since=${oldest - 1}`)).text).missed).toBe(false);
  });
});

describeEngines("old events", (engine) => {
  const suite = suiteStore(engine);

  it("go after their days, however many, and only they; numbers are never used again", async () => {
    const { store, clock } = suite;
    const workspace = await newWorkspace(store);
    const record = (count: number) =>
      store.write(async (tx) => {
        for (let n = 0; n < count; n++) {
          recordEvent(tx, { workspaceId: workspace.id, actor: "somebody", kind: "entity.changed" });
        }
      });
    await record(2_200);
    await clock.advance(40 * dayMs);
    await record(3);
    expect(await forgetEvents(store, clock.now() - 30 * dayMs)).toBe(2_201);
    const history = await readHistory(store, workspace.id, { since: 0, limit: 300 });
    expect(history.events.map(({ seq }) => seq)).toEqual([2_202, 2_203, 2_204]);
    expect(history).toMatchObject({ oldest: 2_202, newest: 2_204 });
    expect(history.events[0]?.actor).toEqual({ id: "somebody", name: null, email: null });
    expect(await forgetEvents(store, clock.now() + 1)).toBe(3);
    expect(await readHistory(store, workspace.id, { since: 0, limit: 1 })).toEqual({
      events: [],
      oldest: 2_205,
      newest: 2_204,
    });
    await record(1);
    expect((await readHistory(store, workspace.id, { since: 0, limit: 1 })).events[0]?.seq).toBe(2_205);
  });

  it("are swept at once and every hour, until the server stops, whatever went wrong meanwhile", async () => {
    const { store, clock } = suite;
    const workspace = await newWorkspace(store);
    const lines: string[] = [];
    const note = (message: string): void => void lines.push(message);
    const log = { debug: note, info: note, warn: note, error: note, with: () => log };
    const kept = async () => (await readHistory(store, workspace.id, { since: 0, limit: 1 })).events.length;
    let broken = false;
    const write: typeof store.write = (work) => {
      if (broken) throw new Error("disk full");
      return store.write(work);
    };
    /** Lets hours go by, one sweep each, until something is so. */
    const hours = async (condition: () => boolean | Promise<boolean>): Promise<void> => {
      while (!(await condition())) {
        await until(() => clock.pending() === 1);
        await clock.advance(60 * 60 * 1000);
      }
    };
    const sweeper = startSweeper({ store: { ...store, write }, clock, log, eventDays: 1 });
    await until(() => clock.pending() === 1);
    expect(await kept()).toBe(1);
    broken = true;
    await hours(() => lines.includes("could not forget old events and will try again"));
    expect(await kept()).toBe(1);
    broken = false;
    await hours(async () => (await kept()) === 0);
    await sweeper.stop();
    expect(clock.pending()).toBe(0);
  });
});

describe("every acknowledged write", () => {
  /** Granted at once is three moves; a new workspace may come with a token. */
  const most: ReadonlyMap<string, number> = new Map([
    ["changeSets.requestApproval", 3],
    ["workspaces.create", 2],
  ]);
  /** Too long for a query, and yet they only read. */
  const reads: ReadonlySet<string> = new Set(["search.components", "schemas.search"]);
  const writes = allScenarios.filter(({ operation, expect: expected }) => {
    const { method, path } = rowOf(operation);
    return (
      !reads.has(operation) &&
      method !== "GET" &&
      /^\/(v1|management)\//.test(path) &&
      typeof expected === "number" &&
      expected < 300
    );
  });

  it("of every row leaves one event", async () => {
    const server = await startTestServer(sqlite);
    try {
      const world = await createWorld(server);
      const left = new Map<string, number>();
      for (const { operation, input, as } of writes) {
        const count = async () =>
          (await server.store.db.selectFrom("event").select(["seq", "actor"]).execute()).length;
        const sent = (await input?.(world)) ?? {};
        const before = await count();
        const answer = await sendRow(world, operation, sent, {
          token: tokenFor(world, rowOf(operation), as),
        });
        expect(answer.status).toBeLessThan(300);
        const events = (await count()) - before;
        if (![0, 1, most.get(operation)].includes(events))
          throw new Error(`${operation} left ${events} events`);
        left.set(operation, Math.max(events, left.get(operation) ?? 0));
      }
      const silent = [...left].filter(([, events]) => events === 0).map(([operation]) => operation);
      expect(silent).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
