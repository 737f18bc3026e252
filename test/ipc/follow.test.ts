import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fail } from "../../src/contract/errors.ts";
import type { Handlers } from "../../src/http/handlers.ts";
import { readJsonBodies } from "../../src/http/json-body.ts";
import { mount } from "../../src/http/mount.ts";
import { callThroughDaemon, connectDaemon, explainDaemonError } from "../../src/ipc/connect.ts";
import { type Ipc, ipc } from "../../src/ipc/contract.ts";
import { follow, type Lost } from "../../src/ipc/follow.ts";
import { applyChanges, type Changes, emptyMirror, type MirrorState } from "../../src/ipc/state.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { until } from "../support/until.ts";

/** A daemon reduced to its answers: a value under one key, a revision, and a start that is new each time. */
class ScriptedDaemon {
  instance = "first";
  revision = 0;
  asked: { since: number | undefined; instance: string | undefined; waitMs: number | undefined }[] = [];
  #app: FastifyInstance | undefined;
  #wake: () => void = () => undefined;

  async listen(socketPath: string): Promise<void> {
    const app = fastify({ forceCloseConnections: true });
    readJsonBodies(app);
    const unused = () => fail("unavailable");
    const handlers: Handlers<Ipc, undefined> = {
      daemon: {
        status: unused,
        refresh: unused,
        track: unused,
        stop: unused,
        call: ({ body }) =>
          body.operation === "changeSets.list"
            ? { status: 200, body: { changeSets: [] } }
            : { status: 404, body: { message: "no such change set", statusCode: 404, code: 4403 } },
        changes: async ({ query }) => {
          this.asked.push({ since: query.since, instance: query.instance, waitMs: query.waitMs });
          const known = query.instance === this.instance && query.since === this.revision;
          if (known && query.waitMs !== 0)
            await new Promise<void>((resolve) => {
              this.#wake = resolve;
            });
          return this.#answer(query.instance !== this.instance || query.since === -1);
        },
      },
    };
    mount(app, ipc, handlers, { authorize: () => undefined });
    await app.listen({ path: socketPath });
    this.#app = app;
  }

  #answer(fresh: boolean): Changes {
    const { instance, revision } = this;
    const upserted = { value: `${instance} ${revision}` };
    return {
      instance,
      revision,
      fresh,
      changes: [{ resource: "list", upserted, deleted: [], whole: fresh }],
    };
  }

  change(): void {
    this.revision++;
    this.#wake();
  }

  async close(): Promise<void> {
    this.#wake();
    await this.#app?.close();
  }
}

describe("following the daemon", () => {
  let folder = "";
  let socketPath = "";
  let daemon: ScriptedDaemon;
  const clock = fakeClock();
  let stop: AbortController;
  let state: MirrorState;
  let lost: Lost[];
  let found: number;
  let following: Promise<void>;
  const value = (): unknown => state.lists.get("list")?.get("value");

  beforeEach(async () => {
    // A path with a blank and a colon: both once broke clients that put it into an address.
    folder = await mkdtemp(join(tmpdir(), "svc a:b "));
    socketPath = join(folder, "d.sock");
    daemon = new ScriptedDaemon();
    stop = new AbortController();
    state = emptyMirror;
    lost = [];
    found = 0;
  });
  afterEach(async () => {
    stop.abort();
    await following;
    await daemon.close();
    await rm(folder, { recursive: true, force: true });
  });
  const start = (): void => {
    following = follow(socketPath, {
      clock,
      signal: stop.signal,
      onChanges: (changes) => {
        state = applyChanges(state, changes);
      },
      onLost: (loss) => lost.push(loss),
      onFound: () => found++,
    });
  };

  it("hears everything first and then every change, held in between", async () => {
    await daemon.listen(socketPath);
    start();
    await until(() => value() === "first 0");
    await until(() => daemon.asked.length === 2);
    daemon.change();
    await until(() => value() === "first 1");
    expect(daemon.asked[0]).toEqual({ since: -1, instance: undefined, waitMs: 30_000 });
    expect(daemon.asked[1]).toEqual({ since: 0, instance: "first", waitMs: 30_000 });
  });

  it("keeps trying after a loss with pauses that double from 0.25 s to 10 s, and says when it tries next", async () => {
    start();
    for (const pause of [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]) {
      const seen = lost.length;
      await until(() => clock.pending() === 1 && lost.length === seen + (seen === 0 ? 1 : 0));
      const last = lost.at(-1);
      expect(last?.retryAt).toBe(clock.now() + pause);
      expect(last?.error.message).toContain("could not reach");
      await clock.advance(pause);
      await until(() => lost.length > (last?.failures ?? 0));
    }
    await daemon.listen(socketPath);
    await clock.advance(10_000);
    await until(() => value() === "first 0");
    expect(found).toBe(1);
  });

  it("converges to another daemon's state when the daemon was restarted", async () => {
    await daemon.listen(socketPath);
    start();
    await until(() => value() === "first 0");
    daemon.revision = 7;
    await daemon.close();
    await until(() => lost.length > 0);
    daemon = new ScriptedDaemon();
    daemon.instance = "second";
    await daemon.listen(socketPath);
    await clock.advance(500);
    await until(() => value() === "second 0");
    expect(state.instance).toBe("second");
  });

  it("ends at once when it is told to, also while it waits", async () => {
    start();
    await until(() => lost.length === 1 && clock.pending() === 1);
    stop.abort();
    await following;
    expect(clock.pending()).toBe(0);
  });

  it("performs operations by name and rebuilds the server's refusals", async () => {
    following = Promise.resolve();
    await daemon.listen(socketPath);
    const client = connectDaemon(socketPath);
    const workspaceId = "01J00000000000000000000000";
    expect(await callThroughDaemon(client, "changeSets.list", { workspaceId })).toEqual({ changeSets: [] });
    const missing = callThroughDaemon(client, "changeSets.get", { workspaceId, changeSetId: "x" });
    await expect(missing).rejects.toMatchObject({ error: "changeSetNotFound", status: 404 });
  });

  it("says where the daemon was expected and how to start it", async () => {
    following = Promise.resolve();
    const failure = await connectDaemon(socketPath)
      .daemon.status({})
      .catch((error: unknown) => error);
    expect(explainDaemonError(socketPath, failure)).toMatchObject({
      message: `no daemon answers at ${socketPath}`,
      hint: "svc daemon start",
    });
  });
});
