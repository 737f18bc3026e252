import type { CollectiveGrant } from "../../contract/collective-grants.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import { type Column, printable } from "../table.ts";

const columns: readonly Column<CollectiveGrant>[] = [
  { title: "COLLECTIVE", text: ({ slug }) => slug },
  { title: "NAME", text: ({ name }) => name },
  { title: "SINCE", text: ({ createdAt }) => createdAt },
];

const slug = { doc: "Slug of the collective" } as const;

/** `svc workspace grant …`: all of them speak of the workspace in use, or of `--workspace`. */
export const workspaceCollectiveCommands: readonly AnyCommand[] = [
  command({
    path: "workspace collectives",
    summary: "List the collectives whose tokens act in the workspace",
    needs: "key",
    examples: [{ line: "workspace collectives", does: "of the workspace in use" }],
    run: async (_args, { api, output, workspaceId }) => {
      const answer = await (await api()).collectiveGrants.list({ workspaceId: await workspaceId() });
      output.table(answer, columns, answer, "not granted to any collective");
    },
  }),
  command({
    path: "workspace grant",
    summary: "Let the tokens of a collective that you are in act in the workspace, as editors",
    details: "What they do is attributed to the collective. For owners of the workspace.",
    needs: "key",
    positionals: { slug },
    examples: [{ line: "workspace grant platform", does: "prints all that it is granted to" }],
    run: async (args, { api, output, workspaceId }) => {
      const place = { workspaceId: await workspaceId(), body: { slug: args.slug } };
      const answer = await (await api()).collectiveGrants.grant(place);
      output.note(`granted to ${printable(args.slug)}`);
      output.table(answer, columns, answer, "");
    },
  }),
  command({
    path: "workspace ungrant",
    summary: "Take the workspace back from a collective: its tokens are refused from the next request on",
    needs: "key",
    positionals: { slug },
    options: { yes: yesFlag },
    examples: [{ line: "workspace ungrant platform --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const from = `from the collective ${printable(args.slug)}`;
      const consent = {
        question: `take the workspace back ${from}?`,
        doing: `taking the workspace back ${from}`,
      };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const workspaceId = await context.workspaceId();
      const answer = await (await context.api()).collectiveGrants.ungrant({ workspaceId, slug: args.slug });
      context.output.note(`taken back ${from}`);
      context.output.table(answer, columns, answer, "not granted to any collective");
    },
  }),
];
