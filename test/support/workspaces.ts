import { markWorkspace } from "../../server/store/operated.ts";
import type { Role } from "../../server/store/people-tables.ts";
import type { RowInput, World } from "./scenarios.ts";

/** What workspaces of scenarios are called, and where they run. */
export const texts = {
  displayName: "Team (one)",
  description: "Où l'on travaille, à deux.",
  instanceUrl: "https://svc.example.org:8443/team one",
} as const;

/** A new workspace of Ada's. */
export const made = async ({ server, ada }: World): Promise<string> =>
  (await server.client(ada.key).workspaces.create({ body: texts })).id;
/** The same with Eve in it. */
export const shared = async (world: World, role: Role): Promise<string> => {
  const { server, ada, eve } = world;
  const workspaceId = await made(world);
  const { workspaces } = server.client(ada.key);
  await workspaces.inviteMember({ workspaceId, body: { email: eve.email } });
  await workspaces.updateMemberAccess({ workspaceId, body: { userId: eve.id, role } });
  return workspaceId;
};
/** One of Ada's that she deleted. */
export const deleted = async (world: World): Promise<string> => {
  const workspaceId = await made(world);
  await world.server.client(world.ada.key).workspaces.delete({ workspaceId });
  return workspaceId;
};
/** One of Ada's that the operator closed. */
export const quarantined = async (world: World): Promise<string> => {
  const workspaceId = await made(world);
  const event = { kind: "workspace.quarantined", actor: "operator" } as const;
  await world.server.store.write((tx) => markWorkspace(tx, workspaceId, { set: "quarantined_at" }, event));
  return workspaceId;
};

/** Input of a row in a workspace that is made first. */
export const within =
  (make: (world: World) => Promise<string>, rest: (world: World) => RowInput = () => ({})) =>
  async (world: World): Promise<RowInput> => ({ workspaceId: await make(world), ...rest(world) });
/** The same in one that Eve is in. */
export const withEve = (role: Role, rest?: (world: World) => RowInput) =>
  within((world) => shared(world, role), rest);

/** Who is in an answer, as `[e-mail, role]`. */
export const emails = (body: unknown): unknown =>
  Array.isArray(body)
    ? body.map((member: { email: string; role: string }) => [member.email, member.role])
    : body;
