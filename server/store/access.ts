import { type RawBuilder, sql } from "kysely";
import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import type { CollectiveTable, CollectiveTokenTable } from "./collective-tables.ts";
import { type CollectiveToken, collectiveTokenOf } from "./collective-tokens.ts";
import { type Collective, collectiveOf } from "./collectives.ts";
import { type Key, keyOf } from "./keys.ts";
import type { Reads } from "./open.ts";
import type { ApiKeyTable, Role, SessionTable, UserTable, WorkspaceTokenTable } from "./people-tables.ts";
import { type Session, sessionOf } from "./sessions.ts";
import { type User, userOf } from "./users.ts";
import { type WorkspaceToken, workspaceTokenOf } from "./workspace-tokens.ts";

/** What a request claims: a token, and the workspace and change set of its path. */
export interface Claim {
  readonly kind: Holder["kind"];
  /** SHA-256 of the token, base64url; of a workspace token, whose signature speaks for it, the id. */
  readonly token: string;
  /** `changeSetId` undefined means the head; the whole is undefined where the path names no workspace. */
  readonly path: { readonly workspaceId: string; readonly changeSetId: string | undefined } | undefined;
}

/** Whose token it is, whatever its state and expiry: the guard judges these. */
export type Holder =
  | { readonly kind: "personal"; readonly user: User; readonly key: Key }
  | { readonly kind: "session"; readonly user: User; readonly session: Session }
  | { readonly kind: "workspace"; readonly user: User; readonly token: WorkspaceToken }
  | {
      readonly kind: "collective";
      readonly collective: Collective;
      readonly token: CollectiveToken;
      /** When the user whose personal collective it is was suspended. */
      readonly suspendedAt: number | undefined;
    };

/** A path's workspace with the counters that tags are made of, the holder's role and the change set. */
export interface AccessRow {
  readonly workspace_id: string;
  readonly workspace_rev: number;
  readonly event_seq: number;
  readonly head_id: string;
  readonly head_rev: number;
  /** Set while the operator keeps the workspace closed. */
  readonly quarantined_at: number | null;
  readonly role: Role | null;
  readonly layer: string | null;
  readonly layer_rev: number | null;
  readonly name: string | null;
  readonly status: ChangeSetStatus | null;
  readonly deleted_at: number | null;
}

/** What the database knows of a claim, as of one moment. */
export interface Access {
  readonly holder: Holder;
  /** Undefined where the path names no workspace, or one that is unknown or deleted. */
  readonly workspace: AccessRow | undefined;
}

/**
 * Everything that a request is judged by, and the counters of its tag, in one statement: every request needs it.
 * Undefined for a token that nobody has, and for that of a session or workspace token which was ended.
 */
export async function findAccess(reads: Reads, { kind, token, path }: Claim): Promise<Access | undefined> {
  const own = sql`select ${selectedToken[kind]}, ${selectedOwner[kind]} from ${holderOf[kind](token)}`;
  const { rows } = await (path === undefined ? own : withWorkspace(own, path, memberOf[kind])).execute(
    reads.db,
  );
  const [row] = rows;
  return row === undefined ? undefined : accessOf(kind, row);
}

const holderOf: Readonly<Record<Holder["kind"], (token: string) => RawBuilder<unknown>>> = {
  personal: (hash) => sql`api_key t join "user" u on u.id = t.user_id where t.key_hash = ${hash}`,
  session: (hash) =>
    sql`session t join "user" u on u.id = t.user_id where t.token_hash = ${hash} and t.revoked_at is null`,
  workspace: (id) =>
    sql`workspace_token t join "user" u on u.id = t.user_id where t.id = ${id} and t.revoked_at is null`,
  collective: (hash) =>
    sql`collective_token t join collective u on u.id = t.collective_id left join "user" p on p.id = u.personal_of
      where t.token_hash = ${hash}`,
};
/** How a holder is in a workspace: as a member of some role, or by a grant as an editor. */
const asMember = {
  role: sql`m.role`,
  rows: sql`member m on m.workspace_id = w.id and m.user_id = o.u_id`,
};
const memberOf: Readonly<Record<Holder["kind"], typeof asMember>> = {
  personal: asMember,
  session: asMember,
  workspace: asMember,
  collective: {
    role: sql`case when m.collective_id is null then null else 'EDITOR' end as role`,
    rows: sql`collective_grant m on m.workspace_id = w.id and m.collective_id = o.u_id`,
  },
};

type Row = Readonly<Record<string, unknown>>;
const names = (columns: Readonly<Record<string, true>>): readonly string[] => Object.keys(columns);
/** Columns of a table under names of their own: `t.id as t_id`. */
const selected = (alias: string, columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${alias}.${column} as ${alias}_${column}`).join(", "));

const userColumns = names({
  id: true,
  email: true,
  username: true,
  name: true,
  password_hash: true,
  created_at: true,
  updated_at: true,
  suspended_at: true,
} satisfies Record<keyof UserTable, true>);
const keyColumns = names({
  id: true,
  user_id: true,
  name: true,
  start: true,
  prefix: true,
  key_hash: true,
  state: true,
  expires_at: true,
  created_at: true,
  updated_at: true,
  last_used_at: true,
  request_count: true,
  metadata: true,
} satisfies Record<keyof ApiKeyTable, true>);
const sessionColumns = names({
  id: true,
  token_hash: true,
  user_id: true,
  created_at: true,
  expires_at: true,
  last_used_at: true,
  ip: true,
  user_agent: true,
  revoked_at: true,
} satisfies Record<keyof SessionTable, true>);
const workspaceTokenColumns = names({
  id: true,
  workspace_id: true,
  user_id: true,
  name: true,
  created_at: true,
  expires_at: true,
  revoked_at: true,
  last_used_at: true,
} satisfies Record<keyof WorkspaceTokenTable, true>);
const collectiveColumns = names({
  id: true,
  slug: true,
  name: true,
  personal_of: true,
  created_by: true,
  created_at: true,
  deleted_at: true,
} satisfies Record<keyof CollectiveTable, true>);
const collectiveTokenColumns = names({
  id: true,
  collective_id: true,
  name: true,
  start: true,
  token_hash: true,
  state: true,
  expires_at: true,
  created_by: true,
  created_at: true,
  updated_at: true,
  last_used_at: true,
} satisfies Record<keyof CollectiveTokenTable, true>);
const tokenColumns: Readonly<Record<Holder["kind"], readonly string[]>> = {
  personal: keyColumns,
  session: sessionColumns,
  workspace: workspaceTokenColumns,
  collective: collectiveTokenColumns,
};
const selectedUser = selected("u", userColumns);
const selectedOwner: Readonly<Record<Holder["kind"], RawBuilder<unknown>>> = {
  personal: selectedUser,
  session: selectedUser,
  workspace: selectedUser,
  collective: sql`${selected("u", collectiveColumns)}, p.suspended_at as p_suspended_at`,
};
const selectedToken: Readonly<Record<Holder["kind"], RawBuilder<unknown>>> = {
  personal: selected("t", keyColumns),
  session: selected("t", sessionColumns),
  workspace: selected("t", workspaceTokenColumns),
  collective: selected("t", collectiveTokenColumns),
};

function withWorkspace(
  own: ReturnType<typeof sql>,
  path: NonNullable<Claim["path"]>,
  { role, rows }: typeof asMember,
) {
  const layer = path.changeSetId === undefined ? sql`w.head_id` : sql`${path.changeSetId}`;
  return sql<Row>`
    select o.*, w.id as workspace_id, w.rev as workspace_rev, w.event_seq, w.head_id, w.quarantined_at, h.rev as head_rev, ${role},
      c.id as layer, c.rev as layer_rev, c.name, c.status, c.deleted_at
    from (${own}) o
    left join workspace w on w.id = ${path.workspaceId} and w.deleted_at is null
    left join change_set h on h.id = w.head_id
    left join ${rows}
    left join change_set c on c.id = ${layer} and c.workspace_id = w.id`;
}

function accessOf(kind: Claim["kind"], row: unknown): Access {
  // The boundary to the statement above, which selects exactly these columns.
  const found = row as Row & AccessRow;
  const part = (alias: string, columns: readonly string[]): unknown =>
    Object.fromEntries(columns.map((column) => [column, found[`${alias}_${column}`]]));
  const token = part("t", tokenColumns[kind]);
  return {
    holder:
      kind === "collective"
        ? {
            kind,
            collective: collectiveOf(part("u", collectiveColumns) as CollectiveTable),
            token: collectiveTokenOf(token as CollectiveTokenTable),
            suspendedAt: (found["p_suspended_at"] as number | null) ?? undefined,
          }
        : holderFrom(kind, userOf(part("u", userColumns) as UserTable), token),
    workspace: (found.workspace_id ?? null) === null ? undefined : found,
  };
}

function holderFrom(kind: Exclude<Holder["kind"], "collective">, user: User, row: unknown): Holder {
  // The same boundary: each kind's columns are those of its table.
  switch (kind) {
    case "personal":
      return { kind, user, key: keyOf(row as ApiKeyTable) };
    case "session":
      return { kind, user, session: sessionOf(row as SessionTable) };
    case "workspace":
      return { kind, user, token: workspaceTokenOf(row as WorkspaceTokenTable) };
  }
}
