import type { FastifyRequest } from "fastify";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { PathLayer, WorkspaceAccess } from "../context.ts";
import { type AccessRow, findAccess } from "../store/access.ts";
import type { Store } from "../store/open.ts";
import { headName } from "../store/workspaces.ts";

/** Rows that answer also for a change set that was deleted: reading it, and deleting it again. */
const answersForDeleted = (endpoint: Endpoint): boolean => endpoint.path.endsWith("/:changeSetId");

/**
 * The workspace and the change set of a path. Throws `workspaceNotFound` or `changeSetNotFound` for an unknown or
 * malformed id, `forbidden` for somebody who is not a member.
 */
export async function openWorkspace(
  store: Store,
  userId: string,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<WorkspaceAccess> {
  const params: Readonly<Record<string, string>> = { ...(request.params as Record<string, string>) };
  const named = params["changeSetId"];
  const isHead = named === undefined || named.toUpperCase() === headName;
  const changeSetId = isHead ? undefined : idOf(named);
  const row = await findAccess(store, {
    workspaceId: idOf(params["workspaceId"]) ?? fail("workspaceNotFound"),
    userId,
    // An id that no row has: the workspace and the membership are judged before the change set.
    changeSetId: isHead ? undefined : (changeSetId ?? ""),
  });
  if (row === undefined) return fail("workspaceNotFound");
  if (row.role === null) return fail("forbidden", "you are not a member of this workspace");
  const access = { id: row.workspace_id, headId: row.head_id, role: row.role };
  if (named === undefined) return { ...access, layer: undefined };
  const layer = layerOf(row) ?? fail("changeSetNotFound");
  if (layer.deleted && !answersForDeleted(endpoint)) fail("changeSetNotFound");
  return { ...access, layer };
}

/** Ids are read in any letter case and kept in upper case; undefined when the text is none. */
const idOf = (text: string | undefined): string | undefined =>
  text !== undefined && looksLikeUlid(text) ? text.toUpperCase() : undefined;

function layerOf(row: AccessRow): PathLayer | undefined {
  if (row.layer === null || row.name === null || row.status === null) return undefined;
  return {
    id: row.layer,
    headId: row.head_id,
    workspaceId: row.workspace_id,
    name: row.name,
    status: row.status,
    deleted: row.deleted_at !== null,
  };
}
