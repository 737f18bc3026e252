import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { PolicyResult } from "../../src/contract/policy-reports.ts";
import type { ChangeSetTarget } from "./change-sets.ts";
import { recordEvent } from "./events.ts";
import type { EventActor } from "./history.ts";
import type { Reads, Store } from "./open.ts";

/** One version of a policy report. */
export interface PolicyReport {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly result: PolicyResult;
  readonly actor: EventActor;
  readonly at: number;
  /** What the next page goes on after. */
  readonly entry: string;
  /** Only where contents were asked for. */
  readonly contents: { readonly policy: string; readonly report: string } | undefined;
}

export interface NewPolicyReport {
  readonly name: string;
  readonly policy: string;
  readonly report: string;
  readonly result: PolicyResult;
}

/** Which reports to read: at most `limit`, older than `cursor`. */
export interface PolicyReportPage {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly name: string | undefined;
  readonly contents: "with" | "without";
}

/**
 * Keeps a report of a change set or head, whatever its status: checks may end after an apply. A name that was used
 * there before adds a version to the same id. Throws `changeSetNotFound`.
 */
export async function createPolicyReport(
  store: Store,
  target: ChangeSetTarget,
  report: NewPolicyReport,
): Promise<{ readonly id: string; readonly version: number }> {
  const { workspaceId, changeSetId, actor } = target;
  return store.write(async (tx) => {
    const locked = await tx.db
      .updateTable("change_set")
      .set((set) => ({ rev: set("rev", "+", 1) }))
      .where("id", "=", changeSetId)
      .where("workspace_id", "=", workspaceId)
      .returning("id")
      .executeTakeFirst();
    if (locked === undefined) return fail("changeSetNotFound");
    tx.changed(changeSetId);
    const before = await tx.db
      .selectFrom("policy_report")
      .select(["id", "version"])
      .where("change_set_id", "=", changeSetId)
      .where("name", "=", report.name)
      .orderBy("version", "desc")
      .limit(1)
      .executeTakeFirst();
    const id = before?.id ?? store.id();
    const version = (before?.version ?? 0) + 1;
    const { name, result } = report;
    await tx.db
      .insertInto("policy_report")
      .values({ change_set_id: changeSetId, id, version, entry: store.id(), ...report, actor, at: tx.now })
      .execute();
    const event = { kind: "policy_report.created", subject: id, data: { name, version, result } } as const;
    recordEvent(tx, { workspaceId, actor, changeSetId, ...event });
    return { id, version };
  });
}

/** Reports of a change set, newest first, in one statement. */
export async function listPolicyReports(
  reads: Reads,
  changeSetId: string,
  { limit, cursor, name, contents }: PolicyReportPage,
): Promise<PolicyReport[]> {
  type Row = Omit<PolicyReport, "actor" | "contents"> & {
    readonly actor: string;
    readonly actor_name: string | null;
    readonly email: string | null;
    readonly policy?: string;
    readonly report?: string;
  };
  const { rows } = await sql<Row>`
    select r.id, r.name, r.version, r.result, r.actor, r.at, r.entry, coalesce(u.name, c.name) as actor_name, u.email
      ${contents === "with" ? sql`, r.policy, r.report` : sql``}
    from policy_report r left join "user" u on u.id = r.actor left join collective c on c.id = r.actor
    where r.change_set_id = ${changeSetId}
      ${cursor === undefined ? sql`` : sql`and r.entry < ${cursor}`}
      ${name === undefined ? sql`` : sql`and r.name = ${name}`}
    order by r.entry desc limit ${limit}`.execute(reads.db);
  return rows.map(({ actor, actor_name, email, policy, report, ...row }) => ({
    ...row,
    actor: { id: actor, name: actor_name, email },
    contents: policy === undefined || report === undefined ? undefined : { policy, report },
  }));
}
