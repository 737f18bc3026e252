import { type FuncRunSummary, functionRunStates } from "../../contract/function-runs.ts";
import { maximumLimit } from "../../contract/page.ts";
import { readFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { findComponent } from "../component-lookup.ts";
import { usageProblem } from "../failure.ts";
import { printLog, runColumns, stateOf } from "../run-text.ts";
import { printable } from "../table.ts";
import { readPlace } from "./component-target.ts";

const run = { doc: "Id of the run" } as const;
const defaultCount = 50;

/** `svc run …`. */
export const runCommands: readonly AnyCommand[] = [
  command({
    path: "run list",
    aliases: ["ls"],
    summary:
      "List runs of functions in a change set, the newest first; of the head with those of applied ones",
    needs: "key",
    options: {
      "change-set": readFlag,
      component: { kind: "text", value: "name or id", doc: "Only those for this component" },
      state: { kind: "text", value: "state", doc: "Only those in it", choices: functionRunStates },
      failed: { kind: "switch", doc: "Only those that failed, or whose action or job did" },
      limit: { kind: "number", value: "count", doc: `How many at most; default ${defaultCount}` },
    },
    examples: [
      { line: "run list --failed --limit 5", does: "the last five that failed in the head" },
      { line: "run list --component web-1 --state Running", does: "what runs for it now" },
    ],
    run: async (args, context) => {
      if (args.limit === 0) throw usageProblem("--limit: expected 1 or more, got 0");
      const place = await readPlace(context, args["change-set"]);
      const { functionRuns } = await context.api();
      const componentId =
        args.component === undefined
          ? undefined
          : (await findComponent(context, place, args.component)).component.id;
      const wanted = args.limit ?? defaultCount;
      const found: FuncRunSummary[] = [];
      let cursor: string | null = null;
      do {
        const query = {
          limit: Math.min(maximumLimit, wanted - found.length),
          ...(componentId === undefined ? {} : { componentId }),
          ...(args.state === undefined ? {} : { state: args.state }),
          ...(args.failed ? { result: "Failure" } : {}),
          ...(cursor === null ? {} : { cursor }),
        };
        const page: Awaited<ReturnType<typeof functionRuns.list>> = await functionRuns.list({
          ...place,
          query,
        });
        found.push(...page.funcRuns);
        cursor = page.nextCursor;
      } while (cursor !== null && found.length < wanted);
      context.output.table({ funcRuns: found, nextCursor: cursor }, runColumns, found, "no runs");
      if (cursor !== null) context.output.note("there are more: --limit COUNT");
    },
  }),
  command({
    path: "run get",
    aliases: ["show"],
    summary: "Show a run: what it was given, what it returned, how it ended",
    needs: "key",
    positionals: { run },
    options: { "change-set": readFlag },
    examples: [{ line: "run get 01J0000000000000000000000R --json", does: "with its code and log" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const answer = await (await context.api()).functionRuns.get({ ...place, funcRunId: args.run });
      const { funcRun } = answer;
      const of = funcRun.componentName ?? funcRun.componentId;
      const lines = [
        `${funcRun.functionName}  ${funcRun.actionKind ?? funcRun.functionKind}`,
        `state      ${stateOf(funcRun)}`,
        ...(of == null ? [] : [`component  ${of}`]),
        ...(funcRun.failure == null ? [] : [`failure    ${funcRun.failure}`]),
        `began      ${funcRun.createdAt}`,
        `changed    ${funcRun.updatedAt}`,
        `arguments  ${JSON.stringify(funcRun.functionArgs)}`,
        `result     ${JSON.stringify(funcRun.resultValue ?? null)}`,
      ];
      context.output.result(answer, lines.map(printable));
    },
  }),
  command({
    path: "run logs",
    summary: "Print what a run has written",
    needs: "key",
    positionals: { run },
    options: {
      "change-set": readFlag,
      follow: { kind: "switch", doc: "Go on until the run has ended, or until Ctrl-C", alias: "f" },
    },
    examples: [{ line: "run logs 01J0000000000000000000000R --follow", does: "line by line, as they come" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const last = await printLog(context, place, args.run, { follow: args.follow });
      context.output.note(`${stateOf(last)}${last.failure == null ? "" : `: ${printable(last.failure)}`}`);
    },
  }),
  command({
    path: "run cancel",
    summary: "End a run; the action or job that it belongs to fails",
    needs: "key",
    positionals: { run },
    options: { "change-set": readFlag },
    examples: [{ line: "run cancel 01J0000000000000000000000R", does: "it ends as Killed" }],
    run: async (args, context) => {
      const place = await readPlace(context, args["change-set"]);
      const answer = await (await context.api()).functionRuns.cancel({ ...place, funcRunId: args.run });
      context.output.note("cancelled the run");
      context.output.result(answer, []);
    },
  }),
];
