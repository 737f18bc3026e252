import type { VNode } from "preact";
import Type, { type Static } from "typebox";
import type { CollectiveToken } from "../../../src/contract/collective-tokens.ts";
import { toTimestamp } from "../../../src/lib/clock.ts";
import { given, optional, text } from "../form-fields.ts";
import { endOfDay } from "../last-day.ts";
import { act, type Visit } from "../page-row.ts";
import { ActButton, Field, Form } from "../parts/forms.tsx";
import { RawSecret } from "../parts/raw-secret.tsx";
import { State, Table, Time } from "../parts/table.tsx";
import { collectiveAddress, slugOf } from "./collective-address.ts";

const chosen = Type.Object({ tokenId: text });

/** What the form of a new token carries. */
export const collectiveTokenFields = Type.Object({ tokenName: text, lastDay: optional });

/** Makes a token of the collective; gives what shows it this once. */
export async function createCollectiveToken(
  { tokenName, lastDay }: Static<typeof collectiveTokenFields>,
  visit: Visit,
): Promise<VNode> {
  const day = given(lastDay);
  const expiresAt = day === undefined ? null : endOfDay("last day", day);
  const body = { name: tokenName, expiresAt };
  const { key } = await visit.ask("collectiveTokens", "create", { slug: slugOf(visit), body });
  return (
    <RawSecret what="the new token" value={key}>
      <p class="quiet">
        Programs use it as <code>SVC_API_KEY</code>, or send it as <code>Authorization: Bearer</code>.
      </p>
    </RawSecret>
  );
}

/** The other forms of {@link CollectiveTokens}. */
export const collectiveTokenActs = {
  "revoke-token": act(chosen, async ({ tokenId }, visit) => {
    const slug = slugOf(visit);
    await visit.ask("collectiveTokens", "revoke", { slug, tokenId, body: {} });
    return { to: collectiveAddress(slug), note: "The token is revoked: it is refused from now on." };
  }),
  "delete-token": act(chosen, async ({ tokenId }, visit) => {
    const slug = slugOf(visit);
    await visit.ask("collectiveTokens", "delete", { slug, tokenId });
    return { to: collectiveAddress(slug), note: "The token is deleted." };
  }),
};

/** The tokens of a collective, and a form for the next. */
export const CollectiveTokens = ({
  visit: { csrf, form, context },
  tokens,
}: {
  readonly visit: Visit;
  readonly tokens: readonly CollectiveToken[];
}): VNode => (
  <>
    <h2>Tokens</h2>
    <p>Each acts for the collective, in every workspace that was granted to it. At most 25.</p>
    <Table
      caption="Tokens, oldest first"
      head={["Name", "Begins with", "Created", "Last used", "Expires", "State", "Actions"]}
      empty="The collective has no tokens yet."
      rows={tokens.map((token) => ({ id: token.id, cells: cellsOf(token, csrf) }))}
    />
    <h3>Create a token</h3>
    <Form act="create-token" csrf={csrf} submit="Create token">
      <Field
        name="tokenName"
        label="Name"
        hint="What it is for, up to 64 characters"
        value={form["tokenName"]}
        maxLength={64}
      />
      <Field
        name="lastDay"
        label="Last day (optional)"
        type="date"
        hint="It expires when that day ends, in UTC; never where you leave it empty"
        value={form["lastDay"]}
        required={false}
        min={toTimestamp(context.server.clock.now()).slice(0, 10)}
      />
    </Form>
  </>
);

function cellsOf(token: CollectiveToken, csrf: string) {
  const { id, name, keyPrefix, createdAt, lastUsedAt, expiresAt, enabled } = token;
  const button = { csrf, of: name, hidden: { tokenId: id } };
  return [
    name,
    <code key="start" class="short">
      {keyPrefix}…
    </code>,
    <Time key="created" at={createdAt} />,
    <Time key="used" at={lastUsedAt} />,
    <Time key="expires" at={expiresAt} />,
    stateOf(token),
    <>
      {enabled ? <ActButton act="revoke-token" submit="Revoke" {...button} /> : null}
      <ActButton act="delete-token" submit="Delete" danger {...button} />
    </>,
  ];
}

function stateOf({ enabled, expired }: CollectiveToken): VNode {
  if (!enabled) return <State tone="bad">revoked</State>;
  return expired ? <State tone="warn">expired</State> : <State tone="good">enabled</State>;
}
