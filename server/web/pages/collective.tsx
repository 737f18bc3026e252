import type { VNode } from "preact";
import Type from "typebox";
import type { Collective } from "../../../src/contract/collectives.ts";
import { fail } from "../../../src/contract/errors.ts";
import { optional, text } from "../form-fields.ts";
import { act, actOnce, type Page, type View, type Visit } from "../page-row.ts";
import { Crumbs } from "../parts/crumbs.tsx";
import { Field, Form } from "../parts/forms.tsx";
import { checkSure, Sure } from "../parts/sure.tsx";
import { Time } from "../parts/table.tsx";
import { collectiveAddress, slugOf } from "./collective-address.ts";
import {
  CollectiveInvitations,
  collectiveInvitationActs,
  inviteFields,
  inviteToCollective,
} from "./collective-invitations.tsx";
import { CollectiveMembers } from "./collective-members.tsx";
import {
  CollectiveTokens,
  collectiveTokenActs,
  collectiveTokenFields,
  createCollectiveToken,
} from "./collective-tokens.tsx";
import { CollectiveWorkspaces } from "./collective-workspaces.tsx";

/** One collective, with what the visitor's role allows. */
export const collectivePage: Page = {
  path: "/collectives/:slug",
  access: "user",
  show: (visit) => collectiveView(visit),
  acts: {
    "create-token": actOnce(collectiveTokenFields, async (form, visit) =>
      collectiveView(visit, await createCollectiveToken(form, visit)),
    ),
    ...collectiveTokenActs,
    invite: actOnce(inviteFields, async (form, visit) =>
      collectiveView(visit, await inviteToCollective(form, visit)),
    ),
    ...collectiveInvitationActs,
    rename: act(Type.Object({ name: text }), async ({ name }, visit) => {
      const slug = slugOf(visit);
      await visit.ask("collectives", "rename", { slug, body: { name } });
      return { to: collectiveAddress(slug), note: "The collective has its new name." };
    }),
    leave: act(Type.Object({ sure: optional }), async ({ sure }, visit) => {
      checkSure(sure);
      await visit.ask("collectiveMembers", "leave", { slug: slugOf(visit) });
      return { to: "/collectives", note: "You have left the collective." };
    }),
    delete: act(Type.Object({ typedSlug: text }), async ({ typedSlug }, visit) => {
      const { slug } = await visit.ask("collectives", "get", { slug: slugOf(visit) });
      if (typedSlug.trim().toLowerCase() !== slug) {
        fail("badRequest", `type ${slug} to delete this collective, found another text: nothing was deleted`);
      }
      await visit.ask("collectives", "delete", { slug });
      return { to: "/collectives", note: `The collective ${slug} is deleted, and its tokens with it.` };
    }),
  },
};

/** The page; `once` stands at its top in this answer only. */
async function collectiveView(visit: Visit, once?: VNode): Promise<View> {
  const { ask } = visit;
  const slug = slugOf(visit);
  const collective = await ask("collectives", "get", { slug });
  const { members } = await ask("collectiveMembers", "list", { slug });
  const workspaces = await ask("workspaces", "list", {});
  return {
    title: collective.name,
    main: (
      <>
        {once}
        <Crumbs way={[["/collectives", "Collectives"]]} />
        <Facts collective={collective} />
        <CollectiveMembers collective={collective} members={members} />
        {collective.role === "member" ? null : await managed(visit, collective)}
        <CollectiveWorkspaces granted={collective.workspaces} own={workspaces.map(({ id }) => id)} />
        <Settings visit={visit} collective={collective} />
      </>
    ),
  };
}

/** What owners and admins look after. */
async function managed(visit: Visit, collective: Collective): Promise<VNode> {
  const { slug, personal } = collective;
  const { tokens } = await visit.ask("collectiveTokens", "list", { slug });
  const { invitations } = await visit.ask("collectiveInvitations", "list", { slug });
  return (
    <>
      {personal ? null : (
        <CollectiveInvitations visit={visit} collective={collective} invitations={invitations} />
      )}
      <CollectiveTokens visit={visit} tokens={tokens} />
    </>
  );
}

const Facts = ({
  collective: { slug, role, personal, createdAt },
}: {
  readonly collective: Collective;
}): VNode => (
  <>
    <dl>
      <dt>Slug</dt>
      <dd>
        <code>{slug}</code>
      </dd>
      <dt>Your role</dt>
      <dd>{role}</dd>
      <dt>Kind</dt>
      <dd>{personal ? "personal: yours alone, for good" : "shared"}</dd>
      <dt>Created</dt>
      <dd>
        <Time at={createdAt} />
      </dd>
    </dl>
    {role === "member" ? null : (
      <p>
        <a class="target" href={`/audit?collective=${encodeURIComponent(slug)}`}>
          Audit: what was done to it, and by whom
        </a>
      </p>
    )}
  </>
);

const Settings = ({
  visit: { csrf, form },
  collective: { slug, name, role, personal },
}: {
  readonly visit: Visit;
  readonly collective: Collective;
}): VNode => (
  <>
    {role === "member" ? null : (
      <>
        <h2>Rename</h2>
        <Form act="rename" csrf={csrf} submit="Rename">
          <Field name="name" label="Name" value={form["name"] ?? name} maxLength={100} />
        </Form>
      </>
    )}
    {personal ? null : (
      <>
        <h2>Leave</h2>
        <Form act="leave" csrf={csrf} submit="Leave" danger>
          <Sure label={`I want to leave ${name}; only an invitation lets me back in`} />
        </Form>
      </>
    )}
    {personal || role !== "owner" ? null : (
      <>
        <h2>Delete</h2>
        <p>
          Its tokens are refused at once, its members are out, and what was granted to it is taken back.
          Nobody brings it back, and nobody gets its slug again.
        </p>
        <Form act="delete" csrf={csrf} submit="Delete this collective" danger>
          <Field name="typedSlug" label={`Type ${slug} to confirm`} value={form["typedSlug"]} />
        </Form>
      </>
    )}
  </>
);
