import type { TSchema } from "typebox";
import { explain } from "../contract/check.ts";
import { type Endpoint, pathParameters } from "../contract/endpoint.ts";
import { ApiError, type ErrorName } from "../contract/errors.ts";

/** What malformed input to this row is answered with. */
export const invalidOf = (endpoint: Endpoint): ErrorName => endpoint.invalid ?? "invalidRequest";

/** Path parameters, query and body of a request as the row's handler takes them. Throws the row's refusal. */
export function readInput(
  endpoint: Endpoint,
  request: { readonly params: unknown; readonly query: unknown; readonly body: unknown },
): Readonly<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  const params = asRecord(request.params);
  for (const name of pathParameters(endpoint.path)) input[name] = params[name];
  if (endpoint.query !== undefined) {
    const query = coerce(endpoint.query, asRecord(request.query));
    refuse(endpoint, endpoint.query, query, "query");
    input["query"] = query;
  }
  if (endpoint.body !== undefined) {
    refuse(endpoint, endpoint.body, request.body, "body");
    input["body"] = request.body;
  }
  return input;
}

function refuse(endpoint: Endpoint, schema: TSchema, value: unknown, at: string): void {
  const problem = explain(schema, value, at);
  if (problem !== undefined) throw new ApiError(invalidOf(endpoint), problem);
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? { ...value } : {};

/** Query texts as the kinds that the schema declares; what does not read as its kind stays text and is refused later. */
function coerce(schema: TSchema, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties: Readonly<Record<string, { readonly type?: string }>> =
    "properties" in schema ? (schema.properties as Readonly<Record<string, { readonly type?: string }>>) : {};
  const out: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(properties)) {
    const given = query[name];
    // Of a repeated parameter the last one wins, as of a duplicate JSON key.
    const text = Array.isArray(given) ? given.at(-1) : given;
    if (text === undefined) continue;
    out[name] = convert(property.type, text);
  }
  return out;
}

function convert(type: string | undefined, text: unknown): unknown {
  if (typeof text !== "string") return text;
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "integer" || type === "number") return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}
