import type { WorkspaceToken } from "../../contract/workspace-tokens.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import { type Column, printable } from "../table.ts";

const columns: readonly Column<WorkspaceToken>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name ?? "" },
  { title: "USER", text: ({ userEmail }) => userEmail },
  { title: "EXPIRES", text: ({ expiresAt }) => expiresAt ?? "never" },
  { title: "LAST USED", text: ({ lastUsedAt }) => lastUsedAt ?? "never" },
  { title: "REVOKED", text: ({ revokedAt }) => revokedAt ?? "" },
];

/** `svc workspace token …`: all of them speak of the workspace in use, or of `--workspace`. */
export const workspaceTokenCommands: readonly AnyCommand[] = [
  command({
    path: "workspace token create",
    summary: "Create a token that acts in the workspace with your rights, for automation",
    details: "It is printed this once. Whoever has it acts as you in this workspace until it is revoked.",
    needs: "key",
    positionals: { name: { doc: "What it is for; at most 64 characters", optional: true } },
    options: {
      expires: { kind: "text", value: "time", doc: "After how long: 12h, 90d, up to 1y; default 30d" },
    },
    examples: [{ line: "workspace token create ci --expires 90d", does: "prints the token" }],
    run: async (args, context) => {
      const workspaceId = await context.workspaceId();
      const answer = await (await context.api()).workspaceTokens.create({
        workspaceId,
        body: { name: args.name ?? null, expiration: args.expires ?? null },
      });
      const { id, expiresAt } = answer.authToken;
      context.output.note(`created token ${id}`);
      context.output.note(`it expires ${expiresAt ?? "never"} and is not shown again`);
      context.output.result(answer, [printable(answer.token)]);
    },
  }),
  command({
    path: "workspace token list",
    aliases: ["ls"],
    summary: "List your tokens of the workspace; as an owner everybody's",
    needs: "key",
    examples: [{ line: "workspace token list --json", does: "the API's answer" }],
    run: async (_args, context) => {
      const workspaceId = await context.workspaceId();
      const answer = await (await context.api()).workspaceTokens.list({ workspaceId });
      context.output.table(answer, columns, answer.authTokens, "no tokens");
    },
  }),
  command({
    path: "workspace token revoke",
    summary: "Revoke a token for good: it is refused from the next request on",
    needs: "key",
    positionals: { token: { doc: "Id of the token, as svc workspace token list shows it" } },
    options: { yes: yesFlag },
    examples: [{ line: "workspace token revoke 01J… --yes", does: "does it without asking" }],
    run: async ({ token, yes }, context) => {
      const named = `token ${printable(token)}`;
      const consent = { question: `revoke the ${named} for good?`, doing: `revoking ${named}` };
      if (!(await context.confirm(consent, yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const workspaceId = await context.workspaceId();
      const answer = await (await context.api()).workspaceTokens.revoke({ workspaceId, tokenId: token });
      context.output.note(`revoked ${named}`);
      context.output.table(answer, columns, [answer.authToken], "");
    },
  }),
];
