import { describe, expect, it } from "vitest";
import { ApiError, errorNameOf, errorTable } from "../../src/contract/errors.ts";

describe("the error catalogue", () => {
  const rows = Object.entries(errorTable);

  it("gives every error a number of its own", () => {
    expect(new Set(rows.map(([, row]) => row.code)).size).toBe(rows.length);
  });

  it("tells errors apart by status and word, save where one meaning has several sentences", () => {
    const seen = new Map<string, string>();
    for (const [name, row] of rows) {
      const key = `${row.status} ${row.word}`;
      expect(seen.get(key), `${name} and ${seen.get(key)} both answer ${key}`).toBeUndefined();
      seen.set(key, name);
    }
  });

  it("finds the name again from what is sent", () => {
    for (const [name, row] of rows) {
      expect(errorNameOf(row.status, row.code)).toBe(name);
      expect(errorNameOf(row.status, row.word)).toBe(name);
    }
    expect(errorNameOf(418, "TEAPOT")).toBeUndefined();
  });

  it("writes sentences without capital, period or contraction", () => {
    for (const [name, row] of rows) {
      expect(row.message, name).toMatch(/^[a-z]/);
      expect(row.message, name).not.toMatch(/\.$|n't\b/);
    }
  });

  it("sends both ends of a message that somebody made very long, and no part of a credential in it", () => {
    const key = `svc_org_${"ab12".repeat(8)}`;
    const { message } = new ApiError(
      "componentNotFound",
      `no component is ${`${key} `.repeat(20_000)}: use its id`,
    );
    expect(message.length).toBeLessThan(5_000);
    expect(message).toMatch(/^no component is svc_org_ab12… .*characters are left out.*: use its id$/);
    expect(message).not.toContain("ab12ab12");
  });

  it("carries the status and a detail that replaces the sentence", () => {
    const error = new ApiError("componentNotFound", "no component is named web-1");
    expect(error.status).toBe(404);
    expect(error.message).toBe("no component is named web-1");
  });

  it("is documented as it is", async () => {
    const lines = rows.map(
      ([name, row]) => `| ${row.code} | ${row.word} | ${row.status} | ${name} | ${row.message} |`,
    );
    const text = ["| code | word | status | name | sentence |", "|---|---|---|---|---|", ...lines, ""].join(
      "\n",
    );
    await expect(text).toMatchFileSnapshot("../golden/errors.md");
  });
});
