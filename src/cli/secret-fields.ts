import { readFile } from "node:fs/promises";
import type { SecretDefinitionView } from "../contract/secrets.ts";
import { errorMessage } from "../lib/error-message.ts";
import { Problem } from "../lib/problem.ts";
import type { Context } from "./context.ts";
import { usageProblem } from "./failure.ts";
import { printable } from "./table.ts";

/** Options that say what a secret holds; nothing of it is ever repeated. */
export const fieldFlags = {
  field: { kind: "list", value: "name=@file", doc: "Field and the file with its value" },
  "from-stdin": { kind: "switch", doc: "Read all fields as one JSON object from standard input" },
  "plain-field": {
    kind: "list",
    value: "name=value",
    doc: "Field and its value; other users of this machine may see it here",
  },
} as const;

/** Those options as they were given. */
export interface FieldArguments {
  readonly field: readonly string[];
  readonly "from-stdin": boolean;
  readonly "plain-field": readonly string[];
}

/** Whether any of them was given. */
export const saysFields = (args: FieldArguments): boolean =>
  args.field.length > 0 || args["from-stdin"] || args["plain-field"].length > 0;

/** What a secret is to hold, as the options say; files lose the end of their last line. Throws `usage`. */
export async function fieldsGiven(
  context: Context,
  args: FieldArguments,
): Promise<Readonly<Record<string, string>>> {
  const fields = new Map<string, string>(args["from-stdin"] ? await fromInput(context) : []);
  const add = (name: string, value: string): void => {
    if (fields.has(name)) throw usageProblem(`the field "${name}" is given twice`);
    fields.set(name, value);
  };
  for (const text of args.field) {
    const [name, value] = split(text, "--field", "name=@file");
    if (!value.startsWith("@"))
      throw usageProblem(
        `--field ${name}: expected @ and the path of a file, got something else`,
        `--field ${name}=@FILE, or --plain-field where others may read the value`,
      );
    add(name, await textOf(value.slice(1)));
  }
  for (const text of args["plain-field"]) add(...split(text, "--plain-field", "name=value"));
  return Object.fromEntries(fields);
}

/** Asks a person for each field of a form; what is to be hidden is not echoed, what is left empty is left out. */
export async function fieldsTyped(
  { output, prompt }: Context,
  { formData }: SecretDefinitionView,
): Promise<Readonly<Record<string, string>>> {
  const fields: [string, string][] = [];
  for (const { name, kind } of formData) {
    const ask = (): void => output.ask(`${printable(name)}: `);
    if (kind !== "password") ask();
    const typed = await (kind === "password" ? prompt.secret(ask) : prompt.line());
    if (typed === undefined) throw new Problem("cancelled", { code: "cancelled" });
    if (typed !== "") fields.push([name, typed]);
  }
  return Object.fromEntries(fields);
}

/** Never repeats the text: what follows a forgotten `=` may be the secret. */
function split(text: string, option: string, form: string): readonly [name: string, value: string] {
  const at = text.indexOf("=");
  if (at <= 0) throw usageProblem(`${option}: expected ${form}, got something else`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function fromInput({ prompt }: Context): Promise<[string, string][]> {
  const found = parsed(await prompt.rest());
  const entries = typeof found === "object" && found !== null && !Array.isArray(found) ? found : undefined;
  if (entries === undefined) throw usageProblem("--from-stdin: expected a JSON object of field and value");
  return Object.entries(entries).map(([name, value]): [string, string] => {
    if (typeof value === "string") return [name, value];
    throw usageProblem(`--from-stdin: expected a text for the field "${name}", got something else`);
  });
}

/** Undefined for what is not JSON: the reader's own message would repeat some of it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const textOf = async (path: string): Promise<string> => {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    throw usageProblem(`--field: could not read "${path}": ${errorMessage(error)}`);
  });
  return text.replace(/\r?\n$/, "");
};
