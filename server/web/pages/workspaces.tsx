import Type from "typebox";
import type { Workspace } from "../../../src/contract/workspaces.ts";
import { given, optional, text } from "../form-fields.ts";
import { actOnce, type Page, type View, type Visit } from "../page-row.ts";
import { Check, Field, Form } from "../parts/forms.tsx";
import { State, Table } from "../parts/table.tsx";
import { AcceptWithCode, acceptWithCodeActs } from "./invitation-codes.tsx";
import { roleWord, workspaceAddress } from "./workspace-address.ts";

const newWorkspace = Type.Object({
  displayName: text,
  description: text,
  instanceUrl: optional,
  isDefault: optional,
});

/** The workspaces of a person. */
export const workspacesPage: Page = {
  path: "/workspaces",
  access: "user",
  show: workspacesView,
  acts: {
    create: actOnce(newWorkspace, async ({ displayName, description, instanceUrl, isDefault }, visit) => {
      const texts = {
        displayName,
        description,
        instanceUrl: given(instanceUrl)?.trim() ?? addressOf(visit.context.server.settings),
      };
      const body = { ...texts, isDefault: isDefault !== undefined };
      const { id } = await visit.ask("workspaces", "create", { body });
      return { to: workspaceAddress(id), note: "The workspace is ready, and you are its owner." };
    }),
    ...acceptWithCodeActs,
  },
};

async function workspacesView({ ask, csrf, form }: Visit): Promise<View> {
  const workspaces = await ask("workspaces", "list", {});
  return {
    title: "Workspaces",
    main: (
      <>
        <p>A workspace holds components, and change sets in which they are edited.</p>
        <Table
          caption="Workspaces that you are in"
          head={["Name", "Id", "Your role", "State"]}
          empty="You are in no workspace yet."
          rows={workspaces.map((workspace) => ({
            id: workspace.id,
            cells: [
              <a key="name" href={workspaceAddress(workspace.id)}>
                <bdi>{workspace.displayName}</bdi>
              </a>,
              <code key="id">{workspace.id}</code>,
              roleWord(workspace.role),
              stateOf(workspace),
            ],
          }))}
        />
        <h2>Create a workspace</h2>
        <Form act="create" csrf={csrf} submit="Create workspace">
          <Field name="displayName" label="Name" value={form["displayName"]} maxLength={256} />
          <Field
            name="description"
            label="Description (optional)"
            value={form["description"]}
            required={false}
            maxLength={512}
          />
          <Field
            name="instanceUrl"
            label="Address of its server (optional)"
            hint="Noted with the workspace, for programs that ask where it lives; this server where you leave it empty"
            value={form["instanceUrl"]}
            required={false}
            maxLength={2048}
          />
          <Check
            name="isDefault"
            label="Make it my default: commands and programs use it where I name no workspace"
            checked={form["isDefault"] !== undefined}
          />
        </Form>
        <AcceptWithCode csrf={csrf} />
      </>
    ),
  };
}

const addressOf = ({ publicUrl, port }: Visit["context"]["server"]["settings"]): string =>
  publicUrl ?? `http://127.0.0.1:${port}`;

function stateOf({ quarantinedAt, isDefault }: Workspace) {
  if ((quarantinedAt ?? null) !== null) return <State tone="bad">quarantined</State>;
  return isDefault ? "your default" : "";
}
