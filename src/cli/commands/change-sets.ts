import type { ChangeSetView } from "../../contract/change-sets.ts";
import { ulidTime } from "../../contract/ids.ts";
import { changeSetIdOf } from "../change-set-choice.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import type { Column } from "../table.ts";
import { age } from "../times.ts";

const columns = (now: number): Column<ChangeSetView>[] => [
  { title: "ID", text: ({ id }) => id },
  { title: "NAME", text: ({ name }) => name },
  { title: "STATUS", text: ({ status }) => status },
  { title: "AGE", text: ({ id, isHead }) => (isHead ? "" : age(now - ulidTime(id))) },
];

const changeSet = { doc: "Name or id of the change set, or HEAD" };

/** `svc change-set …`. */
export const changeSetCommands: readonly AnyCommand[] = [
  command({
    path: "change-set list",
    aliases: ["ls"],
    summary: "List the active change sets, the head first",
    needs: "key",
    examples: [{ line: "change-set list --json", does: "the API's answer" }],
    run: async (_args, { api, workspaceId, output, clock }) => {
      const answer = await (await api()).changeSets.list({ workspaceId: await workspaceId() });
      output.table(answer, columns(clock.now()), answer.changeSets, "no change sets");
    },
  }),
  command({
    path: "change-set create",
    summary: "Create a change set over the head",
    needs: "key",
    positionals: { name: { doc: "1 to 200 characters; no other active change set may have it" } },
    examples: [{ line: "change-set create 'bigger disks'", does: "prints its id" }],
    run: async ({ name }, { api, workspaceId, output }) => {
      const answer = await (await api()).changeSets.create({
        workspaceId: await workspaceId(),
        body: { changeSetName: name },
      });
      output.note(`created change set ${name}`);
      output.result(answer, [answer.changeSet.id]);
    },
  }),
  command({
    path: "change-set get",
    summary: "Show one change set, also when it is abandoned or applied",
    needs: "key",
    positionals: { "change-set": changeSet },
    examples: [{ line: "change-set get HEAD", does: "shows the head" }],
    run: async (args, context) => {
      const api = await context.api();
      const answer = await api.changeSets.get({
        workspaceId: await context.workspaceId(),
        changeSetId: await changeSetIdOf(context, args["change-set"]),
      });
      context.output.table(answer, columns(context.clock.now()), [answer.changeSet], "");
    },
  }),
  command({
    path: "change-set abandon",
    aliases: ["delete"],
    summary: "Abandon a change set; its name becomes free",
    needs: "key",
    positionals: { "change-set": changeSet },
    options: { yes: yesFlag },
    examples: [{ line: "change-set abandon 'bigger disks' --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const api = await context.api();
      const workspaceId = await context.workspaceId();
      const changeSetId = await changeSetIdOf(context, args["change-set"]);
      const named = `change set "${args["change-set"]}"`;
      const consent = { question: `abandon the ${named}?`, doing: `abandoning ${named}` };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const answer = await api.changeSets.abandon({ workspaceId, changeSetId });
      context.output.note(`abandoned change set ${args["change-set"]}`);
      context.output.result({ ...answer, changeSetId }, []);
    },
  }),
  command({
    path: "change-set purge-open",
    summary: "Abandon every active change set but the head",
    needs: "key",
    options: { yes: yesFlag },
    examples: [{ line: "change-set purge-open", does: "asks first" }],
    run: async (args, context) => {
      const api = await context.api();
      const workspaceId = await context.workspaceId();
      const { changeSets } = await api.changeSets.list({ workspaceId });
      const open = changeSets.filter(({ isHead }) => !isHead);
      const these = open.length === 1 ? "1 change set" : `${open.length} change sets`;
      const consent = { question: `abandon ${these}?`, doing: `abandoning ${these}` };
      if (!(await context.confirm(consent, args.yes)))
        return context.output.result({ success: false, cancelled: true }, []);
      const answer = await api.changeSets.purgeOpen({ workspaceId });
      context.output.note(`abandoned ${open.length}`);
      context.output.result(answer, []);
    },
  }),
];
