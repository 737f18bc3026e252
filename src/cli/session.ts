import type { Access } from "../config/access.ts";
import type { Api } from "../contract/index.ts";
import type { Client } from "../http/client.ts";
import type { Flag } from "./command.ts";
import type { Context } from "./context.ts";
import { askForLogin, signIn } from "./sign-in.ts";

/** The options of every command that needs a session: no key is enough for it. */
export const sessionFlags = {
  username: { kind: "text", value: "name", doc: "Username or e-mail address; default who is logged in" },
  password: {
    kind: "text",
    value: "text",
    doc: "Password; other users of this machine may see it here, so pipe it",
  },
} as const satisfies Readonly<Record<string, Flag>>;

/** The sentence of such a command's help. */
export const sessionDetails =
  "Needs your password, since a key does not manage keys: it is asked for on a terminal, and read from standard input otherwise.";

/** Who is to sign in, as the options say it. */
interface SessionArguments {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** What is done with a session. */
export interface Session {
  readonly api: Client<Api>;
  readonly access: Access;
  /** What was signed in with. */
  readonly password: string;
}

/** Signs in, does `work` with a session of its own, and ends that whatever happens. */
export async function withSession<T>(
  context: Context,
  given: SessionArguments,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const access = await context.access();
  const username = given.username ?? access.stored?.username;
  const login = await askForLogin(context, { username, password: given.password });
  const { serverUrl } = access;
  const api = context.apiWith(serverUrl, await signIn(context, { serverUrl, ...login }));
  try {
    return await work({ api, access, password: login.password });
  } finally {
    // Best effort: a session that cannot be ended ends by itself, and what was done stays done.
    await api.accounts.signOut({}).catch(() => undefined);
  }
}
