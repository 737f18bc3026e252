import { readFile } from "node:fs/promises";
import { maximumLimit } from "../../contract/page.ts";
import type { PolicyReportView } from "../../contract/policy-reports.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { changeSetToChange, changeSetToRead, readFlag, writeFlag } from "../change-set-choice.ts";
import { type AnyCommand, command } from "../command.ts";
import { usageProblem } from "../failure.ts";
import type { Column } from "../table.ts";

const columns: readonly Column<PolicyReportView>[] = [
  { title: "NAME", text: ({ name }) => name },
  { title: "VERSION", text: ({ version }) => String(version) },
  { title: "RESULT", text: ({ result }) => result },
  { title: "BY", text: ({ actor }) => actor.name ?? actor.email ?? actor.id },
  { title: "AT", text: ({ at }) => at },
  { title: "ID", text: ({ id }) => id },
];

/** `svc policy-report …`. */
export const policyReportCommands: readonly AnyCommand[] = [
  command({
    path: "policy-report create",
    summary: "Keep the report of a policy check; a name already used adds a version",
    needs: "key",
    positionals: { name: { doc: "Name of the report" } },
    options: {
      "change-set": writeFlag,
      result: { kind: "text", value: "pass|fail", doc: "What the check found", choices: ["pass", "fail"] },
      policy: { kind: "text", value: "file", doc: "File with the policy that was evaluated" },
      report: { kind: "text", value: "file", doc: "File with the report" },
    },
    examples: [
      {
        line: "policy-report create buckets --result pass --policy buckets.rego --report out.txt --change-set HEAD",
        does: "prints its id",
      },
    ],
    run: async (args, context) => {
      const { result } = args;
      if (result === undefined)
        throw usageProblem("policy-report create: --result is missing", "add --result pass or --result fail");
      const policy = await textOf("--policy", args.policy);
      const report = await textOf("--report", args.report);
      const { policyReports } = await context.api();
      const answer = await policyReports.create({
        workspaceId: await context.workspaceId(),
        changeSetId: await changeSetToChange(context, args["change-set"]),
        body: { name: args.name, result, policy, report },
      });
      context.output.note(`kept policy report ${args.name}`);
      context.output.result(answer, [answer.id]);
    },
  }),
  command({
    path: "policy-report list",
    aliases: ["ls"],
    summary: "List policy reports of a change set, newest first",
    needs: "key",
    options: {
      "change-set": readFlag,
      name: { kind: "text", value: "name", doc: "Only the versions of this report" },
      contents: { kind: "switch", doc: "With --json: policy and report too" },
      limit: { kind: "number", value: "count", doc: `How many at most; default ${maximumLimit}` },
    },
    examples: [
      { line: "policy-report list --name buckets --contents --json", does: "every version in full" },
    ],
    run: async (args, context) => {
      if (args.limit === 0) throw usageProblem("--limit: expected 1 or more, got 0");
      const { policyReports } = await context.api();
      const path = {
        workspaceId: await context.workspaceId(),
        changeSetId: await changeSetToRead(context, args["change-set"]),
      };
      const wanted = args.limit ?? maximumLimit;
      const found: PolicyReportView[] = [];
      let cursor: string | null = null;
      do {
        const query = {
          limit: Math.min(maximumLimit, wanted - found.length),
          ...(args.name === undefined ? {} : { name: args.name }),
          ...(args.contents ? { includeContents: true } : {}),
          ...(cursor === null ? {} : { cursor }),
        };
        const page: Awaited<ReturnType<typeof policyReports.list>> = await policyReports.list({
          ...path,
          query,
        });
        found.push(...page.policyReports);
        cursor = page.nextCursor;
      } while (cursor !== null && found.length < wanted);
      context.output.table({ policyReports: found, nextCursor: cursor }, columns, found, "no policy reports");
      if (cursor !== null) context.output.note("there are more: --limit COUNT");
    },
  }),
];

async function textOf(option: string, path: string | undefined): Promise<string> {
  if (path === undefined)
    throw usageProblem(`policy-report create: ${option} is missing`, `add ${option} FILE`);
  return readFile(path, "utf8").catch((error: unknown) => {
    const why = errorMessage(error);
    throw usageProblem(`${option}: could not read "${path}": ${why}`);
  });
}
