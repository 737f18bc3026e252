import type { Output } from "../../contract/endpoint.ts";
import type { OperatorApi } from "../../operator/contract.ts";
import { type AnyCommand, command, placeFlags } from "../command.ts";
import type { Output as Printer } from "../output.ts";
import { printable } from "../table.ts";

type OperatedWorkspace = Output<OperatorApi["workspaces"]["restore"]>;

const positionals = { "workspace-id": { doc: "Id of the workspace" } } as const;
const options = placeFlags;
const id = "01JABCDEFGHJKMNPQRSTVWXYZ0";

/** `svc server workspace …`. */
export const serverWorkspaceCommands: readonly AnyCommand[] = [
  command({
    path: "server workspace list",
    aliases: ["ls"],
    summary: "List all workspaces, the deleted and quarantined ones too",
    options,
    examples: [{ line: "server workspace list --json", does: "for programs" }],
    run: async ({ data, database }, { operator, output }) => {
      const { workspaces } = await operator({ data, database }, (client) => client.workspaces.list({}));
      output.table(
        workspaces,
        [
          { title: "ID", text: (row) => row.id },
          { title: "NAME", text: ({ displayName }) => displayName },
          { title: "OWNERS", text: ({ owners }) => owners.join(", ") },
          { title: "STATE", text: stateOf },
        ],
        workspaces,
        "no workspaces",
      );
    },
  }),
  command({
    path: "server workspace restore",
    summary: "Bring a deleted workspace back",
    details: "Its members and contents are back; its tokens stay revoked.",
    positionals,
    options,
    examples: [{ line: `server workspace restore ${id}`, does: "undoes its deletion" }],
    run: async ({ "workspace-id": workspaceId, data, database }, { operator, output }) =>
      show(
        await operator({ data, database }, (client) => client.workspaces.restore({ workspaceId })),
        output,
      ),
  }),
  command({
    path: "server workspace quarantine",
    summary: "Close a workspace to everybody: every request in it is answered with 403",
    positionals,
    options,
    examples: [{ line: `server workspace quarantine ${id}`, does: "closes it at once" }],
    run: async ({ "workspace-id": workspaceId, data, database }, { operator, output }) => {
      const body = { quarantined: true };
      show(
        await operator({ data, database }, (client) => client.workspaces.quarantine({ workspaceId, body })),
        output,
      );
    },
  }),
  command({
    path: "server workspace release",
    summary: "Open a quarantined workspace again",
    positionals,
    options,
    examples: [{ line: `server workspace release ${id}`, does: "opens it again" }],
    run: async ({ "workspace-id": workspaceId, data, database }, { operator, output }) => {
      const body = { quarantined: false };
      show(
        await operator({ data, database }, (client) => client.workspaces.quarantine({ workspaceId, body })),
        output,
      );
    },
  }),
];

const show = (workspace: OperatedWorkspace, output: Printer): void =>
  output.result(workspace, [`${workspace.id} ${printable(workspace.displayName)}: ${stateOf(workspace)}`]);

const stateOf = ({ deletedAt, quarantinedAt }: OperatedWorkspace): string =>
  [
    ...(deletedAt === null ? [] : [`deleted ${deletedAt}`]),
    ...(quarantinedAt === null ? [] : [`quarantined ${quarantinedAt}`]),
  ].join(", ") || "open";
