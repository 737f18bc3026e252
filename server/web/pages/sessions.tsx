import Type, { type Static } from "typebox";
import type { Session } from "../../../src/contract/accounts.ts";
import { sessionOf } from "../../auth/sign-in.ts";
import { agentWords } from "../agent-words.ts";
import { text } from "../form-fields.ts";
import { act, type Page, type View, type Visit } from "../page-row.ts";
import { ActButton, Form } from "../parts/forms.tsx";
import { State, Table, Time } from "../parts/table.tsx";

const chosen = Type.Object({ sessionId: text });

/** Where a person is signed in. */
export const sessionsPage: Page = {
  path: "/sessions",
  access: "user",
  show: (visit) => sessionsView(visit),
  acts: {
    end: act(chosen, async ({ sessionId }: Static<typeof chosen>, visit) => {
      await visit.ask("sessions", "revoke", { body: { token: sessionId } });
      return sessionId === ownOf(visit)
        ? { to: "/login", note: "You are signed out." }
        : { to: "/sessions", note: "The session is ended: it lets nobody in from now on." };
    }),
    "end-others": act(Type.Object({}), async (_form, visit) => {
      await visit.ask("sessions", "revokeOthers", {});
      return { to: "/sessions", note: "All your other sessions are ended." };
    }),
  },
};

async function sessionsView(visit: Visit): Promise<View> {
  const sessions = await visit.ask("sessions", "list", {});
  const own = ownOf(visit);
  return {
    title: "Sessions",
    main: (
      <>
        <p>
          Each session is a browser or a program that signed in as you with your password, or that you
          approved. Your keys are <a href="/keys">on a page of their own</a>.
        </p>
        <Table
          caption="Your sessions, newest first"
          head={["Program", "From", "Since", "Last used", "Ends", "Actions"]}
          empty="You have no sessions."
          rows={sessions.map((session) => ({
            id: session.id,
            cells: cellsOf(session, session.id === own, visit.csrf),
          }))}
        />
        {sessions.length < 2 ? null : (
          <>
            <h2>Everywhere else</h2>
            <p>Signs you out in every browser and program but this one. Keys stay valid.</p>
            <Form act="end-others" csrf={visit.csrf} submit="End all other sessions" danger />
          </>
        )}
      </>
    ),
  };
}

function cellsOf(session: Session, own: boolean, csrf: string) {
  const program = agentWords(session.userAgent);
  const from = session.ipAddress ?? "unknown";
  return [
    <>
      {program}
      {own ? (
        <>
          {" "}
          <State tone="good">this session</State>
        </>
      ) : null}
    </>,
    <code key="from">{from}</code>,
    <Time key="since" at={session.createdAt} />,
    <Time key="used" at={session.updatedAt} />,
    <Time key="ends" at={session.expiresAt} />,
    <ActButton
      key="end"
      act="end"
      csrf={csrf}
      submit={own ? "Sign out" : "End"}
      of={own ? "of this session" : `the session of ${program} from ${from}`}
      hidden={{ sessionId: session.id }}
      danger={!own}
    />,
  ];
}

/** The id of the session that looks at the page. */
const ownOf = ({ context }: Visit): string | undefined => sessionOf(context)?.session.id;
