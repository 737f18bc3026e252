import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { api } from "../../src/contract/index.ts";
import { createClient } from "../../src/http/client.ts";
import { configText, loggedIn, type Person, person, serverWithAda, writeConfigFile } from "../support/cli.ts";
import { recordRequests } from "../support/recorder.ts";

const password = "correct horse battery\n";
const storedBy = async (someone: Person) => JSON.parse((await configText(someone, "auth.json")) ?? "null");

describe("svc auth login", () => {
  it("keeps a key that works, in a file only its owner can read, and prints no secret", async () => {
    const server = await serverWithAda();
    const ada = await person();
    const run = await ada.svc(["auth", "login", "--server", server.url, "--username", "ada"], {
      input: password,
    });
    expect(run).toMatchObject({ code: 0, err: "" });
    const stored = await storedBy(ada);
    expect(stored).toEqual({
      serverUrl: server.url,
      apiKey: expect.stringMatching(/^svc_[0-9a-f]{32}$/),
      apiKeyId: expect.stringMatching(/^[0-9A-Z]{26}$/),
      username: "ada",
      collectives: expect.any(Array),
    });
    expect((await stat(ada.file("auth.json"))).mode & 0o777).toBe(0o600);
    expect(run.out).toContain("ada");
    expect(run.out).not.toContain(stored.apiKey);
    expect(run.out).not.toContain("correct horse");
    // The next command needs nothing but the file.
    expect(await ada.svc("auth whoami")).toMatchObject({ code: 0 });
  });

  it("takes an e-mail address for a username, and both lines from a pipe", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const run = await ada.svc("auth login --json", { input: `ada@example.org\n${password}` });
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toEqual({
      authenticated: true,
      serverUrl: server.url,
      username: "ada",
      store: "file",
    });
  });

  it("asks on a terminal and does not echo the password", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const run = await ada.svc("auth login --no-browser", {
      terminal: true,
      input: "ada\ncorrect hoses\u007f\u007f\u007frse battery\r",
    });
    expect(run.code).toBe(0);
    expect(run.err).toBe("Username or email: Password: \n");
  });

  it("is cancelled by Ctrl-C at the password, with 130, before any request", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const sent = recordRequests();
    const run = await ada.svc("auth login --username ada", { terminal: true, input: "corr\u0003" });
    expect(run.code).toBe(130);
    expect(run.err).toMatch(/error:.* cancelled\n$/);
    expect(sent).toEqual([]);
  });

  it.each([
    ["", "--username is missing"],
    ["ada\n", "--password is missing"],
    ["ada\n\n", "--password is missing"],
  ])("with %j piped names what is missing and sends nothing", async (input, message) => {
    const sent = recordRequests();
    const run = await (await person()).svc("auth login", { input });
    expect(run.code).toBe(2);
    expect(run.err).toContain(message);
    expect(sent).toEqual([]);
  });

  it("never asks with --json", async () => {
    const run = await (await person()).svc("auth login --no-browser --json", {
      terminal: true,
      input: `ada\n${password}`,
    });
    expect(run.code).toBe(2);
    expect(JSON.parse(run.err)).toMatchObject({ code: "usage" });
  });

  it("tells a wrong password in one sentence and keeps the login that was", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const before = await configText(ada, "auth.json");
    const run = await ada.svc("auth login --username ada", { input: "wrong password\n" });
    expect(run.code).toBe(1);
    expect(run.err).toBe(
      `error: could not log in to ${server.url}: wrong username, e-mail or password\nhint: svc auth login --username NAME\n`,
    );
    expect(await configText(ada, "auth.json")).toBe(before);
  });

  it("leaves neither session nor key behind when the key cannot be kept", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    // A directory where the file should be: it cannot be replaced, whoever tries.
    await mkdir(ada.file("auth.json"), { recursive: true });
    const run = await ada.svc("auth login --username ada", { input: password });
    expect(run.code).toBe(1);
    const { token } = await createClient(api, { baseUrl: server.url }).accounts.signInUsername({
      body: { username: "ada", password: server.password },
    });
    const session = createClient(api, {
      baseUrl: server.url,
      headers: () => ({ authorization: `Bearer ${token}` }),
    });
    expect((await session.keys.list({})).apiKeys.filter(({ name }) => name?.startsWith("cli-"))).toEqual([]);
  });

  it("keeps a damaged auth.json under another name and says so", async () => {
    const server = await serverWithAda();
    const ada = await person();
    await writeConfigFile(ada, "auth.json", "{ damaged");
    const run = await ada.svc(["auth", "login", "--username", "ada", "--server", server.url], {
      input: password,
    });
    expect(run.code).toBe(0);
    expect(await storedBy(ada)).toMatchObject({ username: "ada" });
    const kept = /; it is kept as (\S+\.damaged-\S+)\n/.exec(run.err)?.[1] ?? "";
    expect(await readFile(kept, "utf8")).toBe("{ damaged");
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
  });

  it("makes a file that others could read private again", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    await chmod(ada.file("auth.json"), 0o644);
    expect((await ada.svc("auth whoami")).err).toContain("can be read by others (mode 0644)");
    await ada.svc("auth login --username ada", { input: password });
    expect((await stat(ada.file("auth.json"))).mode & 0o777).toBe(0o600);
  });
});

describe("svc auth whoami", () => {
  it("tells the user and the server", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    expect((await ada.svc("auth whoami")).out).toContain(`ada (ada@example.org) on ${server.url}\n`);
    expect(JSON.parse((await ada.svc("auth status --json")).out)).toMatchObject({
      authenticated: true,
      serverUrl: server.url,
      username: "ada",
      email: "ada@example.org",
      name: "ada",
    });
  });

  it("brings the stored collectives up to date, and never writes with a key of the environment", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const fresh = await storedBy(ada);
    await writeConfigFile(ada, "auth.json", JSON.stringify({ ...fresh, collectives: ["gone"] }));
    await ada.svc("auth whoami", { environment: { SVC_API_KEY: fresh.apiKey } });
    expect((await storedBy(ada)).collectives).toEqual(["gone"]);
    await ada.svc("auth whoami");
    expect(await storedBy(ada)).toEqual(fresh);
  });

  it("tells a key that is no longer valid from having none", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const without = await ada.svc("auth whoami --json");
    const wrong = await ada.svc("auth whoami --json", {
      environment: { SVC_API_KEY: `svc_${"0".repeat(32)}` },
    });
    expect([without.code, wrong.code]).toEqual([1, 1]);
    expect(JSON.parse(without.err)).toMatchObject({ code: "not_authenticated", hint: "svc auth login" });
    expect(JSON.parse(wrong.err)).toMatchObject({ code: "invalid_api_key" });
  });

  it("says to replace a key of SVC_API_KEY that is not valid, since nobody can log in beside it", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const zeros = "0".repeat(32);
    for (const key of [`svc_${zeros}`, `svc_org_${zeros}`])
      for (const words of ["auth whoami", "workspace list", "change-set list"]) {
        const run = await ada.svc(`${words} --json`, { environment: { SVC_API_KEY: key } });
        expect(run.code, `${words} ${run.out}`).toBe(1);
        expect(JSON.parse(run.err), words).toMatchObject({
          code: "invalid_api_key",
          hint: expect.stringMatching(/put another one there, or unset SVC_API_KEY$/),
        });
      }
  });

  it("says to log in where the stored key is not valid any more", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const { apiKeyId } = await storedBy(ada);
    expect((await ada.svc(`key revoke ${apiKeyId} --yes`, { input: `${server.password}\n` })).code).toBe(0);
    expect(JSON.parse((await ada.svc("change-set list --json")).err)).toMatchObject({
      code: "invalid_api_key",
      hint: expect.stringContaining("svc auth login"),
    });
  });

  it("says what it could not reach, without a stack", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    await server.stop();
    const run = await ada.svc("auth whoami");
    expect(run.code).toBe(1);
    expect(run.err).toMatch(
      /^error: could not reach http:\/\/127\.0\.0\.1:\d+\/api\/whoami: .+\nhint: .+\n$/,
    );
    expect((await ada.svc("auth whoami --debug")).err).toContain("    at ");
  });

  it("warns once when a stored key goes to another server than its own", async () => {
    const server = await serverWithAda();
    const other = await serverWithAda();
    const ada = await loggedIn(server);
    const { err } = await ada.svc(["auth", "whoami", "--server", other.url]);
    expect(err.split("\n").filter((line) => line.startsWith("warning:"))).toEqual([
      `warning: the stored key belongs to ${server.url} and goes to ${other.url} (from --server)`,
    ]);
  });

  it.each(["--server", "SVC_CLUB_URL"])("with strictOrigin sends no stored key astray by %s", async (by) => {
    const server = await serverWithAda();
    const other = await serverWithAda();
    const ada = await loggedIn(server, { SVC_STRICT_ORIGIN: "true" });
    expect((await ada.svc("auth whoami")).code).toBe(0);
    const sent = recordRequests();
    const run =
      by === "--server"
        ? await ada.svc(["auth", "whoami", "--server", other.url])
        : await ada.svc("auth whoami", { environment: { SVC_CLUB_URL: other.url } });
    expect(run.code).toBe(1);
    expect(run.err).toBe(
      `error: the stored key belongs to ${server.url} and is not sent to ${other.url} (from ${by}), since strictOrigin is set\nhint: svc auth login --server ${other.url}\n`,
    );
    expect(sent).toEqual([]);
    const login = ["auth", "login", "--server", other.url, "--username", "ada"];
    expect((await ada.svc(login, { input: password })).code).toBe(0);
    expect((await storedBy(ada)).serverUrl).toBe(other.url);
  });

  it("keeps everything in XDG_CONFIG_HOME when that is set", async () => {
    const server = await serverWithAda();
    const ada = await person({ SVC_CLUB_URL: server.url });
    const elsewhere = join(ada.home, "elsewhere");
    await ada.svc("auth login --username ada", {
      input: password,
      environment: { XDG_CONFIG_HOME: elsewhere },
    });
    expect((await stat(join(elsewhere, "svc", "auth.json"))).isFile()).toBe(true);
    expect(await configText(ada, "auth.json")).toBeUndefined();
  });
});
