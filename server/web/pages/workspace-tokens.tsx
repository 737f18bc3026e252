import type { VNode } from "preact";
import Type, { type Static } from "typebox";
import type { WorkspaceToken } from "../../../src/contract/workspace-tokens.ts";
import type { Workspace } from "../../../src/contract/workspaces.ts";
import { given, optional, text } from "../form-fields.ts";
import { act, type Visit } from "../page-row.ts";
import { ActButton, Choice, Field, Form } from "../parts/forms.tsx";
import { RawSecret } from "../parts/raw-secret.tsx";
import { State, Table, Time } from "../parts/table.tsx";
import { takesChanges, workspaceAddress, workspaceIdOf } from "./workspace-address.ts";

/** What the form of a new token carries. */
export const workspaceTokenFields = Type.Object({ tokenName: optional, expiration: text });

/** Makes a token of the workspace with the visitor's rights; gives what shows it this once. */
export async function createWorkspaceToken(
  { tokenName, expiration }: Static<typeof workspaceTokenFields>,
  visit: Visit,
): Promise<VNode> {
  const body = { name: given(tokenName)?.trim() ?? null, expiration };
  const workspaceId = workspaceIdOf(visit);
  const { token } = await visit.ask("workspaceTokens", "create", { workspaceId, body });
  return (
    <RawSecret what="the new token" value={token}>
      <p class="quiet">
        Programs use it as <code>SVC_API_KEY</code>, or send it as <code>Authorization: Bearer</code>, in this
        workspace only.
      </p>
    </RawSecret>
  );
}

/** The other forms of {@link WorkspaceTokens}. */
export const workspaceTokenActs = {
  "revoke-token": act(Type.Object({ tokenId: text }), async ({ tokenId }, visit) => {
    const workspaceId = workspaceIdOf(visit);
    await visit.ask("workspaceTokens", "revoke", { workspaceId, tokenId });
    return {
      to: workspaceAddress(workspaceId),
      note: "The token is revoked: it is refused from now on.",
    };
  }),
};

/** How long a token may live: what the API takes, and its words. */
const lives = [
  ["1d", "1 day"],
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
  ["365d", "365 days"],
] as const;

/** Tokens of a workspace that the visitor sees, and a form for the next. */
export const WorkspaceTokens = ({
  visit: { csrf, form, context },
  workspace,
  tokens,
}: {
  readonly visit: Visit;
  readonly workspace: Workspace;
  readonly tokens: readonly WorkspaceToken[];
}): VNode => {
  const now = context.server.clock.now();
  const changing = takesChanges(workspace, ["OWNER", "APPROVER", "EDITOR"]);
  return (
    <>
      <h2>Tokens</h2>
      <p>
        Each acts in this workspace, with the rights of who made it.
        {workspace.role === "OWNER" ? "" : " You see your own; an owner sees all."}
      </p>
      <Table
        caption="Tokens, oldest first"
        head={[
          "Name",
          "Made by",
          "Created",
          "Last used",
          "Expires",
          "State",
          ...(changing ? ["Actions"] : []),
        ]}
        empty={
          workspace.role === "OWNER" ? "The workspace has no tokens yet." : "You have no tokens here yet."
        }
        rows={tokens.map((token) => {
          const cells = cellsOf(token, now);
          return { id: token.id, cells: changing ? [...cells, revoking(token, csrf)] : cells };
        })}
      />
      {changing ? (
        <>
          <h3>Create a token</h3>
          <Form act="create-token" csrf={csrf} submit="Create token">
            <Field
              name="tokenName"
              label="Name (optional)"
              hint="What it is for, up to 64 characters"
              value={form["tokenName"]}
              required={false}
              maxLength={64}
            />
            <Choice
              name="expiration"
              label="Expires after"
              options={lives}
              value={form["expiration"] ?? "30d"}
            />
          </Form>
        </>
      ) : null}
    </>
  );
};

const called = ({ name }: WorkspaceToken): string => name ?? "without a name";

const cellsOf = (token: WorkspaceToken, now: number) => [
  called(token),
  token.userEmail,
  <Time key="created" at={token.createdAt} />,
  <Time key="used" at={token.lastUsedAt} />,
  <Time key="expires" at={token.expiresAt} />,
  stateOf(token, now),
];

const revoking = (token: WorkspaceToken, csrf: string): VNode | null =>
  token.revokedAt === null ? (
    <ActButton
      act="revoke-token"
      csrf={csrf}
      submit="Revoke"
      of={called(token)}
      hidden={{ tokenId: token.id }}
    />
  ) : null;

function stateOf({ revokedAt, expiresAt }: WorkspaceToken, now: number): VNode {
  if (revokedAt !== null) return <State tone="bad">revoked</State>;
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return <State tone="warn">expired</State>;
  return <State tone="good">enabled</State>;
}
