import type { ActionResultState, FunctionRunState } from "../../src/contract/function-runs.ts";
import type { FunctionKind } from "../../src/contract/functions.ts";
import type { FunctionDefinition } from "./functions.ts";
import { isObject, type Json } from "./json.ts";

/** What a run remembers of the function, the component and the action it was for, as they were when it began. */
export interface RunAbout {
  readonly functionName: string;
  readonly functionDisplayName: string | null;
  readonly functionDescription: string | null;
  readonly functionLink: string | null;
  readonly backendResponseType: string;
  readonly componentName: string | null;
  readonly schemaName: string | null;
  readonly attributeValueId: string | null;
  readonly actionKind: string | null;
  readonly actionDisplayName: string | null;
  readonly actionOriginatingChangeSetId: string | null;
  readonly actionOriginatingChangeSetName: string | null;
}

/** The states that nothing leaves. */
export const endStates = ["Success", "Failure", "Killed"] as const satisfies readonly FunctionRunState[];

/** Whether a run has ended. */
export const isRunEnded = (state: FunctionRunState): boolean => endStates.some((end) => end === state);

const backends: Readonly<Record<FunctionKind, readonly [kind: string, responseType: string]>> = {
  Action: ["JsAction", "Action"],
  Attribute: ["JsAttribute", "Unset"],
  Authentication: ["JsAuthentication", "Void"],
  CodeGeneration: ["JsAttribute", "CodeGeneration"],
  Debug: ["Debug", "Debug"],
  // The only one that leaves runs judges values by their formats.
  Intrinsic: ["JsValidation", "Validation"],
  Management: ["Management", "Management"],
  Qualification: ["JsAttribute", "Qualification"],
  SchemaVariantDefinition: ["JsSchemaVariantDefinition", "SchemaVariantDefinition"],
  Unknown: ["Unset", "Unset"],
};

/** What carries out functions of a kind, as the API names it. */
export const backendKindOf = (kind: FunctionKind): string => backends[kind][0];

/** What a function is declared to return, as the API names it; only attribute functions declare it themselves. */
export const backendResponseTypeOf = ({ kind, responseType }: FunctionDefinition): string =>
  kind === "Attribute" ? (responseType ?? backends[kind][1]) : backends[kind][1];

/** What is known of what a function did before it ends: of an action nothing, of other kinds nothing is ever said. */
export const firstActionResult = (kind: FunctionKind): ActionResultState | null =>
  kind === "Action" ? "Unknown" : null;

/** The arguments as the API shows them, from what the function is called with. */
export function shownArguments(kind: FunctionKind, input: Json): Json {
  if (kind === "SchemaVariantDefinition") return null;
  if (kind !== "Management" || !isObject(input)) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [snakeCase(name), value]));
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** JSON text that fits a row: a longer one becomes a text of its beginning that says how much is missing. */
export function cutJson(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const kept = text.slice(0, maximum).toWellFormed();
  return JSON.stringify(`${kept} … (cut: ${text.length - maximum} of ${text.length} characters are missing)`);
}
