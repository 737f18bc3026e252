import { fail } from "../../src/contract/errors.ts";
import { looksLikeUlid } from "../../src/contract/ids.ts";
import type { api } from "../../src/contract/index.ts";
import { clampLimit } from "../../src/contract/page.ts";
import { maximumReportsWithContents, type PolicyReportView } from "../../src/contract/policy-reports.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import { actorOf, type Context, layerOf } from "../context.ts";
import { readPolicyResult } from "../domain/policy-reports.ts";
import { createPolicyReport, listPolicyReports, type PolicyReport } from "../store/policy-reports.ts";

/** Handlers of the rows in `src/contract/policy-reports.ts`. */
export const policyReportHandlers: GroupHandlers<typeof api.policyReports, Context> = {
  create: async ({ body }, context) => {
    const { workspaceId, id: changeSetId } = layerOf(context);
    const { name, policy, report } = body;
    const result = readPolicyResult(body.result);
    const target = { workspaceId, changeSetId, actor: actorOf(context) };
    const { id } = await createPolicyReport(context.server.store, target, { name, policy, report, result });
    return { id };
  },
  list: async ({ query }, context) => {
    const contents = query.includeContents === true ? "with" : "without";
    const most = contents === "with" ? maximumReportsWithContents : Number.POSITIVE_INFINITY;
    const limit = Math.min(clampLimit(query.limit), most);
    const { store } = context.server;
    // One more than asked tells whether there is another page.
    const found = await listPolicyReports(store, layerOf(context).id, {
      limit: limit + 1,
      cursor: query.cursor === undefined ? undefined : cursorOf(query.cursor),
      name: query.name,
      contents,
    });
    const page = found.slice(0, limit);
    return {
      policyReports: page.map(reportView),
      nextCursor: found.length > limit ? (page.at(-1)?.entry ?? null) : null,
    };
  },
};

const cursorOf = (text: string): string =>
  looksLikeUlid(text)
    ? text.toUpperCase()
    : fail("invalidRequest", "query.cursor: expected the nextCursor of the page before, found another text");

const reportView = ({ id, name, version, result, actor, at, contents }: PolicyReport): PolicyReportView => ({
  id,
  name,
  version,
  result,
  actor,
  at: toTimestamp(at),
  ...contents,
});
