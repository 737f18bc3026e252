import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openKeychain } from "../../src/config/keychain.ts";
import { readEnvironment } from "../../src/config/load.ts";
import { hungBus, keytarMissing, secretService, secretServiceMissing } from "../support/secret-service.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const { PATH = "" } = readEnvironment();
const environment = { PATH };

const because = (missing: string | undefined): string =>
  missing === undefined ? "" : ` (skipped: ${missing})`;

/** A library in a file, as keytar's interface has it. */
async function library(body: string): Promise<string> {
  const path = join(await temporaryDirectory(), "library.cjs");
  await writeFile(path, body);
  return path;
}
const inMemory = `
const items = new Map();
module.exports = {
  setPassword: async (service, account, value) => void items.set(service + account, value),
  getPassword: async (service, account) => items.get(service + account) ?? null,
  deletePassword: async (service, account) => items.delete(service + account),
};`;

describe("the keychain", () => {
  it("without its library is unavailable, in words", async () => {
    const keychain = openKeychain({ environment, library: "a-library-that-is-not-there" });
    expect(await keychain.get("a")).toEqual({ state: "unavailable", reason: "keytar is not installed" });
  });

  it("that does not keep what it is given is unavailable, never merely empty", async () => {
    // A locked keyring answers like this.
    const path = await library(inMemory.replace("items.get(service + account) ?? null", "null"));
    expect(await openKeychain({ environment, library: path }).get("a")).toEqual({
      state: "unavailable",
      reason: "it does not give back what it is given",
    });
  });

  it("that refuses is unavailable with the first line of its reason", async () => {
    const path = await library(
      `module.exports = { setPassword: async () => { throw new Error("no bus\\nstack") } }`,
    );
    expect(await openKeychain({ environment, library: path }).set("a", "b")).toEqual({
      state: "unavailable",
      reason: "no bus",
    });
  });

  it("that never answers is given up, with its process, and holds nothing up", async () => {
    const path = await library(`
      require("node:fs").writeFileSync(__dirname + "/pid", String(process.pid));
      process.on("exit", () => { for (;;); });
      module.exports = { setPassword: () => new Promise(() => setInterval(() => {}, 1000)) };`);
    const keychain = openKeychain({ environment, library: path, limitMs: 1_000 });
    expect(await keychain.probe()).toEqual({ state: "unavailable", reason: "no answer within 1 s" });
  });

  it("that kills its process is unavailable", async () => {
    const path = await library(
      `module.exports = { setPassword: () => process.kill(process.pid, "SIGKILL") }`,
    );
    expect(await openKeychain({ environment, library: path }).probe()).toEqual({
      state: "unavailable",
      reason: "its process ended with SIGKILL",
    });
  });

  it("answers null for what it does not have, when it works", async () => {
    const path = await library(inMemory);
    expect(await openKeychain({ environment, library: path }).get("a")).toEqual({ state: "ok", value: null });
  });

  it.skipIf(keytarMissing !== undefined)(
    `on a bus that accepts and never answers is given up${because(keytarMissing)}`,
    async () => {
      const keychain = openKeychain({ environment: await hungBus(), limitMs: 1_000 });
      expect(await keychain.probe()).toEqual({ state: "unavailable", reason: "no answer within 1 s" });
    },
  );

  it.skipIf(secretServiceMissing !== undefined)(
    `keeps, gives back and forgets in a real Secret Service${because(secretServiceMissing)}`,
    async () => {
      const keychain = openKeychain({ environment: await secretService("unlocked") });
      const said = [
        await keychain.set("a", "sécret"),
        await keychain.get("a"),
        await keychain.delete("a"),
        await keychain.get("a"),
      ];
      expect(said).toEqual([
        { state: "ok", value: null },
        { state: "ok", value: "sécret" },
        { state: "ok", value: null },
        { state: "ok", value: null },
      ]);
    },
  );
});
