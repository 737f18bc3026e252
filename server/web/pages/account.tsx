import type { VNode } from "preact";
import Type from "typebox";
import { optional, secretText } from "../form-fields.ts";
import { act, type Page, type View, type Visit } from "../page-row.ts";
import { Check, Field, Form } from "../parts/forms.tsx";
import { Time } from "../parts/table.tsx";
import { collectiveAddress } from "./collective-address.ts";
import { workspaceAddress } from "./workspace-address.ts";

/** Who a person is here, what they are in, and their password. */
export const accountPage: Page = {
  path: "/account",
  access: "user",
  show: accountView,
  acts: {
    "change-password": act(
      Type.Object({ currentPassword: secretText, newPassword: secretText, endOthers: optional }),
      async ({ currentPassword, newPassword, endOthers }, visit) => {
        const revokeOtherSessions = endOthers !== undefined;
        const body = { currentPassword, newPassword, revokeOtherSessions };
        await visit.ask("accounts", "changePassword", { body });
        const also = revokeOtherSessions ? " Your other sessions are ended." : "";
        return { to: "/account", note: `Your password is changed.${also}` };
      },
    ),
  },
};

async function accountView({ ask, csrf, form }: Visit): Promise<View> {
  const [session, { collectives }, workspaces] = await Promise.all([
    ask("accounts", "getSession", {}),
    ask("collectives", "list", {}),
    ask("workspaces", "list", {}),
  ]);
  return {
    title: "Account",
    main: (
      <>
        <dl>
          <dt>Name</dt>
          <dd>
            <bdi>{session?.user.name}</bdi>
          </dd>
          <dt>E-mail</dt>
          <dd>
            <bdi>{session?.user.email}</bdi>
          </dd>
          <dt>Username</dt>
          <dd>@{session?.user.username}</dd>
          <dt>Since</dt>
          <dd>
            <Time at={session?.user.createdAt ?? null} />
          </dd>
        </dl>
        <h2>Collectives</h2>
        <Places
          empty="You are in no collective."
          places={collectives.map(({ id, slug, name, role }) => ({
            id,
            name,
            role,
            address: collectiveAddress(slug),
          }))}
        />
        <h2>Workspaces</h2>
        <Places
          empty="You are in no workspace."
          places={workspaces.map(({ id, displayName, role }) => ({
            id,
            name: displayName,
            role: (role ?? "member").toLowerCase(),
            address: workspaceAddress(id),
          }))}
        />
        <h2>Change your password</h2>
        <Form act="change-password" csrf={csrf} submit="Change password">
          <Field
            name="currentPassword"
            label="Current password"
            type="password"
            autocomplete="current-password"
          />
          <Field
            name="newPassword"
            label="New password"
            type="password"
            autocomplete="new-password"
            hint="8 to 128 characters"
            minLength={8}
            maxLength={128}
          />
          <Check
            name="endOthers"
            label="End my other sessions"
            checked={form["act"] === undefined || form["endOthers"] !== undefined}
          />
        </Form>
      </>
    ),
  };
}

/** What a person is a member of, with the way there. */
const Places = ({
  places,
  empty,
}: {
  readonly places: readonly {
    readonly id: string;
    readonly name: string;
    readonly role: string;
    readonly address: string;
  }[];
  readonly empty: string;
}): VNode =>
  places.length === 0 ? (
    <p class="quiet">{empty}</p>
  ) : (
    <ul>
      {places.map(({ id, name, role, address }) => (
        <li key={id}>
          <a href={address}>
            <bdi>{name}</bdi>
          </a>
          , {role}
        </li>
      ))}
    </ul>
  );
