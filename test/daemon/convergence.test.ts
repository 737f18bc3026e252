import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyChanges, emptyMirror, type MirrorState } from "../../src/ipc/state.ts";
import { partKey, reviewParts } from "../../src/mirror/review-parts.ts";
import { TestDaemon } from "../support/daemon.ts";
import { FlakyProxy, type Trouble, troubles } from "../support/flaky-proxy.ts";
import { type Ability, headId, ScriptedServer } from "../support/scripted-server.ts";

/** One thing that happens: to the server's data, to the next requests, to the network, to a reader, or to the time. */
type Step =
  | { readonly kind: "trouble"; readonly troubles: readonly Trouble[] }
  | { readonly kind: "set"; readonly changeSet: number; readonly component: number; readonly name: string }
  | { readonly kind: "remove"; readonly changeSet: number; readonly component: number }
  | { readonly kind: "open"; readonly changeSet: number }
  | { readonly kind: "close"; readonly changeSet: number }
  | { readonly kind: "cut" }
  | { readonly kind: "read"; readonly reader: number }
  | { readonly kind: "restart daemon" }
  | { readonly kind: "time"; readonly ms: number };

const changeSet = fc.nat({ max: 2 });
const component = fc.nat({ max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("trouble" as const),
      troubles: fc.array(fc.constantFrom(...troubles), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("set" as const),
      changeSet,
      component,
      name: fc.constantFrom("a", "b", "c"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), changeSet, component }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("open" as const), changeSet }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("close" as const), changeSet }) },
  { weight: 1, arbitrary: fc.constant({ kind: "cut" as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("read" as const), reader: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.constant({ kind: "restart daemon" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("time" as const), ms: fc.constantFrom(50, 300, 2_000, 20_000) }),
  },
);

const idOf = (changeSet: number): string => (changeSet === 0 ? headId : `01JCS${changeSet}`);

/** A server, a proxy that makes trouble in front of it, a daemon behind that, and readers that read when they like. */
class World {
  readonly server: ScriptedServer;
  readonly proxy: FlakyProxy;
  readonly daemon: TestDaemon;
  readonly readers: MirrorState[] = [emptyMirror, emptyMirror, emptyMirror];

  private constructor(server: ScriptedServer, proxy: FlakyProxy, daemon: TestDaemon) {
    this.server = server;
    this.proxy = proxy;
    this.daemon = daemon;
  }

  static async create(ability: Ability): Promise<World> {
    const server = new ScriptedServer(ability);
    server.pageSize = 3;
    await server.start();
    const proxy = new FlakyProxy(() => server.url);
    await proxy.start();
    const daemon = await TestDaemon.at(proxy.url, server.key);
    await daemon.start();
    return new World(server, proxy, daemon);
  }

  async play(step: Step): Promise<void> {
    const { server, proxy, daemon } = this;
    switch (step.kind) {
      case "trouble":
        return proxy.script(...step.troubles);
      case "set":
        return server.setComponent(idOf(step.changeSet), `01JCOMPONENT${step.component}`, step.name);
      case "remove":
        return server.removeComponent(idOf(step.changeSet), `01JCOMPONENT${step.component}`);
      case "open":
        if (!server.changeSets.has(idOf(step.changeSet))) server.addChangeSet(idOf(step.changeSet), "work");
        return;
      case "close":
        if (step.changeSet > 0) server.removeChangeSet(idOf(step.changeSet));
        return;
      case "cut":
        return proxy.cut();
      case "read":
        return this.read(step.reader);
      case "restart daemon":
        await daemon.stop();
        await daemon.start();
        return;
      case "time":
        await daemon.clock.advance(step.ms);
    }
  }

  async read(reader: number): Promise<void> {
    const before = this.readers[reader] ?? emptyMirror;
    const { instance, revision } = before;
    const query = instance === undefined ? {} : { instance, since: revision };
    const answer = await this.daemon.client.daemon.changes({ query });
    this.readers[reader] = applyChanges(before, answer);
  }

  /** What the server holds, list by list. */
  truth(): Record<string, unknown> {
    const { changeSets, components } = this.server;
    const lists: Record<string, unknown> = { changeSets: Object.fromEntries(changeSets) };
    for (const [id, items] of components) {
      lists[`components/${id}`] = Object.fromEntries(items);
      if (id === headId) continue;
      const parts = reviewParts(this.server.reviewOf(id));
      lists[`reviews/${id}`] = Object.fromEntries(parts.map((part) => [partKey(part), part]));
      lists[`mergeStatuses/${id}`] = { [id]: this.server.mergeOf(id) };
    }
    return lists;
  }

  /** What a reader holds of the server's lists. Lists that are gone and empty ones look alike to it. */
  seenBy(reader: number): Record<string, unknown> {
    const lists = [...(this.readers[reader]?.lists ?? [])];
    const mirrored = lists.filter(([name]) => name !== "status" && name !== "events");
    return Object.fromEntries(mirrored.map(([name, items]) => [name, Object.fromEntries(items)]));
  }

  async agrees(reader: number): Promise<boolean> {
    await this.read(reader);
    return same(withoutEmpty(this.seenBy(reader)), withoutEmpty(this.truth()));
  }

  async remove(): Promise<void> {
    await this.daemon.remove();
    await this.proxy.stop();
    await this.server.stop();
  }
}

const same = (a: unknown, b: unknown): boolean => {
  try {
    expect(a).toEqual(b);
    return true;
  } catch {
    return false;
  }
};
const withoutEmpty = (lists: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(lists).filter(([, items]) => Object.keys(Object(items)).length > 0));

async function converges(ability: Ability, steps: readonly Step[]): Promise<void> {
  const world = await World.create(ability);
  try {
    for (const step of steps) await world.play(step);
    await world.daemon.eventually(() => world.agrees(0), "the mirror to be as the server is");
    // However long ago a reader looked last, and at which daemon, one reading brings it to the same state.
    for (const reader of [1, 2])
      expect(await world.agrees(reader), `reader ${reader} to agree at its first look`).toBe(true);
    await world.daemon.eventually(async () => {
      const { server, lists } = await world.daemon.status();
      return server.state === "online" && lists.every(({ failures }) => failures === 0);
    }, "every list to be well again");
  } finally {
    await world.remove();
  }
}

describe("whatever the network does", () => {
  it.each(troubles.map((trouble) => [trouble] as const))(
    "the mirror converges after every request met: %s",
    async (trouble) => {
      await converges("holds", [
        { kind: "trouble", troubles: Array.from({ length: 6 }, () => trouble) },
        { kind: "set", changeSet: 0, component: 1, name: "a" },
        { kind: "open", changeSet: 1 },
        { kind: "time", ms: 2_000 },
        { kind: "trouble", troubles: Array.from({ length: 6 }, () => trouble) },
        { kind: "set", changeSet: 1, component: 2, name: "b" },
        { kind: "remove", changeSet: 0, component: 1 },
      ]);
    },
  );

  it.each(["holds", "tags", "plain"] as const)(
    "mirror and readers converge after troubles in any order, with a server of this kind: %s",
    async (ability) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) => converges(ability, steps)),
        { numRuns: 30 },
      );
    },
    120_000,
  );
});
