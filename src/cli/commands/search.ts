import type { ComponentSearchResult } from "../../contract/search.ts";
import { readFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import type { Column } from "../table.ts";
import { readPlace } from "./component-target.ts";

const columns: readonly Column<ComponentSearchResult>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name },
  { title: "SCHEMA", text: ({ schema }) => schema.name },
];

const query = {
  doc: 'Words of name, schema or category, "exact", attribute:value; blank for and, | for or, ! for not, ( )',
  optional: true,
  many: true,
} as const;

/** `svc search` and `svc component search`. */
export const searchCommands: readonly AnyCommand[] = [
  command({
    path: "search",
    summary: "Find components by name, schema, category, id or attributes",
    details:
      "A word is looked for anywhere in name, schema and category, in any letter case; * stands for anything between. attribute:value looks into every attribute whose path ends so, attribute:a|b for either value, attribute: alone for having it. name, schema, category, id, upgradable and diff (true, added, modified) work like attributes. Quote what the shell would take for itself.",
    needs: "key",
    positionals: { query },
    options: { "change-set": readFlag },
    examples: [
      { line: "search web", does: "web in name, schema or category" },
      { line: "search 'schema:Server !Region:eu-west|eu-north'", does: "servers that are elsewhere" },
      { line: "search diff:true --change-set 'bigger disks'", does: "what differs from the head" },
    ],
    run: async (args, context) => {
      const { search } = await context.api();
      const place = await readPlace(context, args["change-set"]);
      const answer = await search.find({ ...place, query: { q: args.query.join(" ") } });
      context.output.table(answer, columns, answer.components, "no components");
    },
  }),
  command({
    path: "component search",
    summary: "Print the ids of the components that fit a query and every filter",
    details: "The query is that of svc search.",
    needs: "key",
    positionals: { query },
    options: {
      "change-set": readFlag,
      schema: { kind: "text", value: "name", doc: "Only components of this schema" },
      category: { kind: "text", value: "name", doc: "Only schemas of exactly this category" },
      upgradable: {
        kind: "text",
        value: "yes or no",
        doc: "Whether their schema has a newer variant",
        choices: ["yes", "no"],
      },
    },
    examples: [{ line: "component search --upgradable yes", does: "ids, one a line" }],
    run: async (args, context) => {
      const { search } = await context.api();
      const place = await readPlace(context, args["change-set"]);
      const body = {
        queryString: args.query.join(" "),
        schemaName: args.schema ?? null,
        schemaCategory: args.category ?? null,
        upgradable: args.upgradable === undefined ? null : args.upgradable === "yes",
      };
      const answer = await search.components({ ...place, body });
      context.output.result(answer, answer.components);
    },
  }),
];
