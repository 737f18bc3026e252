import { writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import type { Context } from "../context.ts";
import { component, target } from "./component-target.ts";

/** What ends components, or keeps them from it. */
export const componentRemovalCommands: readonly AnyCommand[] = [
  command({
    path: "component delete",
    summary: "Mark a component for deletion; it goes when the change set is applied",
    needs: "key",
    positionals: { component },
    options: { "change-set": writeFlag, yes: yesFlag },
    examples: [{ line: "component delete web-1 --yes", does: "does it without asking" }],
    run: (args, context) => remove(context, args, "delete", "mark", "marked for deletion:"),
  }),
  command({
    path: "component restore",
    summary: "Take a component's deletion mark away",
    needs: "key",
    positionals: { component },
    options: { "change-set": writeFlag },
    examples: [{ line: "component restore web-1", does: "keeps it" }],
    run: async (args, context) => {
      const { place, componentId } = await target(context, args["change-set"], args.component);
      const answer = await (await context.api()).components.restore({ ...place, componentId });
      context.output.note(`restored component ${args.component}`);
      context.output.result({ ...answer, componentId }, []);
    },
  }),
  command({
    path: "component erase",
    summary: "Remove a component at once, without a destroy action",
    needs: "key",
    positionals: { component },
    options: { "change-set": writeFlag, yes: yesFlag },
    examples: [{ line: "component erase web-1", does: "asks first" }],
    run: (args, context) => remove(context, args, "erase", "erase", "erased"),
  }),
];

interface Removal {
  readonly component: string;
  readonly "change-set": string | undefined;
  readonly yes: boolean;
}

const wordings = {
  mark: { question: "mark for deletion", doing: "deleting" },
  erase: { question: "erase for good", doing: "erasing" },
} as const;

async function remove(
  context: Context,
  args: Removal,
  operation: "delete" | "erase",
  verb: keyof typeof wordings,
  done: string,
): Promise<void> {
  const { place, componentId } = await target(context, args["change-set"], args.component);
  const { question, doing } = wordings[verb];
  const named = `component "${args.component}"`;
  const consent = { question: `${question} the ${named}?`, doing: `${doing} ${named}` };
  if (!(await context.confirm(consent, args.yes)))
    return context.output.result({ status: false, cancelled: true }, []);
  const answer = await (await context.api()).components[operation]({ ...place, componentId });
  context.output.note(`${done} component ${args.component}`);
  context.output.result({ ...answer, componentId }, []);
}
