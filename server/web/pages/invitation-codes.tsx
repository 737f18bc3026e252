import type { ComponentChildren, VNode } from "preact";
import Type from "typebox";
import { secretText } from "../form-fields.ts";
import { act } from "../page-row.ts";
import { Field, Form } from "../parts/forms.tsx";
import { RawSecret } from "../parts/raw-secret.tsx";
import { collectiveAddress } from "./collective-address.ts";
import { workspaceAddress } from "./workspace-address.ts";

/** The code of an invitation, in the one answer that shows it; `children` say who needs it. */
export const NewInvitationCode = ({
  email,
  value,
  children,
}: {
  readonly email: string;
  readonly value: string;
  readonly children: ComponentChildren;
}): VNode => (
  <RawSecret what="the invitation code" value={value}>
    <p role="status">
      <bdi>{email}</bdi> is invited.
    </p>
    <p class="quiet">{children}</p>
  </RawSecret>
);

/** The form of {@link AcceptWithCode}. */
export const acceptWithCodeActs = {
  "accept-code": act(Type.Object({ code: secretText }), async ({ code }, visit) => {
    const { workspace, collective } = await visit.ask("invitations", "accept", { body: { code } });
    if (workspace !== null)
      return { to: workspaceAddress(workspace.id), note: `You are in ${workspace.displayName} now.` };
    if (collective !== null)
      return { to: collectiveAddress(collective.slug), note: `You are in ${collective.name} now.` };
    return { to: "/collectives" };
  }),
};

/** Where somebody joins what they were handed a code of, be it a workspace or a collective. */
export const AcceptWithCode = ({ csrf }: { readonly csrf: string }): VNode => (
  <>
    <h2>Accept an invitation with its code</h2>
    <Form act="accept-code" csrf={csrf} submit="Accept">
      <Field
        name="code"
        label="Invitation code"
        hint="svc_inv_ and 32 characters, as whoever invited you got it; it is for your e-mail address only"
        maxLength={200}
      />
    </Form>
  </>
);
