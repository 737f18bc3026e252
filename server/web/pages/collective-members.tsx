import type { VNode } from "preact";
import type { CollectiveMember } from "../../../src/contract/collective-members.ts";
import type { Collective } from "../../../src/contract/collectives.ts";
import { Table, Time } from "../parts/table.tsx";
import { collectiveAddress } from "./collective-address.ts";

/** Roles that somebody of role `by` gives, the least first; none to who only is a member. The API decides again. */
export function rolesGivenBy(by: Collective["role"]): readonly Collective["role"][] {
  if (by === "member") return [];
  return by === "owner" ? ["member", "admin", "owner"] : ["member", "admin"];
}

/** Whether the page of a member has anything for somebody of role `by`. */
export const mayChange = (by: Collective["role"], { role }: CollectiveMember): boolean =>
  rolesGivenBy(by).includes(role);

/** The address of what can be done about one member. */
export const memberAddress = (slug: string, userId: string): string =>
  `${collectiveAddress(slug)}/members/${encodeURIComponent(userId)}`;

/** Who is in a collective. */
export function CollectiveMembers({
  collective: { slug, role: own, personal },
  members,
}: {
  readonly collective: Collective;
  readonly members: readonly CollectiveMember[];
}): VNode {
  const changing = !personal && members.some((member) => mayChange(own, member));
  return (
    <>
      <h2>Members</h2>
      <Table
        caption="Members, oldest membership first"
        head={["Member", "Name", "E-mail", "Role", "Joined", ...(changing ? ["Actions"] : [])]}
        empty="Nobody is in it."
        rows={members.map((member) => {
          const { userId, username, name, email, role, joinedAt } = member;
          const link = mayChange(own, member) ? (
            <a class="button" href={memberAddress(slug, userId)} aria-label={`Change @${username}`}>
              Change
            </a>
          ) : null;
          const cells = [`@${username}`, name, email, role, <Time key="joined" at={joinedAt} />];
          return { id: userId, cells: changing ? [...cells, link] : cells };
        })}
      />
    </>
  );
}
