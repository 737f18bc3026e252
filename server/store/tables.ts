import type { ActionKind, ActionState } from "../../src/contract/actions.ts";
import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import type { PolicyResult } from "../../src/contract/policy-reports.ts";
import type { AuditTable } from "./audit.ts";
import type { CodedAddressTable } from "./coded-addresses.ts";
import type {
  CollectiveGrantTable,
  CollectiveInvitationTable,
  CollectiveMemberTable,
  CollectiveTable,
  CollectiveTokenTable,
} from "./collective-tables.ts";
import type { DriftTable } from "./drift.ts";
import type {
  BuildingTable,
  CatalogueTable,
  FuncCodeTable,
  FuncJobTable,
  FuncLogTable,
  FuncRunTable,
} from "./function-tables.ts";
import type {
  ApiKeyTable,
  InvitationTable,
  KeyAuditTable,
  MemberTable,
  SessionTable,
  SwitchTable,
  TelemetryTable,
  UserTable,
  WorkspaceTable,
  WorkspaceTokenTable,
} from "./people-tables.ts";
import type { UsedOnceTable } from "./used-once.ts";

/** How a layered row differs from the head: `head` in the head itself, else what a change set does to it. */
export type LayerOp = "head" | "add" | "edit" | "calc" | "del";

/** One change set or head; the row is the layer's lock, `rev` and `graph_rev` its counters. */
export interface ChangeSetTable {
  id: string;
  workspace_id: string;
  head_id: string;
  name: string;
  status: ChangeSetStatus;
  /** Moves with anything a GET could show. */
  rev: number;
  /** Moves with definitions or values: what a propagation compares. */
  graph_rev: number;
  created_by: string;
  created_at: number;
  updated_at: number;
  /** Set by DELETE only; a purged change set keeps null. */
  deleted_at: number | null;
  /** Who asked for the merge, and when; null until somebody does, and again after it was reopened or edited. */
  requested_by: string | null;
  requested_at: number | null;
  /** Who approved, rejected, reopened or force-applied it last, when, and with which words; an edit leaves it. */
  reviewed_by: string | null;
  reviewed_at: number | null;
  note: string | null;
}

/** One component in one layer; small columns first, because SQLite reads a row only as far as it must. */
export interface ComponentTable {
  layer: string;
  id: string;
  op: LayerOp;
  /** Hash over `vals`, for the difference from the head. */
  hash: string | null;
  edit_rev: number;
  /** `edit_rev` of the head row this row was computed against; 0 where the head had none. */
  base_rev: number;
  to_delete: number;
  name: string | null;
  /** 1 where the row is found by its name; 0 in a change set where that is what the head says, whatever it will be. */
  named: number;
  schema_id: string | null;
  variant_id: string | null;
  /** The list item's own fragment, JSON without its closing brace. */
  item: string | null;
  /** JSON: the settings in full (`head`, `add`), the patch (`edit`), null otherwise. */
  settings: string | null;
  /** JSON: the sparse flat map of values. */
  vals: string | null;
  /** `graph_rev` of the write that left the row as it is, also where only values changed. */
  row_rev: number;
  /** Format and hash of the values as search may read them, see `search-seal.ts`; null where there are none. */
  search_seal: string | null;
}

/**
 * One setting of one component that a layer knows of: a subscription, or (`from_path` null) that `source` manages it or
 * is the secret that it holds.
 * `source` null hides what the head has under the key.
 */
export interface SubTable {
  layer: string;
  subscriber: string;
  to_path: string;
  source: string | null;
  from_path: string | null;
  func: string | null;
  /** In a change set: stands for what the head said when the key was edited here, see `review-bases.ts`; null in the head. */
  base: string | null;
}

/** A component whose readers must be recomputed; `mark` is new at every marking. */
export interface RootTable {
  layer: string;
  component: string;
  mark: string;
}

/** One piece of background work; the key makes it single flight. */
export interface JobTable {
  key: string;
  kind: string;
  /** Grows with every wish, so that a finish can tell whether there is more. */
  wanted: number;
  owner: string | null;
  lease_until: number;
}

/** Everything low in volume that belongs to a layer: schema, variant, function, view, … */
export interface EntityTable {
  layer: string;
  kind: string;
  id: string;
  op: "head" | "add" | "edit" | "del";
  edit_rev: number;
  base_rev: number;
  name: string | null;
  /** JSON: the body (`head`, `add`) or the patch (`edit`). */
  body: string | null;
}

/** One queued operation on a component in one layer, with the key of every layered table. */
export interface ActionTable {
  layer: string;
  id: string;
  /** `auto`: added because of the values of its component, `idle`: such a one of which nothing is left; else as everywhere. */
  op: "head" | "add" | "auto" | "idle" | "edit" | "del";
  edit_rev: number;
  base_rev: number;
  component_id: string | null;
  prototype_id: string;
  kind: ActionKind;
  name: string;
  description: string | null;
  state: ActionState;
  /** The change set that queued it. */
  origin: string;
  func_run_id: string | null;
}

/** One version of a policy report; those of one name in a change set share the id and count up. */
export interface PolicyReportTable {
  change_set_id: string;
  id: string;
  version: number;
  /** Ascends in the order in which reports came. */
  entry: string;
  name: string;
  policy: string;
  report: string;
  result: PolicyResult;
  actor: string;
  at: number;
}

/** What one version of a secret holds; replaced by a new row, never changed but for the key that seals it. */
export interface SecretContentTable {
  id: string;
  workspace_id: string;
  secret_id: string;
  /** Name of the key that it is sealed with. */
  key_id: string;
  sealed: string;
  created_at: number;
}

/** One acknowledged write; numbered per workspace without gaps in commit order. */
export interface EventTable {
  workspace_id: string;
  seq: number;
  at: number;
  actor: string;
  kind: string;
  layer: string | null;
  subject: string | null;
  /** JSON object: what else the event says. */
  data: string | null;
}

export interface MigrationTable {
  name: string;
  applied_at: number;
}

/** Every table of the database as its newest migration leaves it. */
export interface Tables {
  change_set: ChangeSetTable;
  component: ComponentTable;
  sub: SubTable;
  root: RootTable;
  job: JobTable;
  entity: EntityTable;
  action: ActionTable;
  drift: DriftTable;
  policy_report: PolicyReportTable;
  secret_content: SecretContentTable;
  func_run: FuncRunTable;
  func_log: FuncLogTable;
  func_code: FuncCodeTable;
  func_job: FuncJobTable;
  catalogue: CatalogueTable;
  building: BuildingTable;
  event: EventTable;
  workspace: WorkspaceTable;
  member: MemberTable;
  invitation: InvitationTable;
  workspace_token: WorkspaceTokenTable;
  switch: SwitchTable;
  user: UserTable;
  session: SessionTable;
  api_key: ApiKeyTable;
  key_audit: KeyAuditTable;
  collective: CollectiveTable;
  collective_member: CollectiveMemberTable;
  collective_invitation: CollectiveInvitationTable;
  collective_token: CollectiveTokenTable;
  collective_grant: CollectiveGrantTable;
  audit: AuditTable;
  coded_address: CodedAddressTable;
  used_once: UsedOnceTable;
  telemetry: TelemetryTable;
  migration: MigrationTable;
}

/** Columns that hold integers; all others hold text. The bulk upsert of PostgreSQL casts by this list. */
export const integerColumns: ReadonlySet<string> = new Set([
  "rev",
  "graph_rev",
  "created_at",
  "updated_at",
  "deleted_at",
  "edit_rev",
  "row_rev",
  "base_rev",
  "to_delete",
  "named",
  "wanted",
  "lease_until",
  "seq",
  "at",
  "approvals_enabled",
  "event_seq",
  "suspended_at",
  "expires_at",
  "last_used_at",
  "revoked_at",
  "request_count",
  "applied_at",
  "requested_at",
  "reviewed_at",
  "version",
  "quarantined_at",
  "is_default",
  "finalized",
  "cancelled",
  "part",
]);
