import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createAccount } from "../../server/auth/accounts.ts";
import { type RunningServer, startServer } from "../../server/main.ts";
import { RunRecord } from "../../server/runs/run-record.ts";
import { findStoredRun } from "../../server/store/func-run-reads.ts";
import { leftBehind, writeRuns } from "../../server/store/func-runs.ts";
import { openStore } from "../../server/store/open.ts";
import type { ServerSettings } from "../../src/config/server-settings.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { Problem } from "../../src/lib/problem.ts";
import { testSettings } from "../support/server.ts";
import { requestOf } from "./runs/running.ts";

const folder = mkdtempSync(join(tmpdir(), "svc-main-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

const settingsOf = (changes: Partial<ServerSettings> = {}): ServerSettings => {
  const place = join(folder, String(made++));
  return {
    host: "127.0.0.1",
    port: 0,
    database: `sqlite:${join(place, "svc.db")}`,
    operatorSocket: undefined,
    secretKeyFile: join(place, "secret.key"),
    secretKey: undefined,
    publicUrl: undefined,
    trustProxy: false,
    signUp: "open",
    eventDays: 30,
    telemetry: true,
    functions: testSettings.functions,
    logLevel: "error",
    ...changes,
  };
};
/** What a server's keys are kept in: nothing, where a start that was refused has made none. */
const keyFiles = ({ secretKeyFile }: ServerSettings): string[] =>
  readdirSync(dirname(secretKeyFile)).filter((name) => name.startsWith("secret.key"));
const start = (settings: ServerSettings): Promise<RunningServer> => startServer(settings, { log: silentLog });
const problemOf = async (starting: Promise<unknown>): Promise<Problem> => {
  const error = await starting.catch((thrown: unknown) => thrown);
  if (!(error instanceof Problem)) throw new Error("expected a problem", { cause: error });
  expect(error.message).not.toContain("\n");
  return error;
};

const nobody = expect.stringMatching(/^there is no account yet: whoever signs up first .*svc server init/);

it("warns that the first account is anybody's until there is one", async () => {
  const settings = settingsOf();
  const server = await start(settings);
  expect(server.warnings).toEqual([nobody]);
  await createAccount(server.store, { name: "Ada", email: "ada@example.org", password: "correct horse" });
  await server.stop();
  const again = await start(settings);
  expect(again.warnings).toEqual([]);
  await again.stop();
});

it("starts, answers, stops, and starts again with the same key", async () => {
  const settings = settingsOf();
  const server = await start(settings);
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ data: "ok" });
  expect(server.warnings).toEqual([nobody]);
  const key = readFileSync(settings.secretKeyFile, "utf8");
  expect([key, statSync(settings.secretKeyFile).mode & 0o777]).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}\n$/),
    0o600,
  ]);
  await Promise.all([server.stop(), server.stop()]);
  await expect(fetch(`${server.url}/readyz`)).rejects.toThrow();
  const again = await start(settings);
  expect(readFileSync(settings.secretKeyFile, "utf8")).toBe(key);
  await again.stop();
});

it("says in one line that the port is taken, makes no key, and leaves the database free", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const address = holder.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const settings = settingsOf({ port });
  const problem = await problemOf(start(settings));
  expect([problem.code, problem.message]).toEqual([
    "port_taken",
    `the port ${port} on 127.0.0.1 is taken by another program`,
  ]);
  expect(keyFiles(settings)).toEqual([]);
  await new Promise((resolve) => holder.close(resolve));
  await (await start(settings)).stop();
});

it("says in one line that the machine has no such address", async () => {
  const settings = settingsOf({ host: "203.0.113.1" });
  expect((await problemOf(start(settings))).code).toBe("address_unknown");
  expect(keyFiles(settings)).toEqual([]);
});

it("says in one line who has the database, and makes no key for whoever asked", async () => {
  const settings = settingsOf();
  const server = await start(settings);
  const other = settingsOf();
  const problem = await problemOf(start({ ...other, database: settings.database }));
  expect(existsSync(dirname(other.secretKeyFile))).toBe(false);
  expect([problem.code, problem.message]).toEqual([
    "database_in_use",
    expect.stringContaining(String(process.pid)),
  ]);
  await server.stop();
});

it("says in one line that the database is from a newer version", async () => {
  const settings = settingsOf();
  const future = { name: "9999-future", statements: () => [] };
  const { migrations } = await import("../../server/store/migrations/index.ts");
  const url = settings.database;
  await (await openStore({ url, clock: systemClock, migrations: [...migrations, future] })).close();
  const problem = await problemOf(start(settings));
  expect(problem.message).toContain("9999-future");
});

it("says in one line that the key file holds no key, and never writes over it", async () => {
  const settings = settingsOf();
  await (await start(settings)).stop();
  writeFileSync(settings.secretKeyFile, "damaged");
  expect((await problemOf(start(settings))).message).toContain(settings.secretKeyFile);
  expect(readFileSync(settings.secretKeyFile, "utf8")).toBe("damaged");
});

it("looks at the key before it makes a database", async () => {
  const settings = settingsOf();
  mkdirSync(settings.secretKeyFile, { recursive: true });
  expect((await problemOf(start(settings))).code).toBe("secret_key_unreadable");
  expect(readdirSync(dirname(settings.secretKeyFile))).toEqual(["secret.key"]);
});

it("takes the key from the settings instead, and refuses half of one", async () => {
  const settings = settingsOf({ secretKey: "ab".repeat(32) });
  await (await start(settings)).stop();
  expect(() => statSync(settings.secretKeyFile)).toThrow();
  expect((await problemOf(start(settingsOf({ secretKey: "ab".repeat(16) })))).message).not.toContain("abab");
});

it("warns once when the database was served with another key before", async () => {
  const settings = settingsOf({ secretKey: "ab".repeat(32) });
  const warningsWith = async (secretKey: string): Promise<readonly string[]> => {
    const server = await start({ ...settings, secretKey });
    await server.stop();
    return server.warnings;
  };
  expect(await warningsWith("ab".repeat(32))).toEqual([nobody]);
  expect(await warningsWith("cd".repeat(32))).toEqual([
    expect.stringContaining("another secret key"),
    nobody,
  ]);
  expect(await warningsWith("cd".repeat(32))).toEqual([nobody]);
});

it("ends what ran when an earlier process died, before it answers", async () => {
  const settings = settingsOf();
  await (await start(settings)).stop();
  const store = await openStore({ url: settings.database, clock: systemClock });
  const layer = { id: store.id(), headId: store.id(), workspaceId: store.id() };
  const owner = { id: store.id(), owner: "gone", now: 1 };
  const { row } = new RunRecord(requestOf(layer, "function main() {}"), owner);
  const changes = {
    alive: [row],
    ended: [],
    logs: [],
    codes: new Map(),
    layers: [],
    seen: [],
    begun: [row.id],
  };
  await store.write((tx) => writeRuns(tx, changes));
  await store.close();
  const server = await start(settings);
  expect(await findStoredRun(server.store, layer.workspaceId, row.id)).toMatchObject({
    state: "Failure",
    failure: leftBehind,
  });
  await server.stop();
});

it("says in one line which host of functions cannot be read", async () => {
  const functions = {
    ...testSettings.functions,
    network: { mode: "allow-list", hosts: ["https://x"] },
  } as const;
  const settings = settingsOf({ functions });
  await expect(start(settings)).rejects.toMatchObject({
    message: expect.stringMatching(/^server\.functionHosts cannot be read: .*"https:\/\/x"/),
  });
  expect(keyFiles(settings)).toEqual([]);
});

it("warns when other machines can reach it without TLS, unless a proxy brings it", async () => {
  const exposed = await start(settingsOf({ host: "0.0.0.0" }));
  expect(exposed.warnings).toEqual([
    expect.stringMatching(/without TLS.*set server\.publicUrl .*pages need/),
    nobody,
  ]);
  await exposed.stop();
  const proxied = await start(settingsOf({ host: "0.0.0.0", publicUrl: "https://svc.example.org" }));
  expect(proxied.warnings).toEqual([nobody]);
  await proxied.stop();
});
