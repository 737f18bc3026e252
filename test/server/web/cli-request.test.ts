import { describe, expect, it } from "vitest";
import { answerTo, callbackSource, cliRequestOf } from "../../../server/web/cli-request.ts";
import { foreignCallbacks } from "../../support/addresses.ts";

const good = {
  cli_callback: "http://127.0.0.1:41234/callback",
  state: "0b9f4f0c-8a34-4c1e-9d53-0f4d1c2b3a4e",
  device_code: "ABCD-2345",
};
const asked = (query: Readonly<Record<string, string>>) => cliRequestOf({ ...good, ...query });

describe("what a terminal asks for", () => {
  it("is none without a callback", () => {
    expect(cliRequestOf({})).toBeUndefined();
    expect(cliRequestOf({ state: good.state, device_code: good.device_code })).toBeUndefined();
  });

  it.each(["127.0.0.1:1", "127.0.0.1:65535", "localhost:8080", "[::1]:41234"])(
    "may be answered to http://%s",
    (host) => {
      const callback = `http://${host}/callback`;
      const request = { callback, state: good.state, deviceCode: good.device_code };
      expect(asked({ cli_callback: callback })).toEqual({ request });
      expect(answerTo(request, { token: "t&=?" })).toBe(`${callback}?token=t%26%3D%3F&state=${good.state}`);
    },
  );

  it.each(foreignCallbacks)("is refused with a callback to %s", (_what, address) => {
    expect(asked({ cli_callback: address })).toEqual({
      problem: expect.stringContaining("a program on this computer only"),
    });
  });

  it.each([
    ["no state", { state: "" }],
    ["a state that can be guessed", { state: "1234567" }],
    ["an endless state", { state: "x".repeat(129) }],
    ["a state with a line break", { state: "12345678\n" }],
    ["a state with marks", { state: "12345678&token=x" }],
    ["no code", { device_code: "" }],
    ["a code in lower case", { device_code: "abcd-2345" }],
    ["a code of digits that look alike", { device_code: "ABC0-1234" }],
    ["a code that is too long", { device_code: "ABCD-23456" }],
    ["a code with marks", { device_code: "<b>D-2345" }],
  ])("is refused with %s", (_what, query) => {
    expect(asked(query)).toEqual({ problem: expect.stringContaining("svc auth login") });
    const { state, device_code, ...rest } = { ...good };
    expect(cliRequestOf("state" in query ? { ...rest, device_code } : { ...rest, state })).toHaveProperty(
      "problem",
    );
  });

  it("names the origin that a form leads on to, and what a policy cannot name by its scheme", () => {
    const of = (callback: string) => callbackSource({ callback, state: good.state, deviceCode: "" });
    expect(of("http://127.0.0.1:41234/callback")).toBe("http://127.0.0.1:41234");
    expect(of("http://localhost:41234/callback")).toBe("http://localhost:41234");
    expect(of("http://[::1]:41234/callback")).toBe("http:");
  });
});
