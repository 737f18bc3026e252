import { isArray, isObject, type Json, type JsonObject, memberOf } from "./json.ts";

/** What a function returned, as its kind has it; or why it is not that, in a sentence for who wrote it. */
export type Judged<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly message: string };

/** What a function gave back: undefined when it returned nothing. */
export type Returned = Json | undefined;

/** Accepts a result. */
export const accept = <Result>(result: Result): Judged<Result> => ({ ok: true, result });

/** Refuses a result with a sentence. */
export const reject = (message: string): { readonly ok: false; readonly message: string } => ({
  ok: false,
  message,
});

/** What an action did. */
export interface ActionResult {
  readonly status: "ok" | "warning" | "error";
  /** The resource; null when there is none any more. */
  readonly payload: Json;
  readonly resourceId?: string;
  readonly message?: string;
}

/** Reads the result of an action: `{status, payload?, resourceId?, message?}`; null counts as absent. */
export function actionResult(returned: Returned): Judged<ActionResult> {
  if (returned === undefined || returned === null) return reject("Return type must not be null or undefined");
  const status = textOf(returned, "status");
  if (status !== "ok" && status !== "warning" && status !== "error")
    return reject('The status field type must be either "ok", "warning" or "error"');
  const message = presentOf(returned, "message");
  if (status === "ok" && message !== undefined)
    return reject('The message field type must be undefined when status is "ok"');
  if (status !== "ok" && typeof message !== "string")
    return reject('The message field type must be string when status is either "warning" or "error"');
  const resourceId = presentOf(returned, "resourceId");
  if (resourceId !== undefined && typeof resourceId !== "string")
    return reject("The resourceId field type must be a string");
  const payload = presentOf(returned, "payload") ?? null;
  return accept({
    status,
    payload,
    ...(resourceId === undefined ? {} : { resourceId }),
    ...(typeof message === "string" ? { message } : {}),
  });
}

/** What an attribute function may be declared to return; `unset` is anything. */
export type ResponseType =
  | "unset"
  | "array"
  | "boolean"
  | "float"
  | "integer"
  | "json"
  | "map"
  | "object"
  | "string";

const responses: Readonly<
  Record<ResponseType, { readonly fits: (value: Json) => boolean; readonly as: string }>
> = {
  unset: { fits: () => true, as: "" },
  json: { fits: () => true, as: "" },
  array: { fits: (value) => isArray(value), as: "an array" },
  boolean: { fits: (value) => typeof value === "boolean", as: "a boolean" },
  float: { fits: (value) => typeof value === "number", as: "a number" },
  integer: { fits: (value) => Number.isSafeInteger(value), as: "an integer" },
  map: { fits: (value) => isObject(value), as: "an object" },
  object: { fits: (value) => isObject(value), as: "an object" },
  string: { fits: (value) => typeof value === "string", as: "a string" },
};

/**
 * Reads the result of an attribute function or a transformation. Without a declared type anything but nothing is a
 * value; with one, null unsets the property and everything else must fit.
 */
export function attributeResult(returned: Returned, type: ResponseType = "unset"): Judged<Json> {
  if (type === "unset" && (returned === undefined || returned === null))
    return reject("Return type cannot be null or undefined");
  if (returned === undefined || returned === null) return accept(null);
  const { fits, as } = responses[type];
  return fits(returned) ? accept(returned) : reject(`Return type must be ${as}.`);
}

/** Generated code. */
export interface CodegenResult {
  readonly format: string;
  readonly code: string;
}

/** Reads the result of a codegen function: `{format, code}`. */
export function codegenResult(returned: Returned): Judged<CodegenResult> {
  if (!isObject(returned) || !(Object.hasOwn(returned, "format") && Object.hasOwn(returned, "code")))
    return reject("CodeGenerations must return an object with 'format' and 'code' fields");
  const [format, code] = [textOf(returned, "format"), textOf(returned, "code")];
  if (format === undefined) return reject("The format field type must be a string");
  if (code === undefined) return reject("The code field type must be a string");
  return accept({ format, code });
}

/** What a qualification found. */
export interface QualificationResult {
  readonly result: "success" | "warning" | "failure" | "unknown";
  readonly message?: string;
}

/** Reads the result of a qualification: `{result, message?}`, the message required unless it succeeded. */
export function qualificationResult(returned: Returned): Judged<QualificationResult> {
  if (returned === undefined || returned === null) return reject("Return type must not be null or undefined");
  const result = textOf(returned, "result");
  if (result !== "success" && result !== "warning" && result !== "failure" && result !== "unknown")
    return reject('The result field type must be either "success", "warning", "failure" or "unknown"');
  const message = presentOf(returned, "message");
  if (message !== undefined && typeof message !== "string")
    return reject("The message field type must be a string");
  if (result !== "success" && message === undefined)
    return reject('The message field type must be string when result is not "success"');
  return accept({ result, ...(message === undefined ? {} : { message }) });
}

/** Reads the result of a debug function: anything that is something or null. */
export const debugResult = (returned: Returned): Judged<Json> =>
  returned === undefined
    ? reject("No output received from function run: return a value, or null")
    : accept(returned);

/** A member that is there and not null. */
export function presentOf(value: Json, name: string): Json | undefined {
  const member = isObject(value) ? memberOf(value, name) : undefined;
  return member === null ? undefined : member;
}

function textOf(value: Json, name: string): string | undefined {
  const member = presentOf(value, name);
  return typeof member === "string" ? member : undefined;
}

/** Every member of an object with its name, empty when it is absent. */
export const membersOf = (object: JsonObject | undefined): readonly (readonly [string, Json])[] =>
  Object.entries(object ?? {});
