import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { originOf } from "../auth/audit.ts";
import { hashToken } from "../auth/tokens.ts";
import { type Context, userOf } from "../context.ts";
import { checkMemberCount } from "../domain/collective-members.ts";
import { recordAudit } from "../store/audit.ts";
import { acceptCodedInvitation } from "../store/collective-invitations.ts";
import { acceptInvitations } from "../store/invitations.ts";
import { holdAddress } from "../store/workspace-changes.ts";
import { getWorkspaceOf } from "../store/workspaces.ts";
import { collectiveView } from "./collectives.ts";

/** Handlers of the rows in `src/contract/invitations.ts`. */
export const invitationHandlers: GroupHandlers<typeof api.invitations, Context> = {
  accept: ({ body }, context) => {
    const { id: userId, email } = userOf(context);
    const codeHash = hashToken(body.code.trim());
    const origin = originOf(context);
    return context.server.store.write(async (tx) => {
      await holdAddress(tx, email);
      const [joined] = await acceptInvitations(tx, { id: userId, email }, codeHash);
      if (joined !== undefined) {
        const { workspaceId, role } = joined;
        const entry = { kind: "member.joined", subject: userId, workspaceId, data: { email, role } } as const;
        await recordAudit(tx, origin, entry);
        const { workspace } = await getWorkspaceOf(tx, workspaceId, userId);
        const { id, displayName } = workspace;
        return { workspace: { id, displayName, role }, collective: null };
      }
      const found = await acceptCodedInvitation(tx, { codeHash, userId, email }, checkMemberCount);
      const { collective, role } = found;
      await recordAudit(tx, origin, {
        kind: "collective_member.joined",
        subject: userId,
        collectiveId: collective.id,
        data: { role },
      });
      return { workspace: null, collective: collectiveView(found) };
    });
  },
};
