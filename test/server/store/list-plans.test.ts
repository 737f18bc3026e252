import { RawNode, sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { listRuns, type RunQuery } from "../../../server/store/func-run-reads.ts";
import { type FunctionJobFilter, listFunctionJobs } from "../../../server/store/function-jobs.ts";
import type { FuncJobTable, FuncRunTable } from "../../../server/store/function-tables.ts";
import type { Layer } from "../../../server/store/layer.ts";
import type { Reads } from "../../../server/store/open.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import { actor, headOf, newWorkspace } from "./model.ts";

/** Applied change sets, and what was done in each: so much that looking at all of it is the worse plan. */
const sets = 40;
const each = 200;
/** One in as many of these is of the workspace that is asked for. */
const others = 8;

describeEngines("the head's lists of what was done in applied change sets", (engine) => {
  const suite = suiteStore(engine);
  let head: Layer;
  const ids: string[] = [];
  beforeAll(async () => {
    const { store } = suite;
    const workspace = await newWorkspace(store);
    head = headOf(workspace);
    const { id: workspace_id } = workspace;
    const runs: FuncRunTable[] = [];
    const jobs: FuncJobTable[] = [];
    const stranger = store.id();
    const layers = Array.from({ length: sets }, () => store.id());
    for (const layer of layers) {
      for (let one = 0; one < each; one++) {
        const [id, component_id] = [store.id(), store.id()];
        const isOther = one % others !== 0;
        if (!isOther) ids.push(id);
        const times = { rev: 1, created_at: 1, updated_at: 1 };
        const place = { workspace_id: isOther ? stranger : workspace_id, layer };
        const of = { id, ...place, component_id, prototype_id: null, cancelled: 0, ...times };
        const state = ids.length % 100 === 0 ? "Failure" : "Success";
        runs.push({ ...of, ...run, state, action_result: ids.length % 100 === 1 ? "Failure" : null });
        jobs.push({ ...of, ...job, state });
      }
    }
    const columnsOf = <Row extends object>([row]: readonly Row[]) =>
      Object.keys(row ?? {}) as (keyof Row & string)[];
    await store.write(async (tx) => {
      for (const layer of layers)
        await sql`insert into change_set(id, workspace_id, head_id, name, status, rev, graph_rev, created_by,
            created_at, updated_at)
          select ${layer}, workspace_id, head_id, ${layer}, 'Applied', 1, 1, created_by, created_at, updated_at
          from change_set where id = ${head.id}`.execute(tx.db);
      await tx.engine.bulk(tx.db, "func_run", columnsOf(runs), runs);
      await tx.engine.bulk(tx.db, "func_job", columnsOf(jobs), jobs);
    });
    // PostgreSQL does so by itself, some time later.
    if (store.engine.name === "postgres") await sql`analyze`.execute(store.db);
  });

  /** How the engine goes about what a function asks it. */
  async function planOf(list: (reads: Reads) => Promise<unknown>): Promise<string> {
    const { store } = suite;
    const lines: string[] = [];
    const word = store.engine.name === "postgres" ? "explain " : "explain query plan ";
    const db = store.db.withPlugin({
      transformQuery: ({ node }) => RawNode.create([word, ""], [node]),
      transformResult: async ({ result }) => {
        for (const row of result.rows) lines.push(String(row["detail"] ?? row["QUERY PLAN"]));
        return { ...result, rows: [] };
      },
    });
    await list({ engine: store.engine, db });
    return lines.join("\n");
  }
  const any = { componentId: undefined, state: undefined };
  const runsBy = (query: Partial<RunQuery>) => (reads: Reads) =>
    listRuns(reads, head, { limit: 50, before: undefined, result: undefined, ...any, ...query });
  const jobsBy = (query: Partial<FunctionJobFilter>) => (reads: Reads) =>
    listFunctionJobs(reads, head, { limit: 50, cursor: undefined, kind: undefined, ...any, ...query });

  // PostgreSQL may just as well walk all workspaces' from the newest, where it finds enough of one soon.
  it.each([
    ["all runs", runsBy({}), /func_run_(of_workspace|pkey)/],
    ["runs with a result of Failure", runsBy({ result: "Failure" }), /func_run_failed/],
    ["runs in the state Failure", runsBy({ state: "Failure" }), /func_run_failed/],
    ["runs that were killed", runsBy({ state: "Killed" }), /func_run_failed/],
    ["all jobs", jobsBy({}), /func_job_(of_workspace|pkey)/],
    ["jobs of a kind", jobsBy({ kind: "debug" }), /func_job_(of_workspace|pkey)/],
  ] as const)("walks %s from the newest, and sorts nothing", async (_, list, index) => {
    const plan = await planOf(list);
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/\bsort\b|order by|seq scan on func/i);
  });

  it("holds what each of them asks for, newest first", async () => {
    const { store } = suite;
    const newest = [...ids].reverse();
    const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);
    const failed = newest.filter((id) => (ids.indexOf(id) + 1) % 100 === 0);
    expect(idsOf(await runsBy({})(store))).toEqual(newest.slice(0, 50));
    expect(idsOf(await runsBy({ state: "Failure" })(store))).toEqual(failed);
    expect(idsOf(await runsBy({ result: "Failure" })(store))).toEqual(
      newest.filter((id) => (ids.indexOf(id) + 1) % 100 < 2),
    );
    expect(idsOf(await jobsBy({})(store))).toEqual(newest.slice(0, 50));
    expect(idsOf(await jobsBy({ state: "Failure" })(store))).toEqual(failed);
  });

  const run = {
    func_id: "func",
    kind: "Action",
    action_id: null,
    fingerprint: null,
    code_hash: null,
    about: "{}",
    args: "[]",
    result: "null",
    failure: null,
    finalized: 1,
    owner: null,
    lease_until: 0,
  } as const;
  const job = {
    kind: "debug",
    func_run_id: null,
    request: "{}",
    result: null,
    failure: null,
    actor,
  } as const;
});
