import type { Endpoint } from "../../src/contract/endpoint.ts";
import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { PathLayer, WorkspaceAccess } from "../context.ts";
import { isHeadReference } from "../domain/change-sets.ts";
import type { AccessRow, Claim } from "../store/access.ts";

/** A path's parameters, as the router read them. */
export type Params = Readonly<Record<string, string>>;

/** Rows that answer also for a change set that was deleted: reading it, and deleting it again. */
const answersForDeleted = (endpoint: Endpoint): boolean => endpoint.path.endsWith("/:changeSetId");

/** What a path claims to name; an id that is none becomes one that no row has, so that credentials are judged first. */
export function pathOf(params: Params): NonNullable<Claim["path"]> {
  const named = params["changeSetId"];
  const isHead = named === undefined || isHeadReference(named);
  return { workspaceId: idOf(params["workspaceId"]), changeSetId: isHead ? undefined : idOf(named) };
}

/**
 * The workspace and the change set of a path, for a member. Throws `workspaceNotFound` or `changeSetNotFound` for an
 * unknown or malformed id, `forbidden` for who may not be there, with `stranger` as its words, `workspaceQuarantined`
 * while it is closed.
 */
export function openWorkspace(
  row: AccessRow | undefined,
  endpoint: Endpoint,
  params: Params,
  stranger = "you are not a member of this workspace",
): WorkspaceAccess {
  if (row === undefined) return fail("workspaceNotFound");
  if (row.role === null) return fail("forbidden", stranger);
  if (row.quarantined_at !== null) return fail("workspaceQuarantined");
  const layer = params["changeSetId"] === undefined ? undefined : (layerOf(row) ?? fail("changeSetNotFound"));
  if (layer?.deleted === true && !answersForDeleted(endpoint)) fail("changeSetNotFound");
  return {
    id: row.workspace_id,
    headId: row.head_id,
    rev: row.workspace_rev,
    eventSeq: row.event_seq,
    headRev: row.head_rev,
    role: row.role,
    layer,
  };
}

/** Ids are read in any letter case and kept in upper case; what is none becomes one that no row has. */
export const idOf = (text: string | undefined): string =>
  text !== undefined && looksLikeUlid(text) ? text.toUpperCase() : "";

function layerOf(row: AccessRow): PathLayer | undefined {
  const { layer, layer_rev: rev, name, status } = row;
  if (layer === null || rev === null || name === null || status === null) return undefined;
  return {
    id: layer,
    headId: row.head_id,
    workspaceId: row.workspace_id,
    name,
    status,
    rev,
    deleted: row.deleted_at !== null,
  };
}
