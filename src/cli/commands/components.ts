import { isDeepStrictEqual } from "node:util";
import type { ComponentDetails, ComponentView } from "../../contract/components.ts";
import { maximumLimit } from "../../contract/page.ts";
import { attributesOf, splitPair, withAttributeHint } from "../assignments.ts";
import { readFlag, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { findComponent, type Place, referenceTo } from "../component-lookup.ts";
import type { Context } from "../context.ts";
import { usageProblem } from "../failure.ts";
import { showComponent } from "../show-component.ts";
import type { Column } from "../table.ts";
import { shellWord } from "../up/launcher.ts";
import { componentRelationCommands } from "./component-relations.ts";
import { componentRemovalCommands } from "./component-removals.ts";
import { changePlace, component, readPlace, target } from "./component-target.ts";

const columns: readonly Column<ComponentDetails>[] = [
  { title: "ID", text: ({ componentId }) => componentId },
  { title: "NAME", text: ({ name }) => name },
  { title: "SCHEMA", text: ({ schemaName }) => schemaName },
  { title: "DIFF", text: ({ diffStatus }) => (diffStatus === "None" ? "" : (diffStatus ?? "")) },
  { title: "RESOURCE", text: ({ resourceStatus, resourceId }) => resourceStatus ?? resourceId ?? "" },
];

const found: readonly Column<ComponentView>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name },
];

const assignments = {
  doc: "/domain/path=value; a value that is JSON is read as JSON",
  optional: true,
  many: true,
} as const;
const defaultCount = 100;

const mainCommands: readonly AnyCommand[] = [
  command({
    path: "component list",
    aliases: ["ls"],
    summary: "List components in the order they were made",
    needs: "key",
    options: {
      "change-set": readFlag,
      limit: { kind: "number", value: "count", doc: `How many at most; default ${defaultCount}` },
      all: { kind: "switch", doc: "All of them, however many" },
      cursor: { kind: "text", value: "id", doc: "Go on after this component" },
    },
    examples: [
      { line: "component list --change-set 'bigger disks'", does: "marks what differs from the head" },
      { line: "component list --all --json", does: "every component in one document" },
    ],
    run: async (args, context) => {
      if (args.limit === 0) throw usageProblem("--limit: expected 1 or more, got 0");
      const count = args.all ? Number.POSITIVE_INFINITY : (args.limit ?? defaultCount);
      const answer = await collect(await readPlace(context, args["change-set"]), context, count, args.cursor);
      context.output.table(answer, columns, answer.componentDetails, "no components");
      if (answer.nextCursor !== null) context.output.note("there are more: --all, or --limit COUNT");
    },
  }),
  command({
    path: "component get",
    summary: "Show one component with its attributes",
    needs: "key",
    positionals: { component },
    options: { "change-set": readFlag },
    examples: [{ line: "component get web-1", does: "as it is in the head" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const answer = await findComponent(context, place, args.component);
      await showComponent(context, place, answer);
    },
  }),
  command({
    path: "component find",
    summary: "Find the id of a component by its name",
    needs: "key",
    positionals: { name: { doc: "Name of the component" } },
    options: { "change-set": readFlag },
    examples: [{ line: "component find web-1 --json", does: "the API's answer" }],
    run: async (args, context) => {
      const { components } = await context.api();
      const place = await readPlace(context, args["change-set"]);
      const answer = await components.find({ ...place, query: { component: args.name } });
      context.output.table(answer, found, [answer.component], "");
    },
  }),
  command({
    path: "component create",
    summary: "Create a component of a schema",
    needs: "key",
    positionals: { name: { doc: "Name of the component" }, assignments },
    options: {
      "change-set": writeFlag,
      schema: { kind: "text", value: "name", doc: "Schema it is made of; required" },
      view: { kind: "text", value: "name", doc: "View it is put in" },
      "managed-by": { kind: "text", value: "component", doc: "Name or id of its manager" },
      "working-copy": { kind: "switch", doc: "The schema's unlocked variant instead of its default one" },
      "resource-id": { kind: "text", value: "id", doc: "Id of a resource that exists already" },
    },
    examples: [
      { line: "component create web-2 --schema Server /domain/port=8080", does: "prints its id" },
      { line: "component create web-3 --schema Server --managed-by web-tier", does: "with a manager" },
    ],
    run: async (args, context) => {
      const schemaName = args.schema;
      if (schemaName === undefined)
        throw usageProblem(
          "component create: --schema is missing",
          "svc component create NAME --schema SCHEMA",
        );
      const attributes = attributesOf(args.assignments);
      const api = await context.api();
      const place = await changePlace(context, args["change-set"]);
      const body = {
        name: args.name,
        schemaName,
        ...(attributes === undefined ? {} : { attributes }),
        ...(args.view === undefined ? {} : { viewName: args.view }),
        ...(args["managed-by"] === undefined ? {} : { managedBy: referenceTo(args["managed-by"]) }),
        ...(args["working-copy"] ? { useWorkingCopy: true } : {}),
        ...(args["resource-id"] === undefined ? {} : { resourceId: args["resource-id"] }),
      };
      const answer = await withAttributeHint(api.components.create({ ...place, body }), undefined);
      context.output.note(`created component ${args.name}`);
      context.output.result(answer, [answer.component.id]);
    },
  }),
  command({
    path: "component set",
    aliases: ["update"],
    summary: "Rename a component, set and unset its attributes, all or nothing",
    needs: "key",
    positionals: { component, assignments },
    options: {
      "change-set": writeFlag,
      name: { kind: "text", value: "name", doc: "Its new name" },
      unset: { kind: "list", value: "path", doc: "Attribute to take back to its default" },
      secret: { kind: "list", value: "definition=secret", doc: "Secret that the component is to hold" },
      "resource-id": { kind: "text", value: "id", doc: "Id of its resource" },
    },
    examples: [
      { line: "component set web-1 /domain/port=8080 /domain/tls=true", does: "a number and a boolean" },
      { line: `component set web-1 '/domain/zip="01234"'`, does: "a text that looks like a number" },
      { line: "component set web-1 --unset /domain/port --name web-one", does: "unsets and renames" },
    ],
    run: async (args, context) => {
      const attributes = attributesOf(args.assignments, args.unset);
      const secrets = args.secret.map((pair) => splitPair(pair, "--secret"));
      const body = {
        ...(args.name === undefined ? {} : { name: args.name }),
        ...(attributes === undefined ? {} : { attributes }),
        ...(secrets.length === 0 ? {} : { secrets: Object.fromEntries(secrets) }),
        ...(args["resource-id"] === undefined ? {} : { resourceId: args["resource-id"] }),
      };
      if (Object.keys(body).length === 0)
        throw usageProblem("component set: there is nothing to set", "svc component set --help");
      const { place, componentId, before } = await target(context, args["change-set"], args.component);
      const { components } = await context.api();
      const answer = await withAttributeHint(
        components.update({ ...place, componentId, body }),
        `svc component get ${shellWord(args.component)} --change-set ${place.changeSetId} shows its attributes`,
      );
      const same = isDeepStrictEqual(before, answer.component);
      context.output.note(
        same
          ? `nothing changed: ${before.name} is like that already`
          : `changed component ${answer.component.name}`,
      );
      context.output.result(answer, []);
    },
  }),
];

/** `svc component …`. */
export const componentCommands: readonly AnyCommand[] = [
  ...mainCommands,
  ...componentRelationCommands,
  ...componentRemovalCommands,
];

/** Page after page until there are `count`, or no more. */
async function collect(place: Place, context: Context, count: number, after: string | undefined) {
  const { components } = await context.api();
  const componentDetails: ComponentDetails[] = [];
  let nextCursor: string | null = after ?? null;
  do {
    const query = {
      includeDiffStatus: true,
      includeResourceInfo: true,
      limit: Math.min(maximumLimit, count - componentDetails.length),
      ...(nextCursor === null ? {} : { cursor: nextCursor }),
    };
    const page = await components.list({ ...place, query });
    componentDetails.push(...page.componentDetails);
    nextCursor = page.nextCursor;
  } while (nextCursor !== null && componentDetails.length < count);
  return { componentDetails, nextCursor };
}
