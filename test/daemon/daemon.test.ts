import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Credentials } from "../../daemon/credentials.ts";
import { TestDaemon } from "../support/daemon.ts";
import { headId, ScriptedServer, workspaceId } from "../support/scripted-server.ts";

describe("a daemon and a server", () => {
  let server: ScriptedServer;
  let daemon: TestDaemon;
  const credentials = (): Credentials => ({
    serverUrl: server.url,
    apiKey: server.key,
    workspaceId: undefined,
    distinctId: undefined,
  });
  beforeEach(async () => {
    server = new ScriptedServer();
    await server.start();
    daemon = await TestDaemon.create(credentials());
  });
  afterEach(async () => {
    await daemon.remove();
    await server.stop();
  });

  it("mirrors change sets and, for each active one, its components", async () => {
    server.setComponent(headId, "01A", "web");
    await daemon.start();
    await daemon.eventually(async () => (await daemon.read()).lists.get(`components/${headId}`)?.size === 1);
    expect(daemon.names("changeSets")).toEqual({ [headId]: "HEAD" });
    expect(daemon.names(`components/${headId}`)).toEqual({ "01A": "web" });
    const status = await daemon.status();
    expect(status).toMatchObject({
      workspaceId,
      session: { state: "signed-in", username: "ana@example.com", message: null },
      server: { state: "online", error: null, nextRetryAt: null },
      notices: [],
    });
  });
});
