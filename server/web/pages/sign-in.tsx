import type { VNode } from "preact";
import Type from "typebox";
import { errorRow } from "../../../src/contract/errors.ts";
import { approveCli, wasApproved } from "../../auth/approve-cli.ts";
import { isSignUpClosed } from "../../auth/sign-up.ts";
import { answerTo, type CliRequest, callbackSource, cliRequestOf } from "../cli-request.ts";
import { secretText, text } from "../form-fields.ts";
import { localAddress } from "../local-address.ts";
import { act, type Outcome, type Page, type Visit } from "../page-row.ts";
import { Field, Form } from "../parts/forms.tsx";

/** Where people sign in, and where they let a terminal sign in as them. */
export const signInPage: Page = {
  path: "/login",
  access: "anyone",
  show: async (visit) => {
    const asked = cliRequestOf(visit.query);
    if (asked !== undefined && "problem" in asked) return refusedRequest(400, asked.problem);
    if (visit.user === undefined) return signInForm(visit, asked?.request);
    if (asked === undefined) return { to: nextOf(visit) };
    if (await wasApproved(visit.context, asked.request.state)) {
      const { status, message } = errorRow("approvalUsed");
      return refusedRequest(status, message);
    }
    return approval(visit, visit.user.username, asked.request);
  },
  acts: {
    "sign-in": act(Type.Object({ account: text, password: secretText }), async (form, visit) => {
      const { account, password } = form;
      // An address and a username cannot be mistaken for each other: only one of them has an @.
      await (account.includes("@")
        ? visit.ask("accounts", "signInEmail", { body: { email: account.trim(), password } })
        : visit.ask("accounts", "signInUsername", { body: { username: account.trim(), password } }));
      return { to: nextOf(visit) };
    }),
    approve: act(Type.Object({}), async (_form, visit) => {
      const asked = cliRequestOf(visit.query);
      if (asked === undefined || "problem" in asked || visit.user === undefined) return { to: nextOf(visit) };
      const token = await approveCli(visit.context, visit.user, asked.request.state);
      return { to: answerTo(asked.request, { token }) };
    }),
    deny: act(Type.Object({}), async (_form, { query }) => {
      const asked = cliRequestOf(query);
      if (asked === undefined || "problem" in asked) return { to: "/" };
      return { to: answerTo(asked.request, { error: "access_denied" }) };
    }),
  },
};

const refusedRequest = (status: number, problem: string): Outcome => ({
  title: "Sign in a terminal",
  status,
  narrow: true,
  problem,
  main: <p>Nothing was sent anywhere.</p>,
});

const signInForm = async (
  { csrf, form, query, context: { server } }: Visit,
  request: CliRequest | undefined,
): Promise<Outcome> => ({
  title: request === undefined ? "Sign in" : "Sign in a terminal",
  narrow: true,
  main: (
    <>
      {request === undefined ? null : <DeviceCode request={request} />}
      <Form act="sign-in" csrf={csrf} submit="Sign in">
        <Field
          name="account"
          label="E-mail or username"
          value={form["account"]}
          autocomplete="username"
          maxLength={254}
        />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
      </Form>
      {(await isSignUpClosed(server.store, server.settings.signUp)) ? null : (
        <p>
          No account yet? <a href={`/signup${onwards(query)}`}>Create one</a>
        </p>
      )}
    </>
  ),
});

const approval = ({ csrf }: Visit, username: string, request: CliRequest): Outcome => ({
  title: "Sign in a terminal",
  narrow: true,
  callback: callbackSource(request),
  main: (
    <>
      <DeviceCode request={request} />
      <p>
        If you approve, a terminal on this computer signs in as <strong>@{username}</strong> and makes a key
        that can do what you can.
      </p>
      <Form act="approve" csrf={csrf} submit={`Approve as @${username}`} />
      <Form act="deny" csrf={csrf} submit="Do not approve" danger />
    </>
  ),
});

const DeviceCode = ({ request }: { readonly request: CliRequest }): VNode => (
  <>
    <p>Go on only if your terminal shows this code, and you have just run svc auth login there:</p>
    <p class="device code">{request.deviceCode}</p>
  </>
);

/** Where to go once somebody is signed in: back to the terminal's request where there is one. */
export const nextOf = ({ query }: Visit): string =>
  query["cli_callback"] === undefined ? localAddress(query["next"], "/keys") : `/login${onwards(query)}`;

/** The query that leads on from one of the forms to the other, and back. */
export function onwards(query: Readonly<Record<string, string>>): string {
  const kept = ["cli_callback", "state", "device_code", "next"].flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [[name, value] as [string, string]];
  });
  return kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
}
