import { describe, expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../../server/auth/passwords.ts";
import { hashToken, newPersonalKey, newSessionToken, tokenKind } from "../../../server/auth/tokens.ts";

describe("passwords", () => {
  it("are kept as salt and key of scrypt, in hex, each with a salt of its own", async () => {
    const [one, two] = [await hashPassword("correct horse"), await hashPassword("correct horse")];
    expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
    expect(one).not.toBe(two);
    expect(await verifyPassword("correct horse", one)).toBe(true);
    expect(await verifyPassword("Correct horse", one)).toBe(false);
  });
  it("are the same however their letters were composed", async () => {
    expect(await verifyPassword("cafe\u0301 noir", await hashPassword("caf\u00e9 noir"))).toBe(true);
  });
  it("are never right without a hash, nor with a damaged one", async () => {
    expect(await verifyPassword("", undefined)).toBe(false);
    expect(await verifyPassword("x", "")).toBe(false);
    expect(await verifyPassword("x", "ab:cd")).toBe(false);
  });
});

describe("tokens", () => {
  it("are told apart by their form, collective ones before personal ones", () => {
    const hex = "0123456789abcdef".repeat(2);
    expect(tokenKind(`svc_org_${hex}`)).toBe("collective");
    expect(tokenKind(`svc_${hex}`)).toBe("personal");
    expect(tokenKind(hex.repeat(2))).toBe("session");
    for (const text of ["", "svc_", "svc_org_", `svc_org_${hex}0`, `svc_${hex.toUpperCase()}`, hex, "a.b.c"])
      expect(tokenKind(text)).toBe("malformed");
  });
  it("are random, and kept as SHA-256 in base64url without padding", () => {
    expect(tokenKind(newPersonalKey())).toBe("personal");
    expect(tokenKind(newSessionToken())).toBe("session");
    expect(new Set(Array.from({ length: 100 }, newPersonalKey)).size).toBe(100);
    expect(hashToken("abc")).toBe("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
  });
});
