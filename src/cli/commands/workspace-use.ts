import { readConfigFile } from "../../config/load.ts";
import { configFile } from "../../config/paths.ts";
import { ApiError } from "../../contract/errors.ts";
import { looksLikeUlid } from "../../contract/ids.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { Problem } from "../../lib/problem.ts";
import { type AnyCommand, command } from "../command.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import { printable } from "../table.ts";

/** `svc workspace use`. */
export const workspaceUseCommands: readonly AnyCommand[] = [
  command({
    path: "workspace use",
    summary: "Choose the workspace that commands and the daemon act in on this server",
    details:
      "Without an id it shows the one in use. --workspace and SVC_WORKSPACE go before it; without any of them it is the default workspace of the user.",
    needs: "key",
    positionals: { "workspace-id": { doc: "Id of the workspace", optional: true } },
    options: { reset: { kind: "switch", doc: "Go back to the user's default workspace" } },
    examples: [
      { line: "workspace use 01JABCDEFGHJKMNPQRSTVWXYZ0", does: "checks that it can be read, then keeps it" },
      { line: "workspace use", does: "shows the one in use" },
    ],
    run: async (args, context) => {
      const { serverUrl } = await context.access();
      const chosen = args["workspace-id"];
      if (chosen !== undefined || args.reset) {
        if (chosen !== undefined) await checkWorkspace(context, chosen, serverUrl);
        const path = configFile(context.config().directories);
        const stored = readConfigFile(path);
        const others = Object.entries(context.config().settings.workspaces).filter(
          ([url]) => url !== serverUrl,
        );
        const workspaces = Object.fromEntries([
          ...others,
          ...(chosen === undefined ? [] : [[serverUrl, chosen] as const]),
        ]);
        await writeFileAtomic(path, `${JSON.stringify({ ...stored, workspaces }, undefined, 2)}\n`);
      }
      const workspaceId =
        chosen ??
        (args.reset
          ? (await (await context.api()).identity.whoami({})).workspaceId
          : await context.workspaceId());
      context.output.result({ workspaceId, serverUrl }, [printable(workspaceId)]);
    },
  }),
];

/** Throws a Problem that names the id unless it is one of a workspace that the caller can read. */
async function checkWorkspace(context: Context, workspaceId: string, serverUrl: string): Promise<void> {
  const hint = "svc workspace use shows the one in use";
  if (!looksLikeUlid(workspaceId))
    throw usageProblem(
      `workspace use: expected the id of a workspace, 26 letters and digits like 01JABCDEFGHJKMNPQRSTVWXYZ0, got "${workspaceId}"`,
      hint,
    );
  try {
    await (await context.api()).changeSets.list({ workspaceId });
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== "workspaceNotFound") throw error;
    throw new Problem(
      `expected the id of a workspace on ${serverUrl} that you may read, got "${workspaceId}", which is none`,
      { code: "workspace_not_found", hint, cause: error },
    );
  }
}
