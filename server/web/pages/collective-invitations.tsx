import type { VNode } from "preact";
import Type, { type Static } from "typebox";
import type { CollectiveInvitation } from "../../../src/contract/collective-invitations.ts";
import type { Collective } from "../../../src/contract/collectives.ts";
import { text } from "../form-fields.ts";
import { act, type Visit } from "../page-row.ts";
import { ActButton, Choice, Field, Form } from "../parts/forms.tsx";
import { Table, Time } from "../parts/table.tsx";
import { collectiveAddress, slugOf } from "./collective-address.ts";
import { rolesGivenBy } from "./collective-members.tsx";
import { NewInvitationCode } from "./invitation-codes.tsx";

/** What the form of a new invitation carries. */
export const inviteFields = Type.Object({
  email: text,
  role: Type.Union([Type.Literal("member"), Type.Literal("admin"), Type.Literal("owner")]),
});

/** Invites somebody; gives what is shown of that this once. Says the same whether or not the address has an account. */
export async function inviteToCollective(
  { email, role }: Static<typeof inviteFields>,
  visit: Visit,
): Promise<VNode> {
  const body = { email: email.trim(), role };
  const sent = await visit.ask("collectiveInvitations", "create", { slug: slugOf(visit), body });
  return (
    <NewInvitationCode email={sent.email} value={sent.code}>
      Hand it to them: who has no account yet signs up with it. Who has one finds the invitation on their page
      of collectives, or accepts the code there.
    </NewInvitationCode>
  );
}

/** The other forms of {@link CollectiveInvitations}. */
export const collectiveInvitationActs = {
  withdraw: act(Type.Object({ invitationId: text }), async ({ invitationId }, visit) => {
    const slug = slugOf(visit);
    await visit.ask("collectiveInvitations", "withdraw", { slug, invitationId });
    return { to: collectiveAddress(slug), note: "The invitation is withdrawn." };
  }),
};

/** Open invitations into a collective, and a form for the next. */
export const CollectiveInvitations = ({
  visit: { csrf, form },
  collective,
  invitations,
}: {
  readonly visit: Visit;
  readonly collective: Collective;
  readonly invitations: readonly CollectiveInvitation[];
}): VNode => (
  <>
    <h2>Invitations</h2>
    <Table
      caption="Open invitations"
      head={["E-mail", "As", "Invited", "Open until", "Actions"]}
      empty="Nobody is invited at the moment."
      rows={invitations.map(({ id, email, role, createdAt, expiresAt }) => ({
        id,
        cells: [
          email,
          role,
          <Time key="invited" at={createdAt} />,
          <Time key="until" at={expiresAt} />,
          <ActButton
            key="withdraw"
            act="withdraw"
            csrf={csrf}
            submit="Withdraw"
            of={`the invitation of ${email}`}
            hidden={{ invitationId: id }}
          />,
        ],
      }))}
    />
    <h3>Invite somebody</h3>
    <Form act="invite" csrf={csrf} submit="Invite">
      <Field name="email" label="E-mail" type="email" value={form["email"]} maxLength={254} />
      <Choice
        name="role"
        label="Role"
        options={rolesGivenBy(collective.role).map((role) => [role, role] as const)}
        value={form["role"]}
      />
    </Form>
  </>
);
