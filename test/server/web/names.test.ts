import { beforeAll, describe, expect, it } from "vitest";
import { sqlite } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { openBrowser, type WebBrowser } from "../../support/web.ts";

/** Overrides the direction: `evil` would be read as `live`. */
const name = "\u202eevil";
const seen = "\\u{202e}evil";

describe("a name that would be read otherwise than it is", () => {
  const suite = suiteServer(sqlite);
  let browser: WebBrowser;
  beforeAll(async () => {
    browser = openBrowser(suite.server);
    const account = { name, email: "eve@example.org", username: "eve", password: "correct horse battery" };
    await (await browser.open("/signup")).submit("sign-up", account);
    await (await browser.open("/keys")).submit("create", { name });
    await (await browser.open("/collectives")).submit("create", { slug: "evil-team", name });
    const team = await browser.open("/collectives/evil-team");
    await team.submit("create-token", { tokenName: name });
  });

  it.each([
    "/account",
    "/keys",
    "/collectives",
    "/collectives/evil-team",
    "/audit",
    "/audit?collective=evil-team",
  ])("is shown as it is at %s, and moves nothing around it", async (path) => {
    const { status, html } = await browser.open(path);
    expect(status).toBe(200);
    expect(html).toContain(`<bdi>${seen}</bdi>`);
    expect(html.replaceAll(/ value="[^"]*"/g, "")).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it("is what a form says that it acts on, and stays what it is in a field", async () => {
    const { forms } = await browser.open("/keys");
    expect(forms.flatMap(({ buttons }) => buttons)).toContain(`Revoke ${seen}`);
    const page = await browser.open("/collectives/evil-team");
    expect([page.title, page.form("rename").values["name"]]).toEqual([seen, name]);
    const renamed = await page.submit("rename", { name: "“בית” a" });
    expect(renamed.title).toBe("“בית” a");
  });
});
