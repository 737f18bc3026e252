import { sql } from "kysely";
import { type ChangeSetStatus, changeSetStatuses } from "../../src/contract/change-sets.ts";

/** Statuses in which a change set is listed and may be changed. */
export const activeStatuses: readonly ChangeSetStatus[] = changeSetStatuses.filter(
  (status) => status !== "Applied" && status !== "Abandoned" && status !== "Failed",
);

/** Whether a change set of that status is listed and may be changed. */
export const isActive = (status: ChangeSetStatus): boolean => activeStatuses.includes(status);

/** `in ('Open', …)`, as literals so that the partial index on active change sets serves it. */
export const inActive = sql.raw(`in (${activeStatuses.map((status) => `'${status}'`).join(", ")})`);
