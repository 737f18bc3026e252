import { beforeAll, describe, expect, it } from "vitest";
import { sqlite } from "../../support/engines.ts";
import { type Person, suiteServer } from "../../support/server.ts";
import { browserOf } from "../../support/web.ts";

describe("the page of keys", () => {
  const suite = suiteServer(sqlite);
  let ada: Person;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
  });

  it("shows a raw key in the one answer that makes it, and nowhere else ever", async () => {
    const browser = browserOf(suite.server, ada);
    const made = await (await browser.open("/keys")).submit("create", { name: " laptop " });
    const key = made.secret ?? "";
    expect([made.status, key]).toEqual([200, expect.stringMatching(/^svc_[0-9a-f]{32}$/)]);
    expect(made.html.split(key)).toHaveLength(2);
    expect(made.headers.get("cache-control")).toBe("no-store");
    expect((await suite.server.request("GET", "/api/whoami", { as: key })).status).toBe(200);
    for (const path of ["/keys", "/sessions", "/audit", "/account", "/keys?x"])
      expect((await browser.open(path)).html, path).not.toContain(key.slice(12));
    expect((await browser.open("/keys")).rows).toContainEqual([
      "laptop",
      `${key.slice(0, 12)}…`,
      expect.stringContaining("UTC"),
      expect.any(String),
      "enabled",
      "Revoke Delete",
    ]);
    expect(JSON.stringify(suite.server.log)).not.toContain(key);
  });

  it("revokes for good, and deletes", async () => {
    const browser = browserOf(suite.server, ada);
    const key = (await (await browser.open("/keys")).submit("create", { name: "old" })).secret ?? "";
    const { keyId } = (await browser.open("/keys")).forms.find(
      ({ act, buttons }) => act === "revoke" && buttons[0] === "Revoke old",
    )?.values ?? { keyId: "" };
    const revoked = await (await browser.open("/keys")).submit("revoke", {}, { keyId: keyId ?? "" });
    expect([revoked.path, revoked.note]).toEqual(["/keys", "The key is revoked: it is refused from now on."]);
    expect(revoked.forms.filter(({ values }) => values["keyId"] === keyId).map(({ act }) => act)).toEqual([
      "delete",
    ]);
    expect((await suite.server.request("GET", "/api/whoami", { as: key })).status).toBe(401);
    const deleted = await revoked.submit("delete", {}, { keyId: keyId ?? "" });
    expect(deleted.note).toBe("The key is deleted.");
    expect(deleted.html).not.toContain(keyId);
    const again = await revoked.submit("delete", {}, { keyId: keyId ?? "" });
    expect([again.status, again.title]).toEqual([404, "Keys"]);
  });

  it("makes nothing of a name that is none, and shows it again as text", async () => {
    const browser = browserOf(suite.server, ada);
    const before = (await browser.open("/keys")).rows.length;
    for (const name of ["", "x".repeat(33), "<b>".repeat(20)]) {
      const refused = await (await browser.open("/keys")).submit("create", { name });
      expect([refused.status, refused.secret]).toEqual([400, undefined]);
      expect(refused.form("create").values["name"]).toBe(name);
      expect(refused.html).not.toContain("<b>");
      expect(refused.rows).toHaveLength(before);
    }
  });

  it("touches nobody else's key, and does not say whether there is one", async () => {
    const eve = browserOf(suite.server, await suite.server.person("eve"));
    const { values } = (await eve.open("/keys")).form("create");
    for (const act of ["revoke", "delete"]) {
      const answers = [];
      for (const keyId of [ada.keyId, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "x"]) {
        const { status, problem } = await eve.send("/keys", { act, csrf: values["csrf"] ?? "", keyId });
        answers.push({ status, problem });
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]?.status).toBe(404);
    }
    expect((await suite.server.request("GET", "/api/whoami", { as: ada.key })).status).toBe(200);
  });
});
