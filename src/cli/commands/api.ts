import { readFile } from "node:fs/promises";
import { pathParameters, rowsOf } from "../../contract/endpoint.ts";
import { api } from "../../contract/index.ts";
import { createForwarder } from "../../http/client.ts";
import { answerError, stillBuilding } from "../../http/failure.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { nearMiss } from "../../lib/near-miss.ts";
import { splitPair } from "../assignments.ts";
import { changeSetIdOf } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import type { Context } from "../context.ts";
import { notAuthenticated, usageProblem } from "../failure.ts";

const rows = rowsOf(api);
type Row = (typeof rows)[number];

const columns = [
  { title: "OPERATION", text: ({ operation }: Row) => operation },
  { title: "METHOD", text: ({ endpoint }: Row) => endpoint.method },
  { title: "PATH", text: ({ endpoint }: Row) => endpoint.path },
  { title: "SUMMARY", text: ({ endpoint }: Row) => endpoint.summary },
];

/** `svc api`: any row of the contract by its name. */
export const apiCommands: readonly AnyCommand[] = [
  command({
    path: "api",
    summary: "Send any request of the API by its name, or list them",
    details:
      "workspaceId is filled in like in every other command, and changeSetId takes a name as well as an id. The answer is printed as it came.",
    positionals: { operation: { doc: "Name of the request, such as changeSets.list", optional: true } },
    options: {
      param: { kind: "list", value: "name=value", doc: "Parameter of the path" },
      query: { kind: "list", value: "name=value", doc: "Parameter of the query" },
      body: { kind: "text", value: "json", doc: "Body as JSON, @file, or - for standard input" },
    },
    examples: [
      { line: "api", does: "lists every request" },
      { line: "api components.list --param changeSetId=HEAD --query limit=5", does: "sends one" },
      { line: `api changeSets.create --body '{"changeSetName":"x"}'`, does: "sends one with a body" },
    ],
    run: async (args, context) => {
      if (args.operation === undefined)
        return context.output.table(
          rows.map(({ operation, endpoint: { method, path, summary } }) => ({
            operation,
            method,
            path,
            summary,
          })),
          columns,
          rows,
          "",
        );
      const { endpoint } = rowOf(args.operation);
      const { apiKey } = await context.access();
      if (apiKey === undefined && endpoint.access !== "none" && endpoint.access !== "optional")
        throw notAuthenticated();
      const pathInput = await pathValues(context, endpoint.path, args.param);
      const body = await bodyOf(context, args.body);
      if (body !== undefined && endpoint.body === undefined)
        throw usageProblem(`${args.operation} takes no body`, "leave --body out");
      const answer = await createForwarder(await context.clientOptions())(endpoint, {
        ...pathInput,
        query: Object.fromEntries(args.query.map((text) => splitPair(text, "--query"))),
        ...(body === undefined ? {} : { body }),
      });
      if (answer.status >= 300) throw answerError(endpoint, answer);
      // Another shape than a program that reads the output expects.
      if (endpoint.building === true && answer.status === 202) throw stillBuilding(endpoint, answer);
      const document = answer.body ?? null;
      context.output.result(document, document === null ? [] : [JSON.stringify(document, undefined, 2)]);
    },
  }),
];

function rowOf(operation: string): Row {
  const row = rows.find((each) => each.operation === operation);
  if (row !== undefined) return row;
  const near = nearMiss(
    operation,
    rows.map((each) => each.operation),
  );
  throw usageProblem(
    `no such request: "${operation}"`,
    near === undefined ? "svc api" : `did you mean ${near}?`,
  );
}

async function pathValues(
  context: Context,
  path: string,
  given: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const values: Record<string, string> = Object.fromEntries(given.map((text) => splitPair(text, "--param")));
  const names = pathParameters(path);
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw usageProblem(`--param: ${path} has no "${unknown}"; it has ${names.join(", ") || "none"}`);
  const missing = names.filter((name) => values[name] === undefined && name !== "workspaceId");
  if (missing.length > 0)
    throw usageProblem(
      `${path} needs ${missing.join(" and ")}`,
      `add ${missing.map((name) => `--param ${name}=VALUE`).join(" ")}`,
    );
  if (names.includes("workspaceId")) values["workspaceId"] ??= await context.workspaceId();
  const { changeSetId } = values;
  if (changeSetId !== undefined && values["workspaceId"] === (await context.workspaceId()))
    values["changeSetId"] = await changeSetIdOf(context, changeSetId);
  return values;
}

async function bodyOf(context: Context, given: string | undefined): Promise<unknown> {
  if (given === undefined) return undefined;
  const text =
    given === "-"
      ? await context.prompt.rest()
      : given.startsWith("@")
        ? await fileText(given.slice(1))
        : given;
  try {
    return JSON.parse(text);
  } catch {
    // The reader's own message repeats some of the text, which may be secret.
    throw usageProblem("--body: expected JSON, got text that is not");
  }
}

const fileText = (path: string): Promise<string> =>
  readFile(path, "utf8").catch((error: unknown) => {
    throw usageProblem(`--body: could not read "${path}": ${errorMessage(error)}`);
  });
