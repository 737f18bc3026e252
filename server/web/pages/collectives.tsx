import Type from "typebox";
import { given, optional, text } from "../form-fields.ts";
import { actOnce, type Page, type View, type Visit } from "../page-row.ts";
import { Field, Form } from "../parts/forms.tsx";
import { Table, Time } from "../parts/table.tsx";
import { collectiveAddress } from "./collective-address.ts";
import { AcceptWithCode, acceptWithCodeActs } from "./invitation-codes.tsx";
import { ReceivedInvitations, receivedInvitationActs } from "./received-invitations.tsx";

/** The collectives of a person, and those that ask them in. */
export const collectivesPage: Page = {
  path: "/collectives",
  access: "user",
  show: collectivesView,
  acts: {
    create: actOnce(Type.Object({ slug: text, name: optional }), async (form, visit) => {
      const name = given(form.name);
      const body = { slug: form.slug.trim(), ...(name === undefined ? {} : { name }) };
      const { slug } = await visit.ask("collectives", "create", { body });
      return { to: collectiveAddress(slug), note: "The collective is ready, and you are its owner." };
    }),
    ...receivedInvitationActs,
    ...acceptWithCodeActs,
  },
};

async function collectivesView({ ask, csrf, form }: Visit): Promise<View> {
  const { collectives } = await ask("collectives", "list", {});
  const { invitations } = await ask("collectiveInvitations", "received", {});
  return {
    title: "Collectives",
    main: (
      <>
        <p>
          A collective has tokens of its own, for programs that act for a team and not for one person. They
          act in the workspaces that were granted to it.
        </p>
        <ReceivedInvitations invitations={invitations} csrf={csrf} />
        <h2>Yours</h2>
        <Table
          caption="Collectives that you are in"
          head={["Name", "Slug", "Your role", "Kind", "Created"]}
          empty="You are in no collective yet."
          rows={collectives.map(({ id, name, slug, role, personal, createdAt }) => ({
            id,
            cells: [
              <a key="name" href={collectiveAddress(slug)}>
                <bdi>{name}</bdi>
              </a>,
              <code key="slug">{slug}</code>,
              role,
              personal ? "personal" : "shared",
              <Time key="created" at={createdAt} />,
            ],
          }))}
        />
        <h2>Create a collective</h2>
        <Form act="create" csrf={csrf} submit="Create collective">
          <Field
            name="slug"
            label="Slug"
            hint="3 to 40 letters, digits, hyphens or underscores; what its tokens do is recorded under it, and it never changes"
            value={form["slug"]}
            minLength={3}
            maxLength={40}
          />
          <Field
            name="name"
            label="Name (optional)"
            hint="Up to 100 characters; the slug where you leave it empty"
            value={form["name"]}
            required={false}
            maxLength={100}
          />
        </Form>
        <AcceptWithCode csrf={csrf} />
      </>
    ),
  };
}
