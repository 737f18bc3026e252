import type { VNode } from "preact";
import Type from "typebox";
import type { Member, Workspace } from "../../../src/contract/workspaces.ts";
import { text } from "../form-fields.ts";
import { act, type Visit } from "../page-row.ts";
import { Field, Form } from "../parts/forms.tsx";
import { Table } from "../parts/table.tsx";
import { roleWord, takesChanges, workspaceAddress, workspaceIdOf } from "./workspace-address.ts";

/** Forms of {@link WorkspaceMembers}. */
export const workspaceMemberActs = {
  invite: act(Type.Object({ email: text }), async (form, visit) => {
    const workspaceId = workspaceIdOf(visit);
    const email = form.email.trim();
    const members = await visit.ask("workspaces", "inviteMember", { workspaceId, body: { email } });
    const added = members.find((member) => member.email === email.toLowerCase());
    const note =
      added === undefined || isInvited(added)
        ? `${email} is invited, and becomes a member by signing up with that address.`
        : `@${added.nickname} is a member now.`;
    return { to: workspaceAddress(workspaceId), note };
  }),
};

/** Whether somebody has no account yet. */
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
              hint="Who has an account is a member at once, as editor; anybody else by signing up with this address"
              value={form["email"]}
              maxLength={254}
            />
          </Form>
        </>
      ) : null}
    </>
  );
}
