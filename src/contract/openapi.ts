import type { TObject, TSchema } from "typebox";
import { type Contract, type Endpoint, pathParameters, rowsOf } from "./endpoint.ts";
import { type ErrorName, errorRow } from "./errors.ts";
import { ApiErrorBody, BuildingResponse, ErrorResponseBody, KeyErrorBody } from "./shapes.ts";

type Json = { [key: string]: unknown };

/** Renders a contract as an OpenAPI 3.1 document: same contract, same bytes. Schemas with a `$id` become components. */
export function openApiDocument(contract: Contract, version: string): Json {
  const schemas: Json = {};
  const paths: { [path: string]: Json } = {};
  for (const { operation, endpoint } of rowsOf(contract)) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    const methods = paths[path] ?? {};
    methods[endpoint.method.toLowerCase()] = describeOperation(operation, endpoint, schemas);
    paths[path] = methods;
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "svc",
      version,
      description:
        "Infrastructure modelled as components in change sets, and the key-authentication service. " +
        "Operations marked as an addition are not part of the published specification.",
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A personal key or a session token" },
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "x-api-key",
          description: "`Authorization` wins over it",
        },
        session: { type: "apiKey", in: "cookie", name: "svc.session_token" },
      },
    },
  };
}

function describeOperation(operation: string, endpoint: Endpoint, schemas: Json): Json {
  const [tag = ""] = operation.split(".");
  const notes = [
    endpoint.description,
    endpoint.addition === true ? "An addition to the specification." : undefined,
  ];
  const description = notes.filter((note) => note !== undefined).join("\n\n");
  return {
    operationId: operation,
    tags: [tag],
    summary: endpoint.summary,
    ...(description === "" ? {} : { description }),
    ...(endpoint.addition === true ? { "x-addition": true } : {}),
    security: securityOf(endpoint),
    parameters: [
      ...pathParameters(endpoint.path).map((name) => ({
        name,
        in: "path",
        required: true,
        schema: { type: "string" },
      })),
      ...queryParameters(endpoint.query, schemas),
      ...conditionParameters(endpoint),
    ],
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: endpoint.bodyOptional !== true,
            content: bodyContent(endpoint, endpoint.body, schemas),
          },
        }),
    responses: responsesOf(endpoint, schemas),
  };
}

function securityOf(endpoint: Endpoint): Json[] {
  const key = [{ bearer: [] }, { apiKey: [] }];
  const cookie = endpoint.path.startsWith("/api/") ? [{ session: [] }] : [];
  switch (endpoint.access) {
    case "none":
      return [];
    case "optional":
      return [{}, ...key, ...cookie];
    case "session":
      return [{ bearer: [] }, ...cookie];
    case "any":
    case "sessionOrKey":
    case "user":
    case "workspace":
      return [...key, ...cookie];
  }
}

function queryParameters(query: TObject | undefined, schemas: Json): Json[] {
  if (query === undefined) return [];
  const required: readonly string[] = query.required ?? []; // absent where nothing is required
  return Object.entries(query.properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: hoist(schema, schemas),
  }));
}

const conditionParameters = (endpoint: Endpoint): Json[] =>
  endpoint.revision === undefined
    ? []
    : [
        { name: "If-None-Match", in: "header", required: false, schema: { type: "string" } },
        ...(endpoint.revision === "answer"
          ? []
          : [
              {
                name: "Prefer",
                in: "header",
                required: false,
                description: "`wait=N` holds an unchanged answer up to N seconds, at most 60",
                schema: { type: "string" },
              },
            ]),
      ];

/** Errors that every row may answer with, given who may call it. */
function impliedErrors(endpoint: Endpoint): ErrorName[] {
  const invalid: ErrorName[] =
    endpoint.body === undefined && endpoint.query === undefined ? [] : [endpoint.invalid ?? "invalidRequest"];
  const open = endpoint.access === "none" || endpoint.access === "optional";
  const workspace: ErrorName[] = endpoint.access === "workspace" ? ["forbidden"] : [];
  const ofUsers = endpoint.access === "user" || endpoint.access.startsWith("session");
  const userless: ErrorName[] = ofUsers ? ["userRequired"] : [];
  const closed: ErrorName[] = endpoint.always === true ? [] : ["maintenance"];
  return [
    ...invalid,
    ...(open ? [] : (["unauthenticated"] as const)),
    ...workspace,
    ...userless,
    "internal",
    ...closed,
  ];
}

/** Every error that a row may answer with, implied ones included, each once. */
export const errorsOf = (endpoint: Endpoint): ErrorName[] => [
  ...new Set([...(endpoint.errors ?? []), ...impliedErrors(endpoint)]),
];

function responsesOf(endpoint: Endpoint, schemas: Json): Json {
  const responses: { [status: string]: Json } = {
    [endpoint.status ?? 200]: {
      description: endpoint.summary,
      ...(endpoint.response === undefined ? {} : { content: jsonContent(endpoint.response, schemas) }),
    },
  };
  if (endpoint.building === true) {
    responses["202"] = {
      description: "Still being made: ask again after `Retry-After` seconds",
      headers: { "Retry-After": { schema: { type: "integer" } } },
      content: jsonContent(BuildingResponse, schemas),
    };
  }
  if (endpoint.revision !== undefined) responses["304"] = { description: "Unchanged since the given tag" };
  const byStatus = new Map<number, string[]>();
  for (const name of errorsOf(endpoint)) {
    const { status, code, word, message } = errorRow(name);
    const label = endpoint.path.startsWith("/api/") ? word : String(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), `\`${label}\`: ${message}`]);
  }
  for (const [status, lines] of [...byStatus].sort(([a], [b]) => a - b)) {
    const bodiless = endpoint.bodiless?.includes(status) === true;
    responses[String(status)] = {
      description: lines.join("\n\n"),
      ...(bodiless ? {} : { content: jsonContent(errorBodyOf(endpoint, status), schemas) }),
    };
  }
  return responses;
}

function errorBodyOf(endpoint: Endpoint, status: number): TSchema {
  if (endpoint.path.startsWith("/api/")) return KeyErrorBody;
  return [401, 403, 503].includes(status) ? ErrorResponseBody : ApiErrorBody;
}

const bodyContent = ({ multipart }: Endpoint, body: TSchema, schemas: Json): Json =>
  multipart === undefined
    ? jsonContent(body, schemas)
    : {
        "multipart/form-data": {
          schema: {
            type: "object",
            required: [multipart.field],
            properties: { [multipart.field]: hoist(body, schemas) },
          },
        },
      };

const jsonContent = (schema: TSchema, schemas: Json): Json => ({
  "application/json": { schema: hoist(schema, schemas) },
});

/** The schema as plain JSON, with named parts moved to the document's components. */
function hoist(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, schemas));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id, $defs, ...rest } = schema as { $id?: string; $defs?: object };
  // A part that contains itself: defined beside its use, and named by every use of it.
  if ($defs !== undefined) for (const part of Object.values($defs)) hoist(part, schemas);
  if ("$ref" in rest) return reference(String(rest["$ref"]));
  const own = Object.fromEntries(
    Object.entries(rest)
      .filter(([key]) => !key.startsWith("~"))
      .map(([key, value]) => [key, hoist(value, schemas)]),
  );
  if ($id === undefined) return own;
  schemas[$id] = own;
  return reference($id);
}

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
