import type { FunctionCall } from "./computation.ts";
import {
  attributeResult,
  codegenResult,
  type Judged,
  qualificationResult,
  type ResponseType,
  type Returned,
  reject,
} from "./function-results.ts";
import { describe, type Json } from "./json.ts";
import { taken } from "./values.ts";

/** What came back from a function: what it returned, or why it did not, in a sentence for who wrote it. */
export type Ended =
  | { readonly ok: true; readonly value: Returned }
  | { readonly ok: false; readonly message: string };

/** What came of a call. */
export interface Settled {
  readonly state: "Success" | "Failure";
  /** What is remembered of the run: given back as what it returned, it settles the same. */
  readonly result: Json;
  /** What stands in the component; undefined for nothing. */
  readonly value: Json | undefined;
  /** Why it failed. */
  readonly failure?: string;
}

/**
 * Settles a call. A failed attribute or transformation is unset, a failed codegen is code that says `null`, a failed
 * qualification has not passed.
 */
export function settleCall(call: FunctionCall, ended: Ended): Settled {
  const judged = ended.ok ? judge(call, ended.value) : ended;
  if (!judged.ok) {
    return {
      state: "Failure",
      result: null,
      value: inPlaceOf(call, judged.message),
      failure: judged.message,
    };
  }
  return { state: "Success", result: judged.result, value: judged.result ?? undefined };
}

function judge(call: FunctionCall, value: Returned): Judged<Json> {
  // Both are plain members that JSON can hold.
  if (call.kind === "codegen") return asJson(codegenResult(value));
  if (call.kind === "qualification") return asJson(qualificationResult(value));
  const judged = attributeResult(value, responseTypeOf(call.func.responseType));
  if (!judged.ok || judged.result === null || call.prop === undefined) return judged;
  if (taken(call.prop, judged.result) !== undefined) return judged;
  return reject(
    `Return type must be of kind ${call.prop.kind}, which the property ${JSON.stringify(call.prop.name)} has, found ${describe(judged.result)}.`,
  );
}

const asJson = <Result extends object>(judged: Judged<Result>): Judged<Json> =>
  judged.ok ? { ok: true, result: { ...judged.result } as Json } : judged; // Members are texts, absent ones left out.

const responseTypes: Readonly<Record<string, ResponseType>> = {
  Array: "array",
  Boolean: "boolean",
  Float: "float",
  Integer: "integer",
  Json: "json",
  Map: "map",
  Object: "object",
  String: "string",
};

const responseTypeOf = (declared: string | undefined): ResponseType =>
  (declared === undefined ? undefined : responseTypes[declared]) ?? "unset";

function inPlaceOf({ kind }: FunctionCall, message: string): Json | undefined {
  if (kind === "codegen") return { format: "json", code: "null", message };
  if (kind === "qualification")
    return { result: "failure", message: `Function execution failed: ${message}` };
  return undefined;
}
