import { existsSync } from "node:fs";
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

const path = "/usr/bin/chromium";

/** Why no browser can be driven here; undefined when one can. */
export const chromiumMissing: string | undefined = existsSync(path) ? undefined : `there is no ${path}`;

/** A window of a browser of its own, and what went wrong in it. */
export interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts and of the console, such as what a policy has refused; what the test itself asked for is none. */
  readonly problems: readonly string[];
}

/** Opens Chromium without a screen, in which nobody is signed in; closed when the test is over. */
export async function openWindow(options: BrowserContextOptions = {}): Promise<Window> {
  // Root and many containers have no sandbox for it; it shows pages of the test's own server only.
  const browser = await chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // Each page of 4xx is one.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      problems.push(message.text());
  });
  return { context, page, problems };
}
