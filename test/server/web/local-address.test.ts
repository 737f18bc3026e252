import { describe, expect, it } from "vitest";
import { localAddress } from "../../../server/web/local-address.ts";
import { otherSites } from "../../support/addresses.ts";

describe("where a link to the sign-in page leads on to", () => {
  it.each([
    ["/keys", "/keys"],
    ["/collectives/team?x=1&y=%26", "/collectives/team?x=1&y=%26"],
    ["/keys#there", "/keys"],
    ["/a/../keys", "/keys"],
    ["/%2f/evil.example", "/%2f/evil.example"],
    ["/keys?next=//evil.example", "/keys?next=//evil.example"],
    ["/@evil.example", "/@evil.example"],
    ["/кеys", "/%D0%BA%D0%B5ys"],
    ["/a\r\nlocation: x", "/alocation:%20x"],
    ["/\0x", "/%00x"],
  ])("%j is an address of this server: %s", (given, expected) => {
    expect(localAddress(given, "/otherwise")).toBe(expected);
  });

  it.each(otherSites)("%j is none", (given) => {
    expect(localAddress(given, "/otherwise")).toBe("/otherwise");
  });

  it("is somewhere else where nothing is given", () => {
    expect(localAddress(undefined, "/otherwise")).toBe("/otherwise");
  });
});
