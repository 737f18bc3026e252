import { describe, expect, it } from "vitest";
import { api } from "../../src/contract/index.ts";
import { createClient } from "../../src/http/client.ts";
import { configText, type Person, person, serverWithAda } from "../support/cli.ts";
import { fakeKeychain } from "../support/fake-keychain.ts";

const password = "correct horse battery\n";
const storedBy = async (someone: Person) => JSON.parse((await configText(someone, "auth.json")) ?? "null");
const keyWorks = async (url: string, key: string): Promise<boolean> => {
  const client = createClient(api, { baseUrl: url, headers: () => ({ authorization: `Bearer ${key}` }) });
  return client.accounts.whoami({}).then(
    () => true,
    () => false,
  );
};

describe("svc auth login --store keychain", () => {
  const login = "auth login --username ada --store keychain";

  it("puts only the key into the keychain, and later commands find it there", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const keychain = fakeKeychain();
    expect(await ada.svc(login, { input: password, keychain })).toMatchObject({ code: 0, err: "" });
    const { apiKey, ...rest } = await storedBy(ada);
    expect(apiKey).toBeUndefined();
    expect(rest).toMatchObject({ serverUrl: server.url, username: "ada" });
    expect([...keychain.items.keys()]).toEqual([`${server.url} ${rest.apiKeyId}`]);
    expect(await ada.svc("auth whoami", { keychain })).toMatchObject({ code: 0, err: "" });
  });

  it("falls back to the file with one line when there is none that works", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const run = await ada.svc(login, { input: password, keychain: fakeKeychain("no answer within 2 s") });
    expect(run.code).toBe(0);
    expect(run.err).toBe(
      `warning: the keychain cannot be used: no answer within 2 s; the key is stored in ${ada.file("auth.json")}\n`,
    );
    expect((await storedBy(ada)).apiKey).toMatch(/^svc_/);
  });

  it("is undone by logout and by a login that uses the file", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const keychain = fakeKeychain();
    await ada.svc(login, { input: password, keychain });
    await ada.svc("auth login --username ada", { input: password, keychain });
    expect(keychain.items.size).toBe(0);
    await ada.svc(login, { input: password, keychain });
    const [key = ""] = keychain.items.values();
    expect(await ada.svc("auth logout", { keychain })).toMatchObject({ code: 0, err: "" });
    expect(keychain.items.size).toBe(0);
    expect(await keyWorks(server.url, key)).toBe(false);
  });
});
