import type { Output } from "../../contract/endpoint.ts";
import type { sessions } from "../../contract/sessions.ts";
import { Problem } from "../../lib/problem.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import { type Session, sessionDetails, sessionFlags, withSession } from "../session.ts";
import { type Column, printable } from "../table.ts";

type Listed = Output<(typeof sessions)["list"]>[number];

const columns: readonly Column<Listed>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "CREATED", text: ({ createdAt }) => createdAt },
  { title: "EXPIRES", text: ({ expiresAt }) => expiresAt },
  { title: "FROM", text: ({ ipAddress }) => ipAddress ?? "" },
  { title: "WITH", text: ({ userAgent }) => userAgent ?? "" },
];

/** `svc session …`: where the user is signed in, in browsers above all; keys are no sessions. */
export const sessionCommands: readonly AnyCommand[] = [
  command({
    path: "session list",
    aliases: ["ls"],
    summary: "List where you are signed in, newest first; this command's own session is left out",
    details: sessionDetails,
    options: sessionFlags,
    examples: [{ line: "session list", does: "asks for the password" }],
    run: (args, context) =>
      withSession(context, args, async (session) => {
        const others = await otherSessions(session);
        context.output.table(others, columns, others, "signed in nowhere else");
      }),
  }),
  command({
    path: "session revoke",
    summary: "End one session: whoever has it is signed out",
    details: sessionDetails,
    positionals: { session: { doc: "Id of the session, as svc session list shows it" } },
    options: { ...sessionFlags, yes: yesFlag },
    examples: [{ line: "session revoke 01J… --yes", does: "does it without asking" }],
    run: (args, context) =>
      withSession(context, args, async (session) => {
        const id = args.session.toUpperCase();
        const found = (await otherSessions(session)).find((one) => one.id === id);
        // The server would not say: to it what is no session of the caller's is as good as ended.
        if (found === undefined)
          throw new Problem(`no such session: "${printable(args.session)}"`, {
            code: "session_not_found",
            hint: "svc session list",
          });
        const named = `session ${found.id}`;
        const consent = { question: `end the ${named}?`, doing: `ending ${named}` };
        if (!(await context.confirm(consent, args.yes)))
          return context.output.result({ status: false, cancelled: true }, []);
        const answer = await session.api.sessions.revoke({ body: { token: found.token } });
        context.output.note(`ended ${named}`);
        context.output.result(answer, []);
      }),
  }),
  command({
    path: "session revoke-others",
    summary: "Sign out everywhere; keys and tokens stay valid",
    details: sessionDetails,
    options: { ...sessionFlags, yes: yesFlag },
    examples: [{ line: "session revoke-others --yes", does: "does it without asking" }],
    run: (args, context) =>
      withSession(context, args, async (session) => {
        const count = (await otherSessions(session)).length;
        const named = count === 1 ? "1 session" : `${count} sessions`;
        const consent = { question: `end ${named}?`, doing: `ending ${named}` };
        if (!(await context.confirm(consent, args.yes)))
          return context.output.result({ status: false, cancelled: true }, []);
        const answer = await session.api.sessions.revokeOthers({});
        context.output.note(`ended ${named}`);
        context.output.result(answer, []);
      }),
  }),
];

/** All sessions of the user but the one that this command uses, which ends with it. */
async function otherSessions({ api }: Session): Promise<Listed[]> {
  const own = (await api.accounts.getSession({}))?.session.id;
  return (await api.sessions.list({})).filter(({ id }) => id !== own);
}
