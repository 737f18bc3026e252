import { sql } from "kysely";
import type { ActionResultState, FunctionRunState } from "../../src/contract/function-runs.ts";
import { type RunPair, shownBy } from "./func-run-reads.ts";
import type { Layer } from "./layer.ts";
import type { Reads } from "./open.ts";

/** One of the latest runs of a function on a component. */
export interface PastRun extends RunPair {
  readonly id: string;
  readonly prototypeId: string | undefined;
  readonly state: FunctionRunState;
  readonly actionResult: ActionResultState | undefined;
  /** JSON of what a qualification returned, or the judgement of validation formats; undefined for all other functions. */
  readonly result: string | undefined;
  readonly startedAt: number;
}

/**
 * The latest runs of each of the functions on each of the components, newest first, at most `each` of a binding; of
 * the layer, the head and the change sets that became part of it, in one statement.
 */
export async function listPastRuns(
  reads: Reads,
  layer: Layer,
  about: {
    readonly componentIds: readonly string[];
    readonly funcIds: readonly string[];
    readonly each: number;
  },
): Promise<PastRun[]> {
  const { within } = reads.engine;
  const { rows } = await sql<PastRow>`
    select r.id, r.component_id, r.func_id, r.prototype_id, r.state, r.action_result, r.created_at,
      case when r.kind in ('Qualification', 'Intrinsic') then r.result else null end as result
    from (select n.id, row_number() over (partition by n.component_id, n.func_id, n.prototype_id
          order by n.id desc) as place
        from func_run n join change_set c on c.id = n.layer
        where n.component_id ${within(about.componentIds)} and n.func_id ${within(about.funcIds)}
          and ${shownBy(layer)}) latest
      join func_run r on r.id = latest.id
    where latest.place <= ${about.each} order by r.id desc`.execute(reads.db);
  return rows.map((row) => ({
    id: row.id,
    componentId: row.component_id,
    funcId: row.func_id,
    prototypeId: row.prototype_id ?? undefined,
    state: row.state,
    actionResult: row.action_result ?? undefined,
    result: row.result ?? undefined,
    startedAt: row.created_at,
  }));
}

interface PastRow {
  readonly id: string;
  readonly component_id: string;
  readonly func_id: string;
  readonly prototype_id: string | null;
  readonly state: FunctionRunState;
  readonly action_result: ActionResultState | null;
  readonly result: string | null;
  readonly created_at: number;
}
