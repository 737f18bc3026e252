import { describe, expect, it } from "vitest";
import { agentWords } from "../../../server/web/agent-words.ts";
import { actorWords, auditWords, credentialWords } from "../../../server/web/audit-words.ts";

describe("a program in words", () => {
  it.each([
    ["svc-cli/0.1.0", "svc, the command line"],
    ["svc-daemon/0.1.0", "svc, the daemon"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
      "Chrome on Windows",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
      "Edge on Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
      "Chrome on iOS",
    ],
    [
      "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    ["curl/8.5.0", "curl 8.5.0"],
    ["node", "node"],
    ["<script>alert(1)</script>", "an unknown program"],
    ["", "an unknown program"],
  ])("%s is %s", (userAgent, words) => {
    expect(agentWords(userAgent)).toBe(words);
  });
  it("is said to be silent where it does not say", () => {
    expect(agentWords(null)).toBe("a program that does not say");
  });
});

describe("an entry of an audit log in words", () => {
  it.each([
    ["key.created", { name: "laptop" }, "created the key “laptop”"],
    ["key.revoked", { name: null }, "revoked the key"],
    ["session.ended", {}, "ended a session"],
    ["session.ended", { sessions: 3 }, "ended 3 sessions"],
    ["password.changed", { endSessions: true }, "changed the password and ended every session"],
    ["member.invited", { email: "bob@example.org", role: "EDITOR" }, "invited bob@example.org as editor"],
    ["workspace.updated", { displayName: "x", approvalsEnabled: true }, "changed its name, approvals"],
    ["workspace.updated", {}, "changed the workspace"],
    ["workspace.granted", { slug: "team" }, "let the collective team into the workspace"],
    ["collective.renamed", { name: "<b>" }, "renamed the collective to “<b>”"],
    ["something.newer", { name: "x" }, "something.newer"],
    ["constructor", {}, "constructor"],
  ])("%s with %j: %s", (kind, data, words) => {
    expect(auditWords({ kind, data })).toBe(words);
  });
  it("names who did it, as far as that is known", () => {
    const by = (kind: string, name: string | null) => actorWords({ actor: { kind, id: null, name } });
    expect(by("user", "ada")).toBe("@ada");
    expect(by("user", null)).toBe("an account that is gone");
    expect(by("collective", null)).toBe("the collective");
    expect(by("nobody", null)).toBe("somebody who was not signed in");
    expect(credentialWords({ credential: { kind: "personal", id: "x" } })).toBe("with a key");
    expect(credentialWords({ credential: null })).toBeUndefined();
  });
});
