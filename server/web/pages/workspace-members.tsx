import type { VNode } from "preact";
import Type, { type Static } from "typebox";
import type { Member, Workspace } from "../../../src/contract/workspaces.ts";
import { text } from "../form-fields.ts";
import type { Move, Visit } from "../page-row.ts";
import { Field, Form } from "../parts/forms.tsx";
import { Table } from "../parts/table.tsx";
import { NewInvitationCode } from "./invitation-codes.tsx";
import { roleWord, takesChanges, workspaceAddress, workspaceIdOf } from "./workspace-address.ts";

/** What the form of a new member carries. */
export const inviteFields = Type.Object({ email: text });

/** Invites somebody; gives the code that is shown this once, or a note where they have an account and are in at once. */
export async function inviteToWorkspace(
  { email }: Static<typeof inviteFields>,
  visit: Visit,
): Promise<VNode | Move> {
  const workspaceId = workspaceIdOf(visit);
  const address = email.trim();
  const members = await visit.ask("workspaces", "inviteMember", { workspaceId, body: { email: address } });
  const invited = members.find(({ invitationCode }) => invitationCode !== undefined);
  if (invited?.invitationCode === undefined)
    return { to: workspaceAddress(workspaceId), note: `${address} is a member now.` };
  return (
    <NewInvitationCode email={invited.email} value={invited.invitationCode}>
      Nobody has that address yet, or nobody who has shown the code of an earlier invitation. Hand the code to
      them: they sign up with it, or sign in and accept it on their page of workspaces.
    </NewInvitationCode>
  );
}

/** Whether somebody has not shown the code of their invitation yet. */
export const isInvited = ({ nickname }: Member): boolean => nickname === "";

/** Who somebody is on pages: the username, or the address of who has none yet. */
export const nameOf = (member: Member): string => (isInvited(member) ? member.email : `@${member.nickname}`);

/** The address of what can be done about one member. */
export const workspaceMemberAddress = (workspaceId: string, userId: string): string =>
  `${workspaceAddress(workspaceId)}/members/${encodeURIComponent(userId)}`;

/** Whether the page of a member has anything for who is in the workspace as that: only an owner removes an owner. */
export const mayChangeMember = (workspace: Workspace, { role }: Member): boolean =>
  takesChanges(workspace, role === "OWNER" ? ["OWNER"] : ["OWNER", "APPROVER"]);

/** Who is in a workspace, who is invited, and a form to invite somebody. */
export function WorkspaceMembers({
  visit: { csrf, form },
  workspace,
  members,
}: {
  readonly visit: Visit;
  readonly workspace: Workspace;
  readonly members: readonly Member[];
}): VNode {
  const inviting = takesChanges(workspace, ["OWNER", "APPROVER"]);
  return (
    <>
      <h2>Members</h2>
      <Table
        caption="Members, oldest membership first, then who is invited"
        head={["Member", "E-mail", "Role", ...(inviting ? ["Actions"] : [])]}
        empty="Nobody is in it."
        rows={members.map((member) => {
          const name = nameOf(member);
          const link = mayChangeMember(workspace, member) ? (
            <a
              class="button"
              href={workspaceMemberAddress(workspace.id, member.userId)}
              aria-label={`Change ${name}`}
            >
              Change
            </a>
          ) : null;
          const role = roleWord(member.role);
          const cells = [name, member.email, isInvited(member) ? `${role}, invited` : role];
          return { id: member.userId, cells: inviting ? [...cells, link] : cells };
        })}
      />
      {inviting ? (
        <>
          <h3>Invite somebody</h3>
          <Form act="invite" csrf={csrf} submit="Invite">
            <Field
              name="email"
              label="E-mail"
              type="email"
              hint="Who has an account is a member at once, as editor; anybody else with the code that you get"
              value={form["email"]}
              maxLength={254}
            />
          </Form>
        </>
      ) : null}
    </>
  );
}
