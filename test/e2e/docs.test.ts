import { existsSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { rowsOf } from "../../src/contract/endpoint.ts";
import { api } from "../../src/contract/index.ts";
import { sqlite } from "../support/engines.ts";
import { startTestServer } from "../support/server.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { until } from "../support/until.ts";

const browserPath = "/usr/bin/chromium";

describe.skipIf(!existsSync(browserPath))("the documentation in a browser (Chromium)", () => {
  it("shows operations from the first to the last, and asks no other host for anything", {
    timeout: 60_000,
  }, async () => {
    const server = await startTestServer(sqlite);
    onTestFinished(() => server.stop());
    const browser = await chromium.launchPersistentContext(join(await temporaryDirectory(), "profile"), {
      executablePath: browserPath,
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const asked: string[] = [];
    const problems: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    await page.goto(`${server.url}/docs`);
    await page.getByText("Active change sets, the head first").waitFor();
    // A document of this length shows what is in sight only.
    const last = rowsOf(api).at(-1)?.endpoint.summary ?? "";
    const isReached = async (): Promise<boolean> => {
      await page.evaluate("window.scrollTo(0, document.body.scrollHeight)");
      return page.getByText(last).first().isVisible();
    };
    await until(isReached, "the last operation", 40);
    const others = asked.filter((url) => !url.startsWith(server.url) && !/^(data|blob):/.test(url));
    expect(others).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("greets a browser at the address of the server", { timeout: 60_000 }, async () => {
    const server = await startTestServer(sqlite);
    onTestFinished(() => server.stop());
    const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const answer = await page.goto(server.url);
    expect(answer?.status()).toBe(200);
    await page.getByRole("link", { name: /documentation/i }).click();
    await page.getByText("Active change sets, the head first").waitFor();
  });
});
