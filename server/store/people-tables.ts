export interface WorkspaceTable {
  id: string;
  head_id: string;
  display_name: string;
  description: string;
  instance_url: string | null;
  approvals_enabled: number;
  creator: string;
  rev: number;
  event_seq: number;
  created_at: number;
  deleted_at: number | null;
  /** Given once, at its creation: the id by which other systems know it. */
  external_id: string | null;
  instance_env_type: InstanceEnvType;
  quarantined_at: number | null;
}

/** Where the instance of a workspace runs: this product's own cloud, the machine at hand, or elsewhere. */
export type InstanceEnvType = "SI" | "LOCAL" | "PRIVATE";

export type Role = "OWNER" | "APPROVER" | "EDITOR";

export interface MemberTable {
  workspace_id: string;
  user_id: string;
  role: Role;
  created_at: number;
  /** Whether the user prefers it where no workspace is named. */
  is_default: number;
}

/** A person who was asked into a workspace and has not shown the code yet; the e-mail is in lower case. */
export interface InvitationTable {
  workspace_id: string;
  email: string;
  /** What the member list shows as `userId` until there is an account. */
  id: string;
  role: Role;
  invited_by: string;
  created_at: number;
  /** SHA-256 of what it is accepted with, base64url; null for one from before there were codes, which needs none. */
  code_hash: string | null;
}

/** A token that acts in one workspace for one user; its value is signed and never kept, the id is its `jti`. */
export interface WorkspaceTokenTable {
  id: string;
  workspace_id: string;
  user_id: string;
  name: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/** What the operator set for all processes, such as maintenance mode. */
export interface SwitchTable {
  name: string;
  /** JSON. */
  value: string;
  at: number;
}

export interface UserTable {
  id: string;
  /** Lower case, unique. */
  email: string;
  /** Lower case, unique. */
  username: string;
  name: string;
  password_hash: string;
  created_at: number;
  updated_at: number;
  suspended_at: number | null;
}

export interface SessionTable {
  id: string;
  token_hash: string;
  user_id: string;
  created_at: number;
  expires_at: number;
  last_used_at: number;
  ip: string | null;
  user_agent: string | null;
  revoked_at: number | null;
}

export type KeyState = "Created" | "Enabled" | "Revoked";

/** A personal key without its raw value: only the hash and the first characters are kept. */
export interface ApiKeyTable {
  id: string;
  user_id: string;
  name: string | null;
  start: string;
  prefix: string;
  key_hash: string;
  state: KeyState;
  expires_at: number | null;
  created_at: number;
  updated_at: number;
  last_used_at: number | null;
  request_count: number;
  /** JSON object or null. */
  metadata: string | null;
}

/** One move of a key's state; `from_state` null when it was created, `to_state` `Deleted` at the end. */
export interface KeyAuditTable {
  id: string;
  key_id: string;
  at: number;
  from_state: KeyState | null;
  to_state: KeyState | "Deleted";
  actor: string;
}

export interface TelemetryTable {
  id: string;
  at: number;
  distinct_id: string;
  actor: string | null;
  operation: string;
}
