import { readFlag, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { findComponent, type Place } from "../component-lookup.ts";
import type { Context } from "../context.ts";
import { showComponent } from "../show-component.ts";
import { changePlace, component, readPlace, target } from "./component-target.ts";

const components = { doc: "Names or ids of components", many: true } as const;
const named = (count: number): string => (count === 1 ? "1 component" : `${count} components`);

/** What puts components beside, above or ahead of others. */
export const componentRelationCommands: readonly AnyCommand[] = [
  command({
    path: "component duplicate",
    aliases: ["copy"],
    summary: "Copy components, with what they read from and manage among each other",
    needs: "key",
    positionals: { components },
    options: {
      "change-set": writeFlag,
      prefix: {
        kind: "text",
        value: "text",
        doc: 'What the names of the copies begin with; default "copy of "',
      },
      view: { kind: "text", value: "name", doc: "View the copies are put in, made when there is none" },
    },
    examples: [
      { line: "component duplicate web-1", does: "prints the id of the copy" },
      { line: "component duplicate web-1 web-2 --prefix staging- --view Staging", does: "a tier at once" },
    ],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const body = {
        components: await idsOf(context, place, args.components),
        ...(args.prefix === undefined ? {} : { prefix: args.prefix }),
        ...(args.view === undefined ? {} : { viewName: args.view }),
      };
      const answer = await (await context.api()).components.duplicate({ ...place, body });
      context.output.note(`copied ${named(answer.components.length)}`);
      context.output.result(answer, answer.components);
    },
  }),
  command({
    path: "component add-to-view",
    summary: "Put components into a view, made when there is none of that name",
    needs: "key",
    positionals: { view: { doc: "Name of the view" }, components },
    options: { "change-set": writeFlag },
    examples: [{ line: "component add-to-view 'Web tier' web-1 web-2", does: "those in it already stay" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const componentIds = await idsOf(context, place, args.components);
      const body = { componentIds, viewName: args.view };
      await (await context.api()).components.addToView({ ...place, body });
      context.output.note(`put ${named(componentIds.length)} into the view ${args.view}`);
      context.output.result(body, []);
    },
  }),
  command({
    path: "component manage",
    summary: "Make a component the manager of others",
    needs: "key",
    positionals: { manager: { doc: "Name or id of the component that manages" }, components },
    options: { "change-set": writeFlag },
    examples: [{ line: "component manage web-tier web-1 web-2", does: "web-tier manages both" }],
    run: async (args, context) => {
      const { place, componentId } = await target(context, args["change-set"], args.manager);
      const managed = await idsOf(context, place, args.components);
      const api = await context.api();
      for (const id of managed) {
        await api.components.manage({ ...place, componentId, body: { componentId: id } });
      }
      context.output.note(`${args.manager} manages ${named(managed.length)} now`);
      const answer = await api.components.get({ ...place, componentId });
      context.output.result({ component: answer.component }, []);
    },
  }),
  command({
    path: "component resource",
    summary: "Show what was last seen of the thing that a component stands for",
    needs: "key",
    positionals: { component },
    options: { "change-set": readFlag },
    examples: [{ line: "component resource web-1 --json", does: "status, payload and time" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const { component: found } = await findComponent(context, place, args.component);
      const answer = await (await context.api()).components.resource({ ...place, componentId: found.id });
      context.output.note(`${answer.status}, last synced ${answer.last_synced}`);
      context.output.result(answer, JSON.stringify(answer.payload ?? null, null, 2).split("\n"));
    },
  }),
  command({
    path: "component upgrade",
    summary: "Move a component to its schema's latest variant",
    details: "Values of properties that the variant still has stay; the others go.",
    needs: "key",
    positionals: { component },
    options: { "change-set": writeFlag },
    examples: [{ line: "component upgrade web-1", does: "shows it as it is then" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const before = await findComponent(context, place, args.component);
      const componentId = before.component.id;
      const answer = await (await context.api()).components.upgrade({ ...place, componentId });
      const changed = answer.component.schemaVariantId !== before.component.schemaVariantId;
      const done = changed ? "upgraded component" : "on the latest variant already: component";
      context.output.note(`${done} ${answer.component.name}`);
      if (changed) await showComponent(context, place, { ...before, component: answer.component }, answer);
      else context.output.result(answer, []);
    },
  }),
];

/** The ids of components by name or id, in order. */
async function idsOf(context: Context, place: Place, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await findComponent(context, place, name)).component.id);
  return ids;
}
