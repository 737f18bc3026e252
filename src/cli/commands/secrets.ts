import { looksLikeUlid } from "../../contract/ids.ts";
import type { SecretDefinitionView, SecretsOfDefinition, SecretView } from "../../contract/secrets.ts";
import { nearMiss } from "../../lib/near-miss.ts";
import { Problem } from "../../lib/problem.ts";
import { readFlag, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import type { Place } from "../component-lookup.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import { fieldFlags, fieldsGiven, fieldsTyped, saysFields } from "../secret-fields.ts";
import { type Column, printable } from "../table.ts";
import { changePlace, readPlace } from "./component-target.ts";

const columns: readonly Column<SecretView>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name },
  { title: "DEFINITION", text: ({ definition }) => definition },
  { title: "DESCRIPTION", text: ({ description }) => description ?? "" },
];

const secret = { doc: "Name or id of the secret" } as const;
const description = { kind: "text", value: "text", doc: "What people should know of it" } as const;
const definitionFlag = { kind: "text", value: "name", doc: "Only secrets of this definition" } as const;

/** `svc secret …`. */
export const secretCommands: readonly AnyCommand[] = [
  command({
    path: "secret list",
    aliases: ["ls"],
    summary: "List secrets, never what they hold",
    needs: "key",
    options: { "change-set": readFlag, definition: definitionFlag },
    examples: [{ line: "secret list --json", does: "each definition with its form and its secrets" }],
    run: async (args, context) => {
      const all = await listAll(context, await readPlace(context, args["change-set"]));
      const { definition } = args;
      const chosen = definition === undefined ? all : { [definition]: definitionIn(all, definition) };
      const secrets = Object.values(chosen).flatMap((of) => of.secrets);
      context.output.table(chosen, columns, secrets, "no secrets");
      const unused = Object.entries(chosen).flatMap(([name, of]) => (of.secrets.length === 0 ? [name] : []));
      if (unused.length > 0) context.output.note(`none yet of: ${unused.map(printable).join(", ")}`);
    },
  }),
  command({
    path: "secret create",
    summary: "Store a secret; its values are asked for, or come from files or standard input",
    details:
      "On a terminal each field of the definition is asked for, hidden ones without echo; what is left empty is left out. Components hold it with svc component set --secret.",
    needs: "key",
    positionals: { name: { doc: "Name of the secret" } },
    options: {
      "change-set": writeFlag,
      definition: { kind: "text", value: "name", doc: "Kind of secret, as an installed schema defines it" },
      description,
      ...fieldFlags,
    },
    examples: [
      { line: "secret create production --definition 'Cloud Credential'", does: "asks for each field" },
      {
        line: "secret create ci --definition 'Cloud Credential' --field SecretAccessKey=@key.txt",
        does: "reads a file",
      },
      {
        line: "secret create ci --definition 'Cloud Credential' --from-stdin < fields.json",
        does: "reads an object of texts",
      },
    ],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const all = await listAll(context, place);
      const definitionName = args.definition ?? onlyDefinition(all);
      const { definition } = definitionIn(all, definitionName);
      const rawData = await valuesFor(context, args, definition);
      const body = {
        definitionName,
        name: args.name,
        ...(args.description === undefined ? {} : { description: args.description }),
        rawData,
      };
      const answer = await (await context.api()).secrets.create({ ...place, body });
      context.output.note(`stored secret ${printable(answer.secret.name)}`);
      context.output.result(answer, [answer.secret.id]);
    },
  }),
  command({
    path: "secret update",
    summary: "Rename or describe a secret, or replace everything that it holds",
    details:
      "What it holds stays unless fields are given or --fill asks for them; fields that are not given then are empty. An empty --description takes it away.",
    needs: "key",
    positionals: { secret },
    options: {
      "change-set": writeFlag,
      definition: definitionFlag,
      name: { kind: "text", value: "name", doc: "Its new name" },
      description,
      fill: { kind: "switch", doc: "Ask for the fields" },
      ...fieldFlags,
    },
    examples: [
      { line: "secret update production --fill", does: "asks for each field" },
      { line: "secret update production --name staging", does: "keeps what it holds" },
    ],
    run: async (args, context) => {
      const fills = args.fill || saysFields(args);
      if (!fills && args.name === undefined && args.description === undefined)
        throw usageProblem("secret update: there is nothing to change", "svc secret update --help");
      const place = await changePlace(context, args["change-set"]);
      const all = await listAll(context, place);
      const before = findIn(all, args.secret, args.definition);
      const { definition } = definitionIn(all, before.definition);
      const rawData = fills ? await valuesFor(context, args, definition) : null;
      const told = args.description ?? before.description ?? "";
      const body = {
        id: before.id,
        name: args.name ?? before.name,
        description: told === "" ? null : told,
        rawData,
      };
      const answer = await (await context.api()).secrets.update({ ...place, secretId: before.id, body });
      context.output.note(`changed secret ${printable(answer.secret.name)}`);
      context.output.result(answer, []);
    },
  }),
  command({
    path: "secret delete",
    summary: "Delete a secret that no component uses",
    needs: "key",
    positionals: { secret },
    options: { "change-set": writeFlag, definition: definitionFlag, yes: yesFlag },
    examples: [{ line: "secret delete staging --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { id, name } = findIn(await listAll(context, place), args.secret, args.definition);
      const shown = `secret "${printable(name)}"`;
      const consent = { question: `delete the ${shown}?`, doing: `deleting ${shown}` };
      if (!(await context.confirm(consent, args.yes))) return;
      const answer = await (await context.api()).secrets.delete({ ...place, secretId: id });
      context.output.note(`deleted ${shown}`);
      context.output.result({ ...answer, secretId: id }, []);
    },
  }),
];

type AllSecrets = Readonly<Record<string, SecretsOfDefinition>>;

const listAll = async (context: Context, place: Place): Promise<AllSecrets> =>
  (await context.api()).secrets.list(place);

/** What the options say, else what a person types. */
async function valuesFor(
  context: Context,
  args: Parameters<typeof fieldsGiven>[1],
  definition: SecretDefinitionView,
): Promise<Readonly<Record<string, string>>> {
  if (saysFields(args)) return fieldsGiven(context, args);
  if (!context.output.json && context.prompt.interactive) return fieldsTyped(context, definition);
  const names = definition.formData.map(({ name }) => name).join(", ");
  throw usageProblem(
    `what the secret holds is needed where nobody can be asked: ${printable(names)}`,
    "--from-stdin reads a JSON object, --field NAME=@FILE a file",
  );
}

function definitionIn(all: AllSecrets, name: string): SecretsOfDefinition {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found !== undefined) return found;
  const near = nearMiss(name, Object.keys(all));
  throw new Problem(`no installed schema defines secrets named "${name}"`, {
    code: "definition_not_found",
    hint: near === undefined ? "svc secret list --json" : `did you mean "${near}"?`,
  });
}

function onlyDefinition(all: AllSecrets): string {
  const [first, ...more] = Object.keys(all);
  if (first !== undefined && more.length === 0) return first;
  throw usageProblem(
    first === undefined
      ? "no installed schema defines secrets"
      : `which kind of secret? There are ${more.length + 1}: ${printable(Object.keys(all).join(", "))}`,
    first === undefined ? undefined : `add --definition '${printable(first)}'`,
  );
}

/** The secret that a person names by id or by name; throws a Problem when there is none, or more than one. */
function findIn(all: AllSecrets, named: string, definition: string | undefined): SecretView {
  const pool = definition === undefined ? Object.values(all) : [definitionIn(all, definition)];
  const secrets = pool.flatMap((of) => of.secrets);
  const byId = looksLikeUlid(named) ? secrets.find(({ id }) => id === named.toUpperCase()) : undefined;
  const [first, ...more] = byId === undefined ? secrets.filter(({ name }) => name === named) : [byId];
  if (first === undefined) {
    const near = nearMiss(
      named,
      secrets.map(({ name }) => name),
    );
    throw new Problem(`no such secret: "${named}"`, {
      code: "secret_not_found",
      hint: near === undefined ? "svc secret list" : `did you mean "${near}"?`,
    });
  }
  if (more.length === 0) return first;
  throw usageProblem(
    `${more.length + 1} secrets are named "${named}"`,
    `use the id: ${[first, ...more].map(({ id, definition: of }) => `${id} (${printable(of)})`).join(", ")}`,
  );
}
