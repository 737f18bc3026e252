import Type from "typebox";
import { isSignUpClosed } from "../../auth/sign-up.ts";
import { given, optional, secretText, text } from "../form-fields.ts";
import { act, type Page, type View, type Visit } from "../page-row.ts";
import { Field, Form } from "../parts/forms.tsx";
import { nextOf, onwards } from "./sign-in.tsx";

/** Where people make an account. */
export const signUpPage: Page = {
  path: "/signup",
  access: "anyone",
  show: async (visit) => {
    if (visit.user !== undefined) return { to: nextOf(visit) };
    const { csrf, form, query, context } = visit;
    const { store, settings } = context.server;
    const { signUp } = settings;
    if (await isSignUpClosed(store, signUp)) return closed(visit);
    return {
      title: "Create an account",
      narrow: true,
      main: (
        <>
          {signUp === "open" ? null : (
            <p class="quiet">
              {signUp === "invite"
                ? "This server takes new accounts by invitation: use the address that was invited, and the code of the invitation."
                : "This is the first account of this server, which takes no others."}
            </p>
          )}
          <Form act="sign-up" csrf={csrf} submit="Create account">
            <Field name="name" label="Name" value={form["name"]} autocomplete="name" maxLength={200} />
            <Field
              name="email"
              label="E-mail"
              type="email"
              value={form["email"]}
              autocomplete="email"
              maxLength={254}
            />
            <Field
              name="username"
              label="Username (optional)"
              value={form["username"]}
              required={false}
              autocomplete="username"
              hint="3 to 30 letters, digits, dots or underscores; made of your address where you leave it empty"
              maxLength={30}
            />
            <Field
              name="password"
              label="Password"
              type="password"
              autocomplete="new-password"
              hint="8 to 128 characters"
              minLength={8}
              maxLength={128}
            />
            <Field
              name="invitationCode"
              label={signUp === "invite" ? "Invitation code" : "Invitation code (optional)"}
              value={query["code"]}
              required={false}
              autocomplete="off"
              hint="svc_inv_ and 32 characters, from whoever invited you"
              maxLength={200}
            />
          </Form>
          <p>
            Have an account? <a href={`/login${onwards(query)}`}>Sign in</a>
          </p>
        </>
      ),
    };
  },
  acts: {
    "sign-up": act(
      Type.Object({
        name: text,
        email: text,
        username: optional,
        password: secretText,
        invitationCode: Type.Optional(secretText),
      }),
      async ({ name, email, username, password, invitationCode }, visit) => {
        const account = { name, email: email.trim(), password, username: given(username) ?? null };
        const body = { ...account, invitationCode: given(invitationCode) ?? null };
        await visit.ask("accounts", "signUp", { body });
        return { to: nextOf(visit), note: "Your account is ready." };
      },
    ),
  },
};

/** Where nobody makes an account. */
const closed = ({ query }: Visit): View => ({
  title: "No new accounts",
  narrow: true,
  main: (
    <>
      <p>This server takes no new accounts. Whoever runs it can change that; ask them.</p>
      <p>
        Have an account? <a href={`/login${onwards(query)}`}>Sign in</a>
      </p>
    </>
  ),
});
