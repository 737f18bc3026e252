import { expect } from "vitest";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import { deleted, made, quarantined, shared, withEve, within } from "../../support/workspaces.ts";

const day = 86_400_000;

/** A token that somebody makes in a workspace; its id stands in the input for the row that follows. */
const token = async (world: World, workspaceId: string, as: string, body: object = {}) => {
  const path = `/management/workspaces/${workspaceId}/authTokens`;
  const answer = await world.server.request("POST", path, { as, body });
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return { tokenId: answer.at("authToken.id"), value: answer.at("token") };
};
/** Input of the revocation of a token that `whose` made in a workspace of Ada's with Eve in it. */
const tokenOf =
  (whose: "ada" | "eve", role: "EDITOR" | "APPROVER" = "EDITOR") =>
  async (world: World): Promise<RowInput> => {
    const workspaceId = await shared(world, role);
    return { workspaceId, ...(await token(world, workspaceId, world[whose].key)) };
  };
const statusWith = async ({ server }: World, workspaceId: unknown, as: unknown): Promise<number> =>
  (await server.request("GET", `/v1/w/${workspaceId}/change-sets`, { as: String(as) })).status;
/** A name for a scenario that is asked as the token itself. */
const byToken = async (world: World): Promise<Record<string, string>> => {
  const { value } = await token(world, world.ada.workspaceId, world.ada.key);
  return { value };
};

const creation: readonly Scenario[] = [
  {
    name: "shows the value this once, and it works",
    operation: "workspaceTokens.create",
    input: within(made, () => ({ body: { name: "ci", expiration: "12h" } })),
    expect: 200,
    check: async ({ body, at, text }, world, { workspaceId }) => {
      const { ada } = world;
      expect(body).toEqual({
        authToken: {
          id: expect.any(String),
          name: "ci",
          workspaceId,
          userId: ada.id,
          userEmail: ada.email,
          createdAt: expect.any(String),
          expiresAt: expect.any(String),
          revokedAt: null,
          lastUsedAt: null,
        },
        token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
      });
      expect(Date.parse(at("authToken.expiresAt")) - Date.parse(at("authToken.createdAt"))).toBe(day / 2);
      expect(text).not.toMatch(/hash/i);
      expect(await statusWith(world, workspaceId, at("token"))).toBe(200);
      const events = await world.server.request("GET", `/v1/w/${workspaceId}/events`, { as: ada.key });
      expect(events.text).toContain("workspace_token.created");
      expect(events.text).not.toContain(at("token").slice(-20));
    },
  },
  ...[
    [undefined, 30],
    [null, 30],
    ["never", 30],
    ["0", 30],
    ["90d", 90],
    ["1Y", 365],
    ["2w", 14],
  ].map(
    ([expiration, days]): Scenario => ({
      name: `lets one with the expiration ${JSON.stringify(expiration)} live ${days} days`,
      operation: "workspaceTokens.create",
      as: "session",
      input: () => ({ body: { name: null, expiration } }),
      expect: 200,
      check: ({ at }) =>
        expect(Date.parse(at("authToken.expiresAt")) - Date.parse(at("authToken.createdAt"))).toBe(
          Number(days) * day,
        ),
    }),
  ),
  {
    name: "is for an editor too, whose rights the token has",
    operation: "workspaceTokens.create",
    as: "eve",
    input: withEve("EDITOR", () => ({ body: {} })),
    expect: 200,
    check: async ({ at }, world, { workspaceId }) => {
      expect(at("authToken.userId")).toBe(world.eve.id);
      const rename = await world.server.request("PATCH", `/management/workspaces/${workspaceId}`, {
        as: at("token"),
        body: { displayName: "mine" },
      });
      expect(rename.status).toBe(403);
    },
  },
  ...[
    ["-1h", '"-1h"'],
    ["0d", '"0d"'],
    ["366d", '"366d"'],
    ["soon", '"soon"'],
    ["", "an empty string"],
    ["1h30m", '"1h30m"'],
    ["999999999999y", '"999999999999y"'],
  ].map(
    ([expiration, found]): Scenario => ({
      name: `refuses the expiration ${expiration}`,
      operation: "workspaceTokens.create",
      input: () => ({ body: { expiration } }),
      expect: "badRequest",
      check: ({ at }) => {
        expect(at("message")).toMatch(/^expiration: expected a time such as 12h, 90d or 1y/);
        expect(at("message")).toContain(found);
      },
    }),
  ),
  ...["", " ", "x".repeat(65), "a\nb"].map(
    (name): Scenario => ({
      name: `refuses the name ${JSON.stringify(name.slice(0, 5))}`,
      operation: "workspaceTokens.create",
      input: () => ({ body: { name } }),
      expect: "badRequest",
    }),
  ),
  { name: "is for members", operation: "workspaceTokens.create", as: "eve", expect: "forbidden" },
  {
    name: "makes none while the workspace is closed",
    operation: "workspaceTokens.create",
    input: within(quarantined, () => ({ body: {} })),
    expect: "workspaceQuarantined",
  },
  {
    name: "does not know a workspace that was deleted",
    operation: "workspaceTokens.create",
    input: within(deleted, () => ({ body: {} })),
    expect: "workspaceNotFound",
  },
];

const listing: readonly Scenario[] = [
  {
    name: "shows an owner everybody's, oldest first, without a value",
    operation: "workspaceTokens.list",
    input: async (world) => {
      const { workspaceId, ...mine } = await tokenOf("eve")(world);
      return { workspaceId, mine, hers: await token(world, String(workspaceId), world.ada.key) };
    },
    expect: 200,
    body: ({ ada, eve }) => ({ authTokens: [{ userEmail: eve.email }, { userEmail: ada.email }] }),
    check: ({ text }) => expect(text).not.toContain("eyJ"),
  },
  {
    name: "shows others their own only",
    operation: "workspaceTokens.list",
    as: "eve",
    input: async (world) => {
      const input = await tokenOf("ada", "APPROVER")(world);
      await token(world, String(input["workspaceId"]), world.eve.key, { name: "hers" });
      return input;
    },
    expect: 200,
    check: ({ body }, { eve }) =>
      expect(body).toEqual({ authTokens: [expect.objectContaining({ userId: eve.id, name: "hers" })] }),
  },
  { name: "is for members", operation: "workspaceTokens.list", as: "eve", expect: "forbidden" },
  {
    name: "is not for a workspace token, whose user may, and neither is the rest",
    operation: "workspaceTokens.list",
    input: byToken,
    expect: 200,
    check: async ({ at }, { server, ada }, { value }) => {
      const path = `/management/workspaces/${ada.workspaceId}/authTokens`;
      const as = String(value);
      const answers = [
        await server.request("GET", path, { as }),
        await server.request("POST", path, { as, body: {} }),
        await server.request("POST", `${path}/${at("authTokens.0.id")}/revoke`, { as }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    },
  },
  {
    name: "does not know a workspace that was deleted",
    operation: "workspaceTokens.list",
    input: within(deleted),
    expect: "workspaceNotFound",
  },
];

const revocation: readonly Scenario[] = [
  {
    name: "refuses the token from the very next request on, and keeps it in the list",
    operation: "workspaceTokens.revoke",
    input: tokenOf("ada"),
    expect: 200,
    body: () => ({ authToken: { revokedAt: expect.any(String) } }),
    check: async (_answer, world, { workspaceId, tokenId, value }) => {
      expect(await statusWith(world, workspaceId, value)).toBe(401);
      const path = `/management/workspaces/${workspaceId}/authTokens`;
      const listed = await world.server.request("GET", path, { as: world.ada.key });
      expect(listed.body).toMatchObject({ authTokens: [{ id: tokenId, revokedAt: expect.any(String) }] });
    },
  },
  {
    name: "takes one of another member from an owner, in any letter case of the id",
    operation: "workspaceTokens.revoke",
    input: async (world) => {
      const input = await tokenOf("eve")(world);
      return { ...input, tokenId: String(input["tokenId"]).toLowerCase() };
    },
    expect: 200,
    check: async (_answer, world, { workspaceId, value }) =>
      expect(await statusWith(world, workspaceId, value)).toBe(401),
  },
  {
    name: "takes an editor's own",
    operation: "workspaceTokens.revoke",
    as: "eve",
    input: tokenOf("eve"),
    expect: 200,
  },
  {
    name: "does not know an owner's token when somebody else asks",
    operation: "workspaceTokens.revoke",
    as: "eve",
    input: tokenOf("ada", "APPROVER"),
    expect: "workspaceTokenNotFound",
    check: async (_answer, world, { workspaceId, value }) =>
      expect(await statusWith(world, workspaceId, value)).toBe(200),
  },
  {
    name: "does not know one of another workspace",
    operation: "workspaceTokens.revoke",
    input: async (world) => ({ ...(await tokenOf("ada")(world)), workspaceId: world.ada.workspaceId }),
    expect: "workspaceTokenNotFound",
  },
  {
    name: "is for members",
    operation: "workspaceTokens.revoke",
    as: "eve",
    input: ({ fresh }) => ({ tokenId: fresh() }),
    expect: "forbidden",
  },
  {
    name: "does nothing while the workspace is closed",
    operation: "workspaceTokens.revoke",
    input: within(quarantined, ({ fresh }) => ({ tokenId: fresh() })),
    expect: "workspaceQuarantined",
  },
  {
    name: "does not know a workspace that was deleted",
    operation: "workspaceTokens.revoke",
    input: within(deleted, ({ fresh }) => ({ tokenId: fresh() })),
    expect: "workspaceNotFound",
  },
];

export const workspaceTokenScenarios: readonly Scenario[] = [...creation, ...listing, ...revocation];
