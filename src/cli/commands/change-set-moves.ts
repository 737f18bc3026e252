import type { ChangeSetView } from "../../contract/change-sets.ts";
import type { Api } from "../../contract/index.ts";
import type { Client } from "../../http/client.ts";
import { changeSetIdOf } from "../change-set-choice.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import type { Context } from "../context.ts";
import { mergeLines } from "../merge-text.ts";
import { retryPending, waitFlag } from "../retry-pending.ts";

const changeSet = { doc: "Name or id of the change set" };
const noteFlag = { kind: "text", value: "text", doc: "What the requester should know" } as const;

const requestFlag = {
  kind: "text",
  value: "time",
  doc: "Only if the request is this one: its time as change-set status tells it",
} as const;

/** `svc change-set …`, from the request for a merge to the merge. */
export const changeSetMoveCommands: readonly AnyCommand[] = [
  command({
    path: "change-set status",
    summary: "Show whether a change set could be applied, who asked and reviewed, and its actions",
    needs: "key",
    positionals: { "change-set": changeSet },
    examples: [
      { line: "change-set status 'bigger disks'", does: "Ready means that it could be applied now" },
    ],
    run: async (args, context) => {
      const answer = await (await context.api()).changeSets.mergeStatus(
        await pathOf(context, args["change-set"]),
      );
      context.output.result(answer, mergeLines(answer, context.output));
    },
  }),
  command({
    path: "change-set apply",
    summary: "Merge a change set into the head; where approvals are on, as an owner or approver",
    details:
      "While values are still being computed it waits and tries again. What was merged cannot be taken back, only changed again.",
    needs: "key",
    positionals: { "change-set": changeSet },
    options: { yes: yesFlag, wait: waitFlag },
    examples: [
      { line: "change-set apply 'bigger disks'", does: "asks first" },
      {
        line: "change-set apply 'bigger disks' --yes --wait 300",
        does: "waits up to five minutes for values",
      },
    ],
    run: async (args, context) => {
      const named = args["change-set"];
      const path = await pathOf(context, named);
      const consent = {
        question: `apply the change set "${named}" to the head?`,
        doing: `applying change set "${named}"`,
      };
      if (!(await context.confirm(consent, args.yes))) return declined(context);
      const { changeSets } = await context.api();
      const answer = await retryPending(context, args.wait, () => changeSets.forceApply(path));
      context.output.note(`applied change set ${named}`);
      context.output.result({ ...answer, changeSetId: path.changeSetId }, []);
    },
  }),
  command({
    path: "change-set request-approval",
    summary: "Ask for the merge of a change set; without approvals in the workspace it is applied at once",
    needs: "key",
    positionals: { "change-set": changeSet },
    options: { yes: yesFlag, wait: waitFlag },
    examples: [{ line: "change-set request-approval 'bigger disks' --yes", does: "does it without asking" }],
    run: async (args, context) => {
      const named = args["change-set"];
      const path = await pathOf(context, named);
      const consent = {
        question: `ask for the merge of the change set "${named}"? Without approvals in the workspace it is applied at once.`,
        doing: `asking for the merge of change set "${named}"`,
      };
      if (!(await context.confirm(consent, args.yes))) return declined(context);
      const { changeSets } = await context.api();
      await retryPending(context, args.wait, () => changeSets.requestApproval(path));
      const answer = await changeSets.get(path);
      context.output.note(outcomeOf(answer.changeSet));
      context.output.result(answer, []);
    },
  }),
  command({
    path: "change-set approve",
    summary: "Grant the merge that was asked for, as an owner or approver",
    details: "An edit afterwards takes the approval back.",
    needs: "key",
    positionals: { "change-set": changeSet },
    options: { note: noteFlag, request: requestFlag },
    examples: [
      {
        line: "change-set approve 'bigger disks' --note 'after 18:00'",
        does: "with a word to the requester",
      },
    ],
    run: (args, context) =>
      review(context, args["change-set"], "approved", ({ changeSets }, path) =>
        changeSets.approve({
          ...path,
          body: { note: args.note ?? null, mergeRequestedAt: args.request ?? null },
        }),
      ),
  }),
  command({
    path: "change-set reject",
    summary: "Refuse the merge that was asked for, as an owner or approver",
    needs: "key",
    positionals: { "change-set": changeSet },
    options: { note: noteFlag, request: requestFlag },
    examples: [
      { line: "change-set reject 'bigger disks' --note 'too big'", does: "with a word to the requester" },
    ],
    run: (args, context) =>
      review(context, args["change-set"], "rejected", ({ changeSets }, path) =>
        changeSets.reject({
          ...path,
          body: { note: args.note ?? null, mergeRequestedAt: args.request ?? null },
        }),
      ),
  }),
  command({
    path: "change-set reopen",
    summary: "Take a request, an approval or a rejection back, as an owner or approver",
    needs: "key",
    positionals: { "change-set": changeSet },
    options: { note: noteFlag },
    examples: [{ line: "change-set reopen 'bigger disks'", does: "makes it Open again" }],
    run: (args, context) =>
      review(context, args["change-set"], "reopened", ({ changeSets }, path) =>
        changeSets.reopen({ ...path, body: { note: args.note ?? null } }),
      ),
  }),
];

interface Path {
  readonly workspaceId: string;
  readonly changeSetId: string;
}

async function pathOf(context: Context, named: string): Promise<Path> {
  const workspaceId = await context.workspaceId();
  return { workspaceId, changeSetId: await changeSetIdOf(context, named) };
}

const declined = ({ output }: Context): void => output.result({ success: false, cancelled: true }, []);

async function review(
  context: Context,
  named: string,
  done: string,
  send: (api: Client<Api>, path: Path) => Promise<{ readonly success: boolean }>,
): Promise<void> {
  const path = await pathOf(context, named);
  const answer = await send(await context.api(), path);
  context.output.note(`${done} change set ${named}`);
  context.output.result({ ...answer, changeSetId: path.changeSetId }, []);
}

const outcomeOf = ({ name, status }: ChangeSetView): string =>
  status === "Applied"
    ? `granted at once: applied change set ${name}`
    : `asked for the merge of change set ${name}; it is ${status}`;
