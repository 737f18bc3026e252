import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkWorkspaceTexts, instanceEnvTypeOf, splitName } from "../../../server/domain/workspaces.ts";

describe("texts about a workspace", () => {
  it.each(["", "Team", "Équipe Ż, d'été (2) +1 - v1.0_b", "Команда", "a\tb\nc"])("take %j", (text) => {
    expect(() =>
      checkWorkspaceTexts({ displayName: `x${text.replaceAll(/\s/g, " ")}`, description: text }),
    ).not.toThrow();
  });

  it.each(["a/b", "a@b", "a:b", "a&b", "a!", "a×b", "a÷b", "队", "😀", "<b>", '"', "\u0007"])(
    "do not take %j, and name the character",
    (text) => {
      for (const member of ["displayName", "description"] as const) {
        expect(() => checkWorkspaceTexts({ [member]: text })).toThrow(
          expect.objectContaining({
            error: "badRequest",
            message: expect.stringMatching(new RegExp(`^${member}: expected letters, .+, found "`)),
          }),
        );
      }
    },
  );

  it("are judged in no time, however long and odd", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), (text) => {
        for (const member of ["displayName", "description", "instanceUrl"] as const) {
          try {
            checkWorkspaceTexts({ [member]: text });
          } catch (error) {
            expect(error).toMatchObject({ error: "badRequest" });
          }
        }
      }),
    );
    expect(() => checkWorkspaceTexts({ instanceUrl: `http://a${"/ ".repeat(1_000)}!` })).toThrow(
      /instanceUrl/,
    );
  });
});

describe("the address of an instance", () => {
  it.each([
    ["https://svc.example.org", "PRIVATE"],
    ["http://svc.example.org:8080/a b/c.d-e_f/", "PRIVATE"],
    ["http://localhost", "LOCAL"],
    ["https://LocalHost:5380/x", "LOCAL"],
    ["http://127.0.0.1:5380", "LOCAL"],
    ["http://127.1.2.3", "LOCAL"],
    ["http://me.localhost", "LOCAL"],
    ["http://localhost.example.org", "PRIVATE"],
    ["http://127.0.0.1.example.org", "PRIVATE"],
    ["http://10.0.0.1", "PRIVATE"],
    [undefined, "PRIVATE"],
  ] as const)("%s is %s", (url, type) => expect(instanceEnvTypeOf(url)).toBe(type));

  it.each([
    "",
    "localhost",
    "ftp://a",
    "https://",
    "https://a?b",
    "https://a#b",
    "https://u:p@a",
    "https://[::1]",
  ])("is not %j", (instanceUrl) => {
    expect(() => checkWorkspaceTexts({ instanceUrl })).toThrow(
      `instanceUrl: expected an address such as https://svc.example.org, found ${JSON.stringify(instanceUrl)}`,
    );
  });
});

describe("a person's name", () => {
  it.each([
    ["Ada Lovelace", "Ada", "Lovelace"],
    [" Ludwig  van Beethoven ", "Ludwig", "van Beethoven"],
    ["Ada", "Ada", null],
    ["", null, null],
  ])("%j is %j and %j", (name, firstName, lastName) => {
    expect(splitName(name)).toEqual({ firstName, lastName });
  });
});
