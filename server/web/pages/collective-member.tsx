import Type from "typebox";
import type { CollectiveMember } from "../../../src/contract/collective-members.ts";
import type { Collective } from "../../../src/contract/collectives.ts";
import { fail } from "../../../src/contract/errors.ts";
import { act, type Page, type View, type Visit } from "../page-row.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { Choice, Form } from "../parts/forms.tsx";
import { collectiveAddress, slugOf } from "./collective-address.ts";
import { mayChange, rolesGivenBy } from "./collective-members.tsx";

const roleFields = Type.Object({
  role: Type.Union([Type.Literal("member"), Type.Literal("admin"), Type.Literal("owner")]),
});

/** What can be done about one member of a collective; also the second question before somebody is removed. */
export const collectiveMemberPage: Page = {
  path: "/collectives/:slug/members/:userId",
  access: "user",
  show: collectiveMemberView,
  acts: {
    role: act(roleFields, async ({ role }, visit) => {
      const [slug, userId] = [slugOf(visit), userIdOf(visit)];
      const input = { slug, userId, body: { role } };
      const { members } = await visit.ask("collectiveMembers", "update", input);
      const member = members.find((one) => one.userId === userId.toUpperCase());
      return { to: collectiveAddress(slug), note: `@${member?.username} has the role ${role} now.` };
    }),
    remove: act(Type.Object({}), async (_form, visit) => {
      const [slug, userId] = [slugOf(visit), userIdOf(visit)];
      await visit.ask("collectiveMembers", "remove", { slug, userId });
      // Who took themselves out has no page of the collective any more.
      const to = visit.user?.id === userId.toUpperCase() ? "/collectives" : collectiveAddress(slug);
      return { to, note: "The member is removed." };
    }),
  },
};

const userIdOf = ({ params }: Visit): string => params["userId"] ?? "";

async function collectiveMemberView(visit: Visit): Promise<View> {
  const slug = slugOf(visit);
  const collective = await visit.ask("collectives", "get", { slug });
  const { members } = await visit.ask("collectiveMembers", "list", { slug });
  const userId = userIdOf(visit).toUpperCase();
  const member = members.find((one) => one.userId === userId) ?? fail("collectiveMemberNotFound");
  return {
    title: `@${member.username}`,
    main: (
      <>
        <Crumbs
          way={[
            ["/collectives", "Collectives"],
            [collectiveAddress(collective.slug), collective.name],
          ]}
        />
        <p>
          <bdi>{member.name}</bdi>, <bdi>{member.email}</bdi>: {member.role} of <bdi>{collective.name}</bdi>.
        </p>
        {mayChange(collective.role, member) ? (
          <MemberForms visit={visit} collective={collective} member={member} />
        ) : (
          <p>
            {collective.role === "admin"
              ? "Only an owner changes or removes an owner."
              : "Only an owner or admin changes or removes a member."}
          </p>
        )}
      </>
    ),
  };
}

function MemberForms({
  visit: { csrf, user },
  collective,
  member,
}: {
  readonly visit: Visit;
  readonly collective: Collective;
  readonly member: CollectiveMember;
}) {
  const roles = rolesGivenBy(collective.role).map((role) => [role, role] as const);
  return (
    <>
      <h2>Role</h2>
      <p>
        An admin looks after members, invitations and tokens. An owner makes owners too, and may delete the
        collective.
      </p>
      <Form act="role" csrf={csrf} submit="Give this role">
        <Choice name="role" label="Role" options={roles} value={member.role} />
      </Form>
      {collective.personal || user?.id === member.userId ? null : (
        <>
          <h2>Remove @{member.username}</h2>
          <p>
            @{member.username} is refused from the next request on. Tokens that they made belong to the
            collective and stay.
          </p>
          <Form act="remove" csrf={csrf} submit={`Remove @${member.username}`} danger />
        </>
      )}
    </>
  );
}
