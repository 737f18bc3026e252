import { beforeAll, describe, expect, it } from "vitest";
import { tokenKind } from "../../../server/auth/tokens.ts";
import { makeCollective, makeCollectiveToken } from "../../support/collectives.ts";
import { describeEngines } from "../../support/engines.ts";
import { type Person, suiteServer } from "../../support/server.ts";

/** What looks like a token to a person, or to a careless program, and is none. */
const changes: readonly (readonly [what: string, change: (token: string) => string])[] = [
  ["in upper case", (token) => token.toUpperCase()],
  ["in upper case behind its prefix", (token) => token.replace(/[0-9a-f]+$/, (hex) => hex.toUpperCase())],
  ["with a prefix in upper case", (token) => token.replace(/^svc(_org)?_/, (prefix) => prefix.toUpperCase())],
  ["cut off", (token) => token.slice(0, -1)],
  ["cut to its prefix", (token) => /^svc(_org)?_/.exec(token)?.[0] ?? ""],
  ["cut to what is shown of it", (token) => token.slice(0, 12)],
  ["a digit too long", (token) => `${token}0`],
  ["twice", (token) => token + token],
  ["backwards", (token) => [...token].reverse().join("")],
  [
    "with the other prefix",
    (token) => token.replace(/^svc(_org)?_/, (_, org) => (org ? "svc_" : "svc_org_")),
  ],
  ["without a prefix", (token) => token.replace(/^svc(_org)?_/, "")],
  ["with hyphens", (token) => token.replaceAll("_", "-")],
  ["with a blank in it", (token) => token.replace("_", "_ ")],
  ["with a Cyrillic letter", (token) => token.replace("s", "\u0455")],
  [
    "with a fullwidth digit",
    (token) =>
      token.replace(/[0-9](?!.*[0-9])/, (digit) => String.fromCharCode(0xfee0 + digit.charCodeAt(0))),
  ],
  ["with letters of mathematics", (token) => token.replace("svc", "\u{1d42c}\u{1d42f}\u{1d41c}")],
  ["with an O for zeros", (token) => `${token.slice(0, -1)}O`],
  ["with a letter that is no digit", (token) => `${token.slice(0, -1)}g`],
  ["with a zero-width space", (token) => token.replace("_", "_\u200b")],
  ["with a byte order mark", (token) => `\ufeff${token}`],
  ["with a no-break space behind it", (token) => `${token}\u00a0`],
  ["with a soft hyphen", (token) => `${token.slice(0, 8)}\u00ad${token.slice(8)}`],
  ["with a line feed behind it", (token) => `${token}\n`],
  ["with a line break behind it", (token) => `${token}\r\n`],
  ["with a tab behind it", (token) => `${token}\t`],
  ["with a zero behind it", (token) => `${token}\u0000`],
  ["in quotes", (token) => `"${token}"`],
  ["in angle brackets", (token) => `<${token}>`],
  ["with an escape", (token) => encodeURIComponent(token).replace("_", "%5F")],
  ["in base64", (token) => Buffer.from(token).toString("base64")],
  ["as the pattern that matches all", (token) => token.replace(/.$/, "%")],
  ["with a statement behind it", (token) => `${token}'--`],
];

const hex = "0123456789abcdef".repeat(2);

describe.each([
  ["a personal key", `svc_${hex}`, "personal"],
  ["a collective token", `svc_org_${hex}`, "collective"],
] as const)("%s", (_what, token, kind) => {
  it("is what it is", () => expect(tokenKind(token)).toBe(kind));
  it.each(changes)("is none of its kind %s", (_how, change) => {
    expect(tokenKind(change(token))).not.toBe(kind);
  });
});

describeEngines("a token that is not quite one", (engine) => {
  const suite = suiteServer(engine);
  let ada: Person;
  let team: string;
  beforeAll(async () => {
    ada = await suite.server.person("ada");
    const slug = await makeCollective(suite.server, ada);
    team = (await makeCollectiveToken(suite.server, ada, slug)).key;
  });
  /** Those that an HTTP client sends at all, as the bytes that it makes of them; blanks around a value are not part of it. */
  const sendable = (text: string): string | undefined => {
    const bytes = Buffer.from(text, "utf8").toString("latin1");
    return /[\0\r\n]/.test(bytes) || bytes.trim() !== bytes ? undefined : bytes;
  };

  it.each(changes)("is nobody, whatever it is like: %s", async (_how, change) => {
    const { server } = suite;
    const never = await server.request("GET", "/api/whoami", { as: `svc_${"0".repeat(32)}` });
    expect(never.status).toBe(401);
    for (const token of [ada.key, ada.session, team]) {
      const wrong = sendable(change(token));
      // A session has no prefix to be changed.
      if (wrong === undefined || wrong === token) continue;
      for (const headers of [
        { authorization: `Bearer ${wrong}` },
        { "x-api-key": wrong },
        { cookie: `svc.session_token=${wrong}` },
      ]) {
        const answer = await server.request("GET", "/api/whoami", { headers });
        expect([answer.status, answer.text]).toEqual([401, never.text]);
      }
    }
  });
  it("is good with blanks around it, which are no part of a header's value", async () => {
    for (const blank of [" ", "\t", " \t "]) {
      for (const key of [ada.key, team]) {
        for (const headers of [
          { authorization: `Bearer ${key}${blank}` },
          { "x-api-key": `${blank}${key}${blank}` },
        ])
          expect((await suite.server.request("GET", "/api/whoami", { headers })).status).toBe(200);
      }
    }
  });
});
