import type { Context } from "./context.ts";

/** An argument without a name, by position. */
export interface Positional {
  readonly doc: string;
  /** Default false: the command line is wrong without it. */
  readonly optional?: true;
  /** Takes all that follows; only the last one may. */
  readonly many?: true;
}

/** An argument with a name. */
export interface Flag {
  /** `switch` is true or false, `text` takes a value, `number` a whole one, `list` may be given several times. */
  readonly kind: "switch" | "text" | "number" | "list";
  readonly doc: string;
  /** What the help shows for the value. */
  readonly value?: string;
  readonly alias?: string;
  readonly choices?: readonly string[];
}

type Positionals = Readonly<Record<string, Positional>>;
type Flags = Readonly<Record<string, Flag>>;
type PositionalValue<P extends Positional> = P extends { readonly many: true }
  ? readonly string[]
  : P extends { readonly optional: true }
    ? string | undefined
    : string;
type FlagValue<F extends Flag> = {
  switch: boolean;
  text: (F extends { readonly choices: readonly (infer C)[] } ? C : string) | undefined;
  number: number | undefined;
  list: readonly string[];
}[F["kind"]];

/** What `run` receives: a member for every positional and every option, named as on the command line. */
export type ArgumentsOf<P extends Positionals, F extends Flags> = {
  readonly [K in keyof P]: PositionalValue<P[K]>;
} & { readonly [K in keyof F]: FlagValue<F[K]> };

interface Example {
  readonly line: string;
  readonly does: string;
}

/** One command as data: parsing, help, completion and documentation are derived from it. */
export interface Command<P extends Positionals = Positionals, F extends Flags = Flags> {
  /** The words that call it, such as `change-set list`. */
  readonly path: string;
  /** Other last words that call it too. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** More to say in its help. */
  readonly details?: string;
  readonly positionals?: P;
  readonly options?: F;
  readonly examples: readonly Example[];
  /** `key`: ends with `not_authenticated` before anything else when there is none. Default `none`. */
  readonly needs?: "key" | "none";
  /** Does it. What it prints goes through `context.output`; failures are thrown. */
  readonly run: (args: ArgumentsOf<P, F>, context: Context) => Promise<void>;
}

/** A command whose arguments' types are forgotten: as the program sees it. */
export interface AnyCommand extends Omit<Command, "run"> {
  readonly run: (args: never, context: Context) => Promise<void>;
}

/** Identity at run time; infers the types of `run`'s arguments from the rows. */
export const command = <
  const P extends Positionals = Record<never, never>,
  const F extends Flags = Record<never, never>,
>(
  row: Command<P, F>,
): AnyCommand => row as AnyCommand; // the boundary: rows of different types stand in one list

/** The option of every command that cannot be undone. */
export const yesFlag = {
  kind: "switch",
  doc: "Do it without asking",
  alias: "y",
} as const satisfies Flag;

/** The options of every command that works on a server of this machine. */
export const placeFlags = {
  data: {
    kind: "text",
    value: "dir",
    doc: "Directory of the server: its database, its keys, its config.json; default in the state directory",
  },
  database: { kind: "text", value: "url", doc: "sqlite:<path> or postgres://…" },
} as const satisfies Readonly<Record<string, Flag>>;

/** Options that every command takes. */
export const globalFlags = {
  json: { kind: "switch", doc: "Print one JSON document instead of text" },
  quiet: { kind: "switch", doc: "Print no notes and no warnings", alias: "q" },
  "no-color": { kind: "switch", doc: "Print without colours, as NO_COLOR does" },
  server: { kind: "text", value: "url", doc: "Server to ask, before SVC_CLUB_URL and the stored one" },
  workspace: {
    kind: "text",
    value: "id",
    doc: "Workspace to act in, before SVC_WORKSPACE and the one in use",
  },
  debug: { kind: "switch", doc: "Print the stack of a failure" },
  help: { kind: "switch", doc: "Print this help", alias: "h" },
} as const satisfies Flags;

export type GlobalArguments = ArgumentsOf<Record<never, never>, typeof globalFlags>;
