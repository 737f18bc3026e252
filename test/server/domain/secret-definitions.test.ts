import { describe, expect, it } from "vitest";
import type { PropDefinition, SecretDefinition } from "../../../server/domain/props.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import {
  checkSecretCount,
  checkUnused,
  checkValues,
  definitionsIn,
  formOf,
  getDefinition,
} from "../../../server/domain/secret-definitions.ts";
import { secretIdOf, secretIn } from "../../../server/domain/secrets.ts";

const field = (name: string, more: Partial<PropDefinition> = {}): PropDefinition => ({
  name,
  kind: "string",
  ...more,
});
const login: SecretDefinition = { name: "Login", fields: [field("User"), field("Password")] };
const refusal = (work: () => unknown): Refusal => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error("expected a refusal");
};

describe("the form of a definition", () => {
  it.each([
    ["a text", field("x"), "string"],
    ["a password", field("x", { widget: { kind: "password" } }), "password"],
    ["a secret", field("x", { widget: { kind: "secret" } }), "password"],
    [
      "a password that is a number",
      field("x", { kind: "integer", widget: { kind: "password" } }),
      "password",
    ],
    ["an area of text", field("x", { widget: { kind: "textArea" } }), "string"],
    ["a number", field("x", { kind: "integer" }), "integer"],
    ["JSON", field("x", { kind: "json" }), "json"],
  ])("says how %s is entered", (_what, one, kind) => {
    expect(formOf({ name: "Login", fields: [one, field("y")] })).toEqual([
      { name: "x", kind },
      { name: "y", kind: "string" },
    ]);
  });
});

describe("definitions", () => {
  it("are those of variants that have one, the first of each name", () => {
    const other = { ...login, fields: [field("Another")] };
    const found = definitionsIn([{}, { secretDefinition: login }, { secretDefinition: other }, {}]);
    expect([...found]).toEqual([["Login", login]]);
    expect(getDefinition(found, "Login", "definitionName")).toBe(login);
  });

  it("are not found by another spelling, and the refusal names some that there are", () => {
    const message = refusal(() =>
      getDefinition(new Map([["Login", login]]), "login", "definitionName"),
    ).message;
    expect(message).toMatch(/^definitionName: .*such as "Login"; found "login"$/);
    expect(refusal(() => getDefinition(new Map(), "x".repeat(5_000), "at")).message.length).toBeLessThan(300);
  });
});

describe("what a secret is to hold", () => {
  it("may leave out fields of the form, and have no others", () => {
    expect(checkValues(login, {})).toEqual({});
    expect(checkValues(login, { Password: "" })).toEqual({ Password: "" });
    const refused = refusal(() => checkValues(login, { User: "ada", password: "hunter2" }));
    expect(refused.error).toBe("invalidRequest");
    expect(refused.message).toContain('found "password"');
    expect(refused.message).not.toContain("hunter2");
    expect(refusal(() => checkValues(login, { toString: "x" })).message).toContain('"toString"');
  });
});

describe("secrets of a change set", () => {
  it("are bounded in number", () => {
    expect(() => checkSecretCount(999)).not.toThrow();
    expect(refusal(() => checkSecretCount(1_000)).message).toContain("at most 1000 secrets");
  });

  it("are deleted when no component uses them; the refusal names who does, ten at most", () => {
    expect(() => checkUnused("s", [])).not.toThrow();
    const one = refusal(() => checkUnused("s", ["web"]));
    expect([one.error, one.message]).toEqual([
      "secretInUse",
      'the component "web" of this change set uses the secret "s": first give it another one, or erase it',
    ]);
    const many = Array.from({ length: 12 }, (_, n) => `web-${n}`);
    expect(refusal(() => checkUnused("s", many)).message).toMatch(
      /"web-9" and 2 more of this change set use /,
    );
  });

  it("are held by a literal below /secrets and by nothing else", () => {
    expect(secretIn("/secrets/Login", { v: "S" })).toBe("S");
    expect(secretIn("/secrets/Login", { s: ["web", "/secrets/Login"] })).toBeUndefined();
    expect(secretIn("/domain/Login", { v: "S" })).toBeUndefined();
    const defining = { displayName: "Account", secretDefinition: login };
    expect(secretIdOf(defining, { "/secrets/Login": { v: "S" } })).toBe("S");
    expect(secretIdOf(defining, { "/secrets/Login": { u: 1 } })).toBeUndefined();
    expect(secretIdOf({ displayName: "Server" }, { "/secrets/Login": { v: "S" } })).toBeUndefined();
  });
});
