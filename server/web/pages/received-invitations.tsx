import type { VNode } from "preact";
import Type from "typebox";
import type { ReceivedInvitation } from "../../../src/contract/collective-invitations.ts";
import { text } from "../form-fields.ts";
import { act } from "../page-row.ts";
import { ActButton } from "../parts/forms.tsx";
import { Table, Time } from "../parts/table.tsx";
import { collectiveAddress } from "./collective-address.ts";

const chosen = Type.Object({ invitationId: text });

/** Forms of {@link ReceivedInvitations}. */
export const receivedInvitationActs = {
  accept: act(chosen, async (input, visit) => {
    const { slug, name } = await visit.ask("collectiveInvitations", "accept", input);
    return { to: collectiveAddress(slug), note: `You are in ${name} now.` };
  }),
  reject: act(chosen, async (input, visit) => {
    await visit.ask("collectiveInvitations", "reject", input);
    return { to: "/collectives", note: "The invitation is rejected." };
  }),
};

/** Invitations of the visitor's own address, with their answers; nothing where there are none. */
export function ReceivedInvitations({
  invitations,
  csrf,
}: {
  readonly invitations: readonly ReceivedInvitation[];
  readonly csrf: string;
}): VNode | null {
  if (invitations.length === 0) return null;
  return (
    <>
      <h2>Invitations</h2>
      <Table
        caption="Collectives that ask you in"
        head={["Collective", "As", "Open until", "Actions"]}
        empty=""
        rows={invitations.map(({ id, collective: { name, slug }, role, expiresAt }) => {
          const button = { csrf, of: `the invitation of ${name}`, hidden: { invitationId: id } };
          return {
            id,
            cells: [
              <>
                <bdi>{name}</bdi> ({slug})
              </>,
              role,
              <Time key="until" at={expiresAt} />,
              <>
                <ActButton act="accept" submit="Accept" {...button} />
                <ActButton act="reject" submit="Reject" {...button} />
              </>,
            ],
          };
        })}
      />
    </>
  );
}
