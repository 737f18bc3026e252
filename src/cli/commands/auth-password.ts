import { type AnyCommand, command } from "../command.ts";
import { sessionFlags, withSession } from "../session.ts";
import { askNewPassword } from "../sign-in.ts";

/** `svc auth password`. */
export const authPasswordCommands: readonly AnyCommand[] = [
  command({
    path: "auth password",
    summary: "Change your password",
    details:
      "Asks for the current one and twice for the new one on a terminal; reads both from standard input otherwise, one line each. Keys and tokens stay valid.",
    options: {
      ...sessionFlags,
      "new-password": {
        kind: "text",
        value: "text",
        doc: "New password; other users of this machine may see it here, so pipe it",
      },
      "sign-out-others": { kind: "switch", doc: "End all your sessions, for example those in browsers" },
    },
    examples: [
      { line: "auth password", does: "asks for both" },
      { line: "auth password --sign-out-others < passwords.txt", does: "when the old one has become known" },
    ],
    run: (args, context) =>
      withSession(context, args, async ({ api, password }) => {
        const newPassword =
          args["new-password"] ?? (await askNewPassword(context, "New password: ", "--new-password"));
        await api.accounts.changePassword({ body: { currentPassword: password, newPassword } });
        // Afterwards: nobody signs in with the old one meanwhile.
        const signedOut = args["sign-out-others"] && (await api.sessions.revokeOthers({})).status;
        context.output.note(`changed the password${signedOut ? ", and signed out everywhere" : ""}`);
        context.output.result({ changed: true, signedOutOthers: signedOut }, []);
      }),
  }),
];
