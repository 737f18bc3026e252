import type { CollectiveRole } from "../domain/collectives.ts";
import type { KeyState } from "./people-tables.ts";

/** Several people under one name; a personal one belongs to one of them for good. */
export interface CollectiveTable {
  id: string;
  /** Lower case, unique, never changed. */
  slug: string;
  name: string;
  /** The user whose own it is, null for one of several people. */
  personal_of: string | null;
  created_by: string;
  created_at: number;
  /** Since when it is gone for everybody; its row stays for what was done by it, and keeps the slug taken. */
  deleted_at: number | null;
}

export interface CollectiveMemberTable {
  collective_id: string;
  user_id: string;
  role: CollectiveRole;
  created_at: number;
}

/** Somebody who was asked into a collective and has not answered; the e-mail is in lower case. */
export interface CollectiveInvitationTable {
  id: string;
  collective_id: string;
  email: string;
  role: CollectiveRole;
  invited_by: string;
  created_at: number;
  expires_at: number;
  /** SHA-256 of what it is accepted with, base64url; null for one from before there were codes. */
  code_hash: string | null;
  /** Whether the code is needed: where nobody had the address when it was invited. */
  code_needed: number;
}

/** A token of a collective without its raw value: only the hash and the first characters are kept. */
export interface CollectiveTokenTable {
  id: string;
  collective_id: string;
  name: string;
  start: string;
  token_hash: string;
  state: KeyState;
  expires_at: number | null;
  created_by: string;
  created_at: number;
  updated_at: number;
  last_used_at: number | null;
}

/** A workspace in which the tokens of a collective may act. */
export interface CollectiveGrantTable {
  workspace_id: string;
  collective_id: string;
  granted_by: string;
  created_at: number;
}
