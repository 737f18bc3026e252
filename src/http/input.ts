import type { TSchema } from "typebox";
import { explain } from "../contract/check.ts";
import { type Endpoint, pathParameters } from "../contract/endpoint.ts";
import { ApiError, type ErrorName } from "../contract/errors.ts";

/** What malformed input to this row is answered with. */
export const invalidOf = (endpoint: Endpoint): ErrorName => endpoint.invalid ?? "invalidRequest";

/** Reads path parameters, query and body of a request as its row's handler takes them. Throws the row's refusal. */
export type ReadInput = (request: {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}) => Readonly<Record<string, unknown>>;

/** Makes the reader of a row's requests. */
export function inputReader(endpoint: Endpoint): ReadInput {
  const { query: querySchema, body: bodySchema } = endpoint;
  const names = pathParameters(endpoint.path);
  const coerce = querySchema === undefined ? undefined : coercion(querySchema);
  return (request) => {
    const input: Record<string, unknown> = {};
    const params = asRecord(request.params);
    for (const name of names) input[name] = params[name];
    if (querySchema !== undefined && coerce !== undefined) {
      const query = coerce(asRecord(request.query));
      refuse(endpoint, querySchema, query, "query");
      input["query"] = query;
    }
    if (bodySchema !== undefined) {
      const body = request.body === undefined && endpoint.bodyOptional === true ? {} : request.body;
      refuse(endpoint, bodySchema, body, endpoint.multipart?.field ?? "body");
      input["body"] = body;
    }
    return input;
  };
}

function refuse(endpoint: Endpoint, schema: TSchema, value: unknown, at: string): void {
  const problem = explain(schema, value, at);
  if (problem !== undefined) throw new ApiError(invalidOf(endpoint), problem);
}

// What the router and the parser of queries give; each member is judged where it is used.
const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Query texts as the kinds that the schema declares; what does not read as its kind stays text and is refused later. */
function coercion(
  schema: TSchema,
): (query: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> {
  const properties: Readonly<Record<string, { readonly type?: string }>> =
    "properties" in schema ? (schema.properties as Readonly<Record<string, { readonly type?: string }>>) : {};
  const kinds = Object.entries(properties).map(([name, { type }]) => [name, type] as const);
  return (query) => {
    const out: Record<string, unknown> = {};
    for (const [name, kind] of kinds) {
      const given = query[name];
      // Of a repeated parameter the last one wins, as of a duplicate JSON key.
      const text = Array.isArray(given) ? given.at(-1) : given;
      if (text !== undefined) out[name] = convert(kind, text);
    }
    return out;
  };
}

function convert(type: string | undefined, text: unknown): unknown {
  if (typeof text !== "string") return text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "integer" || type === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}
