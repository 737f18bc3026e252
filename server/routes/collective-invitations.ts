import type { CollectiveInvitation as InvitationAnswer } from "../../src/contract/collective-invitations.ts";
import { fail } from "../../src/contract/errors.ts";
import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { audited, noteInCollective } from "../auth/audit.ts";
import { hashToken, newInvitationCode } from "../auth/tokens.ts";
import { idOf } from "../auth/workspace-access.ts";
import { type Context, userOf } from "../context.ts";
import { checkEmail } from "../domain/accounts.ts";
import { checkInvitation, checkInvitationCount, checkMemberCount } from "../domain/collective-members.ts";
import { checkCollectiveRole, checkShared, invitationMs } from "../domain/collectives.ts";
import { isCoded } from "../store/coded-addresses.ts";
import {
  acceptInvitation,
  type CollectiveInvitation,
  type InvitationTarget,
  inviteToCollective,
  listCollectiveInvitations,
  listReceivedInvitations,
  rejectInvitation,
  withdrawInvitation,
} from "../store/collective-invitations.ts";
import { listCollectiveMembers } from "../store/collective-members.ts";
import { changeCollective, getJoinedCollective } from "../store/collectives.ts";
import { findUserByEmail } from "../store/users.ts";
import { collectiveTarget, collectiveView } from "./collectives.ts";

/** Handlers of the rows in `src/contract/collective-invitations.ts`. */
export const collectiveInvitationHandlers: GroupHandlers<typeof api.collectiveInvitations, Context> = {
  list: async ({ slug }, context) => {
    const { store, clock } = context.server;
    const { collective, role } = await getJoinedCollective(store, await collectiveTarget(context, slug));
    checkCollectiveRole(role, "admin", "listing invitations");
    const open = await listCollectiveInvitations(store, collective.id, clock.now());
    return { invitations: open.map(invitationView) };
  },
  create: async ({ slug, body }, context) => {
    const target = await collectiveTarget(context, slug);
    return changeCollective(context.server.store, target, async (change) => {
      const { collective, tx } = change;
      const role = body.role ?? "member";
      checkInvitation(change.role, role);
      checkShared(collective);
      const email = checkEmail(body.email);
      const members = await listCollectiveMembers(tx, collective.id);
      if (members.some((member) => member.email === email)) {
        fail("memberConflict", `${email} is a member of this collective`);
      }
      checkMemberCount(members.length);
      const open = await listCollectiveInvitations(tx, collective.id, tx.now);
      checkInvitationCount(open.filter((one) => one.email !== email).length);
      const code = newInvitationCode();
      const coded = (await findUserByEmail(tx, email)) === undefined || (await isCoded(tx, email));
      const wanted = { email, role, openMs: invitationMs, codeHash: hashToken(code), coded };
      const invitation = await inviteToCollective(change, wanted);
      const entry = { subject: invitation.id, data: { email, role } };
      await noteInCollective(context, change, { kind: "collective_invitation.created", ...entry });
      return { ...invitationView(invitation), code };
    });
  },
  withdraw: async ({ slug, invitationId }, context) => {
    const target = await collectiveTarget(context, slug);
    await changeCollective(context.server.store, target, async (change) => {
      checkCollectiveRole(change.role, "admin", "taking an invitation back");
      const subject = idOf(invitationId);
      await withdrawInvitation(change, subject);
      await noteInCollective(context, change, { kind: "collective_invitation.withdrawn", subject });
    });
    return { success: true };
  },
  received: async (_input, context) => {
    const { store, clock } = context.server;
    const open = await listReceivedInvitations(store, userOf(context).email, clock.now());
    return {
      invitations: open.map((one) => ({
        ...invitationView(one),
        collective: { slug: one.slug, name: one.name },
      })),
    };
  },
  accept: async ({ invitationId }, context) =>
    collectiveView(
      await audited(
        context,
        (store) => acceptInvitation(store, answered(context, invitationId), checkMemberCount),
        ({ collective, role }) => ({
          kind: "collective_member.joined",
          subject: userOf(context).id,
          collectiveId: collective.id,
          data: { role },
        }),
      ),
    ),
  reject: async ({ invitationId }, context) => {
    await rejectInvitation(context.server.store, answered(context, invitationId));
    return { success: true };
  },
};

const answered = (context: Context, invitationId: string): InvitationTarget => {
  const { id, email } = userOf(context);
  return { invitationId: idOf(invitationId), userId: id, email };
};

const invitationView = ({
  id,
  email,
  role,
  createdAt,
  expiresAt,
}: CollectiveInvitation): InvitationAnswer => ({
  id,
  email,
  role,
  createdAt: toTimestamp(createdAt),
  expiresAt: toTimestamp(expiresAt),
});
