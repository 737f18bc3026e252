import type { ChangeSetView } from "../contract/change-sets.ts";
import { looksLikeUlid } from "../contract/ids.ts";
import { nearMiss } from "../lib/near-miss.ts";
import { Problem } from "../lib/problem.ts";
import type { Flag } from "./command.ts";
import type { Context } from "./context.ts";
import { usageProblem } from "./failure.ts";
import { printable } from "./table.ts";

/** The option of every command that reads a change set. */
export const readFlag = {
  kind: "text",
  value: "name or id",
  doc: "Change set to read; default HEAD",
} as const satisfies Flag;

/** The option of every command that changes something in a change set. */
export const writeFlag = {
  kind: "text",
  value: "name or id",
  doc: "Change set to change; default the only open one, else it is asked for",
} as const satisfies Flag;

/** What the path of a request takes for the change set that a person names by name, id or HEAD. */
export async function changeSetIdOf(context: Context, named: string): Promise<string> {
  if (named.toUpperCase() === "HEAD") return "HEAD";
  if (looksLikeUlid(named)) return named.toUpperCase();
  const { changeSets } = await listChangeSets(context);
  const found = changeSets.find(({ name }) => name === named);
  if (found !== undefined) return found.id;
  const near = nearMiss(
    named,
    changeSets.map(({ name }) => name),
  );
  throw new Problem(`no such change set: "${named}"`, {
    code: "change_set_not_found",
    hint: near === undefined ? "svc change-set list" : `did you mean "${near}"?`,
  });
}

/** The change set to read: the named one, else the head. */
export const changeSetToRead = (context: Context, named: string | undefined): Promise<string> =>
  changeSetIdOf(context, named ?? "HEAD");

/** The change set to change: the named one, else the only open one; asks a person, else throws `usage`. */
export async function changeSetToChange(context: Context, named: string | undefined): Promise<string> {
  if (named !== undefined) return changeSetIdOf(context, named);
  const open = (await listChangeSets(context)).changeSets.filter(({ isHead }) => !isHead);
  const [only] = open;
  if (only === undefined)
    throw new Problem("there is no open change set to change", {
      code: "change_set_not_found",
      hint: "svc change-set create NAME",
    });
  if (open.length > 1) return ask(context, open);
  context.output.note(`change set: ${printable(only.name)}`);
  return only.id;
}

async function ask({ output, prompt }: Context, open: readonly ChangeSetView[]): Promise<string> {
  const names = open.map(({ name }) => printable(name));
  if (output.json || !prompt.interactive)
    throw usageProblem(
      `which change set? There are ${open.length} open ones: ${names.join(", ")}`,
      `add --change-set '${names[0]}'`,
    );
  output.ask(
    `${names.map((name, index) => `  ${index + 1}  ${name}`).join("\n")}\nchange set [1-${open.length}] `,
  );
  const answer = (await prompt.line())?.trim();
  if (answer === undefined || answer === "") throw new Problem("cancelled", { code: "cancelled" });
  const chosen = open.find(({ name }, index) => name === answer || String(index + 1) === answer);
  if (chosen === undefined)
    throw usageProblem(`expected a number from 1 to ${open.length} or a name, got "${answer}"`);
  return chosen.id;
}

async function listChangeSets(context: Context) {
  const api = await context.api();
  return api.changeSets.list({ workspaceId: await context.workspaceId() });
}
