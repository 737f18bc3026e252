import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadAccess } from "../../src/config/access.ts";
import { readCredentials, removeCredentials, writeCredentials } from "../../src/config/credentials.ts";
import type { Keychain } from "../../src/config/keychain.ts";
import { loadConfig } from "../../src/config/load.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const record = {
  serverUrl: "http://127.0.0.1:5380",
  apiKey: `svc_${"0a".repeat(16)}`,
  apiKeyId: "01JABCDEFGHJKMNPQRSTVWXYZ0",
  username: "ada",
  collectives: ["ada", "crew"],
};
const place = async () => join(await temporaryDirectory(), "svc", "auth.json");

describe("auth.json", () => {
  it("holds the five fields as pretty JSON with a line end, readable by its owner only", async () => {
    const path = await place();
    await writeCredentials(path, record);
    expect(await readFile(path, "utf8")).toBe(`${JSON.stringify(record, undefined, 2)}\n`);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(path, ".."))).toEqual(["auth.json"]);
    expect(await readCredentials(path)).toEqual({ stored: record, warnings: [] });
  });

  it("is whole at every moment while it is written again and again", async () => {
    const path = await place();
    await writeCredentials(path, record);
    let writing = true;
    const writer = (async () => {
      for (let turn = 0; turn < 30; turn++)
        await writeCredentials(path, { ...record, username: `u${turn}`.repeat(1 + turn * 50) });
      writing = false;
    })();
    let read = 0;
    while (writing) {
      expect((await readCredentials(path)).stored?.apiKeyId).toBe(record.apiKeyId);
      read++;
    }
    await writer;
    expect(read).toBeGreaterThan(0);
  });

  it("stands untouched when it cannot be replaced", async () => {
    const path = await place();
    await mkdir(path, { recursive: true });
    await expect(writeCredentials(path, record)).rejects.toThrow();
    expect(await readdir(join(path, ".."))).toEqual(["auth.json"]);
  });

  it("means logged out when it is missing, and removing it twice is no error", async () => {
    const path = await place();
    expect(await readCredentials(path)).toEqual({ stored: undefined, warnings: [] });
    await writeCredentials(path, record);
    await removeCredentials(path);
    await removeCredentials(path);
    expect((await readCredentials(path)).stored).toBeUndefined();
  });

  it.each([
    ["", "expected JSON"],
    ["{", "expected JSON"],
    ["[]", "auth.json: expected an object, found an array of 0"],
    ["{}", "auth.json.serverUrl: expected a string"],
    [JSON.stringify({ ...record, apiKey: 7 }), "auth.json.apiKey: expected a string"],
    [JSON.stringify({ ...record, serverUrl: "nonsense" }), 'got "nonsense"'],
  ])("with %j is one line that names the file and the remedy", async (text, why) => {
    const path = await place();
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, text, { mode: 0o600 });
    await expect(readCredentials(path)).rejects.toThrow(why);
    await expect(readCredentials(path)).rejects.toThrow(path);
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("that is a directory is said so, with the way out", async () => {
    const path = await place();
    await mkdir(path, { recursive: true });
    await expect(readCredentials(path)).rejects.toMatchObject({
      message: `could not read the credentials: ${path} is a directory, expected a file`,
      hint: `move it away: mv '${path}' '${path}.old'`,
    });
  });

  it("is used with a warning when others can read it", async () => {
    const path = await place();
    await writeCredentials(path, record);
    await chmod(path, 0o644);
    const { stored, warnings } = await readCredentials(path);
    expect(stored).toEqual(record);
    expect(warnings).toEqual([`${path} can be read by others (mode 0644); run: chmod 600 '${path}'`]);
  });
});

describe("access", () => {
  const keychain = (reply: Awaited<ReturnType<Keychain["get"]>>): Keychain => {
    const get = async () => reply;
    return { probe: get, get, set: get, delete: get };
  };
  async function configWith(text: string | undefined, environment: Readonly<Record<string, string>> = {}) {
    const home = await temporaryDirectory();
    await mkdir(join(home, ".config/svc"), { recursive: true });
    if (text !== undefined) await writeFile(join(home, ".config/svc/auth.json"), text, { mode: 0o600 });
    return loadConfig({ HOME: home, ...environment });
  }
  const { apiKey: _, ...withoutKey } = record;

  it("with a key of the environment survives a damaged auth.json, and says so", async () => {
    const access = await loadAccess(await configWith("{", { SVC_API_KEY: "svc_x" }));
    expect(access).toMatchObject({ apiKey: "svc_x", keyFrom: "SVC_API_KEY", serverFrom: "default" });
    expect(access.warnings).toHaveLength(1);
  });

  it("without one does not", async () => {
    await expect(loadAccess(await configWith("{"))).rejects.toThrow("could not understand the credentials");
  });

  it("takes the key from the keychain when the record has none", async () => {
    const config = await configWith(JSON.stringify(withoutKey));
    const access = await loadAccess(config, { keychain: keychain({ state: "ok", value: "svc_kept" }) });
    expect(access).toMatchObject({ apiKey: "svc_kept", keyFrom: "keychain", warnings: [] });
  });

  it("tells a keychain that does not answer from one that has lost the key", async () => {
    const config = await configWith(JSON.stringify(withoutKey));
    const silent = await loadAccess(config, {
      keychain: keychain({ state: "unavailable", reason: "no bus" }),
    });
    const empty = await loadAccess(config, { keychain: keychain({ state: "ok", value: null }) });
    expect([silent.apiKey, empty.apiKey]).toEqual([undefined, undefined]);
    expect(silent.warnings).toEqual(["the key lies in the keychain, which does not answer: no bus"]);
    expect(empty.warnings).toEqual(["the key is no longer in the keychain; run: svc auth login"]);
  });
});
