import { stat } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { api } from "../../src/contract/index.ts";
import { createClient } from "../../src/http/client.ts";
import { configText, loggedIn, type Person, person, serverWithAda, writeConfigFile } from "../support/cli.ts";
import { recordRequests } from "../support/recorder.ts";

const storedBy = async (someone: Person) => JSON.parse((await configText(someone, "auth.json")) ?? "null");
const keyWorks = async (url: string, key: string): Promise<boolean> => {
  const client = createClient(api, { baseUrl: url, headers: () => ({ authorization: `Bearer ${key}` }) });
  return client.accounts.whoami({}).then(
    () => true,
    () => false,
  );
};

describe("svc auth logout", () => {
  it("deletes the key on its server and forgets it here", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const { apiKey } = await storedBy(ada);
    const run = await ada.svc("auth logout --json");
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toEqual({
      loggedOut: true,
      username: "ada",
      serverUrl: server.url,
      revoked: true,
    });
    expect(await configText(ada, "auth.json")).toBeUndefined();
    expect(await keyWorks(server.url, apiKey)).toBe(false);
  });

  it("leaves the key valid with --keep-key", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const { apiKey } = await storedBy(ada);
    expect((await ada.svc("auth logout --keep-key")).code).toBe(0);
    expect(await configText(ada, "auth.json")).toBeUndefined();
    expect(await keyWorks(server.url, apiKey)).toBe(true);
  });

  it("forgets the key also when its server is away, and says that it stays valid", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    await server.stop();
    const run = await ada.svc("auth logout");
    expect(run.code).toBe(0);
    expect(run.err).toContain(`the key was not deleted on ${server.url} and stays valid there`);
    expect(await configText(ada, "auth.json")).toBeUndefined();
  });

  it("sends the key to no server but its own", async () => {
    const server = await serverWithAda();
    const other = await serverWithAda();
    const ada = await loggedIn(server);
    const sent = recordRequests();
    await ada.svc(["auth", "logout", "--server", other.url]);
    expect(sent.map(({ origin }) => origin)).toEqual([server.url]);
  });

  it("is no error when nobody is logged in", async () => {
    const run = await (await person()).svc("auth logout --json");
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(JSON.parse(run.out)).toEqual({ loggedOut: false, reason: "not authenticated" });
  });

  it("forgets a damaged file too", async () => {
    const ada = await person();
    await writeConfigFile(ada, "auth.json", "{ damaged");
    expect((await ada.svc("auth logout")).code).toBe(0);
    expect(await configText(ada, "auth.json")).toBeUndefined();
  });
});

describe("svc auth login over an earlier login", () => {
  const again = async (words: string, at?: string) => {
    const server = await serverWithAda();
    const other = at === undefined ? server : await serverWithAda();
    const ada = await loggedIn(server);
    const { apiKey: before } = await storedBy(ada);
    const command = ["auth", "login", "--username", "ada", "--server", other.url];
    const run = await ada.svc([...command, ...words.split(" ").filter(Boolean)], {
      input: "correct horse battery\n",
    });
    expect(run).toMatchObject({ code: 0, err: "" });
    const { apiKey: after } = await storedBy(ada);
    return [await keyWorks(server.url, before), await keyWorks(other.url, after)];
  };

  it("deletes the key that nobody has any more, at the same server only", async () => {
    expect(await again("")).toEqual([false, true]);
    expect(await again("", "another server")).toEqual([true, true]);
  });

  it("leaves it valid with --keep-key", async () => {
    expect(await again("--keep-key")).toEqual([true, true]);
  });

  it("says nothing of one that was deleted before", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const { apiKey, apiKeyId: keyId } = await storedBy(ada);
    const headers = () => ({ authorization: `Bearer ${apiKey}` });
    await createClient(api, { baseUrl: server.url, headers }).keys.delete({ body: { keyId } });
    const run = await ada.svc(["auth", "login", "--username", "ada", "--server", server.url], {
      input: "correct horse battery\n",
    });
    expect(run).toMatchObject({ code: 0, err: "" });
  });
});

describe("login and logout while SVC_API_KEY is set", () => {
  it.each([
    ["auth login --username ada --password secret", "cannot log in"],
    ["auth logout", "cannot log out"],
    ["auth logout --keep-key", "cannot log out"],
  ])("svc %s is refused: no request, no file touched", async (line, message) => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const before = await configText(ada, "auth.json");
    const touched = (await stat(ada.file("auth.json"))).mtimeMs;
    const sent = recordRequests();
    const run = await ada.svc(line, { environment: { SVC_API_KEY: "svc_other" } });
    expect(run.code).toBe(1);
    expect(run.err).toContain(message);
    expect(run.err).toContain("hint: unset SVC_API_KEY");
    expect(sent).toEqual([]);
    expect(await configText(ada, "auth.json")).toBe(before);
    expect((await stat(ada.file("auth.json"))).mtimeMs).toBe(touched);
  });

  it("are allowed when it is empty", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    expect((await ada.svc("auth logout", { environment: { SVC_API_KEY: "" } })).code).toBe(0);
  });
});
