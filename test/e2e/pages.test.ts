import { describe, expect, it, onTestFinished } from "vitest";
import { programFile } from "../../src/cli/launch.ts";
import { svc } from "../support/built-cli.ts";
import { chromiumMissing, openWindow, type Window } from "../support/chromium.ts";
import { sqlite } from "../support/engines.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { onPty } from "../support/terminal-pty.ts";

const password = "correct horse battery";

async function startServer(): Promise<TestServer> {
  const server = await startTestServer(sqlite);
  onTestFinished(() => server.stop());
  return server;
}

/** A finished run of the built command line. */
async function ran(argv: string, home: string, environment: Readonly<Record<string, string>>) {
  const run = svc(argv.split(" "), { home, environment });
  const code = await run.ended;
  return { code, out: run.out(), err: run.err() };
}

/** `svc auth login` on a terminal of its own, where no browser opens by itself, once it has said what to open. */
async function loginOnTerminal({ url }: TestServer) {
  const home = await temporaryDirectory();
  const environment = { HOME: home, SVC_CLUB_URL: url };
  const terminal = onPty(process.execPath, [programFile, "auth", "login"], { environment });
  onTestFinished(() => terminal.dispose());
  const said = (pattern: RegExp): string | undefined => pattern.exec(terminal.bytes())?.[1];
  await terminal.until("the address", () => said(/open +(\S+)\r\n/) !== undefined);
  const [address, code] = [said(/open +(\S+)\r\n/) ?? "", said(/code +(\w{4}-\w{4})\b/) ?? ""];
  expect(address.startsWith(`${url}/login?`)).toBe(true);
  return { home, terminal, address, code };
}

async function signUp({ page }: Window, { url }: TestServer): Promise<void> {
  await page.goto(url);
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
  await page.getByLabel("E-mail").fill("ada@example.org");
  await page.getByLabel("Username (optional)").fill("ada");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("status").getByText("Your account is ready.").waitFor();
}

const modes = [
  ["with JavaScript", true],
  ["with JavaScript disabled", false],
] as const;

describe.skipIf(chromiumMissing !== undefined)("the pages in a browser (Chromium)", () => {
  it.each(modes)(
    "sign up, create a key, use it with svc, revoke it, see it refused: %s",
    {
      timeout: 90_000,
    },
    async (_mode, javaScriptEnabled) => {
      const server = await startServer();
      const window = await openWindow({ javaScriptEnabled });
      const { context, page, problems } = window;
      await signUp(window, server);

      await page.getByLabel("Name", { exact: true }).fill("laptop");
      await page.getByRole("button", { name: "Create key" }).click();
      const shown = page.getByRole("region", { name: "your new key" });
      const key = await shown.locator("code").first().innerText();
      expect(key).toMatch(/^svc_[0-9a-f]{32}$/);
      const copy = page.getByRole("button", { name: "Copy" });
      if (javaScriptEnabled) {
        await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
        await copy.click();
        await shown.getByRole("status").getByText("copied").waitFor();
        expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
      } else expect(await copy.count()).toBe(0);

      const home = await temporaryDirectory();
      const environment = { SVC_CLUB_URL: server.url, SVC_API_KEY: key };
      const used = await ran("auth whoami", home, environment);
      expect([used.code, used.err]).toEqual([0, ""]);
      expect(used.out).toContain("ada@example.org");

      await page.getByRole("link", { name: "Keys", exact: true }).click();
      const row = page.getByRole("row", { name: /laptop/ });
      await row.getByText("enabled").waitFor();
      expect(await page.content()).not.toContain(key);
      await row.getByRole("button", { name: "Revoke laptop" }).click();
      await page.getByRole("status").getByText("The key is revoked").waitFor();
      await row.getByText("revoked", { exact: true }).waitFor();

      const refused = await ran("auth whoami", home, environment);
      expect(refused.code).toBe(1);
      expect(refused.out).not.toContain("ada@example.org");
      expect(`${refused.out}${refused.err}`).not.toContain(key);

      await page.goto(`${server.url}/audit`);
      await page.getByText("revoked the key “laptop”").waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("status").getByText("You are signed out.").waitFor();
      await page.goBack();
      await page.goto(`${server.url}/keys`);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(problems).toEqual([]);
    },
  );

  it.each(modes)(
    "a terminal signs in through the browser: %s",
    { timeout: 90_000 },
    async (_mode, javaScriptEnabled) => {
      const server = await startServer();
      const ada = await server.person("ada");
      const { page, problems } = await openWindow({ javaScriptEnabled });
      const { home, terminal, address, code } = await loginOnTerminal(server);
      await page.goto(address);
      await page.getByText(code, { exact: true }).waitFor();
      await page.getByLabel("E-mail or username").fill(ada.username);
      await page.getByLabel("Password").fill(ada.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText(code, { exact: true }).waitFor();
      await page.getByRole("button", { name: "Approve as @ada" }).click();
      await page.getByRole("heading", { name: "Your terminal is signed in" }).waitFor();
      expect(page.url()).toBe(`${server.url}/cli/success`);
      expect(await terminal.ended, terminal.bytes()).toBe(0);

      const who = await ran("auth whoami", home, { SVC_CLUB_URL: server.url });
      expect([who.code, who.out]).toEqual([0, expect.stringContaining(ada.email)]);
      await page.getByRole("link", { name: "your keys" }).click();
      await page.getByRole("row", { name: /cli-/ }).getByText("enabled").waitFor();
      // The terminal has ended the session that was opened for it.
      await page.goto(`${server.url}/sessions`);
      expect(await page.getByText("this session").count()).toBe(1);
      expect(problems).toEqual([]);
    },
  );

  it("a terminal hears that nobody approved", { timeout: 60_000 }, async () => {
    const server = await startServer();
    const ada = await server.person("ada");
    const { page, context } = await openWindow();
    await context.addCookies([{ name: "svc.session_token", value: ada.session, url: server.url }]);
    const { terminal, address } = await loginOnTerminal(server);
    await page.goto(address);
    await page.getByRole("button", { name: "Do not approve" }).click();
    expect(await terminal.ended).toBe(1);
    expect(terminal.bytes()).toMatch(/denied/i);
    const { total } = await server.client(ada.session).keys.list({ query: {} });
    expect(total).toBe(1);
  });

  it("signs in and creates a key with the keyboard alone, with the focus in sight", {
    timeout: 60_000,
  }, async () => {
    const server = await startServer();
    const ada = await server.person("ada");
    const { page } = await openWindow();
    const { keyboard } = page;
    /** Presses Tab until the focus is on what a screen reader calls `name`. */
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 40; presses++) {
        await keyboard.press("Tab");
        const [label, outline] = (await page.evaluate(
          `[document.activeElement.getAttribute("aria-label") ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent.trim(), getComputedStyle(document.activeElement).outlineStyle]`,
        )) as [string, string];
        expect(outline, label).not.toBe("none");
        if (label === name) return;
      }
      throw new Error(`no Tab leads to ${name}`);
    };
    await page.goto(`${server.url}/keys`);
    await keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
    await tabTo("E-mail or username");
    await keyboard.type(ada.username);
    await tabTo("Password");
    await keyboard.type(ada.password);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await tabTo("Name");
    await keyboard.type("typed");
    await tabTo("Create key");
    await keyboard.press("Enter");
    await page.getByRole("region", { name: "your new key" }).waitFor();
    await tabTo("Copy");
    await tabTo("Revoke typed");
    await keyboard.press("Enter");
    await page.getByRole("status").getByText("The key is revoked").waitFor();
  });
});
