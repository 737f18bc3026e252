import { expect } from "vitest";
import { looksLikeUlid } from "../../../src/contract/ids.ts";
import type { Scenario } from "../../support/scenarios.ts";
import {
  deleted,
  emails,
  made,
  quarantined,
  shared,
  texts,
  withEve,
  within,
} from "../../support/workspaces.ts";

const created: readonly Scenario[] = [
  {
    name: "answers every member of the shape, with its creator as owner",
    operation: "workspaces.create",
    input: () => ({ body: texts }),
    expect: 200,
    check: ({ body, at }, { ada }) => {
      expect(body).toEqual({
        ...texts,
        id: expect.any(String),
        externalId: expect.any(String),
        instanceEnvType: "PRIVATE",
        creatorUserId: ada.id,
        creatorUser: { firstName: ada.username, lastName: null },
        role: "OWNER",
        isDefault: false,
        approvalsEnabled: false,
        quarantinedAt: null,
        initialApiToken: null,
      });
      expect([looksLikeUlid(at("id")), looksLikeUlid(at("externalId"))]).toEqual([true, true]);
    },
  },
  {
    name: "makes one that can be worked in at once",
    operation: "workspaces.create",
    as: "session",
    input: () => ({ body: { ...texts, createSetupToken: null } }),
    expect: 200,
    check: async ({ at }, { server, ada }) => {
      const found = await server.request("GET", `/v1/w/${at("id")}/change-sets`, { as: ada.key });
      expect(found.body).toMatchObject({ changeSets: [{ name: "HEAD" }] });
    },
  },
  {
    name: "answers a token of the workspace that is valid for an hour, when it is asked for",
    operation: "workspaces.create",
    input: () => ({ body: { ...texts, createSetupToken: true } }),
    expect: 200,
    check: async ({ at }, { server, ada }) => {
      const [workspaceId, as] = [at("id"), at("initialApiToken.token")];
      const lasts = Date.parse(at("initialApiToken.expiresAt")) - server.store.clock.now();
      expect(Math.abs(lasts - 3_600_000)).toBeLessThan(60_000);
      const path = `/v1/w/${workspaceId}/change-sets`;
      expect((await server.request("GET", path, { as })).status).toBe(200);
      const mine = await server.request("GET", "/management/workspaces", { as });
      expect(mine.text).toContain(ada.workspaceId);
      expect(mine.text).not.toContain(as);
      await server.client(ada.key).workspaces.delete({ workspaceId });
      expect((await server.request("GET", path, { as })).status).toBe(401);
    },
  },
  ...["http://localhost:8080", "http://127.0.0.1", "http://svc.localhost:5380/", "HTTP://LOCALHOST"].map(
    (instanceUrl): Scenario => ({
      name: `knows ${instanceUrl} for the machine at hand`,
      operation: "workspaces.create",
      input: () => ({ body: { ...texts, instanceUrl } }),
      expect: 200,
      body: () => ({ instanceUrl, instanceEnvType: "LOCAL" }),
    }),
  ),
  {
    name: "takes texts that are empty, and as long as they may be",
    operation: "workspaces.create",
    input: () => ({ body: { ...texts, displayName: "ü".repeat(256), description: "" } }),
    expect: 200,
    body: () => ({ description: "" }),
  },
  {
    name: "is preferred from then on when it is to be, and the others are not",
    operation: "workspaces.create",
    as: "eve",
    input: () => ({ body: { ...texts, isDefault: true } }),
    expect: 200,
    body: () => ({ isDefault: true }),
    check: async ({ at }, { server, eve }) => {
      const listed = await server.client(eve.key).workspaces.list({});
      expect(listed.filter(({ isDefault }) => isDefault).map(({ id }) => id)).toEqual([at("id")]);
      expect(listed[0]?.id).toBe(at("id"));
      expect((await server.client(eve.key).identity.whoami({})).workspaceId).toBe(at("id"));
    },
  },
  ...[
    ["displayName", "a/b", '"/"'],
    ["displayName", "50 % off", '"%"'],
    ["displayName", " \u00a0", "a name that can be read"],
    ["displayName", "x".repeat(257), "257 characters"],
    ["description", "to: all", '":"'],
    ["description", "x".repeat(513), "513 characters"],
    ["instanceUrl", "svc.example.org", '"svc.example.org"'],
    ["instanceUrl", "ftp://svc.example.org", '"ftp://svc.example.org"'],
    ["instanceUrl", "https://user@svc.example.org", "user@"],
    ["instanceUrl", "https://svc.example.org:99999", "99999"],
    ["instanceUrl", "https://svc.example.org/?q=1", "?q=1"],
    ["instanceUrl", "", '""'],
    ["instanceUrl", `https://${"x".repeat(2_048)}`, "2056 characters"],
    ["isDefault", null, "null"],
    ["createSetupToken", "yes", '"yes"'],
  ].map(
    ([member, value, found]): Scenario => ({
      name: `refuses ${member} ${JSON.stringify(value)?.slice(0, 40)}`,
      operation: "workspaces.create",
      input: () => ({ body: { ...texts, [String(member)]: value } }),
      expect: "badRequest",
      check: ({ at }) => {
        expect(at("message")).toMatch(new RegExp(`^(body\\.)?${member}: expected .+, found `));
        expect(at("message").replaceAll("\\\\", "")).toContain(found);
      },
    }),
  ),
];

const seen: readonly Scenario[] = [
  {
    name: "shows those that the user is in, and no others",
    operation: "workspaces.list",
    input: async (world) => ({ shared: await shared(world, "EDITOR") }),
    expect: 200,
    check: async ({ body, text }, { ada, eve, server }) => {
      expect(body).toContainEqual(expect.objectContaining({ id: ada.workspaceId, role: "OWNER" }));
      expect(text).not.toContain(eve.workspaceId);
      const hers = await server.client(eve.key).workspaces.list({});
      expect(hers.map(({ role }) => role)).toEqual(expect.arrayContaining(["OWNER", "EDITOR"]));
    },
  },
  {
    name: "keeps one that is closed in the list, and says since when",
    operation: "workspaces.list",
    input: async (world) => ({ closed: await quarantined(world) }),
    expect: 200,
    check: ({ body }, _world, { closed }) =>
      expect(body).toContainEqual(
        expect.objectContaining({ id: closed, quarantinedAt: expect.stringMatching(/^\d{4}-.+Z$/) }),
      ),
  },
  {
    name: "does not list one that was deleted",
    operation: "workspaces.list",
    input: async (world) => ({ gone: await deleted(world) }),
    expect: 200,
    check: ({ text }, _world, { gone }) => expect(text).not.toContain(gone),
  },
  {
    name: "shows one with the caller's role, by its id in any letter case",
    operation: "workspaces.get",
    as: "eve",
    input: async (world) => ({ workspaceId: (await shared(world, "APPROVER")).toLowerCase() }),
    expect: 200,
    body: ({ ada }) => ({ ...texts, role: "APPROVER", creatorUser: { firstName: ada.username } }),
  },
  {
    name: "shows one that is closed",
    operation: "workspaces.get",
    input: within(quarantined),
    expect: 200,
    body: () => ({ quarantinedAt: expect.any(String) }),
  },
  { name: "is for members only", operation: "workspaces.get", as: "eve", expect: "forbidden" },
  {
    name: "does not know one that was deleted",
    operation: "workspaces.get",
    input: within(deleted),
    expect: "workspaceNotFound",
  },
];

const changed: readonly Scenario[] = [
  {
    name: "changes what is given, and where it runs with its address",
    operation: "workspaces.update",
    input: within(made, () => ({ body: { instanceUrl: "http://localhost:5380", description: null } })),
    expect: 200,
    body: () => ({ ...texts, instanceUrl: "http://localhost:5380", instanceEnvType: "LOCAL" }),
  },
  {
    name: "takes approvals on and off",
    operation: "workspaces.update",
    input: within(made, () => ({ body: { approvalsEnabled: true } })),
    expect: 200,
    body: () => ({ approvalsEnabled: true, ...texts }),
    check: async (_answer, { server, ada }, { workspaceId }) => {
      const { workspaces } = server.client(ada.key);
      const input = { workspaceId: String(workspaceId), body: { approvalsEnabled: false } };
      expect(await workspaces.update(input)).toMatchObject({ approvalsEnabled: false });
    },
  },
  {
    name: "changes nothing when nothing is given",
    operation: "workspaces.update",
    input: within(made, () => ({ body: {} })),
    expect: 200,
    body: () => texts,
  },
  ...[
    ["displayName", "a@b"],
    ["description", "x".repeat(513)],
    ["instanceUrl", "localhost:8080"],
    ["approvalsEnabled", null],
  ].map(
    ([member, value]): Scenario => ({
      name: `refuses ${member} ${JSON.stringify(value)?.slice(0, 40)}`,
      operation: "workspaces.update",
      input: within(made, () => ({ body: { [String(member)]: value } })),
      expect: "badRequest",
      check: ({ at }) =>
        expect(at("message")).toMatch(new RegExp(`^(body\\.)?${member}: expected .+, found `)),
    }),
  ),
  {
    name: "is for owners",
    operation: "workspaces.update",
    as: "eve",
    input: withEve("APPROVER", () => ({ body: { displayName: "mine" } })),
    expect: "forbidden",
  },
  {
    name: "is not for strangers",
    operation: "workspaces.update",
    as: "eve",
    input: () => ({ body: { displayName: "mine" } }),
    expect: "forbidden",
  },
  {
    name: "is refused while it is closed",
    operation: "workspaces.update",
    input: within(quarantined, () => ({ body: { displayName: "still here" } })),
    expect: "workspaceQuarantined",
  },
  {
    name: "does not know one that was deleted",
    operation: "workspaces.update",
    input: within(deleted, () => ({ body: { displayName: "back" } })),
    expect: "workspaceNotFound",
  },
  {
    name: "hides it from everybody, everywhere",
    operation: "workspaces.delete",
    input: withEve("OWNER"),
    expect: 204,
    check: async ({ text }, { server, ada, eve }, { workspaceId }) => {
      expect(text).toBe("");
      for (const { key } of [ada, eve]) {
        for (const path of [`/v1/w/${workspaceId}/change-sets`, `/management/workspaces/${workspaceId}`]) {
          expect((await server.request("GET", path, { as: key })).status).toBe(404);
        }
        const again = await server.request("DELETE", `/management/workspaces/${workspaceId}`, { as: key });
        expect(again.status).toBe(404);
      }
    },
  },
  {
    name: "is for owners",
    operation: "workspaces.delete",
    as: "eve",
    input: withEve("APPROVER"),
    expect: "forbidden",
  },
  { name: "is not for strangers", operation: "workspaces.delete", as: "eve", expect: "forbidden" },
  {
    name: "is refused while it is closed",
    operation: "workspaces.delete",
    input: within(quarantined),
    expect: "workspaceQuarantined",
  },
];

const left: readonly Scenario[] = [
  {
    name: "answers who remains",
    operation: "workspaces.leave",
    as: "eve",
    input: withEve("APPROVER"),
    expect: 200,
    check: async ({ body }, { server, ada, eve }, { workspaceId }) => {
      expect(emails(body)).toEqual([[ada.email, "OWNER"]]);
      const path = `/management/workspaces/${workspaceId}`;
      expect((await server.request("GET", path, { as: eve.key })).status).toBe(403);
    },
  },
  {
    name: "is not for an owner",
    operation: "workspaces.leave",
    input: within(made),
    expect: "ownerCannotLeave",
  },
  {
    name: "is not for one of two owners",
    operation: "workspaces.leave",
    as: "eve",
    input: withEve("OWNER"),
    expect: "ownerCannotLeave",
  },
  { name: "needs a membership", operation: "workspaces.leave", as: "eve", expect: "memberNotFound" },
  {
    name: "is refused while it is closed",
    operation: "workspaces.leave",
    input: within(quarantined),
    expect: "workspaceQuarantined",
  },
];

export const workspaceScenarios: readonly Scenario[] = [...created, ...seen, ...changed, ...left];
