import type { CollectiveMember as MemberAnswer } from "../../src/contract/collective-members.ts";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { noteInCollective } from "../auth/audit.ts";
import { idOf } from "../auth/workspace-access.ts";
import type { Context } from "../context.ts";
import {
  checkCollectiveLeaving,
  checkCollectiveRemoval,
  checkCollectiveRoleChange,
} from "../domain/collective-members.ts";
import { checkCollectiveRole, checkShared } from "../domain/collectives.ts";
import {
  type CollectiveMember,
  listCollectiveMembers,
  removeCollectiveMember,
  setCollectiveRole,
} from "../store/collective-members.ts";
import { type CollectiveChange, changeCollective, getJoinedCollective } from "../store/collectives.ts";
import { collectiveTarget } from "./collectives.ts";

/** Handlers of the rows in `src/contract/collective-members.ts`. */
export const collectiveMemberHandlers: GroupHandlers<typeof api.collectiveMembers, Context> = {
  list: async ({ slug }, context) => {
    const { store } = context.server;
    const { collective } = await getJoinedCollective(store, await collectiveTarget(context, slug));
    return { members: (await listCollectiveMembers(store, collective.id)).map(memberView) };
  },
  update: ({ slug, userId, body }, context) =>
    changeMembers(context, slug, async (change, members) => {
      checkCollectiveRole(change.role, "admin", "changing a role");
      const target = memberIn(members, idOf(userId));
      checkCollectiveRoleChange(change.role, target, body.role, members);
      await setCollectiveRole(change, target.userId, body.role);
      const entry = { subject: target.userId, data: { email: target.email, role: body.role } };
      await noteInCollective(context, change, { kind: "collective_member.changed", ...entry });
    }),
  remove: ({ slug, userId }, context) =>
    changeMembers(context, slug, async (change, members) => {
      checkCollectiveRole(change.role, "admin", "removing a member");
      const target = memberIn(members, idOf(userId));
      checkCollectiveRemoval(change.role, target, members);
      await removeCollectiveMember(change, target.userId);
      const entry = { subject: target.userId, data: { email: target.email } };
      await noteInCollective(context, change, { kind: "collective_member.removed", ...entry });
    }),
  leave: async ({ slug }, context) => {
    await changeMembers(context, slug, async (change, members) => {
      checkShared(change.collective);
      checkCollectiveLeaving(memberIn(members, change.actor), members);
      await removeCollectiveMember(change, change.actor);
      await noteInCollective(context, change, { kind: "collective_member.left", subject: change.actor });
    });
    return { success: true };
  },
};

/** One change of the members of a collective by one of them; answers who is there afterwards. */
async function changeMembers(
  context: Context,
  slug: string,
  work: (change: CollectiveChange, members: readonly CollectiveMember[]) => Promise<void>,
): Promise<{ members: MemberAnswer[] }> {
  const target = await collectiveTarget(context, slug);
  return changeCollective(context.server.store, target, async (change) => {
    await work(change, await listCollectiveMembers(change.tx, change.collective.id));
    return { members: (await listCollectiveMembers(change.tx, change.collective.id)).map(memberView) };
  });
}

const memberIn = (members: readonly CollectiveMember[], id: string): CollectiveMember =>
  members.find(({ userId }) => userId === id) ?? fail("collectiveMemberNotFound");

const memberView = ({ userId, username, name, email, role, joinedAt }: CollectiveMember): MemberAnswer => ({
  userId,
  username,
  name,
  email,
  role,
  joinedAt: toTimestamp(joinedAt),
});
