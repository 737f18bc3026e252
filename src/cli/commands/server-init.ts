import { lookAtDirectory, ownDirectory } from "../../config/data-directory.ts";
import { loadConfig } from "../../config/load.ts";
import { type ServerSettings, serverSettings } from "../../config/server-settings.ts";
import { defaultServerUrl } from "../../config/server-url.ts";
import { shownDatabase } from "../../lib/database-url.ts";
import { type AnyCommand, command, placeFlags } from "../command.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import {
  absoluteDatabase,
  askOwner,
  initialised,
  isMissing,
  isRunning,
  type Owner,
  settingsFile,
  writeSettings,
} from "../server-setup.ts";
import { printable } from "../table.ts";
import { shellWord } from "../up/launcher.ts";

/** Who may create an account, as the settings have it, in words. */
const signUpModes = {
  open: "open: anybody who reaches the server may create an account",
  invite: "invite: whoever a member invites may create an account",
  closed: "closed: nobody else gets an account",
} as const;

/** `svc server init`. */
export const serverInitCommands: readonly AnyCommand[] = [
  command({
    path: "server init",
    summary: "Set up a server here: its first account, its keys, who may sign up",
    details:
      "What is left out is asked for on a terminal, and read from standard input otherwise, one line each. Settings are written to config.json of --data, else to your own; variables of the environment go before them. Refuses where a server is already.",
    options: {
      email: { kind: "text", value: "address", doc: "E-mail address of the first owner" },
      username: { kind: "text", value: "name", doc: "Username of the first owner" },
      name: { kind: "text", value: "text", doc: "What the first owner is called; default the username" },
      password: {
        kind: "text",
        value: "text",
        doc: "Password; other users of this machine may see it here, so pipe it",
      },
      "sign-up": {
        kind: "text",
        choices: ["open", "invite", "closed"],
        doc: "Who may create an account: anyone, whoever is invited, nobody; default invite",
      },
      ...placeFlags,
      host: { kind: "text", value: "address", doc: "Address to listen on; default 127.0.0.1" },
      port: { kind: "number", value: "port", doc: "Port to listen on; default 5380" },
    },
    examples: [
      { line: "server init --data ./svc-data", does: "asks for the first owner" },
      {
        line: "server init --database postgres://svc@db/svc --email ada@example.org --username ada < password.txt",
        does: "asks for nothing",
      },
    ],
    run: async (args, context) => {
      if (args.port !== undefined && (args.port < 1 || args.port > 65_535))
        throw usageProblem(`--port: expected a port from 1 to 65535, got ${args.port}`);
      const place = { data: args.data, database: absoluteDatabase(args.database) };
      if (place.data !== undefined) await lookAtDirectory(place.data);
      const before = context.server(place);
      const start = `svc server start${placeWords(args.data)}`;
      const running = await isRunning(before);
      const ask = async (): Promise<Owner> => {
        const answered = await askOwner(args, context);
        if (place.data !== undefined) await ownDirectory(place.data);
        return answered;
      };
      // Everything is made only once all is known; a database that is there is looked at before anybody types.
      let owner = (await isMissing(before)) ? await ask() : undefined;
      const made = await context.operator(
        place,
        async (client) => {
          const { users } = await client.users.list({});
          if (users.length > 0) throw initialised(before, users, start);
          owner ??= await ask();
          // First: an account without them could be followed by anybody's.
          await writeSettings(context, args, place.database);
          return client.firstOwner.create({ body: owner });
        },
        "make",
      );
      if (running)
        context.output.note("the server that runs here takes up its settings when it starts again");
      const file = settingsFile(context, args.data);
      const settings = serverSettings(loadConfig(context.environment, file), place);
      show(context, { settings, file, made: { ...made, name: owner?.name ?? "" }, start });
    },
  }),
];

const placeWords = (data: string | undefined): string =>
  data === undefined ? "" : ` --data ${shellWord(data)}`;

interface Shown {
  readonly settings: ServerSettings;
  readonly file: string;
  readonly made: {
    readonly user: { readonly username: string; readonly email: string };
    readonly workspaceId: string;
    readonly name: string;
  };
  /** The command that starts it. */
  readonly start: string;
}

function show({ output }: Context, { settings, file, made, start }: Shown): void {
  const serverUrl = addressOf(settings);
  const next = [start, `svc auth login${serverUrl === defaultServerUrl ? "" : ` --server ${serverUrl}`}`];
  const database = shownDatabase(settings.database);
  const { username, email } = made.user;
  const keys = settings.secretKey === undefined ? settings.secretKeyFile : "SVC_SECRET_KEY";
  const { signUp } = settings;
  output.result(
    {
      user: made.user,
      workspaceId: made.workspaceId,
      database,
      keys,
      settings: file,
      signUp,
      serverUrl,
      next,
    },
    [
      `${output.green("ready")}     ${printable(username)} (${printable(made.name)}, ${printable(email)}) is the first owner`,
      `database  ${database}`,
      `keys      ${keys}; keep a copy: without it secrets and workspace tokens are lost`,
      `settings  ${file}`,
      `sign-up   ${signUpModes[signUp]}`,
      "",
      "next",
      ...next.map((line) => `  ${line}`),
    ],
  );
}

/** Where people reach it from this machine; what listens on every address listens on the loopback one too. */
function addressOf({ publicUrl, host, port }: ServerSettings): string {
  if (publicUrl !== undefined) return publicUrl;
  const near = ["0.0.0.0", "::", "[::]"].includes(host) ? "127.0.0.1" : host;
  return `http://${near.includes(":") ? `[${near}]` : near}:${port}`;
}
