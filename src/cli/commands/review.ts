import { ApiError } from "../../contract/errors.ts";
import { looksLikeUlid } from "../../contract/ids.ts";
import { changeSetToChange, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command, yesFlag } from "../command.ts";
import { findComponent, type Place } from "../component-lookup.ts";
import type { Context } from "../context.ts";
import { reviewColumns, reviewLines, reviewSummary } from "../review-text.ts";
import { changePlace, component } from "./component-target.ts";

/** Cells that a change may take on a terminal; `--json` has all of it. */
const changeWidth = 60;

/** What a change set changes, and taking it back: `svc change-set review`, `svc component discard`. */
export const reviewCommands: readonly AnyCommand[] = [
  command({
    path: "change-set review",
    aliases: ["diff"],
    summary: "Show what a change set changes, attribute by attribute, against the head",
    details:
      "`head moved` marks an attribute that the head has changed since it was edited here: applying overwrites that. `Dropped` marks an edit of what the head has removed since: it is not applied, and `svc component discard` forgets it. `follows` marks a value that nobody edited, but that changes with what it is read from.",
    needs: "key",
    positionals: {
      "change-set": {
        doc: "Name or id of the change set; default the only open one, else it is asked for",
        optional: true,
      },
    },
    examples: [
      { line: "change-set review 'bigger disks'", does: "one line for each attribute" },
      { line: "change-set review 'bigger disks' --json", does: "the API's answer" },
    ],
    run: async (args, context) => {
      const { output } = context;
      const changeSetId = await changeSetToChange(context, args["change-set"]);
      const { review } = await context.api();
      const answer = await review.get({ workspaceId: await context.workspaceId(), changeSetId });
      const lines = reviewLines(answer, output.terminal);
      const columns = reviewColumns(output.terminal ? changeWidth : undefined);
      output.table(answer, columns, lines, "nothing is changed");
      if (lines.length > 0 || answer.pending) output.note(reviewSummary(answer));
    },
  }),
  command({
    path: "component discard",
    summary: "Take a component, or one attribute of it, back to what the head says",
    details:
      "Without an attribute a new component goes away, an erased one comes back, a marked one is unmarked, an edited one is the head's again.",
    needs: "key",
    positionals: {
      component,
      attribute: { doc: "Path as `change-set review` shows it; default the whole component", optional: true },
    },
    options: { "change-set": writeFlag, yes: yesFlag },
    examples: [
      { line: "component discard web-1 /domain/port", does: "this attribute and what is below it" },
      { line: "component discard web-1 --yes", does: "all of it, without asking" },
    ],
    run: async (args, context) => {
      const place = await changePlace(context, args["change-set"]);
      const componentId = await changedComponent(context, place, args.component);
      const { attribute } = args;
      const named = `component "${args.component}"`;
      const consent = {
        question: `discard all that the change set changes of the ${named}?`,
        doing: `discarding the changes of ${named}`,
      };
      if (attribute === undefined && !(await context.confirm(consent, args.yes)))
        return context.output.result({ status: false, cancelled: true }, []);
      const { review } = await context.api();
      const body = attribute === undefined ? {} : { attribute };
      const answer = await review.discard({ ...place, componentId, body });
      context.output.note(`discarded ${attribute ?? "all changes"} of component ${args.component}`);
      context.output.result({ ...answer, componentId }, []);
    },
  }),
];

/**
 * The id of a component that the change set changes: one that it erased is found under its name in the head, one that
 * the head has removed under its name in the review.
 */
async function changedComponent(context: Context, place: Place, named: string): Promise<string> {
  if (looksLikeUlid(named)) return named.toUpperCase();
  const places = [place, { ...place, changeSetId: "HEAD" }];
  for (const one of places) {
    try {
      return (await findComponent(context, one, named)).component.id;
    } catch (error) {
      if (!(error instanceof ApiError) || error.error !== "componentNotFound") throw error;
    }
  }
  const { review } = await context.api();
  const { dropped } = await review.get(place);
  const [orphan, other] = dropped.filter(({ componentName }) => componentName === named);
  if (orphan === undefined || other !== undefined) {
    throw new ApiError(orphan === undefined ? "componentNotFound" : "duplicateComponentName");
  }
  return orphan.componentId;
}
