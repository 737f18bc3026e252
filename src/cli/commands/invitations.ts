import { type AnyCommand, command } from "../command.ts";
import { printable } from "../table.ts";

/** `svc invitation …`: joining with the code that whoever invited was shown. */
export const invitationCommands: readonly AnyCommand[] = [
  command({
    path: "invitation accept",
    summary:
      "Join the workspace or collective that your address was invited into, with the invitation's code",
    details:
      "Whoever sent the invitation was shown the code, once. It is needed where your account is younger than the invitation, and good for your own e-mail address only.",
    needs: "key",
    positionals: { code: { doc: "The code, svc_inv_ and 32 characters" } },
    examples: [
      { line: "invitation accept svc_inv_…", does: "prints the workspace's id or the collective's slug" },
    ],
    run: async ({ code }, { api, output }) => {
      const answer = await (await api()).invitations.accept({ body: { code } });
      const { workspace, collective } = answer;
      if (workspace !== null)
        output.note(
          `you are ${printable(workspace.role)} of the workspace ${printable(workspace.displayName)} now`,
        );
      if (collective !== null)
        output.note(`you are ${collective.role} of the collective ${printable(collective.name)} now`);
      output.result(answer, [
        ...(workspace === null ? [] : [workspace.id]),
        ...(collective === null ? [] : [collective.slug]),
      ]);
    },
  }),
];
