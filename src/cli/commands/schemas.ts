import { maximumLimit } from "../../contract/page.ts";
import type { SchemaResponse } from "../../contract/schemas.ts";
import { readFlag, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { usageProblem } from "../failure.ts";
import { defaultVariant, findSchema, kindText, propLines } from "../schema-lookup.ts";
import { type Column, printable } from "../table.ts";
import { changePlace, readPlace } from "./component-target.ts";
import { readCode } from "./jobs.ts";

const columns: readonly Column<SchemaResponse>[] = [
  { title: "ID", text: ({ schemaId }) => schemaId },
  { title: "NAME", text: ({ schemaName }) => schemaName },
  { title: "CATEGORY", text: ({ category }) => category ?? "" },
  { title: "INSTALLED", text: ({ installed }) => (installed ? "yes" : "no") },
];

const schema = { doc: "Name or id of the schema" } as const;
const fileFlag = {
  kind: "text",
  value: "file",
  doc: "TypeScript that defines it; - is standard input",
} as const;
const described = {
  category: { kind: "text", value: "name", doc: "Its category" },
  color: { kind: "text", value: "#rrggbb", doc: "Its colour" },
  description: { kind: "text", value: "text", doc: "What people should know of it" },
  link: { kind: "text", value: "url", doc: "Where more is written about it" },
} as const;

/** `svc schema …`. */
export const schemaCommands: readonly AnyCommand[] = [
  command({
    path: "schema list",
    aliases: ["ls"],
    summary: "List schemas: those that are installed, and those of the catalogue",
    needs: "key",
    options: {
      "change-set": readFlag,
      category: { kind: "text", value: "name", doc: "Only those of this category" },
      installed: { kind: "switch", doc: "Only those that are installed" },
    },
    examples: [{ line: "schema list --installed", does: "those of the head" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const { schemas } = await context.api();
      const found: SchemaResponse[] = [];
      if (args.category !== undefined) {
        const page = await schemas.search({ ...place, body: { category: args.category } });
        found.push(...page.schemas);
      } else {
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const query = { limit: maximumLimit, ...(cursor === undefined ? {} : { cursor }) };
          const page: Awaited<ReturnType<typeof schemas.list>> = await schemas.list({ ...place, query });
          found.push(...page.schemas);
          cursor = page.nextCursor;
        }
      }
      const shown = found.filter(({ installed }) => installed || !args.installed);
      context.output.table({ schemas: shown }, columns, shown, "no schemas");
    },
  }),
  command({
    path: "schema get",
    aliases: ["show"],
    summary: "Show the default variant of a schema: its properties and functions",
    needs: "key",
    positionals: { schema },
    options: { "change-set": readFlag },
    examples: [{ line: "schema get Server", does: "what a Server has" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const found = await findSchema(context, place, args.schema);
      const variant = await defaultVariant(context, place, found.schemaId);
      const { functions } = await context.api();
      const named = await Promise.all(
        variant.variantFuncs.map(async (one) => {
          const { name } = await functions.get({ ...place, funcId: one.id });
          return `  ${name}  ${kindText(one)}${one.isOverlay ? ", overlay" : ""}  ${one.id}`;
        }),
      );
      const lines = [
        `${found.schemaName}  ${variant.category}`,
        `schema   ${found.schemaId}${found.installed ? "" : " (not installed)"}`,
        `variant  ${variant.variantId}${variant.isLocked ? " (locked)" : ""}`,
        ...(variant.description == null ? [] : [variant.description]),
        ...(variant.domainProps == null ? [] : ["properties", ...propLines(variant.domainProps)]),
        ...(named.length === 0 ? [] : ["functions", ...named]),
      ];
      context.output.result({ schema: found, variant }, lines.map(printable));
    },
  }),
  command({
    path: "schema create",
    summary: "Create a schema from code",
    needs: "key",
    positionals: { name: { doc: "Name of the schema" } },
    options: { "change-set": writeFlag, file: fileFlag, ...described },
    examples: [{ line: "schema create Bucket --file bucket.ts --category Storage", does: "prints its id" }],
    run: async (args, context) => {
      if (args.file === undefined) throw usageProblem("schema create: --file is missing", "add --file FILE");
      const code = await readCode("--file", args.file);
      const place = await changePlace(context, args["change-set"]);
      const { category, color, description, link } = args;
      const body = {
        name: args.name,
        code,
        category: category ?? null,
        color: color ?? null,
        description: description ?? null,
        link: link ?? null,
      };
      const answer = await (await context.api()).schemas.create({ ...place, body });
      context.output.note(`created schema ${printable(answer.name)}`);
      context.output.result(answer, [answer.schemaId]);
    },
  }),
  command({
    path: "schema update",
    summary: "Change a schema's working copy and make it anew; it is unlocked where it is not",
    details:
      "What is not given stays. Components that use the working copy move with it and keep their values.",
    needs: "key",
    positionals: { schema },
    options: {
      "change-set": writeFlag,
      file: fileFlag,
      name: { kind: "text", value: "name", doc: "The name that is shown for it" },
      ...described,
    },
    examples: [{ line: "schema update Bucket --file bucket.ts", does: "prints the variant's id" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { schemaId, schemaName } = await findSchema(context, place, args.schema);
      const { schemas, functions } = await context.api();
      const { unlockedVariant: before } = await schemas.unlock({ ...place, schemaId });
      const code =
        args.file === undefined
          ? (await functions.get({ ...place, funcId: before.assetFuncId })).code
          : await readCode("--file", args.file);
      const body = {
        name: args.name ?? before.displayName,
        category: args.category ?? before.category,
        code,
        color: args.color ?? before.color,
        description: args.description ?? before.description ?? null,
        link: args.link ?? before.link ?? null,
      };
      const schemaVariantId = before.variantId;
      const answer = await schemas.variantUpdate({ ...place, schemaId, schemaVariantId, body });
      context.output.note(`changed schema ${printable(schemaName)}`);
      context.output.result(answer, [answer.variantId]);
    },
  }),
  command({
    path: "schema unlock",
    summary: "Make a working copy of a schema's default variant",
    needs: "key",
    positionals: { schema },
    options: { "change-set": writeFlag },
    examples: [{ line: "schema unlock Server --change-set edit", does: "prints the variant's id" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { schemaId, schemaName } = await findSchema(context, place, args.schema);
      const answer = await (await context.api()).schemas.unlock({ ...place, schemaId });
      context.output.note(`unlocked schema ${printable(schemaName)}`);
      context.output.result(answer, [answer.unlockedVariantId]);
    },
  }),
  command({
    path: "schema install",
    summary: "Install a schema of the catalogue",
    needs: "key",
    positionals: { schema },
    options: { "change-set": writeFlag },
    examples: [{ line: "schema install 'Virtual Network'", does: "with its functions, all locked" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { schemaId } = await findSchema(context, place, args.schema);
      const answer = await (await context.api()).packages.install({ ...place, schemaId });
      context.output.note(`installed schema ${printable(answer.name)}`);
      context.output.result(answer, [answer.schemaId]);
    },
  }),
  command({
    path: "schema import",
    summary: "Install a schema from a package file; one of its name gets a new variant",
    needs: "key",
    positionals: { file: { doc: "Package spec as JSON; - is standard input" } },
    options: { "change-set": writeFlag },
    examples: [{ line: "schema import bucket.json --change-set edit", does: "prints its id" }],
    run: async (args, context) => {
      const body = await readCode("file", args.file);
      const place = await changePlace(context, args["change-set"]);
      const answer = await (await context.api()).packages.installFromFile({ ...place, body });
      context.output.note(`installed schema ${printable(answer.schemaName)}`);
      context.output.result(answer, [answer.schemaId]);
    },
  }),
  command({
    path: "schema contribute",
    summary: "Offer a schema to every workspace of the server",
    needs: "key",
    positionals: { schema },
    options: { "change-set": writeFlag },
    examples: [{ line: "schema contribute Bucket --change-set edit", does: "its locked default variant" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { schemaId, schemaName } = await findSchema(context, place, args.schema);
      await (await context.api()).packages.contribute({ ...place, schemaId });
      context.output.note(`contributed schema ${printable(schemaName)}`);
      context.output.result({ schemaId }, []);
    },
  }),
];
