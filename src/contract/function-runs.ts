import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { PageQuery } from "./page.ts";
import { AnyJson, named, nullable, optionalNull, Success } from "./shapes.ts";

/** Where one run of a function stands. */
export const functionRunStates = [
  "Created",
  "Running",
  "PostProcessing",
  "Success",
  "Failure",
  "Killed",
] as const;
export type FunctionRunState = (typeof functionRunStates)[number];

/** What an action, a management or a debug function did, as far as it is known. */
export const actionResults = ["Success", "Failure", "Unknown"] as const;
export type ActionResultState = (typeof actionResults)[number];

/** How a run ended where what its action or job did counts as well. */
export const functionResults = ["Success", "Failure"] as const;
export type FunctionResult = (typeof functionResults)[number];

export const OutputLineView = named("OutputLineViewV1", {
  stream: Type.String({ description: "stdout, stderr, or output: what the function returned" }),
  level: Type.String({ description: "info or error" }),
  group: optionalNull(Type.String()),
  message: Type.String(),
  executionId: Type.String({ description: "Empty for what the function itself wrote" }),
  timestamp: Type.Integer({ description: "Unix seconds" }),
});

export const FuncRunLogView = named("FuncRunLogViewV1", {
  id: Id,
  funcRunId: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  finalized: Type.Boolean({ description: "Whether no line will follow" }),
  logs: Type.Array(OutputLineView),
});

const text = () => optionalNull(Type.String());

/** What a list and a single run show alike. */
const common = {
  id: Id,
  state: Type.String({ description: functionRunStates.join(", ") }),
  functionName: Type.String(),
  functionDisplayName: text(),
  functionKind: Type.String(),
  componentId: optionalNull(Id),
  componentName: text(),
  schemaName: text(),
  actionId: optionalNull(Id),
  actionPrototypeId: optionalNull(Id),
  actionKind: text(),
  actionResultState: optionalNull(Type.String({ description: actionResults.join(", ") })),
  failure: optionalNull(Type.String({ description: "An addition: why it failed, in a sentence" })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const FuncRunView = named("FuncRunViewV1", {
  ...common,
  functionDescription: text(),
  functionLink: text(),
  functionCodeBase64: Type.String({ description: "Standard alphabet, no padding" }),
  functionArgs: AnyJson,
  backendKind: Type.String(),
  backendResponseType: Type.String(),
  attributeValueId: text(),
  actionDisplayName: text(),
  actionOriginatingChangeSetId: text(),
  actionOriginatingChangeSetName: text(),
  resultValue: Type.Optional(AnyJson),
  logs: optionalNull(FuncRunLogView),
});
export type FuncRunView = Static<typeof FuncRunView>;

/** A run in a list: without code, arguments, result and log. */
export const FuncRunSummary = named("FuncRunSummary", { ...common, functionId: Id });
export type FuncRunSummary = Static<typeof FuncRunSummary>;

const base = "/v1/w/:workspaceId/change-sets/:changeSetId/funcs/runs";
const missing = ["workspaceNotFound", "changeSetNotFound"] as const;

export const functionRuns = group({
  list: {
    method: "GET",
    path: base,
    summary: "Runs of functions in a change set, the newest first",
    description:
      "The head's list has those of applied change sets too; each of these still lists its own under its id.",
    access: "workspace",
    addition: true,
    revision: "layer",
    query: Type.Object({
      ...PageQuery,
      componentId: Type.Optional(Type.String({ description: "Only those for this component" })),
      state: Type.Optional(
        Type.String({
          description: `${functionRunStates.join(", ")}, in any letter case: how the function itself ended`,
        }),
      ),
      result: Type.Optional(
        Type.String({
          description: `${functionResults.join(" or ")}, in any letter case: Failure are the runs that failed and those whose action or job did, though its function ended well`,
        }),
      ),
    }),
    response: Type.Object({ funcRuns: Type.Array(FuncRunSummary), nextCursor: nullable(Id) }),
    errors: missing,
  },
  get: {
    method: "GET",
    path: `${base}/:funcRunId`,
    summary: "One run of a function, with the lines of its log so far",
    description:
      "Of any change set of the workspace. Its tag moves with every line, so that it can be followed.",
    access: "workspace",
    revision: "run",
    response: Type.Object({ funcRun: FuncRunView }),
    errors: [...missing, "functionRunNotFound"],
  },
  cancel: {
    method: "POST",
    path: `${base}/:funcRunId/cancel`,
    summary: "End a run as Killed; whoever runs it hears of it at once",
    access: "workspace",
    addition: true,
    response: Success,
    errors: [...missing, "functionRunNotFound", "alreadyEnded"],
  },
});
