import type { ActionView } from "../../contract/actions.ts";
import { changeSetToRead, readFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import type { Column } from "../table.ts";

const columns: readonly Column<ActionView>[] = [
  { title: "ID", text: ({ id }) => id },
  { title: "KIND", text: ({ kind }) => kind },
  { title: "NAME", text: ({ name }) => name },
  { title: "STATE", text: ({ state }) => state },
  { title: "COMPONENT", text: ({ componentId }) => componentId ?? "" },
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
      const { actions } = await context.api();
      const answer = await actions.list({
        workspaceId: await context.workspaceId(),
        changeSetId: await changeSetToRead(context, args["change-set"]),
      });
      context.output.table(answer, columns, answer.actions, "no actions");
    },
  }),
];
