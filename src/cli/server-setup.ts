import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { readConfigFile } from "../config/load.ts";
import { configFile, dataConfigFile } from "../config/paths.ts";
import type { ServerSettings } from "../config/server-settings.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { shownDatabase, sqliteFile } from "../lib/database-url.ts";
import { Problem } from "../lib/problem.ts";
import { listensToOperator } from "../operator/connect.ts";
import type { Context } from "./context.ts";
import { askLine, askNewPassword } from "./sign-in.ts";
import { printable } from "./table.ts";
import { shellWord } from "./up/launcher.ts";

/** Who the first owner is to be. */
export interface Owner {
  readonly name: string;
  readonly email: string;
  readonly username: string;
  readonly password: string;
}

/** Asks for what the command line left out, and refuses what is malformed. */
export async function askOwner(
  given: { readonly [K in keyof Owner]: string | undefined },
  context: Context,
): Promise<Owner> {
  const email = given.email ?? (await askLine(context, "E-mail of the first owner: ", "--email"));
  const username = given.username ?? (await askLine(context, "Username: ", "--username"));
  const password = given.password ?? (await askNewPassword(context, "Password: ", "--password"));
  const owner = { name: given.name ?? username, email, username, password };
  await context.launch.checkOwner(owner);
  return owner;
}

/** The address of a database; a relative file as the server finds it from wherever it is started. */
export function absoluteDatabase(database: string | undefined): string | undefined {
  const file = sqliteFile(database ?? "");
  return file === undefined ? database : `sqlite:${resolve(file)}`;
}

/** Whether a server answers its operator there; of one that shares its database nobody can tell. */
export const isRunning = async ({ operatorSocket }: ServerSettings): Promise<boolean> =>
  operatorSocket !== undefined && (await listensToOperator(operatorSocket));

/** Whether there is no database yet; one on another machine may always be there. */
export async function isMissing({ database }: ServerSettings): Promise<boolean> {
  const file = sqliteFile(database);
  if (file === undefined) return false;
  return access(file).then(
    () => false,
    () => true,
  );
}

/** Refuses to start a server in a directory of its own where none was made: whoever came first would own it. */
export async function refuseNone(
  context: Context,
  settings: ServerSettings,
  { data, database }: { readonly data: string; readonly database: string | undefined },
): Promise<void> {
  const isThere =
    sqliteFile(settings.database) === undefined
      ? await context.launch.hasAccounts(settings)
      : !(await isMissing(settings));
  if (isThere) return;
  const place = database === undefined ? "" : ` --database ${shellWord(shownDatabase(database))}`;
  throw new Problem(
    `there is no server in ${resolve(data)} yet; make it with: svc server init --data ${shellWord(data)}${place}`,
    { code: "no_server" },
  );
}

/** Says what is there where nothing should be. */
export function initialised(
  settings: ServerSettings,
  users: readonly { readonly email: string; readonly username: string }[],
  start: string,
): Problem {
  const [first] = users;
  const who = first === undefined ? "" : `, ${printable(first.username)} (${first.email}) the first`;
  const count = users.length === 1 ? "1 account" : `${users.length} accounts`;
  return new Problem(`there is a server already: ${shownDatabase(settings.database)} has ${count}${who}`, {
    code: "already_initialised",
    hint: `start it with: ${start}`,
  });
}

/** Keeps what else stands in the file; readable by its owner only, since a database's address may hold a password. */
export async function writeSettings(
  context: Context,
  args: {
    readonly data: string | undefined;
    readonly "sign-up": "open" | "invite" | "closed" | undefined;
    readonly host: string | undefined;
    readonly port: number | undefined;
  },
  database: string | undefined,
): Promise<void> {
  const file = settingsFile(context, args.data);
  const stored = readConfigFile(file);
  const settings = {
    ...stored,
    "server.signUp": args["sign-up"] ?? stored["server.signUp"] ?? "invite",
    ...(database === undefined ? {} : { "server.database": database }),
    ...(args.host === undefined ? {} : { "server.host": args.host }),
    ...(args.port === undefined ? {} : { "server.port": args.port }),
  };
  await writeFileAtomic(file, `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600 });
}

/** The file that a server reads its settings from. */
export const settingsFile = (context: Context, data: string | undefined): string =>
  data === undefined ? configFile(context.config().directories) : dataConfigFile(data);
