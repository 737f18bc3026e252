import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkDisplayName,
  checkEmail,
  checkPassword,
  checkUsername,
} from "../../../server/domain/accounts.ts";
import {
  admits,
  checkExpiresIn,
  checkKeyName,
  checkKeyPrefix,
  keyKind,
  keyStart,
  maskKey,
} from "../../../server/domain/keys.ts";
import { covers, readRole, roles } from "../../../server/domain/roles.ts";
import { refusalOf } from "./sample.ts";

const errorOf = (act: () => unknown): string => refusalOf(act).error;

describe("an account", () => {
  test("has a username in lower case", () => {
    expect(checkUsername("Ada_L.1")).toBe("ada_l.1");
    for (const bad of ["ab", "x".repeat(31), "a-b-c", "a b", "ä12", "", "abc\n"]) {
      expect(errorOf(() => checkUsername(bad))).toBe("invalidUsername");
    }
  });

  test("has an e-mail address in lower case", () => {
    expect(checkEmail("Ada@Example.Org")).toBe("ada@example.org");
    for (const bad of [
      "ada",
      "@b.c",
      "a@b",
      "a b@c.d",
      "a@b..c",
      "a@.b.c",
      `${"x".repeat(250)}@b.co`,
      "a@b.c\n",
      "\u0000@b.co",
    ]) {
      expect(errorOf(() => checkEmail(bad))).toBe("invalidEmail");
    }
  });

  test("has a password of 8 to 128 characters that no message repeats", () => {
    expect(checkPassword("12345678")).toBe("12345678");
    expect(checkPassword("x".repeat(128))).toHaveLength(128);
    const short = refusalOf(() => checkPassword("hunter2"));
    expect(short.error).toBe("passwordTooShort");
    expect(short.message).not.toContain("hunter2");
    expect(errorOf(() => checkPassword("x".repeat(129)))).toBe("passwordTooLong");
    expect(errorOf(() => checkPassword("12345678\u0000"))).toBe("badRequest");
  });

  test("has a display name without blanks around it", () => {
    expect(checkDisplayName(" Ada ")).toBe("Ada");
    expect(errorOf(() => checkDisplayName("  "))).toBe("badRequest");
    expect(errorOf(() => checkDisplayName("x".repeat(201)))).toBe("badRequest");
  });
});

describe("a key", () => {
  const digits = fc.stringMatching(/^[0-9a-f]{32}$/);

  test("is told by its exact form", () => {
    fc.assert(
      fc.property(digits, (body) => {
        expect(keyKind(`svc_${body}`)).toBe("personal");
        expect(keyKind(`svc_org_${body}`)).toBe("collective");
        for (const bad of [body, `SVC_${body}`, `svc_${body}0`, `svc_${body.slice(1)}`, ` svc_${body}`]) {
          expect(keyKind(bad)).toBeUndefined();
        }
      }),
    );
  });

  test("shows at most its first 12 and last 4 characters", () => {
    fc.assert(
      fc.property(digits, (body) => {
        expect(keyStart(`svc_${body}`)).toBe(`svc_${body.slice(0, 8)}`);
        expect(maskKey(`svc_${body}`)).toBe(`svc_${body.slice(0, 8)}…${body.slice(-4)}`);
      }),
    );
    expect(maskKey("svc_short")).toBe("…");
  });

  test("has a name of 1 to 32 characters, or none", () => {
    expect(checkKeyName(undefined)).toBeNull();
    expect(checkKeyName(null)).toBeNull();
    expect(checkKeyName("x".repeat(32))).toHaveLength(32);
    for (const bad of ["", "x".repeat(33), "\ud800"])
      expect(errorOf(() => checkKeyName(bad))).toBe("invalidNameLength");
  });

  test("has no prefix but its own", () => {
    expect([undefined, null, "svc_"].map(checkKeyPrefix)).toEqual(["svc_", "svc_", "svc_"]);
    expect(errorOf(() => checkKeyPrefix("abc_"))).toBe("invalidPrefix");
  });

  test("lives a second to a year, or for ever", () => {
    expect(checkExpiresIn(null)).toBeNull();
    expect(checkExpiresIn(1)).toBe(1);
    expect(checkExpiresIn(365 * 86_400)).toBe(31_536_000);
    for (const bad of [0, 0.5, -1, Number.NaN])
      expect(errorOf(() => checkExpiresIn(bad))).toBe("expiresInTooSmall");
    expect(errorOf(() => checkExpiresIn(31_536_001))).toBe("expiresInTooLarge");
  });

  test("lets in only while it is enabled and not expired", () => {
    expect(admits("Enabled", null, 5)).toBe(true);
    expect(admits("Enabled", 5, 4)).toBe(true);
    expect(admits("Enabled", 5, 5)).toBe(false);
    expect(admits("Created", null, 5)).toBe(false);
    expect(admits("Revoked", null, 5)).toBe(false);
  });
});

describe("a role", () => {
  test("covers itself and every lesser one", () => {
    expect(roles.map((role) => roles.filter((needed) => covers(role, needed)))).toEqual([
      ["EDITOR"],
      ["EDITOR", "APPROVER"],
      ["EDITOR", "APPROVER", "OWNER"],
    ]);
  });

  test("is read in any letter case", () => {
    expect(readRole("owner")).toBe("OWNER");
    expect(readRole("admin")).toBeUndefined();
  });
});
