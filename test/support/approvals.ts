import type { Role } from "../../server/store/people-tables.ts";
import { createWorkspace } from "../../server/store/workspaces.ts";
import type { World } from "./scenarios.ts";
import type { Person, TestServer } from "./server.ts";

/** Switches approvals of a workspace on or off, as its owner may. */
export async function setApprovals(server: TestServer, workspaceId: string, on: boolean): Promise<void> {
  await server.store.write(async (tx) => {
    await tx.db
      .updateTable("workspace")
      .set((row) => ({ approvals_enabled: on ? 1 : 0, rev: row("rev", "+", 1) }))
      .where("id", "=", workspaceId)
      .execute();
    tx.changed(workspaceId);
  });
}

/** A further workspace of a person, who owns it. */
export const newWorkspace = async (server: TestServer, { id: creatorId }: Person): Promise<string> =>
  (await createWorkspace(server.store, { displayName: "reviewed", description: "", creatorId })).id;

/** Makes somebody a member of another's workspace. */
export async function join(
  server: TestServer,
  workspaceId: string,
  person: Person,
  role: Role,
): Promise<void> {
  await server.store.write((tx) =>
    tx.db
      .insertInto("member")
      .values({ workspace_id: workspaceId, user_id: person.id, role, created_at: tx.now, is_default: 0 })
      .execute(),
  );
}

/** A new workspace of Eve's with approvals on, Ada a member of it, and a change set in it. */
export interface Reviewed {
  readonly owner: Person;
  readonly workspaceId: string;
  readonly changeSetId: string;
}

/** Makes a workspace in which merges are asked for, with Ada in that role. */
export async function reviewedBy({ server, ada, eve: owner, fresh }: World, role: Role): Promise<Reviewed> {
  const workspaceId = await newWorkspace(server, owner);
  await setApprovals(server, workspaceId, true);
  await join(server, workspaceId, ada, role);
  const body = { changeSetName: `set ${fresh()}` };
  const { changeSet } = await server.client(owner.key).changeSets.create({ workspaceId, body });
  return { owner, workspaceId, changeSetId: changeSet.id };
}
