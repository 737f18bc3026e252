import { describe, expect, it } from "vitest";
import { type AccessSources, resolveAccess } from "../../src/config/access.ts";
import { parseServerUrl } from "../../src/config/server-url.ts";

const stored = {
  serverUrl: "http://stored:1",
  apiKey: "svc_stored",
  apiKeyId: "K",
  username: "ada",
  collectives: [],
};
const none: AccessSources = {
  flagServer: undefined,
  environmentServer: undefined,
  environmentKey: undefined,
  stored: undefined,
  strictOrigin: false,
};
const { apiKey: _, ...inKeychain } = stored;

/** Every combination of the four sources: which server, which key, and whether the key goes astray. */
const combinations = [false, true].flatMap((flag) =>
  [false, true].flatMap((variable) =>
    [false, true].flatMap((key) => [false, true].map((record) => ({ flag, variable, key, record }))),
  ),
);

describe("server and key", () => {
  it.each(combinations)("follow the order of precedence with %o", ({ flag, variable, key, record }) => {
    const access = resolveAccess({
      flagServer: flag ? "http://flag:1" : undefined,
      environmentServer: variable ? "http://variable:1" : undefined,
      environmentKey: key ? "svc_variable" : undefined,
      stored: record ? stored : undefined,
      strictOrigin: false,
    });
    const server = flag ? "flag" : variable ? "variable" : record ? "stored" : undefined;
    expect(access.serverUrl).toBe(server === undefined ? "http://127.0.0.1:5380" : `http://${server}:1`);
    expect(access.serverFrom).toBe(
      flag ? "--server" : variable ? "SVC_CLUB_URL" : record ? "auth.json" : "default",
    );
    expect(access.apiKey).toBe(key ? "svc_variable" : record ? "svc_stored" : undefined);
    expect(access.keyFrom).toBe(key ? "SVC_API_KEY" : record ? "auth.json" : "none");
    // Only a stored key can go to another server than its own.
    const astray = !key && record && (flag || variable);
    expect(access.warnings).toEqual(
      astray
        ? [
            `the stored key belongs to http://stored:1 and goes to ${access.serverUrl} (from ${access.serverFrom})`,
          ]
        : [],
    );
  });

  it.each(combinations)(
    "are as they would be with strictOrigin, unless a key goes astray, with %o",
    (given) => {
      const { flag, variable, key, record } = given;
      const sources: AccessSources = {
        flagServer: flag ? "http://flag:1" : undefined,
        environmentServer: variable ? "http://variable:1" : undefined,
        environmentKey: key ? "svc_variable" : undefined,
        stored: record ? stored : undefined,
        strictOrigin: true,
      };
      if (key || !record || !(flag || variable))
        return expect(resolveAccess(sources)).toEqual(resolveAccess({ ...sources, strictOrigin: false }));
      const [server, from] = flag ? ["http://flag:1", "--server"] : ["http://variable:1", "SVC_CLUB_URL"];
      expect(() => resolveAccess(sources)).toThrow(
        `the stored key belongs to http://stored:1 and is not sent to ${server} (from ${from}), since strictOrigin is set`,
      );
    },
  );

  it("need no warning when another spelling names the key's own server", () => {
    const access = resolveAccess({ ...none, flagServer: "http://STORED:1/", stored });
    expect(access).toMatchObject({ serverUrl: "http://stored:1", warnings: [] });
  });

  it("say that the key lies in the keychain when the record has none", () => {
    expect(resolveAccess({ ...none, stored: inKeychain })).toMatchObject({
      apiKey: undefined,
      keyFrom: "keychain",
      stored: inKeychain,
    });
  });

  it("refuse a key that cannot stand in a header, without showing it", () => {
    const attempt = () => resolveAccess({ ...none, environmentKey: "svc_\u00e9 secret" });
    expect(attempt).toThrow("from SVC_API_KEY");
    expect(attempt).not.toThrow("secret");
  });
});

describe("a server address", () => {
  it.each([
    ["http://h", "http://h"],
    ["http://h:80/", "http://h"],
    ["https://H.example:8443//", "https://h.example:8443"],
    [" http://h/base/ ", "http://h/base"],
    ["http://[::1]:5380", "http://[::1]:5380"],
  ])("%j is kept as %j", (given, expected) => {
    expect(parseServerUrl(given, "--server")).toBe(expected);
  });

  it.each([
    ["localhost:5380", "did you mean http://localhost:5380?"],
    ["ftp://h", undefined],
    ["what", undefined],
    ["http://user:secret@h", "keys belong in SVC_API_KEY or svc auth login"],
    ["http://h/?a=1", undefined],
  ])("%j is refused with the place it came from", (given, hint) => {
    const attempt = () => parseServerUrl(given, "SVC_CLUB_URL");
    expect(attempt).toThrow(expect.objectContaining({ hint, code: "validation_failed" }));
    expect(attempt).toThrow("(from SVC_CLUB_URL)");
    expect(attempt).not.toThrow("secret");
  });
});
