import Type, { type Static, type TSchema } from "typebox";
import { shownDatabase } from "../lib/database-url.ts";

/** One setting: its key in config.json, its twin in the environment, and what may stand there. */
export interface Option<S extends TSchema = TSchema, D = unknown> {
  readonly environment: `SVC_${string}` | undefined;
  readonly schema: S;
  /** What a message and the documentation call the values. */
  readonly expects: string;
  /** Undefined when there is none, or when it is computed, as `defaultText` then says. */
  readonly default: D;
  readonly defaultText?: string;
  readonly doc: string;
  /** How a value is printed that may hold a secret. */
  readonly shown?: (value: string) => string;
}

const option = <const S extends TSchema, const D extends Static<S> | undefined>(
  row: Option<S, D>,
): Option<S, D> => row;
const text = (): Type.TString => Type.String({ minLength: 1 });
const cron = () => Type.String({ pattern: "^\\s*(\\S+\\s+){4,5}\\S+\\s*$" });
const cronWords = "a cron expression of 5 fields, or 6 with seconds first";

/** Every setting of config.json, in the order of its documentation. A setting is one row here. */
export const options = {
  "server.host": option({
    environment: "SVC_HOST",
    schema: text(),
    expects: "a host name or an address",
    default: "127.0.0.1",
    doc: "Address that the server listens on",
  }),
  "server.port": option({
    environment: "SVC_PORT",
    schema: Type.Integer({ minimum: 0, maximum: 65535 }),
    expects: "a port from 0 to 65535; 0 takes any free one",
    default: 5380,
    doc: "Port that the server listens on",
  }),
  "server.database": option({
    environment: "SVC_DATABASE_URL",
    schema: Type.String({ pattern: "^(sqlite:.+|postgres(ql)?://.+)$" }),
    expects: "sqlite:<path> or postgres://…",
    default: undefined,
    defaultText: "sqlite: in the state directory",
    doc: "Where the server keeps its data",
    shown: shownDatabase,
  }),
  "server.publicUrl": option({
    environment: "SVC_PUBLIC_URL",
    schema: Type.String({ pattern: "^https?://.+" }),
    expects: "an address that starts with http:// or https://",
    default: undefined,
    defaultText: "the address it listens on",
    doc: "Address that people reach the server at; decides links and secure cookies. Pages need it to sign anybody in under a name; addresses, localhost and server.host work without",
  }),
  "server.trustProxy": option({
    environment: "SVC_TRUST_PROXY",
    schema: Type.Boolean(),
    expects: "true or false",
    default: false,
    doc: "Whether X-Forwarded-* headers of a proxy in front are believed",
  }),
  "server.signUp": option({
    environment: "SVC_SIGN_UP",
    schema: Type.Union([Type.Literal("open"), Type.Literal("invite"), Type.Literal("closed")]),
    expects: "open, invite or closed",
    default: "open",
    doc: "Who may create an account: anyone, whoever is invited, nobody; the first one always may",
  }),
  "server.secretKeyFile": option({
    environment: "SVC_SECRET_KEY_FILE",
    schema: text(),
    expects: "a path",
    default: undefined,
    defaultText: "secret.key beside the database",
    doc: "File (0600) of the keys that seal secrets and sign tokens; made when it is missing",
  }),
  "server.eventDays": option({
    environment: "SVC_EVENT_DAYS",
    schema: Type.Integer({ minimum: 1, maximum: 3650 }),
    expects: "a number of days from 1 to 3650",
    default: 30,
    doc: "How long the history of workspaces is kept",
  }),
  "server.telemetry": option({
    environment: "SVC_TELEMETRY",
    schema: Type.Boolean(),
    expects: "true or false",
    default: true,
    doc: "Whether requests under /api/ are noted for svc server events; nothing is sent anywhere",
  }),
  "server.functionNetwork": option({
    environment: "SVC_FUNCTION_NETWORK",
    schema: Type.Union([Type.Literal("off"), Type.Literal("list"), Type.Literal("on")]),
    expects: "off, list or on",
    default: "off",
    doc: "Where functions may send requests: nowhere, to server.functionHosts only, or to every public address",
  }),
  "server.functionHosts": option({
    environment: "SVC_FUNCTION_HOSTS",
    schema: Type.String({ pattern: "^\\s*[^\\s,]+(\\s*,\\s*[^\\s,]+)*\\s*$" }),
    expects: "names, *.names, addresses and ranges, with commas between them",
    default: undefined,
    defaultText: "none",
    doc: "Hosts that functions may reach; only here may private addresses be named",
  }),
  "server.functionCommands": option({
    environment: "SVC_FUNCTION_COMMANDS",
    schema: Type.String({ pattern: "^\\s*[^\\s,=]+=/[^,]+(\\s*,\\s*[^\\s,=]+=/[^,]+)*$" }),
    expects: "programs as name=/path, with commas between them",
    default: undefined,
    defaultText: "none",
    doc: "Programs of this machine that functions may run, under the name that they use",
  }),
  "server.functionSeconds": option({
    environment: "SVC_FUNCTION_SECONDS",
    schema: Type.Integer({ minimum: 1, maximum: 86_400 }),
    expects: "a number of seconds from 1 to 86400",
    default: 1800,
    doc: "How long an action, a management or a debug function may run, all others 120 seconds at most; of it 10 seconds may be computing",
  }),
  "server.functionMemory": option({
    environment: "SVC_FUNCTION_MEMORY",
    schema: Type.Integer({ minimum: 16, maximum: 512 }),
    expects: "a number of megabytes from 16 to 512",
    default: 64,
    doc: "How much memory one function may use",
  }),
  "server.functionProcesses": option({
    environment: "SVC_FUNCTION_PROCESSES",
    schema: Type.Integer({ minimum: 1, maximum: 64 }),
    expects: "a number of processes from 1 to 64",
    default: undefined,
    defaultText: "one for each processor, 2 to 8",
    doc: "How many functions compute at once; eight times as many may wait for something meanwhile",
  }),
  "daemon.resync": option({
    environment: "SVC_DAEMON_RESYNC",
    schema: cron(),
    expects: cronWords,
    default: "23 * * * *",
    doc: "When every list is read again in full",
  }),
  "daemon.sessionCheck": option({
    environment: "SVC_DAEMON_SESSION_CHECK",
    schema: cron(),
    expects: cronWords,
    default: "*/5 * * * *",
    doc: "When the daemon asks the server whether its key still stands",
  }),
  "daemon.cachePruning": option({
    environment: "SVC_DAEMON_CACHE_PRUNING",
    schema: cron(),
    expects: cronWords,
    default: "47 3 * * *",
    doc: "When cache files of change sets that are gone are removed",
  }),
  "daemon.logRotation": option({
    environment: "SVC_DAEMON_LOG_ROTATION",
    schema: cron(),
    expects: cronWords,
    default: "*/10 * * * *",
    doc: "When the size of the daemon's log is checked",
  }),
  logLevel: option({
    environment: "SVC_LOG_LEVEL",
    schema: Type.Union([
      Type.Literal("error"),
      Type.Literal("warn"),
      Type.Literal("info"),
      Type.Literal("debug"),
    ]),
    expects: "error, warn, info or debug",
    default: "info",
    doc: "How much server and daemon write to their logs",
  }),
  strictOrigin: option({
    environment: "SVC_STRICT_ORIGIN",
    schema: Type.Boolean(),
    expects: "true or false",
    default: false,
    doc: "Whether a stored key that --server or SVC_CLUB_URL would send to another server than its own is refused; else it goes there with a warning",
  }),
  workspaces: option({
    environment: undefined,
    schema: Type.Record(Type.String(), Type.String({ minLength: 1 })),
    expects: "an object of server address and workspace id",
    default: {},
    doc: "Workspace in use on each server, written by svc workspace use",
  }),
} as const;

export type OptionKey = keyof typeof options;
type ValueOf<O> = O extends Option<infer S, infer D> ? Static<S> | Extract<D, undefined> : never;

/** Every setting with its value, as {@link loadConfig} resolves it. */
export type Settings = { readonly [K in OptionKey]: ValueOf<(typeof options)[K]> };

/** Variables that have no twin in config.json: what they name must not lie in a file of settings. */
export const variables = {
  SVC_API_KEY: "Key to authenticate with; goes before the stored one, and disables svc auth login and logout",
  SVC_CLUB_URL: `Address of the server; goes before the stored one`,
  SVC_WORKSPACE: "Id of the workspace that commands act in",
  SVC_SECRET_KEY: "Key that seals the server's secrets, instead of the file; while it is rotated <old>,<new>",
  BROWSER:
    "Program that svc auth login opens its page with, or several with colons between them; default the system's own",
  NO_COLOR: "Any value turns colours off",
  XDG_CONFIG_HOME: "Directory that holds svc/auth.json, identity.json and config.json; default ~/.config",
  XDG_CACHE_HOME: "Directory that holds the daemon's cache; default ~/.cache",
  XDG_STATE_HOME: "Directory that holds logs, locks and the embedded database; default ~/.local/state",
  XDG_RUNTIME_DIR:
    "Directory that holds the daemon's socket; default one of one's own in the temporary directory",
} as const;

export type VariableName = keyof typeof variables;
export const optionKeys = Object.keys(options) as OptionKey[];
export const optionRow = (key: OptionKey): Option => options[key];
