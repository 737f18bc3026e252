import { ApiError, fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { api } from "../../src/contract/index.ts";
import type { Member as MemberAnswer } from "../../src/contract/workspaces.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { originOf } from "../auth/audit.ts";
import { hashToken, newInvitationCode } from "../auth/tokens.ts";
import { idOf } from "../auth/workspace-access.ts";
import { type Context, userOf } from "../context.ts";
import { checkEmail } from "../domain/accounts.ts";
import { checkLeaving, checkRemoval, checkRole, checkRoleChange } from "../domain/members.ts";
import { checkCovers } from "../domain/roles.ts";
import { type AuditEntry, recordAudit } from "../store/audit.ts";
import { isCoded } from "../store/coded-addresses.ts";
import { addInvitation } from "../store/invitations.ts";
import { addMember, listMembers, type Member, removeMember, setMemberRole } from "../store/members.ts";
import { findUserByEmail } from "../store/users.ts";
import {
  type ChangeNeeds,
  changeWorkspace,
  getJoinedWorkspace,
  type WorkspaceChange,
} from "../store/workspace-changes.ts";

type Rows = "leave" | "listMembers" | "inviteMember" | "removeMember" | "updateMemberAccess";

/** Handlers of the rows in `src/contract/workspaces.ts` that speak of members. */
export const memberHandlers: Pick<GroupHandlers<typeof api.workspaces, Context>, Rows> = {
  leave: ({ workspaceId }, context) =>
    changeMembers(context, workspaceId, { stranger: "memberNotFound" }, async (change, members) => {
      checkLeaving(change.role);
      const own = memberIn(members, ({ id }) => id === change.actor);
      await removeMember(change, own);
      await note(context, change, "member.left", own);
    }),
  listMembers: async ({ workspaceId }, context) => {
    const { store } = context.server;
    const target = { workspaceId: idOf(workspaceId), actor: userOf(context).id };
    const { workspace } = await getJoinedWorkspace(store, target);
    return (await listMembers(store, workspace.id)).map(memberView);
  },
  inviteMember: async ({ workspaceId, body }, context) => {
    const code = newInvitationCode();
    let invited: string | undefined;
    // Held before the workspace: who signs up with it meanwhile is either seen here, or sees the invitation.
    const address = body.email.toLowerCase();
    const everybody = await changeMembers(context, workspaceId, { address }, async (change, members) => {
      checkCovers(change.role, "APPROVER", "inviting somebody");
      const email = checkEmail(body.email);
      if (members.some((member) => member.email === email)) {
        fail("memberConflict", `${email} is a member of this workspace or invited already`);
      }
      const user = await findUserByEmail(change.tx, email);
      if (user?.suspendedAt !== undefined) fail("memberConflict", `the account of ${email} is suspended`);
      const known = user !== undefined && !(await isCoded(change.tx, email)) ? user : undefined;
      invited = known === undefined ? email : undefined;
      if (known !== undefined) await addMember(change, known, "EDITOR");
      else await addInvitation(change, { email, role: "EDITOR", codeHash: hashToken(code) });
      await note(context, change, "member.invited", { id: known?.id, email, role: "EDITOR" });
    });
    return everybody.map((member) =>
      member.email === invited ? { ...member, invitationCode: code } : member,
    );
  },
  removeMember: ({ workspaceId, body }, context) =>
    // Who signs up with an invitation meanwhile either has joined, or is no longer invited.
    changeMembers(context, workspaceId, { address: body.email.toLowerCase() }, async (change, members) => {
      checkCovers(change.role, "APPROVER", "removing a member");
      const email = checkEmail(body.email);
      const target = memberIn(members, (member) => member.email === email);
      checkRemoval(change.role, target, members);
      await removeMember(change, target);
      await note(context, change, "member.removed", target);
    }),
  updateMemberAccess: ({ workspaceId, body }, context) =>
    changeMembers(context, workspaceId, {}, async (change, members) => {
      checkCovers(change.role, "OWNER", "changing a role");
      const role = checkRole(body.role);
      const id = memberIdOf(body.userId);
      const target = memberIn(members, (member) => member.id === id);
      checkRoleChange(change.role, target, role, members);
      await setMemberRole(change, target, role);
      await note(context, change, "member.changed", { ...target, role });
    }),
};

/** One change of the members of a workspace by one of them; answers who is there afterwards. */
const changeMembers = (
  context: Context,
  workspaceId: string,
  needs: ChangeNeeds,
  work: (change: WorkspaceChange, members: readonly Member[]) => Promise<void>,
): Promise<MemberAnswer[]> => {
  const target = { workspaceId: idOf(workspaceId), actor: userOf(context).id };
  return changeWorkspace(context.server.store, target, needs, async (change) => {
    await work(change, await listMembers(change.tx, change.workspace.id));
    return (await listMembers(change.tx, change.workspace.id)).map(memberView);
  });
};

const note = (
  context: Context,
  { tx, workspace }: WorkspaceChange,
  kind: AuditEntry["kind"],
  { id, email, role }: { readonly id: string | undefined; readonly email: string; readonly role: string },
): Promise<void> =>
  recordAudit(tx, originOf(context), { kind, subject: id, workspaceId: workspace.id, data: { email, role } });

const memberIn = (members: readonly Member[], is: (member: Member) => boolean): Member =>
  members.find(is) ?? fail("memberNotFound");

/** The id of a member as a body names it. Throws `badRequest`. */
function memberIdOf(text: string): string {
  if (looksLikeUlid(text)) return text.toUpperCase();
  throw new ApiError(
    "badRequest",
    `userId: expected the id of a member, 26 letters and digits, found ${JSON.stringify(text.slice(0, 40))}`,
  );
}

const memberView = ({ id, email, nickname, role, signupAt }: Member): MemberAnswer => ({
  userId: id,
  email,
  nickname,
  role,
  signupAt: signupAt === undefined ? null : toTimestamp(signupAt),
});
