import { loadAccess, resolveAccess } from "../../config/access.ts";
import { DamagedCredentials, readCredentials, writeCredentials } from "../../config/credentials.ts";
import { variable } from "../../config/load.ts";
import { authFile } from "../../config/paths.ts";
import { originOf } from "../../config/server-url.ts";
import type { WhoamiAnswer } from "../../contract/key-whoami.ts";
import { signInWithBrowser } from "../browser-login.ts";
import { type AnyCommand, command } from "../command.ts";
import type { Context } from "../context.ts";
import { invalidKey } from "../failure.ts";
import { logIn, refuseWithEnvironmentKey } from "../login.ts";
import { logOut } from "../logout.ts";
import { askForLogin, signIn } from "../sign-in.ts";
import { printable } from "../table.ts";
import { authPasswordCommands } from "./auth-password.ts";

/** `svc auth …`. */
export const authCommands: readonly AnyCommand[] = [
  command({
    path: "auth login",
    summary: "Log in, and keep a key for this machine",
    details:
      "On a terminal it opens the browser, and prints the address for the case that none opens. With --username, --password or --no-browser it takes a password instead: what is left out is asked for on a terminal, and read from standard input otherwise, one line each. Refused while SVC_API_KEY is set.",
    options: {
      username: { kind: "text", value: "name", doc: "Username or e-mail address" },
      password: {
        kind: "text",
        value: "text",
        doc: "Password; other users of this machine may see it here, so pipe it",
      },
      "no-browser": { kind: "switch", doc: "Ask for username and password here" },
      store: {
        kind: "text",
        choices: ["file", "keychain"],
        doc: "Where the key is kept; default file",
      },
      "keep-key": {
        kind: "switch",
        doc: "Leave the key of an earlier login valid on the same server",
      },
    },
    examples: [
      { line: "auth login", does: "opens the browser" },
      { line: "auth login --username ada", does: "asks for the password" },
      { line: "auth login --username ada < password.txt", does: "reads it from a file" },
    ],
    run: async (args, context) => {
      refuseWithEnvironmentKey(context, "log in");
      const serverUrl = await serverToLogInTo(context);
      const token = saysPassword(args, context)
        ? await signIn(context, { serverUrl, ...(await askForLogin(context, args)) })
        : await signInWithBrowser(context, serverUrl);
      const { stored, name, email, apiKey, keptIn } = await logIn(context, {
        serverUrl,
        token,
        store: args.store ?? "file",
        keepKey: args["keep-key"],
      });
      const { output } = context;
      output.result({ authenticated: true, serverUrl, username: stored.username, store: keptIn }, [
        `${output.green("logged in")} as ${printable(stored.username)} (${printable(name)}, ${printable(email)})`,
        `server  ${serverUrl}`,
        `key     ${masked(apiKey)}, ${keptIn === "keychain" ? "in the keychain" : authFile(context.config().directories)}`,
      ]);
    },
  }),
  command({
    path: "auth logout",
    summary: "Delete this machine's key on its server, and forget it here",
    details: "Forgets the key here whatever the server says. Refused while SVC_API_KEY is set.",
    options: { "keep-key": { kind: "switch", doc: "Leave the key valid on its server" } },
    examples: [{ line: "auth logout", does: "not being logged in is no error" }],
    run: async (args, context) => {
      refuseWithEnvironmentKey(context, "log out");
      const outcome = await logOut(context, args["keep-key"]);
      context.output.result(outcome, [
        outcome.loggedOut
          ? `logged out${outcome.username === "" ? "" : ` ${printable(outcome.username)} of ${outcome.serverUrl}`}`
          : "not logged in",
      ]);
    },
  }),
  command({
    path: "auth whoami",
    aliases: ["status"],
    summary: "Show who the key stands for",
    needs: "key",
    examples: [{ line: "auth whoami --json", does: "with the collectives" }],
    run: async (_args, context) => {
      const { serverUrl, keyFrom } = await context.access();
      const who = await (await context.api()).accounts.whoami({});
      if (!who.authenticated) throw invalidKey(serverUrl, keyFrom);
      if ("collectiveToken" in who) return showCollective(context, serverUrl, who);
      const { id, username, email, name, organizations } = who;
      const collectives = organizations.map(({ slug }) => slug);
      await refreshCollectives(context, collectives);
      context.output.result({ authenticated: true, serverUrl, id, username, email, name, collectives }, [
        `${printable(username ?? name)} (${printable(email)}) on ${serverUrl}`,
        ...(collectives.length === 0 ? [] : [`Collectives: ${collectives.map(printable).join(", ")}`]),
      ]);
    },
  }),
  ...authPasswordCommands,
];

/** Whether somebody signs in by password: where there is no person at a terminal, or where they say so. */
const saysPassword = (
  args: {
    readonly username: string | undefined;
    readonly password: string | undefined;
    readonly "no-browser": boolean;
  },
  { prompt }: Context,
): boolean =>
  !prompt.interactive || args["no-browser"] || args.username !== undefined || args.password !== undefined;

/** A collective token: nothing of it is remembered here, since it is no login. */
function showCollective(
  { output }: Context,
  serverUrl: string,
  { collectiveSlug, scopes, organizations }: Extract<WhoamiAnswer, { collectiveToken: true }>,
): void {
  const collectives = organizations.map(({ slug }) => slug);
  const answer = {
    authenticated: true,
    serverUrl,
    collectiveToken: true,
    collectiveSlug,
    scopes,
    collectives,
  };
  output.result(answer, [`Collective token: ${printable(collectiveSlug)} on ${serverUrl}`]);
}

/** The server to log in to by the usual order; a damaged record does not stand in the way, one that is unreadable does. */
async function serverToLogInTo(context: Context): Promise<string> {
  const { flags, environment } = context;
  const damaged = await readCredentials(authFile(context.config().directories)).then(
    () => false,
    (error: unknown) => {
      if (error instanceof DamagedCredentials) return true;
      throw error;
    },
  );
  const sources = {
    flagServer: flags.server === "" ? undefined : flags.server,
    environmentServer: variable(environment, "SVC_CLUB_URL"),
    environmentKey: undefined,
    stored: undefined,
    strictOrigin: false,
  };
  if (damaged || sources.flagServer !== undefined || sources.environmentServer !== undefined)
    return resolveAccess(sources).serverUrl;
  return (await loadAccess(context.config(), { keychain: noKeychain })).serverUrl;
}

/** Logging in needs no old key, so the keychain is not even asked. */
const nothing = async () => ({ state: "ok", value: null }) as const;
const noKeychain = { probe: nothing, get: nothing, set: nothing, delete: nothing };

/** Writes the record anew when membership has changed; never with a key of the environment or another server's answer. */
async function refreshCollectives(context: Context, collectives: readonly string[]): Promise<void> {
  const { stored, serverUrl } = await context.access();
  if (stored === undefined || originOf(stored.serverUrl) !== originOf(serverUrl)) return;
  if (JSON.stringify(stored.collectives ?? []) === JSON.stringify(collectives)) return;
  await writeCredentials(authFile(context.config().directories), {
    ...stored,
    collectives: [...collectives],
  });
}

/** The first twelve and the last four characters. */
const masked = (key: string): string => `${key.slice(0, 12)}${"•".repeat(8)}${key.slice(-4)}`;
