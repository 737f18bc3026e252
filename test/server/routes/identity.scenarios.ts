import { expect } from "vitest";
import type { Scenario } from "../../support/scenarios.ts";

export const identityScenarios: readonly Scenario[] = [
  {
    name: "says where the documentation is",
    operation: "system.root",
    expect: 200,
    check: ({ body }) => expect(body).toEqual({ "API Documentation": "Available at /docs" }),
  },
  { name: "answers", operation: "system.health", as: "nobody", expect: 200, body: () => ({ data: "ok" }) },
  {
    name: "can serve",
    operation: "system.readiness",
    as: "nobody",
    expect: 200,
    body: () => ({ data: "ok" }),
  },
  {
    name: "describes the key, never its value, and the workspace joined first",
    operation: "identity.whoami",
    expect: 200,
    body: ({ ada }) => ({
      userId: ada.id,
      userEmail: ada.email,
      workspaceId: ada.workspaceId,
      token: { id: ada.keyId, kind: "personal", userId: ada.id },
    }),
    check: ({ text }, { ada }) => expect(text).not.toContain(ada.key),
  },
  {
    name: "describes a session",
    operation: "identity.whoami",
    as: "session",
    expect: 200,
    body: ({ ada }) => ({ token: { kind: "session", userId: ada.id } }),
  },
  {
    name: "refuses a workspace that the caller is not in",
    operation: "identity.whoami",
    headers: { "x-workspace-id": "01J00000000000000000000000" },
    expect: "forbidden",
  },
  {
    name: "refuses a workspace that is no id",
    operation: "identity.whoami",
    headers: { "x-workspace-id": "mine" },
    expect: "forbidden",
  },
];
