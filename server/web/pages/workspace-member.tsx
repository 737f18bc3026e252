import Type from "typebox";
import { fail } from "../../../src/contract/errors.ts";
import type { Member, Workspace } from "../../../src/contract/workspaces.ts";
import { text } from "../form-fields.ts";
import { act, type Page, type View, type Visit } from "../page-row.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { Choice, Form } from "../parts/forms.tsx";
import { roleWord, takesChanges, workspaceAddress, workspaceIdOf } from "./workspace-address.ts";
import { isInvited, mayChangeMember, nameOf } from "./workspace-members.tsx";

/** What can be done about one member of a workspace; also the second question before somebody is removed. */
export const workspaceMemberPage: Page = {
  path: "/workspaces/:workspaceId/members/:userId",
  access: "user",
  show: workspaceMemberView,
  acts: {
    role: act(Type.Object({ role: text }), async ({ role }, visit) => {
      const workspaceId = workspaceIdOf(visit);
      const member = await memberOf(visit);
      const body = { role, userId: member.userId };
      await visit.ask("workspaces", "updateMemberAccess", { workspaceId, body });
      const note = `${nameOf(member)} has the role ${roleWord(role)} now.`;
      return { to: workspaceAddress(workspaceId), note };
    }),
    remove: act(Type.Object({}), async (_form, visit) => {
      const workspaceId = workspaceIdOf(visit);
      const member = await memberOf(visit);
      const body = { email: member.email };
      await visit.ask("workspaces", "removeMember", { workspaceId, body });
      // Who took themselves out has no page of the workspace any more.
      const to = visit.user?.id === member.userId ? "/workspaces" : workspaceAddress(workspaceId);
      return { to, note: `${nameOf(member)} is removed.` };
    }),
  },
};

/** The member, or the invitation, of the address. Throws `memberNotFound`. */
async function memberOf(visit: Visit): Promise<Member> {
  const members = await visit.ask("workspaces", "listMembers", { workspaceId: workspaceIdOf(visit) });
  const userId = visit.params["userId"]?.toUpperCase();
  return members.find((member) => member.userId === userId) ?? fail("memberNotFound");
}

async function workspaceMemberView(visit: Visit): Promise<View> {
  const workspace = await visit.ask("workspaces", "get", { workspaceId: workspaceIdOf(visit) });
  const member = await memberOf(visit);
  return {
    title: nameOf(member),
    main: (
      <>
        <Crumbs
          way={[
            ["/workspaces", "Workspaces"],
            [workspaceAddress(workspace.id), workspace.displayName],
          ]}
        />
        <p>
          <bdi>{member.email}</bdi>: {roleWord(member.role)} of <bdi>{workspace.displayName}</bdi>
          {isInvited(member) ? ", invited and not signed up yet" : ""}.
        </p>
        <MemberForms visit={visit} workspace={workspace} member={member} />
      </>
    ),
  };
}

const roles = [
  ["EDITOR", "editor"],
  ["APPROVER", "approver"],
  ["OWNER", "owner"],
] as const;

function MemberForms({
  visit: { csrf, user },
  workspace,
  member,
}: {
  readonly visit: Visit;
  readonly workspace: Workspace;
  readonly member: Member;
}) {
  const name = nameOf(member);
  if (!mayChangeMember(workspace, member)) return <p>Your role changes nothing here: ask an owner.</p>;
  return (
    <>
      {takesChanges(workspace, ["OWNER"]) ? (
        <>
          <h2>Role</h2>
          <p>
            An editor works in change sets. An approver approves them too, and invites and removes people. An
            owner decides about everything.
          </p>
          <Form act="role" csrf={csrf} submit="Give this role">
            <Choice name="role" label="Role" options={roles} value={member.role} />
          </Form>
        </>
      ) : null}
      {user?.id === member.userId ? null : (
        <>
          <h2>
            Remove <bdi>{name}</bdi>
          </h2>
          <p>
            {isInvited(member)
              ? "The invitation is taken back."
              : `${name} is refused from the next request on, and so are the tokens of this workspace that they made.`}
          </p>
          <Form act="remove" csrf={csrf} submit={`Remove ${name}`} danger />
        </>
      )}
    </>
  );
}
