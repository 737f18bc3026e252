import type { api } from "../../src/contract/index.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import type { Context } from "../context.ts";

/** Handlers of the rows in `src/contract/policy-reports.ts`. */
export const policyReportHandlers: GroupHandlers<typeof api.policyReports, Context> = {};
