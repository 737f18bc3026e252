import { readConfigFile } from "../../config/load.ts";
import { configFile } from "../../config/paths.ts";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import { type AnyCommand, command } from "../command.ts";
import { printable } from "../table.ts";

/** `svc workspace …`. */
export const workspaceCommands: readonly AnyCommand[] = [
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
        if (chosen !== undefined) await (await context.api()).changeSets.list({ workspaceId: chosen });
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
