import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { api } from "../../src/contract/index.ts";
import { createClient } from "../../src/http/client.ts";
import {
  configText,
  type Person,
  person,
  type Run,
  type RunOptions,
  type ServerWithAda,
  serverWithAda,
} from "../support/cli.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { notedBrowser } from "../support/noted-browser.ts";
import { until } from "../support/until.ts";
import { openBrowser } from "../support/web.ts";

/** A login that waits for its browser, and what the browser was sent to. */
interface Waiting {
  readonly ada: Person;
  readonly server: ServerWithAda;
  readonly ended: Promise<Run>;
  readonly page: URL;
  readonly callback: string;
  readonly state: string;
}

async function waitingLogin(words = "", options: RunOptions = {}): Promise<Waiting> {
  const server = await serverWithAda();
  const { program, opened } = await notedBrowser();
  const ada = await person({ SVC_CLUB_URL: server.url, BROWSER: program, NO_COLOR: "1" });
  const ended = ada.svc(`auth login${words}`, { terminal: true, ...options });
  const page = await opened();
  const of = (name: string): string => page.searchParams.get(name) ?? "";
  return { ada, server, ended, page, callback: of("cli_callback"), state: of("state") };
}

/** A session as the page in the browser gives it to the terminal. */
async function sessionOf({ server }: Waiting): Promise<string> {
  const { username, password } = server;
  const { accounts } = createClient(api, { baseUrl: server.url });
  return (await accounts.signInUsername({ body: { username, password } })).token;
}

const answer = (
  { callback }: Waiting,
  query: Readonly<Record<string, string>>,
  init: RequestInit = {},
): Promise<Response> => fetch(`${callback}?${new URLSearchParams(query)}`, { redirect: "manual", ...init });

const isOver = async ({ callback }: Waiting): Promise<boolean> =>
  fetch(callback).then(
    () => false,
    () => true,
  );

/** What opens no browser, and what is said of it; the first two as far as the system looks for a display. */
const openers: readonly (readonly [string, Readonly<Record<string, string>>, string])[] = [
  ["no display", {}, "there is no display"],
  ["no opener", { DISPLAY: ":9", PATH: "/nowhere" }, "there is no xdg-open here"],
  ["BROWSER=/nowhere/browser", { BROWSER: "/nowhere/browser" }, "there is no /nowhere/browser here"],
  ["a BROWSER that fails", { BROWSER: "/bin/false:/bin/sh -c false" }, "/bin/sh ended with 1"],
];
const tried = process.platform === "linux" ? openers : openers.slice(2);

describe("svc auth login through the browser", () => {
  it("asks for the session of whoever signs in there, makes a key of it and leaves no session", async () => {
    const login = await waitingLogin();
    const { page, state, server, ada } = login;
    expect(`${page.origin}${page.pathname}`).toBe(`${server.url}/login`);
    expect([...page.searchParams.keys()]).toEqual(["cli_callback", "state", "device_code"]);
    expect(login.callback).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    expect(state).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const code = page.searchParams.get("device_code") ?? "";
    expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/);
    const token = await sessionOf(login);
    const answered = await answer(login, { token, state });
    expect(answered.status).toBe(302);
    expect(answered.headers.get("location")).toBe(`${server.url}/cli/success`);
    const run = await login.ended;
    expect(run.code).toBe(0);
    expect(run.out).toContain("logged in as ada");
    expect(run.err).toContain(`code  ${code}`);
    expect(run.err).toContain(page.href);
    expect(`${run.out}${run.err}`).not.toContain(token);
    expect((await ada.svc("auth whoami")).code).toBe(0);
    const { apiKeyId } = JSON.parse((await configText(ada, "auth.json")) ?? "");
    expect(apiKeyId).toMatch(/^[0-9A-Z]{26}$/);
    const session = createClient(api, {
      baseUrl: server.url,
      headers: () => ({ authorization: `Bearer ${token}` }),
    });
    expect(await session.accounts.getSession({}).catch(() => null)).toBeNull();
    expect(await isOver(login)).toBe(true);
  });

  it.each(["approve", "deny"] as const)("goes through the server's own pages: %s", async (act) => {
    const login = await waitingLogin();
    const { page, server } = login;
    const browser = openBrowser(server);
    const first = await browser.open(`${page.pathname}${page.search}`);
    expect(first.text).toContain(page.searchParams.get("device_code"));
    const { username: account, password } = server;
    const asked = await first.submit("sign-in", { account, password });
    expect(asked.path).toBe(`${page.pathname}${page.search}`);
    const { location = "" } = await asked.submit(act);
    expect(location.startsWith(`${login.callback}?`)).toBe(true);
    const answered = await fetch(location, { redirect: "manual" });
    expect(answered.status).toBe(act === "approve" ? 302 : 200);
    if (act === "approve") {
      const last = await browser.open(answered.headers.get("location") ?? "");
      expect([last.status, last.title]).toEqual([200, "Your terminal is signed in"]);
    }
    expect((await login.ended).code).toBe(act === "approve" ? 0 : 1);
  });

  it("goes on waiting after what is no answer to it, each told in a small page", async () => {
    const login = await waitingLogin();
    const { callback, state } = login;
    const token = await sessionOf(login);
    const other = "00000000-0000-4000-8000-000000000000";
    const asked: readonly [number, () => Promise<Response>][] = [
      [400, () => answer(login, { token, state: other })],
      [400, () => answer(login, { token })],
      [400, () => answer(login, { state })],
      [400, () => answer(login, { token: "", state })],
      [400, () => answer(login, { token: "two\nlines", state })],
      [400, () => answer(login, { error: "access_denied", state: other })],
      [400, () => answer(login, { error: "something else", state })],
      [405, () => answer(login, { token, state }, { method: "POST" })],
      [404, () => fetch(callback.replace("/callback", "/"))],
      [404, () => fetch(callback.replace("/callback", "//callback"))],
      [404, () => fetch(`${callback}/more?token=${token}&state=${state}`)],
    ];
    for (const [status, ask] of asked) {
      const answered = await ask();
      const text = await answered.text();
      expect(answered.status, text).toBe(status);
      expect(answered.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(text).not.toContain(token);
    }
    expect((await answer(login, { token, state })).status).toBe(302);
    expect((await login.ended).code).toBe(0);
  });

  it("takes one answer: of two at once the second changes nothing, and later ones find nobody", async () => {
    const login = await waitingLogin();
    const { state } = login;
    const token = await sessionOf(login);
    const statuses = await Promise.all(
      [1, 2].map(() =>
        answer(login, { token, state }).then(
          ({ status }) => status,
          () => 0,
        ),
      ),
    );
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect((await login.ended).code).toBe(0);
    expect(await isOver(login)).toBe(true);
  });

  it("ends at once when the sign-in is denied in the browser, and keeps nothing", async () => {
    const login = await waitingLogin(" --json");
    const denied = await answer(login, { error: "access_denied", state: login.state });
    expect([denied.status, await denied.text()]).toEqual([200, expect.stringContaining("denied")]);
    const run = await login.ended;
    expect(run.code).toBe(1);
    expect(run.err).toContain('"code": "access_denied"');
    // Nobody could go on without the address: it stands beside the document, not in it.
    expect(run.err).toContain(login.page.href);
    expect(run.out).toBe("");
    expect(await configText(login.ada, "auth.json")).toBeUndefined();
    expect(await isOver(login)).toBe(true);
  });

  it("with a session that the server does not know fails as any login does", async () => {
    const login = await waitingLogin();
    expect((await answer(login, { token: "no-such-session", state: login.state })).status).toBe(302);
    const run = await login.ended;
    expect(run.code).toBe(1);
    expect(run.err).toMatch(/error: /);
    expect(await configText(login.ada, "auth.json")).toBeUndefined();
  });

  it("waits two minutes and not longer", async () => {
    const clock = fakeClock();
    const login = await waitingLogin("", { clock });
    await clock.advance(119_999);
    expect(await isOver(login)).toBe(false);
    await clock.advance(1);
    const run = await login.ended;
    expect(run.code).toBe(1);
    expect(run.err).toContain("error: the login was not finished in the browser within 2 minutes");
    expect(run.err).toContain("--no-browser");
    expect(await isOver(login)).toBe(true);
    expect(clock.pending()).toBe(0);
  });

  it("is cancelled by Ctrl-C, with 130", async () => {
    const stop = new AbortController();
    const login = await waitingLogin("", { signal: stop.signal });
    stop.abort("SIGINT");
    expect((await login.ended).code).toBe(130);
    expect(await isOver(login)).toBe(true);
  });

  it.each(tried)(
    "with %s says that none was opened, and waits all the same",
    async (_name, environment, reason) => {
      const server = await serverWithAda();
      const ada = await person({ SVC_CLUB_URL: server.url, NO_COLOR: "1", ...environment });
      const stop = new AbortController();
      let said = "";
      const ended = ada.svc("auth login", {
        terminal: true,
        signal: stop.signal,
        onError: (text) => {
          said += text;
        },
      });
      await until(() => said.includes("no browser was opened"));
      expect(said).toContain(
        `warning: no browser was opened: ${reason}; open the address above on this machine`,
      );
      expect(said).toContain(`open  ${server.url}/login?cli_callback=http`);
      stop.abort("SIGINT");
      expect((await ended).code).toBe(130);
    },
  );

  it("is not held by a browser that goes on running", async () => {
    const server = await serverWithAda();
    const browser = await notedBrowser(true);
    const ada = await person({ SVC_CLUB_URL: server.url, BROWSER: `${browser.program} %s` });
    const stop = new AbortController();
    const ended = ada.svc("auth login", { terminal: true, signal: stop.signal });
    await browser.opened();
    stop.abort("SIGINT");
    expect((await ended).code).toBe(130);
    expect(await browser.end()).toBe(true);
  });

  it.each([
    ["--username ada", { terminal: true, input: "correct horse battery\r" }],
    ["--no-browser", { terminal: true, input: "ada\ncorrect horse battery\r" }],
    ["", { input: "ada\ncorrect horse battery\n" }],
  ])("is left out with %j and where no person sits", async (words, options) => {
    const server = await serverWithAda();
    const { program, noted } = await notedBrowser();
    const ada = await person({ SVC_CLUB_URL: server.url, BROWSER: program, NO_COLOR: "1" });
    expect((await ada.svc(`auth login ${words}`.trim(), options)).code).toBe(0);
    expect(await readFile(noted, "utf8").catch(() => "nothing")).toBe("nothing");
  });

  it("is refused while SVC_API_KEY is set, before anything is opened", async () => {
    const { program, noted } = await notedBrowser();
    const ada = await person({ SVC_API_KEY: `svc_${"0".repeat(32)}`, BROWSER: program });
    const run = await ada.svc("auth login", { terminal: true });
    expect(run.code).toBe(1);
    expect(run.err).toContain("SVC_API_KEY is set");
    expect(await readFile(noted, "utf8").catch(() => "nothing")).toBe("nothing");
  });
});
