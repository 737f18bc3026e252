import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { credentialsOf } from "../../daemon/credentials.ts";
import { writeCredentials } from "../../src/config/credentials.ts";
import type { Environment } from "../../src/config/load.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { TestDaemon } from "../support/daemon.ts";
import { headId, ScriptedServer, workspaceId } from "../support/scripted-server.ts";

const components = `components/${headId}`;

describe("when files are not as they should be", () => {
  let server: ScriptedServer;
  let daemon: TestDaemon;
  beforeEach(async () => {
    server = new ScriptedServer();
    await server.start();
    server.setComponent(headId, "01A", "web");
    daemon = await TestDaemon.at(server.url, server.key);
  });
  afterEach(async () => {
    await daemon.remove();
    await server.stop();
  });
  const filled = async (): Promise<boolean> => (await daemon.read()).lists.get(components)?.size === 1;
  const notices = async (): Promise<string[]> =>
    (await daemon.status()).notices.map(({ message }) => message);
  const cacheFile = async (name: string): Promise<string> => {
    const [folder = ""] = await readdir(daemon.cacheFolder);
    return join(daemon.cacheFolder, folder, workspaceId, name);
  };

  it("a corrupted cache file is kept aside, said in one line, and fetched again", async () => {
    await daemon.start();
    await daemon.eventually(filled);
    await daemon.stop();
    const path = await cacheFile(`${components}.json`);
    await writeFile(path, '{"format":1,"generation"');
    await writeFile(`${path}.bak`, "");
    daemon.log.lines.length = 0;
    await daemon.start();
    expect(daemon.log.lines.filter(({ level }) => level === "warn")).toHaveLength(2);
    expect((await notices())[0]).toMatch(
      /^the cache of components\/01JHEAD\w* was damaged \(.+\); kept as .+\.corrupt-2026.+, fetched again$/,
    );
    await daemon.eventually(filled);
    const names = await readdir(join(path, ".."));
    expect(names.filter((name) => name.includes(".corrupt-"))).toHaveLength(2);
    expect(
      await readFile(join(path, "..", names.find((name) => name.includes(".json.corrupt-")) ?? ""), "utf8"),
    ).toBe('{"format":1,"generation"');
  });

  it("a stale pid file and a stale socket are said in one line each, and the daemon starts", async () => {
    await mkdir(daemon.stateFolder, { recursive: true });
    await writeFile(join(daemon.stateFolder, "daemon.pid"), "999999999 \n");
    await mkdir(join(daemon.folder, "run"), { recursive: true });
    await writeFile(daemon.socketPath, "");
    await daemon.start();
    await daemon.eventually(filled);
    expect(daemon.log.lines.filter(({ level }) => level === "warn").map(({ msg }) => msg)).toEqual([
      "stale pid file replaced",
      "stale socket removed",
    ]);
  });

  it("a second daemon of the same profile is refused and the first one is not disturbed", async () => {
    await daemon.start();
    await daemon.eventually(filled);
    const { running } = daemon;
    await expect(daemon.start()).rejects.toThrow("a daemon is running for this profile already");
    daemon.running = running;
    expect((await daemon.status()).server.state).toBe("online");
  });

  it("the socket is its owner's alone, and gone with the daemon", async () => {
    await mkdir(join(daemon.folder, "run"), { mode: 0o755 });
    await daemon.start();
    expect((await stat(daemon.socketPath)).mode & 0o777).toBe(0o600);
    expect((await stat(join(daemon.folder, "run"))).mode & 0o777).toBe(0o700);
    const { pid } = await daemon.client.daemon.stop({});
    expect(pid).toBe(process.pid);
    await daemon.running?.stop();
    await expect(stat(daemon.socketPath)).rejects.toThrow("ENOENT");
    expect(await readdir(daemon.stateFolder)).toEqual([]);
  });

  it("a socket path that the system would cut is refused in one line", async () => {
    const socketPath = join(daemon.folder, "x".repeat(100), "d.sock");
    await expect(daemon.start({ socketPath })).rejects.toThrow(
      /^expected a socket path of at most 100 bytes, found \d+: /,
    );
    expect(await readdir(daemon.stateFolder)).toEqual([]);
  });

  describe("credentials on disk", () => {
    const environment = (): Environment => ({
      HOME: daemon.folder,
      XDG_CONFIG_HOME: join(daemon.folder, "xdg"),
    });
    const auth = (): string => join(daemon.folder, "xdg", "svc", "auth.json");
    const login = (apiKey: string, serverUrl = server.url): Promise<void> =>
      writeCredentials(auth(), { serverUrl, apiKey, apiKeyId: "01K", username: "ana" });
    const start = () =>
      daemon.start({
        configFolder: join(daemon.folder, "xdg", "svc"),
        credentials: credentialsOf(environment(), server.url, systemClock),
        clock: systemClock,
      });
    /** As `daemon.eventually`, for a daemon on the real clock. */
    const really = async (condition: () => Promise<boolean>): Promise<void> => {
      while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
    };

    it("are found when somebody signs in while the daemon runs, and dropped when they sign out", async () => {
      await start();
      const { session } = await daemon.status();
      expect(session).toEqual({
        state: "signed-out",
        username: null,
        message: "sign in with: svc auth login",
      });
      await login(server.key);
      await really(filled);
      expect((await daemon.status()).session).toMatchObject({
        state: "signed-in",
        username: "ana@example.com",
      });
      const { unlink } = await import("node:fs/promises");
      await unlink(auth());
      await really(async () => (await daemon.status()).session.state === "signed-out");
      await really(async () => !(await daemon.read()).lists.get(components)?.size);
      expect((await daemon.status()).workspaceId).toBeNull();
    });

    it("that became unreadable are said in one line while the session goes on with what it knows", async () => {
      await login(server.key);
      await start();
      await really(filled);
      await writeFile(auth(), "{ not json");
      await really(async () => (await notices()).length === 1);
      expect((await notices())[0]).toMatch(
        /^could not understand the credentials: .+auth\.json, expected JSON.+; the key read before is used$/,
      );
      server.setComponent(headId, "01A", "renamed");
      await really(async () => {
        await daemon.read();
        return daemon.names(components)["01A"] === "renamed";
      });
      await login(server.key);
      await really(async () => (await notices()).length === 0);
    });

    it("that are unreadable at the start leave a daemon that says so and waits", async () => {
      await mkdir(join(auth(), ".."), { recursive: true });
      await writeFile(auth(), "[]");
      await chmod(auth(), 0o600);
      await start();
      const { session } = await daemon.status();
      expect(session.state).toBe("signed-out");
      expect(session.message).toContain("could not understand the credentials");
      await login(server.key);
      await really(filled);
    });

    it("of another server are never sent to this one", async () => {
      await login(server.key, "http://127.0.0.1:9");
      await start();
      expect((await daemon.status()).session.message).toMatch(
        /^the key in .+auth\.json belongs to http:\/\/127\.0\.0\.1:9; sign in with: svc auth login$/,
      );
      expect(server.requests).toEqual([]);
    });
  });
});
