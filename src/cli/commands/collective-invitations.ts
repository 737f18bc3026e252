import type { CollectiveInvitation } from "../../contract/collective-invitations.ts";
import { type AnyCommand, command } from "../command.ts";
import { type Column, printable } from "../table.ts";

const columns: readonly Column<CollectiveInvitation>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "E-MAIL", text: ({ email }) => email },
  { title: "ROLE", text: ({ role }) => role },
  { title: "EXPIRES", text: ({ expiresAt }) => expiresAt },
];

const invitation = { doc: "Id of the invitation, as svc collective invitation list shows it" } as const;

/** `svc collective invitation …`. */
export const collectiveInvitationCommands: readonly AnyCommand[] = [
  command({
    path: "collective invitation list",
    aliases: ["ls"],
    summary: "List your open invitations, or those into a collective",
    needs: "key",
    positionals: { slug: { doc: "Slug of a collective; default your own invitations", optional: true } },
    examples: [
      { line: "collective invitation list", does: "where you were asked in" },
      { line: "collective invitation list platform", does: "whom the collective has asked" },
    ],
    run: async ({ slug }, { api, output }) => {
      const { collectiveInvitations } = await api();
      if (slug !== undefined) {
        const sent = await collectiveInvitations.list({ slug });
        return output.table(sent, columns, sent.invitations, "no open invitations");
      }
      const answer = await collectiveInvitations.received({});
      const rows = answer.invitations.map((one) => ({ ...one, email: one.collective.slug }));
      const received = columns.map((column) =>
        column.title === "E-MAIL" ? { ...column, title: "COLLECTIVE" } : column,
      );
      output.table(answer, received, rows, "no open invitations");
    },
  }),
  command({
    path: "collective invitation accept",
    summary: "Become a member of the collective that asked you in",
    needs: "key",
    positionals: { invitation },
    examples: [{ line: "collective invitation accept 01J…", does: "prints the collective's slug" }],
    run: async (args, { api, output }) => {
      const invitationId = args.invitation;
      const answer = await (await api()).collectiveInvitations.accept({ invitationId });
      output.note(`you are ${answer.role} of ${printable(answer.name)} now`);
      output.result(answer, [answer.slug]);
    },
  }),
  command({
    path: "collective invitation reject",
    summary: "Say no to an invitation",
    needs: "key",
    positionals: { invitation },
    examples: [{ line: "collective invitation reject 01J…", does: "for good" }],
    run: async (args, { api, output }) => {
      const invitationId = args.invitation;
      output.result(await (await api()).collectiveInvitations.reject({ invitationId }), ["rejected"]);
    },
  }),
  command({
    path: "collective invitation withdraw",
    summary: "Take an invitation into a collective back",
    needs: "key",
    positionals: { slug: { doc: "Slug of the collective" }, invitation },
    examples: [{ line: "collective invitation withdraw platform 01J…", does: "for owners and admins" }],
    run: async (args, { api, output }) => {
      const target = { slug: args.slug, invitationId: args.invitation };
      output.result(await (await api()).collectiveInvitations.withdraw(target), ["withdrawn"]);
    },
  }),
];
