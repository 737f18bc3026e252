import type { ActionView } from "../../contract/actions.ts";
import { readFlag, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { componentNames, findComponent } from "../component-lookup.ts";
import { type Column, printable } from "../table.ts";
import { changePlace, component, readPlace } from "./component-target.ts";

const columns = (names: ReadonlyMap<string, string>): readonly Column<ActionView>[] => [
  { title: "ID", text: ({ id }) => id },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "NAME", text: ({ name }) => name },
  { title: "STATE", text: ({ state }) => state },
  {
    title: "COMPONENT",
    text: ({ componentId }) => names.get(componentId ?? "") ?? componentId ?? "",
  },
  { title: "RUN", text: ({ funcRunId }) => funcRunId ?? "" },
];

/** `svc action …`. */
export const actionCommands: readonly AnyCommand[] = [
  command({
    path: "action list",
    aliases: ["ls"],
    summary: "List queued actions in the order in which they would run",
    needs: "key",
    options: { "change-set": readFlag },
    examples: [
      { line: "action list --change-set 'bigger disks'", does: "the head's, and what it would add" },
    ],
    run: async (args, context) => {
      const { actions, changeSets } = await context.api();
      const place = await readPlace(context, args["change-set"]);
      // The merge status knows the names for what was queued here.
      const [answer, merge] = await Promise.all([actions.list(place), changeSets.mergeStatus(place)]);
      const known = merge.actions.flatMap(({ component: of }) => of ?? []);
      const ids = context.output.json ? [] : answer.actions.flatMap(({ componentId }) => componentId ?? []);
      const names = await componentNames(context, place, ids, known);
      context.output.table(answer, columns(names), answer.actions, "no actions");
    },
  }),
  command({
    path: "action queue",
    aliases: ["add"],
    summary: "Queue an action of a component; it runs after the change set is applied",
    needs: "key",
    positionals: { component, function: { doc: "Name of the action's function" } },
    options: { "change-set": writeFlag },
    examples: [{ line: "action queue web reboot --change-set edit", does: "waits for the apply" }],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const { component: found } = await findComponent(context, place, args.component);
      const body = { action: { function: args.function } };
      const answer = await (await context.api()).actions.enqueue({ ...place, componentId: found.id, body });
      context.output.note(`queued ${printable(args.function)} for ${printable(found.name)}`);
      context.output.result(answer, []);
    },
  }),
  command({
    path: "action refresh",
    summary: "Queue a Refresh of every component with a resource",
    needs: "key",
    options: { "change-set": readFlag },
    examples: [{ line: "action refresh", does: "in the head, where they run at once" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const answer = await (await context.api()).actions.refresh(place);
      context.output.note(`queued ${answer.queued} ${answer.queued === 1 ? "refresh" : "refreshes"}`);
      context.output.result(answer, []);
    },
  }),
  ...(
    [
      ["cancel", "cancel", "Take an action off the queue", "cancelled the action"],
      ["hold", "putOnHold", "Keep an action, and what depends on it, from running", "holding the action"],
      ["retry", "retry", "Let an action run again that failed or is held", "queued the action again"],
    ] as const
  ).map(([verb, operation, summary, done]) =>
    command({
      path: `action ${verb}`,
      summary,
      needs: "key",
      positionals: { action: { doc: "Id of the action" } },
      options: { "change-set": readFlag },
      examples: [{ line: `action ${verb} 01J0000000000000000000000A`, does: "in the head" }],
      run: async (args, context) => {
        const place = await readPlace(context, args["change-set"]);
        const { actions } = await context.api();
        const answer = await actions[operation]({ ...place, actionId: args.action });
        context.output.note(done);
        context.output.result(answer, []);
      },
    }),
  ),
];
