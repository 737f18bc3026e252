import { expect, it, onTestFinished } from "vitest";
import { setSwitch } from "../../server/store/switches.ts";
import { TestDaemon } from "../support/daemon.ts";
import { sqlite } from "../support/engines.ts";
import { startTestServer } from "../support/server.ts";

it("says at once that the server is in maintenance, asks no sooner than told, and is back by itself", async () => {
  const server = await startTestServer(sqlite);
  onTestFinished(() => server.stop());
  const ada = await server.person("ada");
  const daemon = await TestDaemon.at(server.url, ada.key);
  onTestFinished(() => daemon.remove());
  await daemon.start();
  const isIn = async (state: string): Promise<boolean> => (await daemon.status()).server.state === state;
  const hasAll = async (): Promise<boolean> => (await daemon.read()).lists.get("changeSets")?.size === 1;
  await daemon.eventually(async () => (await isIn("online")) && (await hasAll()));
  const { length: asked } = server.log;
  const began = daemon.clock.now();
  await server.store.write((tx) => setSwitch(tx, "maintenance", { on: true, message: "disks move" }));
  await daemon.eventually(() => isIn("offline"));
  expect(daemon.clock.now() - began).toBeLessThan(10_000);
  const { server: away, session } = await daemon.status();
  expect(away.error).toBe("the server is in maintenance: disks move");
  expect(session.state).toBe("signed-in");
  expect(Date.parse(away.nextRetryAt ?? "")).toBeGreaterThanOrEqual(began + 30_000);
  const refused = (): number => server.log.slice(asked).filter(({ status }) => status === 503).length;
  // What was held when it began is refused within this second.
  await daemon.clock.advance(1_000);
  const before = refused();
  await daemon.clock.advance(10_000);
  expect(refused()).toBe(before);
  expect(await hasAll()).toBe(true);
  await server.store.write((tx) => setSwitch(tx, "maintenance", { on: false, message: null }));
  await daemon.eventually(() => isIn("online"));
  expect((await daemon.status()).server.error).toBeNull();
});
