import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { runDaemon } from "../../daemon/run.ts";
import { writeCredentials } from "../../src/config/credentials.ts";
import type { Environment } from "../../src/config/load.ts";
import { directoriesIn } from "../../src/config/load.ts";
import { profileOf } from "../../src/config/paths.ts";
import { callThroughDaemon, connectDaemon } from "../../src/ipc/connect.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { TestDaemon } from "../support/daemon.ts";
import { describeEngines } from "../support/engines.ts";
import { createWorld, type World } from "../support/scenarios.ts";
import { suiteServer } from "../support/server.ts";

describeEngines("a daemon of the real server", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  let daemon: TestDaemon;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  beforeEach(async () => {
    daemon = await TestDaemon.at(suite.server.url, world.ada.key);
    await daemon.start({ clock: systemClock });
  });
  afterEach(() => daemon.remove());
  const eventually = async (condition: () => boolean): Promise<void> => {
    do await daemon.read();
    while (!condition());
  };
  const has = (list: string, key: string): boolean => daemon.mirror.lists.get(list)?.has(key) === true;

  it("mirrors its change sets and, for each active one, its components, as they come, change and go", async () => {
    const client = suite.server.client(world.ada.key);
    const { workspaceId } = world.ada;
    const changeSetId = await world.changeSet();
    const list = `components/${changeSetId}`;
    await eventually(() => has("changeSets", changeSetId) && daemon.mirror.lists.has(list));
    const componentId = await world.component(changeSetId, "web");
    await eventually(() => has(list, componentId));
    expect(daemon.mirror.lists.get(list)?.get(componentId)).toMatchObject({
      name: "web",
      schemaName: "Machine",
      diffStatus: "Added",
    });
    await client.components.update({ workspaceId, changeSetId, componentId, body: { name: "web server" } });
    await eventually(() => daemon.names(list)[componentId] === "web server");
    await client.components.erase({ workspaceId, changeSetId, componentId });
    await eventually(() => !has(list, componentId));
    await client.changeSets.abandon({ workspaceId, changeSetId });
    await eventually(() => !has("changeSets", changeSetId));
    const kinds = [...(daemon.mirror.lists.get("events")?.values() ?? [])].filter(
      (event) => (event as { changeSetId: string | null }).changeSetId === changeSetId,
    );
    expect(kinds).toMatchObject([
      { kind: "added", key: componentId, name: "web" },
      { kind: "changed", key: componentId, name: "web server" },
      { kind: "removed", key: componentId, name: "web server" },
    ]);
  });

  it("mirrors what a change set changes, how far it is from being applied, and its actions", async () => {
    const client = suite.server.client(world.ada.key);
    const { workspaceId } = world.ada;
    const changeSetId = await world.changeSet();
    const review = `reviews/${changeSetId}`;
    const item = (list: string, key: string): unknown => daemon.mirror.lists.get(list)?.get(key);
    await eventually(() => item(review, "summary") !== undefined);
    const componentId = await world.component(changeSetId, "web");
    await eventually(() => has(review, componentId));
    expect(item(review, componentId)).toMatchObject({
      part: "component",
      component: { componentId, componentName: "web", diffStatus: "Added" },
    });
    expect(item(review, "summary")).toMatchObject({ added: 1, modified: 0, removed: 0 });
    await eventually(() => has(`mergeStatuses/${changeSetId}`, changeSetId));
    expect(item(`mergeStatuses/${changeSetId}`, changeSetId)).toMatchObject({ mergeRequestedAt: null });
    expect(daemon.mirror.lists.get(`actions/${changeSetId}`)).toBeDefined();
    const status = await daemon.status();
    expect(status.lists.filter(({ error, note }) => error !== null || note !== undefined)).toEqual([]);
    await client.changeSets.abandon({ workspaceId, changeSetId });
    await eventually(() => !daemon.mirror.lists.get("changeSets")?.has(changeSetId));
    await eventually(() => (daemon.mirror.lists.get(review)?.size ?? 0) === 0);
  });

  it("performs what a reader asks for, and the reader sees it in the mirror", async () => {
    const { workspaceId } = world.ada;
    const body = { changeSetName: `by a reader ${world.fresh()}` };
    const { changeSet } = await callThroughDaemon(daemon.client, "changeSets.create", { workspaceId, body });
    await eventually(() => has("changeSets", changeSet.id));
    const again = callThroughDaemon(daemon.client, "changeSets.create", { workspaceId, body });
    await expect(again).rejects.toMatchObject({ error: "invalidRequest", status: 422 });
  });
});

describeEngines("a daemon as a process", (engine) => {
  const suite = suiteServer(engine);
  let folder = "";
  let environment: Environment;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "svc-run-"));
    environment = { HOME: folder, XDG_RUNTIME_DIR: join(folder, "run") };
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("finds its place and its key by the environment, logs to its file, and ends when it is asked to", async () => {
    const ada = await suite.server.person("ada");
    const directories = directoriesIn(environment);
    const profile = profileOf(directories, suite.server.url);
    await writeCredentials(join(directories.config, "auth.json"), {
      serverUrl: suite.server.url,
      apiKey: ada.key,
      apiKeyId: ada.keyId,
      username: "ada",
    });
    let ended: Promise<void> = Promise.resolve();
    const ready = new Promise<string>((onReady) => {
      const options = { environment, serverUrl: suite.server.url, version: "1.2.3", logTo: "file" as const };
      ended = runDaemon({ ...options, onReady });
    });
    expect(await ready).toBe(profile.socketPath);
    const { daemon } = connectDaemon(profile.socketPath);
    const status = await daemon.status({});
    expect(status).toMatchObject({ version: "1.2.3", serverUrl: suite.server.url });
    await daemon.stop({});
    await ended;
    const lines = (await readFile(profile.logFile, "utf8")).trim().split("\n");
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual(expect.arrayContaining(["daemon started", "daemon stopping", "daemon stopped"]));
    expect(lines.join("\n")).not.toContain(ada.key);
  });
});
