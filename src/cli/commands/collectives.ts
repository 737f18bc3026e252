import type { Collective } from "../../contract/collectives.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import { type Column, printable } from "../table.ts";
import { collectiveInvitationCommands } from "./collective-invitations.ts";
import { collectiveMemberCommands } from "./collective-members.ts";
import { collectiveTokenCommands } from "./collective-tokens.ts";

const columns: readonly Column<Collective>[] = [
  { title: "SLUG", text: ({ slug }) => slug },
  { title: "NAME", text: ({ name }) => name },
  { title: "ROLE", text: ({ role }) => role },
  { title: "KIND", text: ({ personal }) => (personal ? "personal" : "") },
];

const collectiveArgument = { doc: "Slug of the collective" } as const;

/** `svc collective …`. */
export const collectiveCommands: readonly AnyCommand[] = [
  command({
    path: "collective list",
    aliases: ["ls"],
    summary: "List the collectives that you are in, your personal one first",
    needs: "key",
    examples: [{ line: "collective list --json", does: "the API's answer" }],
    run: async (_args, { api, output }) => {
      const answer = await (await api()).collectives.list({});
      output.table(answer, columns, answer.collectives, "no collectives");
    },
  }),
  command({
    path: "collective create",
    summary: "Create a collective; you become its owner",
    needs: "key",
    positionals: { slug: { doc: "3 to 40 letters, digits, hyphens or underscores; never changes" } },
    options: { name: { kind: "text", value: "text", doc: "What it is called; default the slug" } },
    examples: [{ line: "collective create platform --name 'Platform team'", does: "prints its slug" }],
    run: async ({ slug, name }, context) => {
      const body = { slug, ...(name === undefined ? {} : { name }) };
      const answer = await (await context.api()).collectives.create({ body });
      context.output.note(`created collective ${printable(answer.name)}`);
      context.output.result(answer, [answer.slug]);
    },
  }),
  command({
    path: "collective get",
    summary: "Show one collective, with the workspaces in which its tokens act",
    needs: "key",
    positionals: { slug: collectiveArgument },
    examples: [{ line: "collective get platform", does: "one line, then one for each workspace" }],
    run: async ({ slug }, { api, output }) => {
      const answer = await (await api()).collectives.get({ slug });
      output.table(answer, columns, [answer], "");
      for (const { id, displayName } of answer.workspaces)
        output.note(`acts in workspace ${id} ${printable(displayName)}`);
    },
  }),
  command({
    path: "collective rename",
    summary: "Give a collective another name; its slug stays",
    needs: "key",
    positionals: { slug: collectiveArgument, name: { doc: "What it is called from now on" } },
    examples: [{ line: "collective rename platform 'Platform team'", does: "for owners and admins" }],
    run: async ({ slug, name }, { api, output }) => {
      const answer = await (await api()).collectives.rename({ slug, body: { name } });
      output.note(`renamed ${printable(answer.slug)} to ${printable(answer.name)}`);
      output.table(answer, columns, [answer], "");
    },
  }),
  command({
    path: "collective leave",
    summary: "Leave a collective; its last owner first makes somebody else an owner",
    needs: "key",
    positionals: { slug: collectiveArgument },
    options: { yes: yesFlag },
    examples: [{ line: "collective leave platform", does: "asks first" }],
    run: async ({ slug, yes }, context) => {
      const named = `collective ${printable(slug)}`;
      const consent = { question: `leave the ${named}?`, doing: `leaving ${named}` };
      if (!(await context.confirm(consent, yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const answer = await (await context.api()).collectiveMembers.leave({ slug });
      context.output.note(`left ${named}`);
      context.output.result(answer, []);
    },
  }),
  command({
    path: "collective delete",
    summary: "Delete a collective for good, with its tokens, invitations and grants; its slug stays taken",
    needs: "key",
    positionals: { slug: collectiveArgument },
    options: { yes: yesFlag },
    examples: [{ line: "collective delete platform --yes", does: "for owners; does it without asking" }],
    run: async ({ slug, yes }, context) => {
      const named = `collective ${printable(slug)}`;
      const consent = { question: `delete the ${named} for good?`, doing: `deleting ${named}` };
      if (!(await context.confirm(consent, yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const answer = await (await context.api()).collectives.delete({ slug });
      context.output.note(`deleted ${named}`);
      context.output.result(answer, []);
    },
  }),
  ...collectiveMemberCommands,
  ...collectiveInvitationCommands,
  ...collectiveTokenCommands,
];
