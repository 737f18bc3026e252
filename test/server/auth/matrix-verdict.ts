import { type Endpoint, pathParameters } from "../../../src/contract/endpoint.ts";
import type { ErrorName } from "../../../src/contract/errors.ts";
import type { Asker, Standing } from "./matrix-callers.ts";
import type { Needs } from "./matrix-needs.ts";
import { people, type Where } from "./matrix-place.ts";

/** What a cell of the matrix is answered with: a refusal by name, or whatever the row does with an empty request. */
export type Verdict = "admitted" | ErrorName;

const workspaceRoles = ["EDITOR", "APPROVER", "OWNER"];
const collectiveRoles = ["member", "admin", "owner"];
const covers = (roles: readonly string[], role: string | undefined, needed: string): boolean =>
  role !== undefined && roles.indexOf(role) >= roles.indexOf(needed);

/** What the rules of the product say of one request: who may call the row, and what they need beyond that. */
export function verdictOf(endpoint: Endpoint, needs: Needs, { standing }: Asker, where: Where): Verdict {
  const counted = countedAs(endpoint, standing);
  const early = refusedByAccess(endpoint, counted) ?? refusedByOrigin(endpoint, standing, counted);
  if (early !== undefined) return early;
  if (counted.kind === "workspace" && counted.elsewhere === true && isIn(endpoint, "workspaceId"))
    return "unauthenticated";
  if (counted.kind === "personal" && needs.key !== undefined) return needs.key;
  return refusedInWorkspace(needs, counted, where) ?? refusedInCollective(needs, counted) ?? "admitted";
}

const isIn = ({ path }: Endpoint, parameter: string): boolean => pathParameters(path).includes(parameter);
const isKeyApi = ({ path }: Endpoint): boolean => path.startsWith("/api/");

/** A cookie is nothing outside of `/api/*`, a workspace token is nothing in it. */
function countedAs(endpoint: Endpoint, standing: Standing): Standing {
  const cookie = standing.kind === "session" && standing.cookie !== undefined;
  const counts = isKeyApi(endpoint) ? standing.kind !== "workspace" : !cookie;
  return counts ? standing : { kind: "nobody" };
}

function refusedByAccess({ access }: Endpoint, { kind }: Standing): Verdict | undefined {
  if (access === "none" || access === "optional") return undefined;
  if (kind === "nobody") return "unauthenticated";
  if (kind === "collective" && access !== "any" && access !== "workspace") return "userRequired";
  return kind === "personal" && access === "session" ? "sessionRequired" : undefined;
}

/** A write with a cookie names this server's own origin; one that may set a cookie names no other. */
function refusedByOrigin({ method }: Endpoint, shown: Standing, counted: Standing): Verdict | undefined {
  if (method === "GET" || shown.kind !== "session" || shown.cookie === undefined) return undefined;
  if (shown.cookie === "another origin") return "invalidOrigin";
  return counted.kind === "session" && shown.cookie === "no origin" ? "invalidOrigin" : undefined;
}

function refusedInWorkspace(needs: Needs, counted: Standing, where: Where): Verdict | undefined {
  if (needs.workspace === undefined || counted.kind === "nobody") return undefined;
  if (counted.kind === "workspace" && needs.noWorkspaceToken === true) return "forbidden";
  const role =
    counted.kind === "collective"
      ? counted.granted
        ? "EDITOR"
        : undefined
      : people[counted.person].workspace;
  if (role === undefined) return needs.stranger ?? "forbidden";
  if (where === "closed" && needs.closed !== true) return "workspaceQuarantined";
  if (!covers(workspaceRoles, role, needs.workspace)) return "forbidden";
  return role === "OWNER" ? needs.owner : undefined;
}

function refusedInCollective(needs: Needs, counted: Standing): Verdict | undefined {
  if (needs.collective === undefined || counted.kind === "nobody" || counted.kind === "collective")
    return undefined;
  const role = people[counted.person].collective;
  if (role === undefined) return "collectiveNotFound";
  return covers(collectiveRoles, role, needs.collective) ? undefined : "forbidden";
}
