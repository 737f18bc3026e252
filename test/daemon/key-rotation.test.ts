import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { credentialsOf } from "../../daemon/credentials.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { configText, loggedIn, type Person, type ServerWithAda, serverWithAda } from "../support/cli.ts";
import { TestDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";

const list = "changeSets";

/** A daemon of the person's own profile, as `svc daemon start` runs one, that has read everything once. */
async function daemonOf(ada: Person, server: ServerWithAda): Promise<TestDaemon> {
  const credentials = credentialsOf({ HOME: ada.home }, server.url, systemClock);
  const daemon = await TestDaemon.create(await credentials());
  onTestFinished(() => daemon.remove());
  await daemon.start({ configFolder: dirname(ada.file("auth.json")), credentials, clock: systemClock });
  await until(async () => ((await daemon.read()).lists.get(list)?.size ?? 0) > 0, "the first list");
  return daemon;
}

const keyId = async (ada: Person): Promise<string> =>
  JSON.parse((await configText(ada, "auth.json")) ?? "{}").apiKeyId;
const login = (ada: Person, { password, username }: ServerWithAda) =>
  ada.svc(["auth", "login", "--username", username], { input: `${password}\n` });
const deleteKey = (ada: Person, { password }: ServerWithAda, id: string) =>
  ada.svc(["key", "delete", id, "--yes"], { input: `${password}\n` });
const states = (daemon: TestDaemon): unknown[] =>
  daemon.log.lines.filter(({ msg }) => msg === "session").map(({ state }) => state);
const follows = async (ada: Person, daemon: TestDaemon, name: string): Promise<void> => {
  expect((await ada.svc(`change-set create ${name}`)).code).toBe(0);
  await until(async () => {
    await daemon.read();
    return Object.values(daemon.names(list)).includes(name);
  }, `the change set ${name}`);
};

describe("when the key is replaced while the daemon runs", () => {
  it("goes on with the new one, keeps what it has, and never counts as signed out", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const daemon = await daemonOf(ada, server);
    const { instance } = daemon.mirror;
    daemon.log.lines.length = 0;
    let fewest = Number.POSITIVE_INFINITY;
    const watch = async (): Promise<void> => {
      fewest = Math.min(fewest, (await daemon.read()).lists.get(list)?.size ?? 0);
    };
    // The login deletes the key that the daemon still holds a request with.
    expect((await login(ada, server)).code).toBe(0);
    await watch();
    await follows(ada, daemon, "after");
    await watch();
    expect(fewest).toBeGreaterThan(0);
    expect(daemon.mirror.instance).toBe(instance);
    const { session } = await daemon.status();
    expect(session).toEqual({ state: "signed-in", username: "ada@example.org", message: null });
    expect(new Set(states(daemon))).toEqual(new Set(["signed-in"]));
  });

  it("again and again follows each of them", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const daemon = await daemonOf(ada, server);
    for (const turn of [1, 2, 3]) {
      expect((await login(ada, server)).code).toBe(0);
      await follows(ada, daemon, `turn-${turn}`);
    }
  });

  it("after the old one was refused comes back by itself", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const daemon = await daemonOf(ada, server);
    const kept = daemon.mirror.lists.get(list)?.size;
    expect((await deleteKey(ada, server, await keyId(ada))).code).toBe(0);
    await until(async () => (await daemon.status()).session.state === "rejected", "the refusal");
    expect((await daemon.read()).lists.get(list)?.size).toBe(kept);
    expect((await login(ada, server)).code).toBe(0);
    await until(async () => (await daemon.status()).session.state === "signed-in", "the new key");
    await follows(ada, daemon, "after");
  });

  it("by somebody else's shows nothing of what the first one could see", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const daemon = await daemonOf(ada, server);
    await follows(ada, daemon, "hers");
    const eve = await server.server.person("eve");
    const run = await ada.svc("auth login --username eve", { input: `${eve.password}\n` });
    expect(run.code).toBe(0);
    await until(async () => (await daemon.status()).session.username === eve.email, "eve");
    await until(async () => {
      const { lists } = await daemon.read();
      return (lists.get(list)?.size ?? 0) > 0 && !Object.values(daemon.names(list)).includes("hers");
    }, "the lists of eve");
    expect((await daemon.status()).workspaceId).toBe(eve.workspaceId);
  });
});
