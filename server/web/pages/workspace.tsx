import type { VNode } from "preact";
import Type from "typebox";
import { errorRow } from "../../../src/contract/errors.ts";
import type { Workspace } from "../../../src/contract/workspaces.ts";
import { optional } from "../form-fields.ts";
import { act, actOnce, type Page, type View, type Visit } from "../page-row.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { sentence } from "../parts/document.tsx";
import { Form } from "../parts/forms.tsx";
import { checkSure, Sure } from "../parts/sure.tsx";
import { roleWord, takesChanges, workspaceIdOf } from "./workspace-address.ts";
import { WorkspaceCollectives, workspaceCollectiveActs } from "./workspace-collectives.tsx";
import { inviteFields, inviteToWorkspace, WorkspaceMembers } from "./workspace-members.tsx";
import {
  createWorkspaceToken,
  WorkspaceTokens,
  workspaceTokenActs,
  workspaceTokenFields,
} from "./workspace-tokens.tsx";

/** One workspace: who and what may act in it. */
export const workspacePage: Page = {
  path: "/workspaces/:workspaceId",
  access: "user",
  show: (visit) => workspaceView(visit),
  acts: {
    "create-token": actOnce(workspaceTokenFields, async (form, visit) =>
      workspaceView(visit, await createWorkspaceToken(form, visit)),
    ),
    ...workspaceTokenActs,
    invite: actOnce(inviteFields, async (form, visit) => {
      const invited = await inviteToWorkspace(form, visit);
      return "to" in invited ? invited : workspaceView(visit, invited);
    }),
    ...workspaceCollectiveActs,
    leave: act(Type.Object({ sure: optional }), async ({ sure }, visit) => {
      checkSure(sure);
      await visit.ask("workspaces", "leave", { workspaceId: workspaceIdOf(visit) });
      return { to: "/workspaces", note: "You have left the workspace." };
    }),
  },
};

/** The page; `once` stands at its top in this answer only. */
async function workspaceView(visit: Visit, once?: VNode): Promise<View> {
  const { ask, csrf } = visit;
  const workspaceId = workspaceIdOf(visit);
  const workspace = await ask("workspaces", "get", { workspaceId });
  const members = await ask("workspaces", "listMembers", { workspaceId });
  const { authTokens } = await ask("workspaceTokens", "list", { workspaceId });
  const grants = await ask("collectiveGrants", "list", { workspaceId });
  const { collectives } = await ask("collectives", "list", {});
  return {
    title: workspace.displayName,
    main: (
      <>
        {once}
        <Crumbs way={[["/workspaces", "Workspaces"]]} />
        <Facts workspace={workspace} />
        <WorkspaceMembers visit={visit} workspace={workspace} members={members} />
        <WorkspaceTokens visit={visit} workspace={workspace} tokens={authTokens} />
        <WorkspaceCollectives visit={visit} workspace={workspace} grants={grants} own={collectives} />
        {takesChanges(workspace, ["APPROVER", "EDITOR"]) ? (
          <>
            <h2>Leave</h2>
            <Form act="leave" csrf={csrf} submit="Leave" danger>
              <Sure label={`I want to leave ${workspace.displayName}; only an invitation lets me back in`} />
            </Form>
          </>
        ) : null}
      </>
    ),
  };
}

const Facts = ({ workspace }: { readonly workspace: Workspace }): VNode => {
  const { id, role, description, instanceUrl, isDefault, quarantinedAt } = workspace;
  return (
    <>
      {(quarantinedAt ?? null) === null ? null : (
        <p class="notice problem">{sentence(errorRow("workspaceQuarantined").message)}</p>
      )}
      {(description ?? "") === "" ? null : (
        <p>
          <bdi>{description}</bdi>
        </p>
      )}
      <dl>
        <dt>Id</dt>
        <dd>
          <code>{id}</code>
        </dd>
        <dt>Your role</dt>
        <dd>{roleWord(role)}</dd>
        <dt>Default</dt>
        <dd>{isDefault ? "yes: it is used where you name no other" : "no"}</dd>
        {(instanceUrl ?? null) === null ? null : (
          <>
            <dt>Address</dt>
            <dd>
              <bdi>{instanceUrl}</bdi>
            </dd>
          </>
        )}
      </dl>
      {role === "OWNER" ? (
        <p>
          <a class="target" href={`/audit?workspace=${id}`}>
            Audit: what was done to it, and by whom
          </a>
        </p>
      ) : null}
    </>
  );
};
