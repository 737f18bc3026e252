import { describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands/index.ts";
import { person } from "../support/cli.ts";
import { recordRequests } from "../support/recorder.ts";

/** Those that do something without a key: of this machine, or with a password. Whatever is new needs one. */
const withoutKey = [
  "api",
  "auth login",
  "auth logout",
  "auth password",
  "completions",
  "config docs",
  "config list",
  "daemon logs",
  "daemon run",
  "daemon start",
  "daemon status",
  "daemon stop",
  "key create",
  "key delete",
  "key list",
  "key revoke",
  "server events",
  "server init",
  "server maintenance off",
  "server maintenance on",
  "server maintenance status",
  "server reindex",
  "server rotate-secret-key",
  "server start",
  "server user list",
  "server user reinstate",
  "server user suspend",
  "server workspace list",
  "server workspace quarantine",
  "server workspace release",
  "server workspace restore",
  "session list",
  "session revoke",
  "session revoke-others",
  "status",
  "tui",
  "up",
];
const needing = commands.filter(({ needs }) => needs === "key");

describe("without a key", () => {
  it("every command ends before any request, but for those that are named here", () => {
    const others = commands.filter(({ needs }) => needs !== "key").map(({ path }) => path);
    expect(others.sort()).toEqual(withoutKey);
  });

  it.each(needing.map((row) => [row.path, row] as const))(
    "%s says so and sends nothing",
    async (path, row) => {
      const ada = await person({ SVC_CLUB_URL: "http://127.0.0.1:9" });
      const sent = recordRequests();
      const words = Object.values(row.positionals ?? {}).flatMap(({ optional }) =>
        optional === true ? [] : ["01J00000000000000000000000"],
      );
      const run = await ada.svc([...path.split(" "), ...words, "--json"]);
      expect(run.code).toBe(1);
      expect(run.out).toBe("");
      expect(JSON.parse(run.err)).toEqual({
        error: "not authenticated: there is no key, neither stored nor in SVC_API_KEY",
        code: "not_authenticated",
        hint: "svc auth login",
      });
      expect(sent).toEqual([]);
    },
  );

  it.each(["accounts.whoami", "changeSets.list", "keys.list", "collectives.list"])(
    "svc api %s says so and sends nothing",
    async (operation) => {
      const ada = await person({ SVC_CLUB_URL: "http://127.0.0.1:9" });
      const sent = recordRequests();
      const run = await ada.svc(["api", operation, "--param", "workspaceId=01J00000000000000000000000"]);
      expect(run).toMatchObject({ code: 1, err: expect.stringMatching(/^error: not authenticated: /) });
      expect(sent).toEqual([]);
    },
  );
});
