import { describe, expect, it } from "vitest";
import { loggedIn, person, type ServerWithAda, serverWithAda } from "../support/cli.ts";
import { recordRequests } from "../support/recorder.ts";

/** A session as a browser has it. */
async function browserSession({ server, username, password }: ServerWithAda) {
  const { token } = await server.client("").accounts.signInUsername({ body: { username, password } });
  const { accounts } = server.client(token);
  const found = await accounts.getSession({});
  return {
    id: found?.session.id ?? "",
    token,
    lasts: () =>
      accounts.getSession({}).then(
        (answer) => answer !== null,
        () => false,
      ),
  };
}

describe("svc session", () => {
  it("lists where the user is signed in but for its own session, and shows no token", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const svc = (line: string) => ada.svc(line, { input: `${server.password}\n` });
    await svc("session revoke-others --yes");
    expect(await svc("session list")).toMatchObject({ code: 0, out: "" });
    const browser = await browserSession(server);
    const listed = await svc("session list");
    expect(listed.out.split("\t")[0]).toBe(browser.id);
    expect(listed.out.trim().split("\n")).toHaveLength(1);
    expect(listed.out).not.toContain(browser.token);
    expect(JSON.parse((await svc("session list --json")).out)).toMatchObject([{ id: browser.id }]);
  });

  it("ends one session, and names one that is not there", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const svc = (line: string) => ada.svc(line, { input: `${server.password}\n` });
    const [one, other] = [await browserSession(server), await browserSession(server)];
    expect(await svc(`session revoke ${one.id.toLowerCase()} --yes`)).toMatchObject({ code: 0 });
    expect([await one.lasts(), await other.lasts()]).toEqual([false, true]);
    expect(await svc(`session revoke ${one.id} --yes`)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`no such session: "${one.id}"`),
    });
  });

  it("ends all of them after a question, and leaves keys alone", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const browsers = [await browserSession(server), await browserSession(server)];
    const no = await ada.svc("session revoke-others", {
      terminal: true,
      input: `${server.password}\rn\n`,
    });
    expect(no.err).toMatch(/end \d sessions\? \[y\/N\]/);
    expect(await browsers[0]?.lasts()).toBe(true);
    expect(await ada.svc("session revoke-others --yes", { input: `${server.password}\n` })).toMatchObject({
      code: 0,
    });
    for (const browser of browsers) expect(await browser.lasts()).toBe(false);
    expect((await ada.svc("auth whoami")).code).toBe(0);
  });
});

describe("svc auth password", () => {
  it("changes it with both lines from a pipe; the old one is refused, keys stay", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const browser = await browserSession(server);
    const run = await ada.svc("auth password", { input: `${server.password}\na much better one\n` });
    expect(run).toMatchObject({ code: 0, err: "changed the password\n" });
    expect(await browser.lasts()).toBe(true);
    expect((await ada.svc("auth whoami")).code).toBe(0);
    const again = await person({ SVC_CLUB_URL: server.url });
    expect((await again.svc("auth login --username ada", { input: `${server.password}\n` })).code).toBe(1);
    expect((await again.svc("auth login --username ada", { input: "a much better one\n" })).code).toBe(0);
  });

  it("asks twice for the new one on a terminal, shows none, and changes nothing when they differ", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const typed = (...lines: string[]) => ({
      terminal: true,
      input: lines.map((line) => `${line}\r`).join(""),
    });
    const differing = await ada.svc("auth password", typed(server.password, "one password", "another one"));
    expect(differing.code).toBe(2);
    expect(differing.err).toContain("the two passwords differ");
    const run = await ada.svc("auth password", typed(server.password, "one password", "one password"));
    expect(run.code).toBe(0);
    expect(run.err).toContain("Password: \nNew password: \nThe same again: \nchanged the password\n");
    expect(run.err).not.toContain("one password");
  });

  it("signs out everywhere when it is told to", async () => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const browser = await browserSession(server);
    const run = await ada.svc("auth password --sign-out-others --json", {
      input: `${server.password}\na much better one\n`,
    });
    expect(JSON.parse(run.out)).toEqual({ changed: true, signedOutOthers: true });
    expect(await browser.lasts()).toBe(false);
  });

  it.each([
    ["a wrong password", "wrong one\nlong enough\n", 1, "wrong username, e-mail or password"],
    ["a new one that is too short", "@\nshort\n", 1, "at least 8 characters"],
    ["no new one", "@\n", 2, "--new-password is missing"],
  ])("with %s changes nothing", async (_name, input, code, message) => {
    const server = await serverWithAda();
    const ada = await loggedIn(server);
    const run = await ada.svc("auth password", { input: input.replace("@", server.password) });
    expect(run.code).toBe(code);
    expect(run.err).toContain(message);
    expect((await ada.svc("auth login --username ada", { input: `${server.password}\n` })).code).toBe(0);
  });

  it("sends nothing when nobody can be asked", async () => {
    const ada = await person({ SVC_CLUB_URL: "http://127.0.0.1:9" });
    const sent = recordRequests();
    expect((await ada.svc("auth password --username ada --json", { terminal: true })).code).toBe(2);
    expect(sent).toEqual([]);
  });
});
