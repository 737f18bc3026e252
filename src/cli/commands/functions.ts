import { actionKinds } from "../../contract/actions.ts";
import type { AttributeArgumentBinding } from "../../contract/bindings.ts";
import type { GetSchemaVariantResponse } from "../../contract/schemas.ts";
import { Problem } from "../../lib/problem.ts";
import { readFlag, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { usageProblem } from "../failure.ts";
import { findSchema, propIds } from "../schema-lookup.ts";
import { printable } from "../table.ts";
import { changePlace, readPlace } from "./component-target.ts";
import { readCode } from "./jobs.ts";

const kinds = ["action", "attribute", "authentication", "codegen", "management", "qualification"] as const;
const func = { doc: "Id of the function" } as const;
const schema = { doc: "Name or id of the schema" } as const;
const fileFlag = {
  kind: "text",
  value: "file",
  doc: "TypeScript with a function main; - is standard input",
} as const;
const described = {
  "display-name": { kind: "text", value: "name", doc: "The name that people are shown" },
  description: { kind: "text", value: "text", doc: "What people should know of it" },
} as const;

/** `svc function …`. */
export const functionCommands: readonly AnyCommand[] = [
  command({
    path: "function get",
    aliases: ["show"],
    summary: "Show a function with its code",
    needs: "key",
    positionals: { function: func },
    options: {
      "change-set": readFlag,
      code: { kind: "switch", doc: "Print nothing but the code, for a file" },
    },
    examples: [{ line: "function get 01J0000000000000000000000F --code > check.ts", does: "to edit it" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const answer = await (await context.api()).functions.get({ ...place, funcId: args.function });
      if (args.code && !context.output.json) return context.output.raw(answer.code);
      const lines = [
        `${answer.name}  ${answer.kind}${answer.isLocked ? ", locked" : ""}`,
        ...(answer.displayName == null ? [] : [answer.displayName]),
        ...(answer.description == null ? [] : [answer.description]),
        ...answer.code.split("\n").map((line) => `  ${line}`),
      ];
      context.output.result(answer, lines.map(printable));
    },
  }),
  command({
    path: "function update",
    summary: "Change the code of a function; what is not given stays",
    needs: "key",
    positionals: { function: func },
    options: { "change-set": writeFlag, file: fileFlag, ...described },
    examples: [{ line: "function update 01J0000000000000000000000F --file check.ts", does: "runs it anew" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { functions } = await context.api();
      const at = { ...place, funcId: args.function };
      const before = await functions.get(at);
      const code = args.file === undefined ? before.code : await readCode("--file", args.file);
      const body = {
        code,
        displayName: args["display-name"] ?? before.displayName ?? null,
        description: args.description ?? before.description ?? null,
      };
      const answer = await functions.update({ ...at, body });
      context.output.note(`changed function ${printable(before.name)}`);
      context.output.result(answer, []);
    },
  }),
  command({
    path: "function unlock",
    summary: "Get a function that may be changed, for the working copy of a schema",
    needs: "key",
    positionals: { schema, function: func },
    options: { "change-set": writeFlag },
    examples: [{ line: "function unlock Bucket 01J0000000000000000000000F", does: "prints its id" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { schemaId } = await findSchema(context, place, args.schema);
      const { schemas, functions } = await context.api();
      const { unlockedVariantId: schemaVariantId } = await schemas.unlock({ ...place, schemaId });
      const body = { schemaVariantId };
      const answer = await functions.unlock({ ...place, funcId: args.function, body });
      context.output.note("unlocked the function");
      context.output.result(answer, [answer.unlockedFuncId]);
    },
  }),
  command({
    path: "function add",
    summary: "Give a schema a function",
    details:
      "It goes to the schema's working copy, which is made where there is none; of a schema that was installed from the catalogue to all of its variants, unless --working-copy says otherwise.",
    needs: "key",
    positionals: { schema, name: { doc: "Name of the function" } },
    options: {
      "change-set": writeFlag,
      kind: { kind: "text", value: "kind", doc: "What it is for", choices: kinds },
      file: fileFlag,
      "action-kind": {
        kind: "text",
        value: "kind",
        doc: `Actions: what it does, one of ${actionKinds.join(", ")}; default Manual`,
      },
      output: { kind: "text", value: "path", doc: "Attributes: the property that it computes" },
      argument: { kind: "list", value: "name=path", doc: "Attributes: an argument, and where it comes from" },
      "working-copy": { kind: "switch", doc: "Give it to the working copy alone" },
      ...described,
    },
    examples: [
      { line: "function add Bucket checkName --kind qualification --file check.ts", does: "prints its id" },
      {
        line: "function add Bucket url --kind attribute --file url.ts --output /domain/Url --argument name=/domain/Name",
        does: "computes a property",
      },
    ],
    run: async (args, context) => {
      const { kind, file } = args;
      if (kind === undefined)
        throw usageProblem("function add: --kind is missing", `one of ${kinds.join(", ")}`);
      if (file === undefined) throw usageProblem("function add: --file is missing", "add --file FILE");
      const code = await readCode("--file", file);
      const place = await changePlace(context, args["change-set"]);
      const { schemaId } = await findSchema(context, place, args.schema);
      const { schemas, bindings } = await context.api();
      const before = await schemas.variantDefault({ ...place, schemaId });
      const isOverlay = before.installedFromUpstream && !args["working-copy"] && kind !== "authentication";
      const variant = isOverlay ? before : (await schemas.unlock({ ...place, schemaId })).unlockedVariant;
      const at = { ...place, schemaId, schemaVariantId: variant.variantId };
      const body = {
        name: args.name,
        code,
        displayName: args["display-name"] ?? null,
        description: args.description ?? null,
        skipOverlay: !isOverlay,
      };
      const answer = await (() => {
        switch (kind) {
          case "action":
            return bindings.createAction({ ...at, body: { ...body, kind: args["action-kind"] ?? "Manual" } });
          case "attribute":
            return bindings.createAttribute({ ...at, body: { ...body, ...attributeOf(variant, args) } });
          case "authentication":
            return bindings.createAuthentication({ ...at, body });
          case "codegen":
            return bindings.createCodegen({ ...at, body });
          case "management":
            return bindings.createManagement({ ...at, body });
          case "qualification":
            return bindings.createQualification({ ...at, body });
        }
      })();
      context.output.note(`added function ${printable(args.name)}`);
      context.output.result(answer, [answer.funcId]);
    },
  }),
  command({
    path: "function remove",
    aliases: ["rm"],
    summary: "Take a function from a schema's working copy, or from all of its variants",
    needs: "key",
    positionals: { schema, function: func },
    options: {
      "change-set": writeFlag,
      kind: { kind: "text", value: "kind", doc: "What it is for", choices: kinds },
    },
    examples: [
      {
        line: "function remove Bucket 01J0000000000000000000000F --kind qualification",
        does: "the function stays",
      },
    ],
    run: async (args, context) => {
      const { kind } = args;
      if (kind === undefined)
        throw usageProblem("function remove: --kind is missing", `one of ${kinds.join(", ")}`);
      const place = await changePlace(context, args["change-set"]);
      const { schemaId } = await findSchema(context, place, args.schema);
      const { schemas, bindings } = await context.api();
      const before = await schemas.variantDefault({ ...place, schemaId });
      const isOverlay = before.variantFuncs.some((one) => one.id === args.function && one.isOverlay);
      const schemaVariantId = isOverlay
        ? before.variantId
        : (await schemas.unlock({ ...place, schemaId })).unlockedVariantId;
      const at = { ...place, schemaId, schemaVariantId, funcId: args.function };
      const answer = await {
        action: bindings.deleteAction,
        attribute: bindings.deleteAttribute,
        authentication: bindings.deleteAuthentication,
        codegen: bindings.deleteCodegen,
        management: bindings.deleteManagement,
        qualification: bindings.deleteQualification,
      }[kind](at);
      context.output.note("removed the function");
      context.output.result(answer, []);
    },
  }),
];

/** Where an attribute function's result goes, and where its arguments come from, as the request says it. */
function attributeOf(
  { domainProps }: GetSchemaVariantResponse,
  { output, argument }: { readonly output: string | undefined; readonly argument: readonly string[] },
): { readonly propId: string; readonly argumentBindings: AttributeArgumentBinding[] } {
  const ids = domainProps == null ? new Map<string, string>() : propIds(domainProps);
  const idOf = (pointer: string): string => {
    const id = ids.get(pointer);
    if (id !== undefined) return id;
    throw new Problem(`the schema has no property ${pointer}`, {
      code: "property_not_found",
      hint: "svc schema get SCHEMA",
    });
  };
  if (output === undefined) throw usageProblem("function add: --output is missing", "such as /domain/Url");
  return {
    propId: idOf(output),
    argumentBindings: argument.map((given) => {
      const at = given.indexOf("=");
      if (at < 1) throw usageProblem(`--argument: expected NAME=PATH, got "${given}"`);
      return { name: given.slice(0, at), kind: "Any", propId: idOf(given.slice(at + 1)) };
    }),
  };
}
