import Type, { type Static } from "typebox";
import type { ApiKey } from "../../../src/contract/keys.ts";
import { text } from "../form-fields.ts";
import { act, actOnce, type Page, type View, type Visit } from "../page-row.ts";
import { ActButton, Field, Form } from "../parts/forms.tsx";
import { RawSecret } from "../parts/raw-secret.tsx";
import { State, Table, Time } from "../parts/table.tsx";

const chosen = Type.Object({ keyId: text });

/** A person's own keys. */
export const keysPage: Page = {
  path: "/keys",
  access: "user",
  show: (visit) => keysView(visit),
  acts: {
    create: actOnce(Type.Object({ name: text }), async ({ name }, visit) => {
      const { key } = await visit.ask("keys", "create", { body: { name: name.trim() } });
      return keysView(visit, key);
    }),
    revoke: act(chosen, async ({ keyId }: Static<typeof chosen>, visit) => {
      await visit.ask("keys", "update", { body: { keyId, enabled: false } });
      return { to: "/keys", note: "The key is revoked: it is refused from now on." };
    }),
    delete: act(chosen, async ({ keyId }: Static<typeof chosen>, visit) => {
      await visit.ask("keys", "delete", { body: { keyId } });
      return { to: "/keys", note: "The key is deleted." };
    }),
  },
};

/** Most keys that one page shows: as many as one answer of the API has. */
const maximumShown = 1000;

async function keysView(visit: Visit, created?: string): Promise<View> {
  const { apiKeys, total } = await visit.ask("keys", "list", { query: { limit: maximumShown } });
  const { csrf, form } = visit;
  return {
    title: "Keys",
    main: (
      <>
        {created === undefined ? null : (
          <RawSecret what="your new key" value={created}>
            <p class="quiet">
              Use it as <code>SVC_API_KEY</code>, or send it as <code>Authorization: Bearer</code>.
            </p>
          </RawSecret>
        )}
        <p>
          A key can do what you can, in every workspace and collective that you are in. A revoked key stays
          revoked.
        </p>
        <Table
          caption={
            total > maximumShown ? `The newest ${maximumShown} of ${total} keys` : "Your keys, newest first"
          }
          head={["Name", "Begins with", "Created", "Last used", "State", "Actions"]}
          empty="You have no keys yet."
          rows={apiKeys.map((key) => ({ id: key.id, cells: cellsOf(key, csrf) }))}
        />
        <h2>Create a key</h2>
        <Form act="create" csrf={csrf} submit="Create key">
          <Field
            name="name"
            label="Name"
            hint="What it is for, up to 32 characters"
            value={form["name"]}
            maxLength={32}
          />
        </Form>
      </>
    ),
  };
}

function cellsOf(key: ApiKey, csrf: string) {
  const name = key.name ?? "without a name";
  const hidden = { keyId: key.id };
  return [
    name,
    <code key="start" class="short">
      {key.start}…
    </code>,
    <Time key="created" at={key.createdAt} />,
    <Time key="used" at={key.lastRequest} />,
    <State key="state" tone={key.enabled ? "good" : "bad"}>
      {key.enabled ? "enabled" : "revoked"}
    </State>,
    <>
      {key.enabled ? <ActButton act="revoke" csrf={csrf} submit="Revoke" of={name} hidden={hidden} /> : null}
      <ActButton act="delete" csrf={csrf} submit="Delete" of={name} hidden={hidden} danger />
    </>,
  ];
}
