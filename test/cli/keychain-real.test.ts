import { dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { credentialsOf } from "../../daemon/credentials.ts";
import { systemKeychain } from "../../src/config/keychain.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { configText, type Person, person, serverWithAda } from "../support/cli.ts";
import { TestDaemon } from "../support/daemon.ts";
import { hungBus, keytarMissing, secretService, secretServiceMissing } from "../support/secret-service.ts";
import { until } from "../support/until.ts";

const login = "auth login --username ada --store keychain";
const input = "correct horse battery\n";
const storedBy = async (someone: Person) => JSON.parse((await configText(someone, "auth.json")) ?? "null");

describe.skipIf(secretServiceMissing !== undefined)(
  `a real Secret Service (${secretServiceMissing ?? "present"})`,
  () => {
    it("keeps the key of svc auth login, gives it to every command, and loses it with svc auth logout", async () => {
      const server = await serverWithAda();
      const bus = await secretService("unlocked");
      const ada = await person({ ...bus, SVC_CLUB_URL: server.url });
      expect(await ada.svc(login, { input })).toMatchObject({ code: 0, err: "" });
      const { apiKey, apiKeyId } = await storedBy(ada);
      expect(apiKey).toBeUndefined();
      // Another process asks the service itself.
      const keychain = systemKeychain(bus);
      const account = `${server.url} ${apiKeyId}`;
      expect(await keychain.get(account)).toEqual({
        state: "ok",
        value: expect.stringMatching(/^svc_[0-9a-f]{32}$/),
      });
      expect(await ada.svc("auth whoami")).toMatchObject({ code: 0, err: "" });
      expect(await ada.svc("auth logout")).toMatchObject({ code: 0, err: "" });
      expect(await keychain.get(account)).toEqual({ state: "ok", value: null });
      expect(await configText(ada, "auth.json")).toBeUndefined();
    }, 60_000);

    it("gives the key to the daemon, also the next one after another login", async () => {
      const server = await serverWithAda();
      const bus = await secretService("unlocked");
      const ada = await person({ ...bus, SVC_CLUB_URL: server.url });
      await ada.svc(login, { input });
      const credentials = credentialsOf({ ...bus, HOME: ada.home }, server.url, systemClock);
      const daemon = await TestDaemon.create(await credentials());
      onTestFinished(() => daemon.remove());
      await daemon.start({ configFolder: dirname(ada.file("auth.json")), credentials, clock: systemClock });
      const signedIn = async () => (await daemon.status()).session.state === "signed-in";
      await until(signedIn, "the key of the keychain");
      const { apiKeyId } = await storedBy(ada);
      expect((await ada.svc(login, { input })).code).toBe(0);
      // The login took the place of the first key, and deleted it.
      expect((await ada.svc(["key", "delete", apiKeyId, "--yes"], { input })).err).toMatch(/no such key/);
      expect((await ada.svc("change-set create after")).code).toBe(0);
      await until(async () => {
        await daemon.read();
        return Object.values(daemon.names("changeSets")).includes("after");
      }, "the change set, read with the new key");
      expect(await signedIn()).toBe(true);
    }, 60_000);

    it("that is locked is told in one line, and the key lies in the file", async () => {
      const server = await serverWithAda();
      const ada = await person({ ...(await secretService("locked")), SVC_CLUB_URL: server.url });
      const run = await ada.svc(login, { input });
      expect(run.code).toBe(0);
      expect(run.err).toMatch(
        /^warning: the keychain cannot be used: .+; the key is stored in .+auth\.json\n$/,
      );
      expect((await storedBy(ada)).apiKey).toMatch(/^svc_/);
      expect(await ada.svc("auth whoami")).toMatchObject({ code: 0, err: "" });
    }, 60_000);
  },
);

describe.skipIf(keytarMissing !== undefined)(
  `a bus that never answers (${keytarMissing ?? "present"})`,
  () => {
    it("is given up within its limit, told in one line, and holds no command up", async () => {
      const server = await serverWithAda();
      const ada = await person({ ...(await hungBus()), SVC_CLUB_URL: server.url });
      const run = await ada.svc(login, { input });
      expect(run.err).toBe(
        `warning: the keychain cannot be used: no answer within 2 s; the key is stored in ${ada.file("auth.json")}\n`,
      );
      expect(run.code).toBe(0);
      expect(await ada.svc("auth whoami")).toMatchObject({ code: 0, err: "" });
    }, 60_000);
  },
);
