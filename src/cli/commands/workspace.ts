import type { Workspace } from "../../contract/workspaces.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import { type Column, printable } from "../table.ts";
import { workspaceArgument, workspaceIdOf } from "../workspace-choice.ts";
import { workspaceCollectiveCommands } from "./workspace-collectives.ts";
import { workspaceMemberCommands } from "./workspace-members.ts";
import { workspaceTokenCommands } from "./workspace-tokens.ts";
import { workspaceUseCommands } from "./workspace-use.ts";

const columns: readonly Column<Workspace>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ displayName }) => displayName },
  { title: "ROLE", text: ({ role }) => role ?? "" },
  { title: "INSTANCE", text: ({ instanceUrl }) => instanceUrl ?? "" },
  { title: "STATE", text: stateOf },
];

const texts = {
  description: { kind: "text", value: "text", doc: "What it is for; at most 512 characters" },
  "instance-url": { kind: "text", value: "url", doc: "Where its server is reached" },
} as const;

/** `svc workspace …`. */
export const workspaceCommands: readonly AnyCommand[] = [
  ...workspaceUseCommands,
  command({
    path: "workspace list",
    aliases: ["ls"],
    summary: "List the workspaces that you are a member of, the default one first",
    needs: "key",
    examples: [{ line: "workspace list --json", does: "the API's answer" }],
    run: async (_args, { api, output }) => {
      const answer = await (await api()).workspaces.list({});
      output.table(answer, columns, answer, "no workspaces");
    },
  }),
  command({
    path: "workspace create",
    summary: "Create a workspace; you become its owner",
    needs: "key",
    positionals: { name: { doc: "At most 256 letters, digits, spaces and ' , _ + ( ) . -" } },
    options: {
      ...texts,
      default: { kind: "switch", doc: "Prefer it to your other workspaces from now on" },
      "setup-token": { kind: "switch", doc: "Also print a token of it that is valid for one hour" },
    },
    examples: [{ line: "workspace create 'Platform team'", does: "prints its id" }],
    run: async (args, context) => {
      const { serverUrl } = await context.access();
      const answer = await (await context.api()).workspaces.create({
        body: {
          displayName: args.name,
          description: args.description ?? "",
          instanceUrl: args["instance-url"] ?? serverUrl,
          isDefault: args.default,
          createSetupToken: args["setup-token"],
        },
      });
      context.output.note(`created workspace ${printable(answer.displayName)}`);
      const token = answer.initialApiToken;
      if (token)
        context.output.note(`the token expires ${token.expiresAt ?? "never"} and is not shown again`);
      context.output.result(answer, [answer.id, ...(token ? [printable(token.token)] : [])]);
    },
  }),
  command({
    path: "workspace get",
    summary: "Show one workspace, also while the operator keeps it closed",
    needs: "key",
    positionals: { workspace: workspaceArgument },
    examples: [{ line: "workspace get", does: "shows the one in use" }],
    run: async (args, context) => {
      const workspaceId = await workspaceIdOf(context, args.workspace);
      const answer = await (await context.api()).workspaces.get({ workspaceId });
      context.output.table(answer, columns, [answer], "");
    },
  }),
  command({
    path: "workspace update",
    summary: "Change what is known of a workspace, or whether its change sets need approval",
    needs: "key",
    positionals: { workspace: workspaceArgument },
    options: {
      name: { kind: "text", value: "text", doc: "What it is called from now on" },
      ...texts,
      approvals: {
        kind: "text",
        doc: "Whether a change set needs an approval before it is applied",
        choices: ["on", "off"],
      },
    },
    examples: [
      { line: "workspace update --approvals on", does: "owners and approvers decide what is applied" },
      { line: "workspace update 'Platform team' --name Platform", does: "renames it" },
    ],
    run: async (args, context) => {
      const { name, description, approvals } = args;
      const body = {
        ...(name === undefined ? {} : { displayName: name }),
        ...(description === undefined ? {} : { description }),
        ...(args["instance-url"] === undefined ? {} : { instanceUrl: args["instance-url"] }),
        ...(approvals === undefined ? {} : { approvalsEnabled: approvals === "on" }),
      };
      if (Object.keys(body).length === 0)
        throw usageProblem(
          "workspace update: expected something to change, got nothing",
          "svc workspace update --help",
        );
      const workspaceId = await workspaceIdOf(context, args.workspace);
      const answer = await (await context.api()).workspaces.update({ workspaceId, body });
      context.output.note(`updated workspace ${printable(answer.displayName)}`);
      context.output.table(answer, columns, [answer], "");
    },
  }),
  command({
    path: "workspace delete",
    summary: "Delete a workspace for all its members; only the operator of the server can bring it back",
    needs: "key",
    positionals: { workspace: { doc: "Name or id of the workspace" } },
    options: { yes: yesFlag },
    examples: [{ line: "workspace delete 'Platform team' --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const workspaceId = await workspaceIdOf(context, args.workspace);
      const named = `workspace "${printable(args.workspace)}"`;
      const consent = { question: `delete the ${named} for everybody in it?`, doing: `deleting ${named}` };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      await (await context.api()).workspaces.delete({ workspaceId });
      await noteGone(context, workspaceId, `deleted ${named}`);
      context.output.result({ success: true, workspaceId }, []);
    },
  }),
  command({
    path: "workspace leave",
    summary: "Leave a workspace; owners first make somebody else the owner",
    needs: "key",
    positionals: { workspace: { doc: "Name or id of the workspace" } },
    options: { yes: yesFlag },
    examples: [{ line: "workspace leave 'Platform team'", does: "asks first" }],
    run: async (args, context) => {
      const workspaceId = await workspaceIdOf(context, args.workspace);
      const named = `workspace "${printable(args.workspace)}"`;
      const consent = { question: `leave the ${named}?`, doing: `leaving ${named}` };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      await (await context.api()).workspaces.leave({ workspaceId });
      await noteGone(context, workspaceId, `left ${named}`);
      context.output.result({ success: true, workspaceId }, []);
    },
  }),
  ...workspaceMemberCommands,
  ...workspaceCollectiveCommands,
  ...workspaceTokenCommands,
];

function stateOf({ isDefault, approvalsEnabled, quarantinedAt }: Workspace): string {
  const facts = [
    isDefault ? "default" : undefined,
    approvalsEnabled ? "approvals" : undefined,
    quarantinedAt ? `quarantined since ${quarantinedAt}` : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(", ");
}

/** Says what was done, and how to go on where commands still act in the workspace. */
async function noteGone(
  { access, config, output }: Context,
  workspaceId: string,
  done: string,
): Promise<void> {
  output.note(done);
  const { serverUrl } = await access();
  if (config().settings.workspaces[serverUrl]?.toUpperCase() === workspaceId)
    output.note("it was the one in use: svc workspace use --reset goes back to your default workspace");
}
