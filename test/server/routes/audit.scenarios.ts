import { expect } from "vitest";
import type { AuditEntry } from "../../../src/contract/audit.ts";
import { makeCollective, withEveAs } from "../../support/collectives.ts";
import type { Scenario, World } from "../../support/scenarios.ts";
import type { HttpAnswer, Person } from "../../support/server.ts";
import { deleted, made, shared, withEve, within } from "../../support/workspaces.ts";

/** The entries of an answer; every answer is checked against the contract before it is sent. */
const entriesOf = ({ body }: HttpAnswer): AuditEntry[] => Reflect.get(Object(body), "entries");
const told = (answer: HttpAnswer): unknown[] =>
  entriesOf(answer).map(({ kind, actor, credential }) => [kind, actor.name, credential?.kind ?? null]);
const post = ({ server }: World, path: string, as: string | undefined, body: object = {}) =>
  server.request("POST", path, { body, ...(as === undefined ? {} : { as }) });
const somebody = (world: World): Promise<Person> =>
  world.server.person(`a${world.fresh().toLowerCase().slice(-12)}`);
const logOf = ({ server }: World, as: string, query = ""): Promise<HttpAnswer> =>
  server.request("GET", `/api/v1/audit${query}`, { as });

/** Signs up, signs in wrongly and rightly, makes a key and takes it away, changes the password. */
const busy = async (world: World) => {
  const { username } = { username: `b${world.fresh().toLowerCase().slice(-12)}` };
  const account = { name: "Busy", email: `${username}@example.org`, username, password: "a long one" };
  await post(world, "/api/auth/sign-up/email", undefined, account);
  await post(world, "/api/auth/sign-in/username", undefined, { username, password: "a wrong one" });
  const signedIn = await post(world, "/api/auth/sign-in/username", undefined, account);
  const session = signedIn.at("token");
  const made = await post(world, "/api/auth/api-key/create", session, { name: "laptop" });
  const keyId = made.at("id");
  await post(world, "/api/auth/api-key/update", session, { keyId, name: "phone" });
  await post(world, "/api/auth/api-key/update", session, { keyId, enabled: false });
  await post(world, "/api/auth/api-key/delete", session, { keyId });
  const passwords = { currentPassword: account.password, newPassword: "another long one" };
  await post(world, "/api/auth/change-password", session, passwords);
  await post(world, "/api/auth/revoke-other-sessions", session);
  return { username, session, keyId, secrets: [session, made.at("key"), ...Object.values(passwords)] };
};

export const auditScenarios: readonly Scenario[] = [
  {
    name: "tells who did what to an account, with what and from where, newest first and without secrets",
    operation: "audit.account",
    expect: 200,
    check: async (_answer, world) => {
      const { username, session, keyId, secrets } = await busy(world);
      // The refusal is noted in the background.
      await expect.poll(async () => (await logOf(world, session)).text).toContain("session.refused");
      const answer = await logOf(world, session);
      const byRefusal = (entry: unknown) => JSON.stringify(entry).includes("session.refused");
      expect(told(answer).filter((entry) => !byRefusal(entry))).toEqual([
        ["session.ended", username, "session"],
        ["password.changed", username, "session"],
        ["key.deleted", username, "session"],
        ["key.revoked", username, "session"],
        ["key.changed", username, "session"],
        ["key.created", username, "session"],
        ["session.opened", username, null],
        ["session.opened", username, null],
        ["account.created", username, null],
      ]);
      expect(told(answer).filter(byRefusal)).toEqual([["session.refused", null, null]]);
      for (const { ip, userAgent } of entriesOf(answer))
        expect([ip, userAgent]).toEqual(["127.0.0.1", "node"]);
      const subjects = entriesOf(answer).filter(({ kind }) => kind.startsWith("key."));
      expect(new Set(subjects.map(({ subject }) => subject))).toEqual(new Set([keyId]));
      const states = subjects.map(({ data }) => data["states"]);
      expect(states).toEqual([["Deleted"], ["Revoked"], undefined, ["Created", "Enabled"]]);
      for (const secret of secrets) expect(answer.text).not.toContain(secret);
    },
  },
  {
    name: "goes on page by page, and shows nobody else's",
    operation: "audit.account",
    input: () => ({ query: { limit: 1 } }),
    expect: 200,
    check: async (_answer, world) => {
      const { session } = await somebody(world);
      for (const name of ["one", "two", "three"])
        await post(world, "/api/auth/api-key/create", session, { name });
      const names: unknown[] = [];
      let query = "?limit=2";
      for (let pages = 0; query !== ""; pages++) {
        const answer = await logOf(world, session, query);
        names.push(...entriesOf(answer).map(({ data }) => data["name"]));
        const next: unknown = Reflect.get(Object(answer.body), "nextCursor");
        query = typeof next === "string" ? `?limit=2&cursor=${next.toLowerCase()}` : "";
        expect(pages).toBeLessThan(2);
      }
      expect(names).toEqual(["three", "two", "one"]);
    },
  },
  {
    name: "keeps nothing of what was refused",
    operation: "audit.account",
    expect: 200,
    check: async (_answer, world) => {
      const { session } = await somebody(world);
      const refused = [
        await post(world, "/api/auth/api-key/create", session, { name: "" }),
        await post(world, "/api/auth/api-key/delete", session, { keyId: world.fresh() }),
        await post(world, "/api/auth/revoke-session", session, { token: "none" }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([400, 404, 200]);
      expect(entriesOf(await logOf(world, session))).toEqual([]);
    },
  },
  {
    name: "tells an owner or admin what was done to a collective, its members and tokens",
    operation: "audit.collective",
    as: "eve",
    input: async (world) => {
      const { server, ada, eve } = world;
      const slug = await withEveAs("admin")(world);
      const client = server.client(ada.key);
      const { token, key } = await client.collectiveTokens.create({ slug, body: { name: "ci" } });
      for (let again = 0; again < 2; again++)
        await client.collectiveTokens.revoke({ slug, tokenId: token.id, body: {} });
      await client.collectiveTokens.delete({ slug, tokenId: token.id });
      await client.collectives.rename({ slug, body: { name: "Renamed" } });
      const workspaceId = await made(world);
      await client.collectiveGrants.grant({ workspaceId, body: { slug } });
      await client.collectiveGrants.ungrant({ workspaceId, slug });
      await client.collectiveMembers.update({ slug, userId: eve.id, body: { role: "admin" } });
      return { slug, key, tokenId: token.id };
    },
    expect: 200,
    check: (answer, { ada }, { key, tokenId }) => {
      expect(told(answer).slice(0, 7)).toEqual(
        [
          "collective_member.changed",
          "workspace.ungranted",
          "workspace.granted",
          "collective.renamed",
          "collective_token.deleted",
          "collective_token.revoked",
          "collective_token.created",
        ].map((kind) => [kind, ada.username, "personal"]),
      );
      const tokens = entriesOf(answer).filter(({ kind }) => kind.startsWith("collective_token."));
      expect(new Set(tokens.map(({ subject }) => subject))).toEqual(new Set([tokenId]));
      const states = tokens.flatMap(({ data }) => [data["states"]]);
      expect(states).toEqual([["Deleted"], ["Revoked"], ["Created", "Enabled"]]);
      expect(answer.text).not.toContain(String(key));
    },
  },
  {
    name: "tells who was asked in, joined, left and was taken out",
    operation: "audit.collective",
    input: async (world) => {
      const { server, ada, eve, fresh } = world;
      const slug = `team-${fresh().toLowerCase()}`;
      const [hers, mine] = [server.client(eve.key), server.client(ada.key)];
      const join = async (): Promise<void> => {
        const { id } = await mine.collectiveInvitations.create({ slug, body: { email: eve.email } });
        await hers.collectiveInvitations.accept({ invitationId: id });
      };
      await mine.collectives.create({ body: { slug } });
      await join();
      await hers.collectiveMembers.leave({ slug });
      await join();
      await mine.collectiveMembers.remove({ slug, userId: eve.id });
      const { id } = await mine.collectiveInvitations.create({ slug, body: { email: eve.email } });
      await mine.collectiveInvitations.withdraw({ slug, invitationId: id });
      return { slug };
    },
    expect: 200,
    check: (answer, { ada, eve }) =>
      expect(told(answer).map((entry) => [entry].flat().slice(0, 2))).toEqual([
        ["collective_invitation.withdrawn", ada.username],
        ["collective_invitation.created", ada.username],
        ["collective_member.removed", ada.username],
        ["collective_member.joined", eve.username],
        ["collective_invitation.created", ada.username],
        ["collective_member.left", eve.username],
        ["collective_member.joined", eve.username],
        ["collective_invitation.created", ada.username],
        ["collective.created", ada.username],
      ]),
  },
  {
    name: "is not for a member of the collective",
    operation: "audit.collective",
    as: "eve",
    input: async (world) => ({ slug: await withEveAs("member")(world) }),
    expect: "forbidden",
  },
  {
    name: "does not tell a stranger that there is such a collective",
    operation: "audit.collective",
    as: "eve",
    input: async ({ server, ada }) => ({ slug: await makeCollective(server, ada) }),
    expect: "collectiveNotFound",
  },
  {
    name: "tells an owner what was done to the workspace, its members and tokens",
    operation: "audit.workspace",
    input: async (world) => {
      const { ada, eve, server } = world;
      const workspaceId = await shared(world, "EDITOR");
      const path = `/management/workspaces/${workspaceId}`;
      const token = await post(world, `${path}/authTokens`, eve.key, { name: "ci" });
      await post(world, `${path}/authTokens/${token.at("authToken.id")}/revoke`, ada.session);
      const { workspaces } = server.client(ada.key);
      await workspaces.update({ workspaceId, body: { description: "changed" } });
      await workspaces.removeMember({ workspaceId, body: { email: eve.email } });
      return { workspaceId, token: token.at("token") };
    },
    expect: 200,
    check: (answer, { ada, eve }, { token }) => {
      expect(told(answer)).toEqual([
        ["member.removed", ada.username, "personal"],
        ["workspace.updated", ada.username, "personal"],
        ["workspace_token.revoked", ada.username, "session"],
        ["workspace_token.created", eve.username, "personal"],
        ["member.changed", ada.username, "personal"],
        ["member.invited", ada.username, "personal"],
        ["workspace.created", ada.username, "personal"],
      ]);
      expect(answer.text).not.toContain(String(token).slice(-20));
    },
  },
  {
    name: "tells of the token that came with a new workspace",
    operation: "audit.workspace",
    input: async ({ server, ada }) => {
      const body = {
        displayName: "new",
        description: "",
        instanceUrl: "http://localhost",
        createSetupToken: true,
      };
      return { workspaceId: (await server.client(ada.key).workspaces.create({ body })).id };
    },
    expect: 200,
    body: () => ({ entries: [{ kind: "workspace_token.created" }, { kind: "workspace.created" }] }),
  },
  {
    name: "refuses a page without entries",
    operation: "audit.workspace",
    input: () => ({ query: { limit: 0 } }),
    expect: "badRequest",
  },
  {
    name: "refuses a page without entries",
    operation: "audit.account",
    input: () => ({ query: { limit: 0 } }),
    expect: "invalidRequest",
  },
  {
    name: "is for owners, not for an approver",
    operation: "audit.workspace",
    as: "eve",
    input: withEve("APPROVER"),
    expect: "forbidden",
  },
  {
    name: "does not know a workspace that was deleted",
    operation: "audit.workspace",
    input: within(deleted),
    expect: "workspaceNotFound",
  },
];
