import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { pages } from "../../server/web/pages/index.ts";
import { chromiumMissing, openWindow } from "../support/chromium.ts";
import { sqlite } from "../support/engines.ts";
import { startTestServer } from "../support/server.ts";
import { webWorld } from "../support/web-world.ts";

/** What a page shows, in one line of a report each. */
interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe finds wrong, whatever its weight, best practices included. */
async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // The result of the script above, as it declares it.
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    readonly violations: readonly Finding[];
  };
  return violations.map(
    ({ id, impact, help, nodes }) =>
      `${impact} ${id}: ${help}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("; ")}`,
  );
}

/** What is wrong with the document itself, as the browser has read it. */
const structure = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const wrong = [];
  const say = (what) => wrong.push(what);
  if (all("h1").length !== 1) say("headings of the first level: " + all("h1").length);
  if (document.documentElement.lang !== "en") say("no language");
  if (document.title === "") say("no title");
  if (document.doctype === null) say("no doctype");
  const ids = all("[id]").map(({ id }) => id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) say("id twice: " + id);
  for (const control of all("input:not([type=hidden]), select, textarea"))
    if (control.labels.length !== 1) say("control without a label: " + control.outerHTML);
  for (const button of all("button"))
    if ((button.getAttribute("aria-label") ?? button.textContent).trim() === "") say("button without words");
  for (const form of all("form")) {
    if (form.method !== "post") say("form by " + form.method);
    if ((form.elements.namedItem("csrf")?.value ?? "") === "") say("form without its proof: " + form.outerHTML);
  }
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 0) say("wider than the window by " + wide);
  return wrong;
})()`;

const looks = [
  ["light", 1280],
  ["dark", 1280],
  ["light", 360],
  ["dark", 360],
] as const;

describe.skipIf(chromiumMissing !== undefined)("everybody can use the pages (Chromium, axe)", () => {
  it.each(looks)(
    "in %s, %i pixels wide: nothing is found on any page, in any of its states",
    {
      timeout: 240_000,
    },
    async (colorScheme, width) => {
      const server = await startTestServer(sqlite);
      onTestFinished(() => server.stop());
      const { ada, addressOf, slug } = await webWorld(server);
      const { page, context, problems } = await openWindow({ colorScheme, viewport: { width, height: 800 } });
      const found: string[] = [];
      const look = async (what: string): Promise<void> => {
        const findings = [...(await findingsOf(page)), ...((await page.evaluate(structure)) as string[])];
        found.push(...findings.map((finding) => `${what}: ${finding}`));
      };
      const open = async (path: string): Promise<void> => {
        await page.goto(`${server.url}${path}`);
        await look(path);
      };
      const terminal = new URLSearchParams({
        cli_callback: "http://127.0.0.1:41234/callback",
        state: "0123456789abcdef",
        device_code: "ABCD-2345",
      });

      for (const path of ["/", "/login", "/signup", "/nothing", `/login?${terminal}`]) await open(path);
      await page.goto(`${server.url}/login`);
      await page.getByLabel("E-mail or username").fill("nobody");
      await page.getByLabel("Password").fill("wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
      await look("a refused sign-in");

      await context.addCookies([{ name: "svc.session_token", value: ada.session, url: server.url }]);
      for (const one of pages) await open(addressOf(one));
      for (const path of [
        `/login?${terminal}`,
        "/login?cli_callback=http://evil.example/",
        `/audit?collective=${slug}`,
        `/audit?workspace=${ada.workspaceId}`,
        "/collectives/nobody-has-this",
      ])
        await open(path);
      await page.goto(`${server.url}/keys`);
      await page.getByLabel("Name", { exact: true }).fill("laptop");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.locator("#raw-secret").waitFor();
      await look("a new key");
      await page.getByRole("button", { name: "Revoke laptop", exact: true }).click();
      await page.getByRole("status").waitFor();
      await look("a revoked key");
      await page.goto(`${server.url}/collectives/${slug}`);
      await page
        .locator("form", { has: page.getByRole("button", { name: "Create token" }) })
        .getByLabel("Name")
        .fill("robot");
      await page.getByRole("button", { name: "Create token" }).click();
      await page.locator("#raw-secret").waitFor();
      await look("a new token of a collective");
      await page.goto(`${server.url}/workspaces/${ada.workspaceId}`);
      await page.getByRole("button", { name: "Create token" }).click();
      await page.locator("#raw-secret").waitFor();
      await look("a new workspace token");
      await page.getByLabel("E-mail").fill("joan@example.org");
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByText("joan@example.org").first().waitFor();
      await page.locator("#raw-secret").waitFor();
      await look("the code of an invitation");
      await page.goto(`${server.url}/account`);
      await page.getByLabel("Current password").fill("wrong password");
      await page.getByLabel("New password").fill("another password");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByRole("alert").waitFor();
      await look("a refused change of the password");
      expect(found).toEqual([]);
      expect(problems).toEqual([]);
    },
  );
});
