import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Credentials } from "../../daemon/credentials.ts";
import { callThroughDaemon } from "../../src/ipc/connect.ts";
import { TestDaemon } from "../support/daemon.ts";
import { FlakyProxy } from "../support/flaky-proxy.ts";
import { type Ability, headId, ScriptedServer, workspaceId } from "../support/scripted-server.ts";
import { until } from "../support/until.ts";

const components = `components/${headId}`;

describe("the daemon's promises", () => {
  let server: ScriptedServer;
  let proxy: FlakyProxy;
  let daemon: TestDaemon;
  const credentials = (): Credentials => ({
    serverUrl: proxy.url,
    apiKey: server.key,
    workspaceId: undefined,
    distinctId: undefined,
  });
  const setUp = async (ability: Ability = "holds"): Promise<void> => {
    server = new ScriptedServer(ability);
    await server.start();
    proxy = new FlakyProxy(() => server.url);
    await proxy.start();
    daemon = await TestDaemon.create(credentials());
  };
  const mirrored = async (): Promise<Record<string, string>> => {
    await daemon.read();
    return daemon.names(components);
  };
  /** Starts and waits until the mirror holds what the server holds. */
  const startFilled = async (...names: string[]): Promise<void> => {
    names.forEach((name, index) => {
      server.setComponent(headId, `01A${index}`, name);
    });
    await daemon.start();
    await daemon.eventually(async () => Object.keys(await mirrored()).length === names.length);
    await daemon.eventually(async () => (await daemon.status()).server.state === "online");
    // Those that follow others come last.
    await daemon.eventually(async () =>
      (await daemon.status()).lists.every(({ syncedAt }) => syncedAt !== null),
    );
  };

  beforeEach(() => setUp());
  afterEach(async () => {
    await daemon.remove();
    await proxy.stop();
    await server.stop();
  });

  describe("1. last good wins", () => {
    it.each(["error 500", "page 502", "garbage", "other shape", "truncate", "drop"] as const)(
      "an answer like this changes only the health, never the data: %s",
      async (trouble) => {
        await startFilled("web", "db");
        await daemon.eventually(() => server.held === 2);
        const before = await mirrored();
        proxy.script(...Array.from({ length: 40 }, () => trouble));
        proxy.cut();
        server.setComponent(headId, "01A9", "new");
        await daemon.eventually(
          async () =>
            ((await daemon.status()).lists.find((list) => list.resource === components)?.failures ?? 0) >= 2,
        );
        expect(await mirrored()).toEqual(before);
        const list = (await daemon.status()).lists.find(({ resource }) => resource === components);
        expect(list).toMatchObject({ items: 2 });
        expect(list?.error).not.toBeNull();
        expect(list?.syncedAt).not.toBeNull();
        proxy.clear();
        await daemon.eventually(async () => "01A9" in (await mirrored()));
      },
    );
  });

  describe("2. whole snapshots", () => {
    it("a list that is read in pages appears at once and as a whole, never in parts", async () => {
      server.pageSize = 2;
      const seen = new Set<number>();
      for (let n = 0; n < 9; n++) server.setComponent(headId, `01A${n}`, "first");
      await daemon.start();
      await daemon.eventually(async () => {
        const names = Object.values(await mirrored());
        seen.add(names.length);
        return names.length > 0;
      });
      expect([...seen].filter((size) => size !== 0)).toEqual([9]);
    });

    it("a list that moves while it is read is read again, so that no mixture of two states is shown", async () => {
      server.pageSize = 2;
      for (let n = 0; n < 5; n++) server.setComponent(headId, `01A${n}`, "old");
      let moves = 0;
      server.beforePage = (cursor) => {
        // All components change together, twice in the middle of a reading.
        if (cursor === undefined || moves >= 2) return;
        moves++;
        server.edit(({ components }) => {
          for (const [id, item] of components.get(headId) ?? [])
            components.get(headId)?.set(id, { ...item, name: `move ${moves}` });
        });
      };
      await daemon.start();
      const seen = new Set<string>();
      await daemon.eventually(async () => {
        const names = Object.values(await mirrored());
        if (names.length > 0) seen.add([...new Set(names)].join(" and "));
        return moves === 2 && seen.size > 0;
      });
      expect([...seen]).toEqual(["move 2"]);
    });
  });

  describe("3. followers converge", () => {
    it("an unknown revision, one of another daemon and one that is too old are answered with everything", async () => {
      await startFilled("web");
      const { instance, revision } = await daemon.read();
      const ask = (query: { since?: number; instance?: string }) => daemon.client.daemon.changes({ query });
      const known = instance === undefined ? {} : { instance };
      expect(await ask({ since: revision, ...known })).toMatchObject({ fresh: false, changes: [] });
      expect(await ask({ since: revision + 5, ...known })).toMatchObject({ fresh: true });
      expect(await ask({ since: revision, instance: "another" })).toMatchObject({ fresh: true });
      expect(await ask({})).toMatchObject({ fresh: true });
      const everything = await ask({ since: -1, ...known });
      expect(everything.changes.map(({ resource, whole }) => [resource, whole])).toEqual(
        expect.arrayContaining([
          ["status", true],
          ["events", true],
          ["changeSets", true],
          [components, true],
        ]),
      );
    });

    it("a held reader hears of a change at once", async () => {
      await startFilled("web");
      const { instance = "", revision } = await daemon.read();
      await daemon.eventually(() => server.held === 2);
      const held = daemon.client.daemon.changes.conditional(
        { query: { since: revision, instance, waitMs: 30_000 } },
        { etag: undefined, waitSeconds: 30 },
      );
      server.setComponent(headId, "01A0", "renamed");
      const answer = await held;
      expect(answer.unchanged ? [] : answer.body.changes.map(({ resource }) => resource)).not.toEqual([]);
      await daemon.eventually(async () => (await mirrored())["01A0"] === "renamed");
    });

    it("what changed is told as history too: what, where, when and by which name", async () => {
      await startFilled("web");
      server.setComponent(headId, "01A0", "web server");
      await daemon.eventually(async () => (await mirrored())["01A0"] === "web server");
      await daemon.eventually(async () => (await daemon.read()).lists.get("events")?.size === 1);
      expect([...(daemon.mirror.lists.get("events")?.values() ?? [])]).toMatchObject([
        { kind: "changed", resource: "components", changeSetId: headId, key: "01A0", name: "web server" },
      ]);
    });
  });

  describe("4. cheap when idle", () => {
    it.each([1, 200])(
      "a mirror of %i components asks as rarely as any, and is answered without bodies",
      async (size) => {
        await startFilled(...Array.from({ length: size }, (_, n) => `c${n}`));
        await daemon.eventually(() => server.held === 2);
        const { length } = server.answers;
        await daemon.clock.advance(119_000);
        await daemon.eventually(() => server.requests.length - server.answers.length === 2);
        expect(server.held).toBe(2);
        // The lists that follow others are looked at once a minute; the others are held all the time.
        const later = server.answers.slice(length);
        expect(later.filter((answer) => !/^304 .*\/(actions|runs|jobs)$/.test(answer))).toEqual([]);
        expect(later.length).toBeLessThanOrEqual(3 * 2);
      },
    );

    it("asks a server without tags less and less while nothing changes, and often again when something does", async () => {
      await daemon.remove();
      await server.stop();
      await proxy.stop();
      await setUp("plain");
      await startFilled("web");
      const during = async (ms: number): Promise<number> => {
        const before = server.requests.length;
        for (let passed = 0; passed < ms; passed += 50) await daemon.clock.advance(50);
        return server.requests.length - before;
      };
      await during(120_000);
      const idle = await during(60_000);
      // Two lists every 30 s at least, and with the components the three that follow them.
      expect(idle).toBeLessThanOrEqual(6 + 2 * 2);
      server.setComponent(headId, "01A0", "busy");
      await daemon.eventually(async () => (await mirrored())["01A0"] === "busy");
      const before = server.requests.length;
      const since = daemon.clock.now();
      await daemon.eventually(() => server.requests.length >= before + 3);
      expect(daemon.clock.now() - since).toBeLessThan(15_000);
    });
  });

  describe("5. polite", () => {
    it("never has more than one request for a list under way", async () => {
      await startFilled("web");
      await daemon.eventually(() => server.held === 2);
      for (let n = 0; n < 10; n++) await daemon.client.daemon.refresh({});
      await until(() => server.held <= 2);
      for (let n = 0; n < 20; n++) {
        await daemon.clock.advance(100);
        expect(server.held).toBeLessThanOrEqual(2);
      }
    });

    it("obeys Retry-After, even when it is asked to hurry", async () => {
      await startFilled("web");
      await daemon.eventually(() => server.held === 2);
      server.refusal = { error: "rateLimited", retryAfterSeconds: 60 };
      server.edit(() => undefined);
      await daemon.client.daemon.refresh({});
      await daemon.eventually(async () =>
        (await daemon.status()).lists.every(({ failures }) => failures === 1),
      );
      const lists = () => server.requests.filter((request) => !request.includes("whoami")).length;
      const before = lists();
      await daemon.client.daemon.refresh({});
      await daemon.clock.advance(30_000);
      expect(lists()).toBe(before);
      server.refusal = undefined;
      await daemon.clock.advance(60_000);
      await daemon.eventually(async () =>
        (await daemon.status()).lists.every(({ failures }) => failures === 0),
      );
    });

    it("asks a server that is away ever more rarely, and at once again what failed when it is back", async () => {
      await startFilled("web");
      await server.stop();
      const tries = (): number => proxy.seen.length;
      await daemon.eventually(async () => (await daemon.status()).server.state === "offline");
      for (let n = 0; n < 60; n++) await daemon.clock.advance(1_000);
      const before = tries();
      for (let n = 0; n < 60; n++) await daemon.clock.advance(1_000);
      // Two lists, each between 0.75 and 1.25 of 15 s apart, and three that follow them, on their way to 60 s apart.
      expect(tries() - before).toBeGreaterThanOrEqual(6);
      expect(tries() - before).toBeLessThanOrEqual(12 + 3 * 6);
      await server.start();
      await daemon.eventually(async () =>
        (await daemon.status()).lists.every(({ failures }) => failures === 0),
      );
    });
  });

  describe("6. scope is part of the key", () => {
    it("another workspace shows nothing of the one before, and finds its own again", async () => {
      await startFilled("web");
      const other = "01JWK0000000000000000000B0";
      daemon.credentials.current = { ...credentials(), workspaceId: other };
      await daemon.running?.calendar.run("sessionCheck");
      await daemon.eventually(async () => (await daemon.status()).workspaceId === other);
      await daemon.eventually(async () => Object.keys(await mirrored()).length === 1);
      await server.stop();
      daemon.credentials.current = credentials();
      await daemon.running?.calendar.run("sessionCheck");
      expect((await daemon.status()).workspaceId).toBe(workspaceId);
      expect(await mirrored()).toEqual({ "01A0": "web" });
      const [serverFolder = ""] = await readdir(daemon.cacheFolder);
      expect(await readdir(join(daemon.cacheFolder, serverFolder))).toEqual(
        expect.arrayContaining([workspaceId, other]),
      );
    });

    it("a key that was never confirmed gets nothing of what another key left in the cache", async () => {
      await startFilled("web");
      await daemon.stop();
      await server.stop();
      daemon.credentials.current = { ...credentials(), apiKey: "svc_00000000000000000000000000000009" };
      daemon.mirror = { instance: undefined, revision: -1, lists: new Map() };
      await daemon.start();
      expect(await mirrored()).toEqual({});
      expect((await daemon.status()).session).toMatchObject({ state: "signed-out" });
    });
  });

  describe("7. the key stays", () => {
    it("readers call operations by name; the key goes only to the server and is in no answer, file or log line", async () => {
      server.addChangeSet("01JCS1", "work");
      await startFilled("web");
      const input = { workspaceId, changeSetId: "01JCS1" };
      expect(await callThroughDaemon(daemon.client, "changeSets.abandon", input)).toEqual({ success: true });
      await daemon.eventually(async () => !(await daemon.read()).lists.get("changeSets")?.has("01JCS1"));
      const again = callThroughDaemon(daemon.client, "changeSets.abandon", input);
      await expect(again).rejects.toMatchObject({ error: "changeSetNotFound" });
      const told = JSON.stringify([await daemon.status(), [...daemon.mirror.lists].map(([, x]) => [...x])]);
      expect(told).not.toContain(server.key);
      await daemon.stop();
      expect(JSON.stringify(daemon.log.lines)).not.toContain(server.key);
      for (const entry of await readdir(daemon.folder, { recursive: true, withFileTypes: true }))
        if (entry.isFile())
          expect(await readFile(join(entry.parentPath, entry.name), "utf8")).not.toContain(server.key);
    });

    it.each([
      ["what is no operation", { operation: "changeSets.steal" }, "expected the name of an operation"],
      [
        "a missing path parameter",
        { operation: "changeSets.list" },
        "input.workspaceId: expected an id, found nothing",
      ],
      [
        "a path parameter that would lead elsewhere",
        { operation: "changeSets.list", input: { workspaceId: ".." } },
        "expected an id",
      ],
      [
        "a body of another shape",
        { operation: "changeSets.create", input: { workspaceId, body: { changeSetName: 7 } } },
        "input.body.changeSetName: expected a string",
      ],
    ])("refuses %s before anything is sent", async (_title, body, message) => {
      await startFilled("web");
      await daemon.eventually(() => server.held === 2);
      const before = server.requests.length;
      const failure = await daemon.client.daemon.call({ body }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ error: "invalidRequest" });
      expect(String(failure)).toContain(message);
      expect(server.requests.length).toBe(before);
    });
  });

  describe("8. instant start", () => {
    it("serves the checked cache at once with its age while the server is away", async () => {
      await startFilled("web", "db");
      const before = (await daemon.status()).lists.map(({ resource, syncedAt }) => [resource, syncedAt]);
      await daemon.stop();
      await server.stop();
      await daemon.clock.advance(3_600_000);
      await daemon.start();
      expect(Object.values(await mirrored())).toEqual(["web", "db"]);
      const status = await daemon.status();
      expect(status.lists.map(({ resource, syncedAt }) => [resource, syncedAt])).toEqual(before);
      expect(status.session).toMatchObject({ state: "signed-in", username: "ana@example.com" });
    });

    it("asks only for what changed since, by the tag that the cache kept", async () => {
      await startFilled("web");
      await daemon.stop();
      const before = proxy.seen.length;
      await daemon.start();
      await daemon.eventually(() => server.held === 2);
      expect(proxy.seen.slice(before).map(({ path }) => path.split("?")[0])).toHaveLength(6);
      expect((await daemon.read()).lists.get("events")?.size ?? 0).toBe(0);
    });
  });

  describe("8. instant start, also of another version", () => {
    it("asks for everything when the tag was given for another question", async () => {
      await startFilled("web");
      await daemon.stop();
      for (const entry of await readdir(daemon.cacheFolder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !path.includes("/components/")) continue;
        const older = (await readFile(path, "utf8")).replace(/"question":"[^"]*"/, '"question":"older"');
        await writeFile(path, older);
      }
      // The same tag, another answer: a server that learned to tell more.
      await server.stop();
      server.components.get(headId)?.set("01A0", { componentId: "01A0", name: "told anew", schemaName: "T" });
      await server.start();
      await daemon.start();
      await daemon.eventually(async () => (await mirrored())["01A0"] === "told anew");
    });
  });

  describe("9. survives", () => {
    it("a server restart: says offline, since when and when it tries next, and recovers alone", async () => {
      await startFilled("web");
      await server.stop();
      await daemon.eventually(async () => (await daemon.status()).server.state === "offline");
      const { server: away } = await daemon.status();
      expect(away.error).toContain("could not reach");
      expect(Date.parse(away.nextRetryAt ?? "")).toBeGreaterThanOrEqual(daemon.clock.now());
      expect(Date.parse(away.lastSuccessAt ?? "")).toBeLessThanOrEqual(Date.parse(away.since));
      expect(await mirrored()).toEqual({ "01A0": "web" });
      server.setComponent(headId, "01A0", "meanwhile");
      await server.start();
      await daemon.eventually(async () => (await mirrored())["01A0"] === "meanwhile");
      expect((await daemon.status()).server).toMatchObject({
        state: "online",
        error: null,
        nextRetryAt: null,
      });
      const transitions = daemon.log.lines.filter(({ msg }) => msg.startsWith("server "));
      expect(transitions.map(({ msg }) => msg)).toEqual(["server away", "server back"]);
    });

    it("a network that goes away without a word: connections that died in a sleep are asked anew on waking", async () => {
      await startFilled("web");
      await daemon.eventually(() => server.held === 2);
      const before = server.requests.length;
      daemon.clock.sleepThrough(3_600_000);
      await daemon.clock.advance(5_000);
      await until(() => server.requests.length >= before + 2);
    });

    it("a revoked key: says so, keeps what it has, asks no more, and goes on with a new key", async () => {
      await startFilled("web");
      await daemon.eventually(() => server.held === 2);
      const revoked = server.key;
      server.key = "svc_00000000000000000000000000000002";
      server.edit(() => undefined);
      await daemon.eventually(async () => (await daemon.status()).session.state === "rejected");
      expect((await daemon.status()).session.message).toContain("svc auth login");
      expect(await mirrored()).toEqual({ "01A0": "web" });
      await daemon.clock.advance(1_000);
      const before = server.requests.length;
      for (let n = 0; n < 60; n++) await daemon.clock.advance(1_000);
      expect(server.requests.length).toBe(before);
      const call = daemon.client.daemon.call({ body: { operation: "identity.whoami" } });
      await expect(call).rejects.toMatchObject({ error: "unauthenticated" });
      server.setComponent(headId, "01A0", "renamed");
      daemon.credentials.current = credentials();
      await daemon.client.daemon.refresh({});
      await daemon.eventually(async () => (await mirrored())["01A0"] === "renamed");
      expect((await daemon.status()).session).toMatchObject({ state: "signed-in", message: null });
      expect(JSON.stringify(daemon.log.lines)).not.toContain(revoked);
    });

    it("a full disk: says so once, mirrors on in memory, and writes again when there is room", async () => {
      let full = true;
      const { writeFileAtomic } = await import("../../src/lib/atomic-file.ts");
      const write = async (path: string, text: string): Promise<void> => {
        if (full)
          throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        await writeFileAtomic(path, text);
      };
      server.setComponent(headId, "01A0", "web");
      await daemon.start({ write });
      await daemon.eventually(async () => (await daemon.status()).notices.length > 0);
      expect((await daemon.status()).notices.map(({ message }) => message)).toEqual([
        expect.stringContaining("no space left on device"),
      ]);
      server.setComponent(headId, "01A0", "renamed");
      await daemon.eventually(async () => (await mirrored())["01A0"] === "renamed");
      full = false;
      await daemon.clock.advance(60_000);
      await daemon.eventually(async () => (await daemon.status()).notices.length === 0);
      await daemon.stop();
      await server.stop();
      await daemon.start();
      expect(await mirrored()).toEqual({ "01A0": "renamed" });
    });
  });
});
