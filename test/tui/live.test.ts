import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startDaemon } from "../../daemon/main.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { startFeed } from "../../tui/data/feed.ts";
import { Loop } from "../../tui/loop.ts";
import { Terminal } from "../../tui/term/terminal.ts";
import { themeOf } from "../../tui/view/theme.ts";
import { sqlite } from "../support/engines.ts";
import { type Person, suiteServer } from "../support/server.ts";
import { fakeTty } from "../support/terminal-tty.ts";
import { eventually, until } from "../support/until.ts";

const definition = `function main() {
  return new AssetBuilder()
    .addProp(new PropBuilder().setKind("string").setName("Region").setWidget(new PropWidgetDefinitionBuilder().setKind("text").build()).build())
    .build();
}`;
const steps = 14;
const creating = `async function main() {
  for (let step = 1; step <= ${steps}; step++) {
    console.log("step " + step + ".");
    await new Promise((go) => setTimeout(go, 250));
  }
  return { status: "error", message: "the quota of this account is used up" };
}`;

const suite = suiteServer(sqlite, { worker: true });

/** A dashboard on an emulated terminal, fed by a daemon of its own with a person's key. */
async function dashboardOf(person: Person) {
  const folder = await mkdtemp(join(tmpdir(), "svc-live-"));
  const socketPath = join(folder, "run", "d.sock");
  const credentials = {
    serverUrl: suite.server.url,
    apiKey: person.key,
    workspaceId: person.workspaceId,
    distinctId: undefined,
  };
  const daemon = await startDaemon({
    version: "0.0.0-test",
    socketPath,
    stateFolder: join(folder, "state"),
    cacheFolder: join(folder, "cache"),
    configFolder: join(folder, "config"),
    log: silentLog,
    credentials: async () => credentials,
  });
  const tty = fakeTty({ cols: 140, rows: 40 });
  const terminal = new Terminal(tty, { mouse: false, alternateScreen: true });
  const loop = new Loop({
    clock: systemClock,
    terminal,
    theme: themeOf("dark", "256", false),
    start: { version: "0.0.0-test", zoneMinutes: 0 },
    perform: (command) => feed.perform(command),
  });
  const feed = startFeed({ socketPath, clock: systemClock, dispatch: (message) => loop.dispatch(message) });
  loop.start();
  onTestFinished(async () => {
    feed.stop();
    loop.stop();
    terminal.destroy();
    await daemon.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const text = async (): Promise<string> => {
    await tty.settled();
    return tty.emulator.text();
  };
  return {
    text,
    press: (...keys: readonly string[]) => {
      for (const key of keys) loop.input({ type: "key", key, ...(key.length === 1 ? { text: key } : {}) });
    },
    shows: (what: RegExp) =>
      until(async () => what.test(await text()), String(what)).catch(async (error: unknown) => {
        throw new Error(`${String(error)}; the screen shows\n${await text()}`);
      }),
  };
}

it("from a schema's code to an action that fails: the dashboard shows each step as it comes", {
  timeout: 60_000,
}, async () => {
  const { server } = suite;
  const ada = await server.person("ada");
  const client = server.client(ada.key);
  const { workspaceId } = ada;
  const dashboard = await dashboardOf(ada);
  const { changeSet } = await client.changeSets.create({ workspaceId, body: { changeSetName: "build" } });
  const at = { workspaceId, changeSetId: changeSet.id };
  const made = await client.schemas.create({ ...at, body: { name: "Thing", code: definition } });
  const place = { ...at, schemaId: made.schemaId, schemaVariantId: made.defaultVariantId };
  const action = { name: "createThing", displayName: "Create thing", kind: "Create", code: creating };
  await client.bindings.createAction({ ...place, body: action });
  await client.components.create({ ...at, body: { name: "main-thing", schemaName: "Thing" } });
  await dashboard.shows(/build .*◌1/);
  dashboard.press("4");
  await dashboard.shows(/pending +create +main-thing +createThing +after the apply +build/);
  const applied = await eventually(async () => {
    const answer = client.changeSets.forceApply(at);
    return await answer.catch(() => undefined);
  }, "an apply");
  expect(applied).toMatchObject({ success: true });

  await dashboard.shows(/● running +create +main-thing/);
  dashboard.press("g", "L");
  await dashboard.shows(/step 2\./);
  const halfway = await dashboard.text();
  expect(halfway).toMatch(/Create thing \d+ +● running +main-thing/);
  expect(halfway).not.toContain(`step ${steps}.`);
  await dashboard.shows(new RegExp(`step ${steps}\\.`));
  await dashboard.shows(/✗ failed/);
  await dashboard.shows(/the quota of this account is used up/);

  dashboard.press("4");
  await dashboard.shows(/✗ failed +create +main-thing +createThing +the quota of this acc/);
  dashboard.press("1");
  await dashboard.shows(/actions +✗ 1 failed/);
  await dashboard.shows(/✗ action failed +main-thing +the quota/);

  dashboard.press("4", "x");
  await dashboard.shows(/Cancel createThing\?/);
  dashboard.press("enter");
  await dashboard.shows(/No action is queued/);
});
