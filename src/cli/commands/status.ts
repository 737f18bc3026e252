import { ApiError } from "../../contract/errors.ts";
import { maintenanceIn } from "../../contract/maintenance.ts";
import { system } from "../../contract/system.ts";
import { createClient } from "../../http/client.ts";
import { type AnyCommand, command } from "../command.ts";
import type { Context } from "../context.ts";
import { findDaemon } from "../daemon-process.ts";
import { daemonLines } from "../daemon-text.ts";
import { toFailure } from "../failure.ts";
import { printable } from "../table.ts";

/** Long enough for a slow network, short enough to wait for. */
const patienceMs = 5_000;

/** `svc status`. */
export const statusCommands: readonly AnyCommand[] = [
  command({
    path: "status",
    summary: "Show which server is asked and whether it answers, who you are, and what the daemon does",
    examples: [{ line: "status --json", does: "for programs" }],
    run: async (_args, context) => {
      const access = await context.access();
      const profile = await context.profile();
      const [server, who, daemon] = await Promise.all([
        health(context, access.serverUrl),
        whoAmI(context),
        findDaemon(profile),
      ]);
      const { output } = context;
      const { maintenance, ...auth } = who;
      const document = {
        server: {
          url: access.serverUrl,
          from: access.serverFrom,
          ...server,
          maintenance: maintenance ?? null,
        },
        auth: { keyFrom: access.keyFrom, ...auth },
        daemon: daemon ?? null,
      };
      const serverState = !server.reachable
        ? output.red(`away: ${server.error}`)
        : maintenance === undefined
          ? output.green("answers")
          : output.yellow(printable(maintenance));
      const authState = who.authenticated
        ? `${printable(who.username ?? "")} with the key from ${access.keyFrom}`
        : output.yellow(who.error ?? "not authenticated");
      output.result(document, [
        `${output.dim("asked".padEnd(10))} ${access.serverUrl} (from ${access.serverFrom}) ${serverState}`,
        `${output.dim("you".padEnd(10))} ${authState}`,
        ...(daemon === undefined
          ? [`${output.dim("daemon".padEnd(10))} ${output.yellow("not running")}; svc daemon start starts it`]
          : daemonLines(daemon, context.clock.now(), output)),
      ]);
    },
  }),
];

async function health(
  context: Context,
  serverUrl: string,
): Promise<{ readonly reachable: boolean; readonly error?: string }> {
  const options = await context.clientOptions();
  try {
    await createClient({ system }, { ...options, baseUrl: serverUrl, timeoutMs: patienceMs }).system.health(
      {},
    );
    return { reachable: true };
  } catch (error) {
    return { reachable: false, error: toFailure(error).message };
  }
}

/** What the server says of the key; `maintenance` is `in maintenance: …` where it says that of itself. */
interface Who {
  readonly authenticated: boolean;
  readonly username?: string;
  readonly error?: string;
  readonly maintenance?: string;
}

async function whoAmI(context: Context): Promise<Who> {
  const { serverUrl, apiKey } = await context.access();
  if (apiKey === undefined) {
    const nobody = { authenticated: false, error: "not logged in; svc auth login" };
    // Whoever calls is told of a maintenance, before anybody is recognised.
    const refusal = await context
      .apiWith(serverUrl, undefined, patienceMs)
      .system.root({})
      .catch(maintenanceOf);
    return typeof refusal === "string" ? { ...nobody, maintenance: refusal } : nobody;
  }
  try {
    const who = await context.apiWith(serverUrl, apiKey, patienceMs).accounts.whoami({});
    const { authenticated } = who;
    // Not a user, but what stands for one in a line: `@` and the collective's slug.
    if ("collectiveToken" in who) return { authenticated, username: `@${who.collectiveSlug}` };
    return { authenticated, username: who.username ?? who.email };
  } catch (error) {
    const maintenance = maintenanceOf(error);
    if (maintenance !== undefined)
      return { authenticated: false, error: "not known while the server is in maintenance", maintenance };
    return { authenticated: false, error: toFailure(error).message };
  }
}

const maintenanceOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? maintenanceIn(error.message) : undefined;
