import { describe, expect, it } from "vitest";
import { concealCredentials } from "../../src/contract/conceal.ts";
import { ApiError } from "../../src/contract/errors.ts";

const hex = "0123456789abcdef".repeat(2);

describe("messages", () => {
  it.each([
    ["a personal key", `svc_${hex}`, "svc_01234567…"],
    ["a collective token", `svc_org_${hex}`, "svc_org_0123…"],
    ["an invitation's code", `svc_inv_${hex}`, "svc_inv_0123…"],
    ["a key that is cut off", `svc_${hex.slice(0, 20)}`, "svc_01234567…"],
    ["a key in upper case", `SVC_${hex.toUpperCase()}`, "SVC_01234567…"],
    ["a session", hex + hex, "0123456789ab…"],
    ["what a message shows of a session", (hex + hex).slice(0, 40), "0123456789ab…"],
    ["a signed token", "eyJhbGciOiJFUzI1NiJ9.eyJ2ZXJzaW9uIjoiMiJ9.c2lnbmF0dXJl-_x", "eyJhbGciOiJF…"],
    ["a signed token that is cut off", "eyJhbGciOiJFUzI1NiJ9.eyJ2ZXJ", "eyJhbGciOiJF…"],
  ])("show the beginning of %s only", (_what, credential, shown) => {
    expect(concealCredentials(`found "${credential}", and "${credential}…"`)).toBe(
      `found "${shown}", and "${shown}…"`,
    );
    expect(new ApiError("badRequest", `found "${credential}"`).message).toBe(`found "${shown}"`);
  });
  it("show no session that stands anywhere in a text", () => {
    expect(concealCredentials(`nothing at /v1/w/${hex}${hex}/x`)).toBe("nothing at /v1/w/0123456789ab…/x");
  });
  it.each([
    "there is nothing at /v1/w/01M80464F7YCGM4Y2AV6N491B0/change-sets",
    "svc_org_ and 32 hexadecimal characters",
    "svc_club_url, svc_api_key",
    'found "deadbeef", of 1234567890123456789012345678901234567 kinds',
    "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
    `the archive has the SHA-256 ${hex}${hex}, expected sha256:${hex}${hex}`,
    `{"digest": "${hex}${hex}", "hash":"${hex}${hex}"}`,
    `at commit ${(hex + hex).slice(0, 40)}, not found`,
  ])("leave %s as it is", (text) => {
    expect(concealCredentials(text)).toBe(text);
  });
});
