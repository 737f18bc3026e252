import { ApiError } from "../contract/errors.ts";
import { Problem } from "../lib/problem.ts";
import type { Context } from "./context.ts";
import { usageProblem } from "./failure.ts";

/** Who signs in where. */
export interface SignIn {
  readonly serverUrl: string;
  readonly username: string;
  readonly password: string;
}

const emailLike = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The token of a new session. Throws a Problem that says what to do. */
export async function signIn(context: Context, { serverUrl, username, password }: SignIn): Promise<string> {
  const { accounts } = context.apiWith(serverUrl, undefined);
  try {
    const answer = emailLike.test(username)
      ? await accounts.signInEmail({ body: { email: username, password } })
      : await accounts.signInUsername({ body: { username, password } });
    return answer.token;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403))
      throw new Problem(`could not log in to ${serverUrl}: wrong username, e-mail or password`, {
        code: "invalid_credentials",
        hint: "svc auth login --username NAME",
        cause: error,
      });
    throw error;
  }
}

/** Asks for what the command line left out; a program pipes it, one line each. */
export async function askForLogin(
  context: Context,
  given: { readonly username: string | undefined; readonly password: string | undefined },
): Promise<Pick<SignIn, "username" | "password">> {
  const username = given.username ?? (await askLine(context, "Username or email: ", "--username"));
  const password = given.password ?? (await askSecret(context, "Password: ", "--password"));
  return { username, password };
}

/** One line that a person types or a program pipes; `flag` would have said it. Throws `usage` when there is none. */
export const askLine = (context: Context, question: string, flag: string): Promise<string> =>
  ask(context, question, flag, (show) => {
    show();
    return context.prompt.line();
  });

/** The same for what is not shown while it is typed. */
export const askSecret = (context: Context, question: string, flag: string): Promise<string> =>
  ask(context, question, flag, context.prompt.secret);

/** A new password: typed twice, since nobody sees what they type; or piped once. Throws `usage` when they differ. */
export async function askNewPassword(context: Context, question: string, flag: string): Promise<string> {
  const password = await askSecret(context, question, flag);
  if (!context.prompt.interactive) return password;
  const again = await askSecret(context, "The same again: ", flag);
  if (again !== password) throw usageProblem("the two passwords differ: nothing was changed", "try again");
  return password;
}

async function ask(
  { output, prompt }: Context,
  question: string,
  flag: string,
  read: (show: () => void) => Promise<string | undefined>,
): Promise<string> {
  if (prompt.interactive && output.json)
    throw usageProblem(`${flag} is missing, and with --json nobody is asked`, `add ${flag}, or pipe it`);
  const answer = await read(() => {
    if (prompt.interactive) output.ask(question);
  });
  if (answer === undefined && prompt.interactive) throw new Problem("cancelled", { code: "cancelled" });
  if (answer === undefined || answer === "")
    throw usageProblem(`${flag} is missing`, `add ${flag}, or pipe it on standard input`);
  return answer;
}
