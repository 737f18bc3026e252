import { looksLikeUlid } from "../contract/ids.ts";
import { nearMiss } from "../lib/near-miss.ts";
import { Problem } from "../lib/problem.ts";
import type { Context } from "./context.ts";
import { printable } from "./table.ts";

/** The positional of every command that may speak of another workspace than the one in use. */
export const workspaceArgument = {
  doc: "Name or id of the workspace; default the one in use",
  optional: true,
} as const;

/** The id of the workspace that a person names by name or id; without a name that of the one commands act in. */
export async function workspaceIdOf(context: Context, named: string | undefined): Promise<string> {
  if (named === undefined) return context.workspaceId();
  if (looksLikeUlid(named)) return named.toUpperCase();
  const listed = await (await context.api()).workspaces.list({});
  const [found, another] = listed.filter(({ displayName }) => displayName === named);
  if (found !== undefined && another === undefined) return found.id;
  if (found !== undefined)
    throw new Problem(`more than one workspace is named "${printable(named)}"`, {
      code: "workspace_ambiguous",
      hint: "name it by its id: svc workspace list",
    });
  const names = listed.map(({ displayName }) => displayName);
  const near = nearMiss(named, names);
  throw new Problem(`no such workspace: "${printable(named)}"`, {
    code: "workspace_not_found",
    hint: near === undefined ? "svc workspace list" : `did you mean "${printable(near)}"?`,
  });
}
