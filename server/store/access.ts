import { sql } from "kysely";
import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import { type Key, keyOf } from "./keys.ts";
import type { Reads } from "./open.ts";
import { type Session, sessionOf } from "./sessions.ts";
import type { ApiKeyTable, Role, SessionTable, UserTable } from "./tables.ts";
import { type User, userOf } from "./users.ts";

/** What a request claims: a token, and the workspace and change set of its path. */
export interface Claim {
  readonly kind: "personal" | "session";
  /** SHA-256 of the token, base64url. */
  readonly tokenHash: string;
  /** `changeSetId` undefined means the head; the whole is undefined where the path names no workspace. */
  readonly path: { readonly workspaceId: string; readonly changeSetId: string | undefined } | undefined;
}

/** Whose token it is, whatever its state and expiry: the guard judges these. */
export type Holder =
  | { readonly kind: "personal"; readonly user: User; readonly key: Key }
  | { readonly kind: "session"; readonly user: User; readonly session: Session };

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
 * Undefined for a token that nobody has, and for that of a session which was ended.
 */
export async function findAccess(
  reads: Reads,
  { kind, tokenHash, path }: Claim,
): Promise<Access | undefined> {
  const holder =
    kind === "personal"
      ? sql`api_key t join "user" u on u.id = t.user_id where t.key_hash = ${tokenHash}`
      : sql`session t join "user" u on u.id = t.user_id where t.token_hash = ${tokenHash} and t.revoked_at is null`;
  const own = sql`select ${kind === "personal" ? selectedKey : selectedSession}, ${selectedUser} from ${holder}`;
  const { rows } = await (path === undefined ? own : withWorkspace(own, path)).execute(reads.db);
  const [row] = rows;
  return row === undefined ? undefined : accessOf(kind, row);
}

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
const selectedUser = selected("u", userColumns);
const selectedKey = selected("t", keyColumns);
const selectedSession = selected("t", sessionColumns);

function withWorkspace(own: ReturnType<typeof sql>, path: NonNullable<Claim["path"]>) {
  const layer = path.changeSetId === undefined ? sql`w.head_id` : sql`${path.changeSetId}`;
  return sql<Row>`
    select o.*, w.id as workspace_id, w.rev as workspace_rev, w.event_seq, w.head_id, w.quarantined_at, h.rev as head_rev, m.role,
      c.id as layer, c.rev as layer_rev, c.name, c.status, c.deleted_at
    from (${own}) o
    left join workspace w on w.id = ${path.workspaceId} and w.deleted_at is null
    left join change_set h on h.id = w.head_id
    left join member m on m.workspace_id = w.id and m.user_id = o.u_id
    left join change_set c on c.id = ${layer} and c.workspace_id = w.id`;
}

function accessOf(kind: Claim["kind"], row: unknown): Access {
  // The boundary to the statement above, which selects exactly these columns.
  const found = row as Row & AccessRow;
  const part = (alias: string, columns: readonly string[]): unknown =>
    Object.fromEntries(columns.map((column) => [column, found[`${alias}_${column}`]]));
  const user = userOf(part("u", userColumns) as UserTable);
  const holder: Holder =
    kind === "personal"
      ? { kind, user, key: keyOf(part("t", keyColumns) as ApiKeyTable) }
      : { kind, user, session: sessionOf(part("t", sessionColumns) as SessionTable) };
  return { holder, workspace: (found.workspace_id ?? null) === null ? undefined : found };
}
