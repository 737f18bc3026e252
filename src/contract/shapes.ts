import Type, { type Static, type TSchema } from "typebox";

/** A value that may be null. */
export const nullable = <const T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A member that may be absent or null. */
export const optionalNull = <const T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

/** An object with a name in the OpenAPI document. */
export const named = <const P extends Record<string, TSchema>>($id: string, properties: P) =>
  Type.Object(properties, { $id });

export const Success = Type.Object({ success: Type.Boolean() });
export const AnyJson = Type.Unknown({ description: "Any JSON value" });

/** What a row with `building` answers, with 202, while what it shows is still being made. */
export const BuildingResponse = named("BuildingResponseV1", {
  status: Type.String({ description: "`building`" }),
  message: Type.String(),
  retryAfterSeconds: Type.Integer({ description: "Also in `Retry-After`" }),
  estimatedCompletionSeconds: Type.Integer(),
});
export type BuildingResponse = Static<typeof BuildingResponse>;

/** ApiError of the modeling API. */
export const ApiErrorBody = named("ApiError", {
  message: Type.String(),
  statusCode: Type.Integer(),
  code: optionalNull(Type.Integer()),
});

/** Errors raised before a handler carry the alternate shape beside ApiError's members. */
export const ErrorResponseBody = named("ErrorResponse", {
  message: Type.String(),
  statusCode: Type.Integer(),
  code: optionalNull(Type.Integer()),
  error: Type.Object({ code: Type.Integer(), message: Type.String(), status_code: Type.Integer() }),
});

/** Errors of the key-authentication API. */
export const KeyErrorBody = named("KeyAuthenticationError", {
  error: Type.String(),
  message: Type.String(),
  code: Type.String(),
});
