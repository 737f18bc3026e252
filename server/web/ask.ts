import { rowsOf } from "../../src/contract/endpoint.ts";
import { ApiError } from "../../src/contract/errors.ts";
import { api } from "../../src/contract/index.ts";
import { inputReader } from "../../src/http/input.ts";
import type { Context } from "../context.ts";
import { handlers } from "../routes/index.ts";
import type { Ask } from "./page-row.ts";

type Loose = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type LooseHandler = (input: unknown, context: Context) => unknown;

/** Each row of the contract with what reads its input and what performs it. */
const rows = new Map(
  rowsOf(api).map(({ operation, endpoint }) => {
    const [group = "", key = ""] = operation.split(".");
    // Rows and handlers were paired by type in `Handlers`.
    const handler = (handlers as Loose)[group]?.[key] as LooseHandler;
    return [operation, { endpoint, handler, read: inputReader(endpoint) }];
  }),
);

/** Rows of the contract for a page's visitor: the same input checks, rules and refusals as over HTTP. */
export const askFor =
  (context: Context): Ask =>
  async (group, key, input) => {
    const operation = `${String(group)}.${String(key)}`;
    const row = rows.get(operation);
    if (row === undefined) throw new Error(`the contract has no row ${operation}`);
    const { endpoint, handler, read } = row;
    // A page has no path of the API, so nobody has looked up a workspace or a change set for it.
    if (endpoint.access === "workspace") throw new ApiError("forbidden");
    const { query = {}, body, ...params } = input as Readonly<Record<string, unknown>>;
    // The interpreter's boundary: input and output were paired by type in `Ask`.
    return handler(read({ params, query, body }), context) as never;
  };
