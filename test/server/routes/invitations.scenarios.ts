import { expect } from "vitest";
import { adasCollective } from "../../support/collectives.ts";
import { fillMembers } from "../../support/limits.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import type { HttpAnswer } from "../../support/server.ts";
import { made } from "../../support/workspaces.ts";

const account = ({ fresh }: World) => {
  const name = `i${fresh().toLowerCase().slice(-14)}`;
  return { name, email: `${name}@example.org`, username: name, password: "correct horse battery" };
};
const signUp = ({ server }: World, body: object): Promise<HttpAnswer> =>
  server.request("POST", "/api/auth/sign-up/email", { body });
const accept = ({ server }: World, code: unknown, as: string): Promise<HttpAnswer> =>
  server.request("POST", "/api/v1/invitations/accept", { as, body: { code } });
const intoCollective = async (world: World, email: string, slug: string) => {
  const client = world.server.client(world.ada.key).collectiveInvitations;
  return client.create({ slug, body: { email } });
};
const intoWorkspace = async (world: World, email: string, workspaceId: string): Promise<string> => {
  const client = world.server.client(world.ada.key).workspaces;
  const members = await client.inviteMember({ workspaceId, body: { email } });
  return members.find((member) => member.email === email)?.invitationCode ?? "none";
};
/** A collective of Ada's, and the code of an invitation of Eve's. */
const codeOfEves = async (world: World, email = world.eve.email): Promise<RowInput & { slug: string }> => {
  const slug = await adasCollective(world);
  return { slug, body: { code: (await intoCollective(world, email, slug)).code } };
};
const seen = ({ server }: World, path: string, as: string): Promise<HttpAnswer> =>
  server.request("GET", path, { as });

/** Somebody registers an address before the person who was invited by it does. */
const impostor = async (world: World): Promise<void> => {
  const { email, ...rest } = account(world);
  const slug = await adasCollective(world);
  const workspaceId = await made(world);
  const { id } = await intoCollective(world, email, slug);
  const workspaceCode = await intoWorkspace(world, email, workspaceId);
  const as = (await signUp(world, { ...rest, email })).at("token");
  expect((await seen(world, `/v1/w/${workspaceId}/change-sets`, as)).status).toBe(403);
  expect((await seen(world, "/api/v1/collective-invitations", as)).text).not.toContain(slug);
  for (const answer of ["accept", "reject"]) {
    const path = `/api/v1/collective-invitations/${id}/${answer}`;
    expect((await world.server.request("POST", path, { as })).status).toBe(404);
  }
  // Asked again, the account that is there now is trusted no more.
  const again = await intoCollective(world, email, slug);
  expect((await seen(world, "/api/v1/collective-invitations", as)).text).not.toContain(slug);
  expect((await accept(world, again.code, as)).status).toBe(200);
  expect((await accept(world, workspaceCode, as)).status).toBe(200);
};

/** Somebody registers an address while nobody is inviting it: the invitation was taken back, or ran out and was swept. */
const impostorMeanwhile = async (world: World): Promise<void> => {
  const { server, ada } = world;
  const { collectiveInvitations, workspaces } = server.client(ada.key);
  const { email, ...rest } = account(world);
  const [withdrawn, past] = [await adasCollective(world), await adasCollective(world)];
  const workspaceId = await made(world);
  const { id } = await intoCollective(world, email, withdrawn);
  await collectiveInvitations.withdraw({ slug: withdrawn, invitationId: id });
  const { id: pastId } = await intoCollective(world, email, past);
  await server.store.write(async ({ db }) => {
    await db.updateTable("collective_invitation").set({ expires_at: 1 }).where("id", "=", pastId).execute();
  });
  await intoCollective(world, account(world).email, past);
  await intoWorkspace(world, email, workspaceId);
  await workspaces.removeMember({ workspaceId, body: { email } });
  const as = (await signUp(world, { ...rest, email })).at("token");
  const code = await intoWorkspace(world, email, workspaceId);
  expect(code).toMatch(/^svc_inv_/);
  expect((await seen(world, `/v1/w/${workspaceId}/change-sets`, as)).status).toBe(403);
  // A collective that never invited the address cannot know better.
  for (const slug of [withdrawn, past, await adasCollective(world)]) {
    const again = await intoCollective(world, email, slug);
    expect((await seen(world, "/api/v1/collective-invitations", as)).text).not.toContain(slug);
    const path = `/api/v1/collective-invitations/${again.id}/accept`;
    expect((await server.request("POST", path, { as })).status).toBe(404);
    expect((await accept(world, again.code, as)).status).toBe(200);
  }
  expect((await accept(world, code, as)).status).toBe(200);
  // Whoever has shown all codes is who was meant, and joins the next workspace at once.
  expect(await intoWorkspace(world, email, await made(world))).toBe("none");
};

export const invitationScenarios: readonly Scenario[] = [
  {
    name: "joins a collective, with an account that needed no code too, and once",
    operation: "invitations.accept",
    as: "eve",
    input: (world) => codeOfEves(world),
    expect: 200,
    check: async ({ body }, world, { slug, body: sent }) => {
      expect(body).toMatchObject({ workspace: null, collective: { slug, role: "member" } });
      expect((await accept(world, Object(sent).code, world.eve.key)).status).toBe(404);
      const { entries } = await world.server
        .client(world.ada.key)
        .audit.collective({ slug: String(slug), query: {} });
      expect(entries[0]).toMatchObject({ kind: "collective_member.joined", actor: { id: world.eve.id } });
      expect(JSON.stringify(entries)).not.toContain("svc_inv_");
    },
  },
  {
    name: "joins a workspace with an account that was made without the code",
    operation: "invitations.accept",
    as: "eve",
    input: (world) => codeOfEves(world),
    expect: 200,
    check: async (_answer, world) => {
      const { email, ...rest } = account(world);
      const workspaceId = await made(world);
      const code = await intoWorkspace(world, email, workspaceId);
      const as = (await signUp(world, { ...rest, email })).at("token");
      expect((await seen(world, `/v1/w/${workspaceId}/change-sets`, as)).status).toBe(403);
      const joined = await accept(world, code, as);
      expect(joined.body).toMatchObject({ collective: null, workspace: { id: workspaceId, role: "EDITOR" } });
      expect((await seen(world, `/v1/w/${workspaceId}/change-sets`, as)).status).toBe(200);
      const { entries } = await world.server
        .client(world.ada.key)
        .audit.workspace({ workspaceId, query: {} });
      expect(entries[0]).toMatchObject({ kind: "member.joined", data: { email, role: "EDITOR" } });
    },
  },
  {
    name: "keeps out who registers an invited address first, until they show the code",
    operation: "invitations.accept",
    as: "eve",
    input: async (world) => {
      await impostor(world);
      return codeOfEves(world);
    },
    expect: 200,
  },
  {
    name: "keeps out who registers an address between two invitations, too",
    operation: "invitations.accept",
    as: "eve",
    input: async (world) => {
      await impostorMeanwhile(world);
      return codeOfEves(world);
    },
    expect: 200,
  },
  {
    name: "does not take the code of another address",
    operation: "invitations.accept",
    as: "eve",
    input: async (world) => codeOfEves(world, account(world).email),
    expect: "collectiveInvitationNotFound",
  },
  {
    name: "does not take the code that a newer one replaced",
    operation: "invitations.accept",
    as: "eve",
    input: async (world) => {
      const input = await codeOfEves(world);
      await intoCollective(world, world.eve.email, input.slug);
      return input;
    },
    expect: "collectiveInvitationNotFound",
  },
  ...["", "svc_inv_", `svc_inv_${"0".repeat(32)}`, "' or 1=1"].map(
    (code): Scenario => ({
      name: `does not take ${JSON.stringify(code)}`,
      operation: "invitations.accept",
      as: "eve",
      input: () => ({ body: { code } }),
      expect: "collectiveInvitationNotFound",
    }),
  ),
  {
    name: "does not take the code of a workspace that was deleted",
    operation: "invitations.accept",
    as: "eve",
    input: async (world) => {
      const { email, ...rest } = account(world);
      const workspaceId = await made(world);
      const code = await intoWorkspace(world, email, workspaceId);
      const as = (await signUp(world, { ...rest, email })).at("token");
      await world.server.client(world.ada.key).workspaces.delete({ workspaceId });
      expect((await accept(world, code, as)).status).toBe(404);
      return { body: { code } };
    },
    expect: "collectiveInvitationNotFound",
  },
  {
    name: "lets nobody into one that is full",
    operation: "invitations.accept",
    as: "eve",
    input: async (world) => {
      const input = await codeOfEves(world);
      await fillMembers(world.server.store, input.slug, 99);
      return input;
    },
    expect: "memberLimitReached",
  },
  {
    name: "refuses a code that is no text",
    operation: "invitations.accept",
    input: () => ({ body: { code: 7 } }),
    expect: "invalidRequest",
  },
  {
    name: "makes an account that finds the invitation whose code it shows",
    operation: "accounts.signUp",
    input: async (world) => {
      const { email, ...rest } = account(world);
      const slug = await adasCollective(world);
      const { code } = await intoCollective(world, email, slug);
      return { slug, body: { ...rest, email, invitationCode: code } };
    },
    expect: 200,
    check: async (answer, world, { slug }) => {
      const client = world.server.client(answer.at("token")).collectiveInvitations;
      const [invitation] = (await client.received({})).invitations;
      expect(invitation?.collective.slug).toBe(slug);
      const joined = await client.accept({ invitationId: invitation?.id ?? "" });
      expect(joined).toMatchObject({ slug, role: "member" });
    },
  },
  {
    name: "makes no account with a code that is none of its address",
    operation: "accounts.signUp",
    input: async (world) => {
      const { code } = await intoCollective(world, account(world).email, await adasCollective(world));
      return { body: { ...account(world), invitationCode: code } };
    },
    expect: "collectiveInvitationNotFound",
    check: async (_answer, world, { body }) => {
      const { email, password } = Object(body);
      const signIn = { body: { email, password } };
      expect((await world.server.request("POST", "/api/auth/sign-in/email", signIn)).status).toBe(401);
    },
  },
];
