import type { ComponentAnswer, FunctionRelationship } from "../../src/contract/component-shapes.ts";
import { toTimestamp } from "../../src/lib/clock.ts";
import {
  maximumHistory,
  type RelatedKind,
  relatedKinds,
  titleOf,
  wordFor,
} from "../domain/function-relationships.ts";
import type { Binding, BindingKind } from "../domain/functions.ts";
import { validationName } from "../domain/intrinsics.ts";
import { isRunning, type QueuedAction } from "../store/actions.ts";
import { listPastRuns, type PastRun } from "../store/func-run-history.ts";
import type { Layer } from "../store/layer.ts";
import type { Reads } from "../store/open.ts";
import { actionsInOrder } from "./action-list.ts";
import { bindingsFor, bindingsOfSchemas } from "./functions.ts";
import { findIntrinsic, intrinsicId } from "./intrinsics.ts";
import { findVariants, type VariantCache, withFormats } from "./variants.ts";

/** A component of a page. */
export interface FunctionsOwner {
  readonly id: string;
  readonly variantId: string;
}

/** Which functions are wanted, and whether with their runs. */
export interface WantedFunctions {
  readonly kinds: ReadonlySet<RelatedKind>;
  readonly history: boolean;
}

/** Members of a list item by kind, in the order of the item. */
const memberNames: Readonly<Record<RelatedKind, string>> = {
  action: "actionFunctions",
  management: "managementFunctions",
  qualification: "qualificationFunctions",
};

/** What functions of those kinds are bound to components of a variant, in ascending order of the bindings' ids. */
export async function functionsOfVariants(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  variantIds: readonly string[],
  kinds: ReadonlySet<BindingKind>,
): Promise<(variantId: string) => readonly Binding[]> {
  const schemaIds = await schemasOf(reads, cache, layer, variantIds);
  const bindings = await bindingsOfSchemas(reads, layer, [...new Set(schemaIds.values())]);
  const wanted = bindings.filter(({ kind }) => kinds.has(kind));
  const known = new Map(
    [...schemaIds].map(([id, schemaId]) => [id, bindingsFor(wanted, { id, schemaId })] as const),
  );
  return (variantId) => known.get(variantId) ?? [];
}

/**
 * The members `actionFunctions`, `managementFunctions` and `qualificationFunctions` of each component that has any, as
 * JSON text; the number of statements does not depend on how many components there are.
 */
export async function functionMembers(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  components: readonly FunctionsOwner[],
  { kinds, history }: WantedFunctions,
): Promise<Map<string, string>> {
  const variantIds = [...new Set(components.map(({ variantId }) => variantId))];
  const boundTo = await functionsOfVariants(reads, cache, layer, variantIds, kinds);
  const judged = kinds.has("qualification")
    ? await withFormats(reads, cache, layer, variantIds)
    : new Set<string>();
  const bindingsOf = (variantId: string): readonly Binding[] =>
    judged.has(variantId) ? [...boundTo(variantId), ...validations] : boundTo(variantId);
  const all = variantIds.flatMap(bindingsOf);
  if (all.length === 0) return new Map();
  const runs = new PastRuns(
    await listPastRuns(reads, layer, {
      componentIds: components
        .filter(({ variantId }) => bindingsOf(variantId).length > 0)
        .map(({ id }) => id),
      funcIds: [...new Set(all.map(({ func }) => func.id))],
      each: history ? maximumHistory : 1,
    }),
  );
  const queue = all.some(({ kind }) => kind === "action") ? await actionsInOrder(reads, layer) : emptyQueue;
  const queued = new Map(queue.actions.map((action) => [queueKey(action), action]));
  const members = new Map<string, string>();
  for (const { id, variantId } of components) {
    const made: string[] = [];
    for (const kind of relatedKinds) {
      const relationships = bindingsOf(variantId)
        .filter((binding) => binding.kind === kind)
        .map((binding) => {
          const past = runs.of(id, binding, kind);
          const action = queued.get(queueKey({ componentId: id, prototypeId: binding.id }));
          return {
            functionName: titleIn(kind, binding),
            ...(kind === "action" ? actionStatus(action, queue.blockers) : lastStatus(kind, past)),
            ...(history ? { executionHistory: past.map((run) => historyEntry(kind, run)) } : {}),
          } satisfies FunctionRelationship;
        });
      if (relationships.length > 0) made.push(`"${memberNames[kind]}":${JSON.stringify(relationships)}`);
    }
    if (made.length > 0) members.set(id, made.join(","));
  }
  return members;
}

/** The functions that can be run for a component, as its own answer names them; two statements or three. */
export async function functionsOf(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  { variantId }: FunctionsOwner,
): Promise<Pick<ComponentAnswer, "actionFunctions" | "managementFunctions">> {
  const bindingsOf = await functionsOfVariants(reads, cache, layer, [variantId], runnable);
  const bindings = bindingsOf(variantId);
  const named = (kind: BindingKind) => bindings.filter((binding) => binding.kind === kind);
  return {
    actionFunctions: named("action").map((one) => ({ funcName: titleOf(one), prototypeId: one.id })),
    managementFunctions: named("management").map((one) => ({
      funcName: titleOf(one),
      managementPrototypeId: one.id,
    })),
  };
}

/** What judges values by their formats, as if it were bound: a qualification more. */
const validations: readonly Binding[] = [findIntrinsic(intrinsicId(validationName))].flatMap((func) =>
  func === undefined
    ? []
    : [{ id: func.id, kind: "qualification", schemaId: "", variantId: null, funcId: func.id, func }],
);

const runnable: ReadonlySet<BindingKind> = new Set(["action", "management"]);

const emptyQueue: Awaited<ReturnType<typeof actionsInOrder>> = { actions: [], blockers: new Map() };

const queueKey = ({ componentId, prototypeId }: Pick<QueuedAction, "componentId" | "prototypeId">): string =>
  `${componentId ?? ""} ${prototypeId}`;

/** An action is called by its own name, as in the queue; what is shown beside a result by the readable one. */
const titleIn = (kind: RelatedKind, binding: Binding): string =>
  kind === "action" ? binding.func.name : titleOf(binding);

/** Which schema each variant belongs to; looked up only for those that were never met. */
async function schemasOf(
  reads: Reads,
  cache: VariantCache,
  layer: Layer,
  variantIds: readonly string[],
): Promise<Map<string, string>> {
  const unknown = variantIds.filter((id) => cache.schemaIdOf(id) === undefined);
  const found = await findVariants(reads, cache, layer, unknown);
  return new Map(
    variantIds.flatMap((id) => {
      const schemaId = cache.schemaIdOf(id) ?? found.get(id)?.schemaId;
      return schemaId === undefined ? [] : [[id, schemaId] as const];
    }),
  );
}

/** Runs by what they were of. */
class PastRuns {
  readonly #byFunction = new Map<string, PastRun[]>();

  constructor(runs: readonly PastRun[]) {
    for (const run of runs) {
      const key = `${run.componentId} ${run.funcId}`;
      const known = this.#byFunction.get(key);
      if (known === undefined) this.#byFunction.set(key, [run]);
      else known.push(run);
    }
  }

  /** The newest first; a function that is bound twice has those of each binding, save for qualifications. */
  of(componentId: string, { id, func }: Binding, kind: RelatedKind): readonly PastRun[] {
    const all = this.#byFunction.get(`${componentId} ${func.id}`) ?? [];
    const own = kind === "qualification" ? all : all.filter(({ prototypeId }) => prototypeId === id);
    return own.slice(0, maximumHistory);
  }
}

const factsOf = ({ state, actionResult, result }: PastRun) => ({
  state,
  actionResult,
  result: result === undefined ? undefined : JSON.parse(result),
});

const historyEntry = (kind: RelatedKind, run: PastRun) => ({
  funcRunId: run.id,
  state: wordFor(kind, factsOf(run)),
  startedAt: toTimestamp(run.startedAt),
});

/** What the queue says of an action; `dependsOn` names the actions that it waits for. */
function actionStatus(
  action: QueuedAction | undefined,
  blockers: ReadonlyMap<string, ReadonlySet<string>>,
): Pick<FunctionRelationship, "executionStatus" | "dependsOn"> {
  if (action === undefined) return { executionStatus: { state: "Idle", hasActiveRun: false } };
  const { id: actionId, state, funcRunId } = action;
  const waitsFor = [...(blockers.get(actionId) ?? [])];
  return {
    ...(waitsFor.length === 0 ? {} : { dependsOn: waitsFor }),
    executionStatus: {
      state,
      hasActiveRun: isRunning(action),
      actionId,
      ...(funcRunId === undefined ? {} : { funcRunId }),
    },
  };
}

/** How the latest run came out; a management function that never ran is available, a qualification has no status. */
function lastStatus(
  kind: RelatedKind,
  [latest]: readonly PastRun[],
): Pick<FunctionRelationship, "executionStatus"> {
  if (latest === undefined) {
    return { executionStatus: kind === "management" ? { state: "Available", hasActiveRun: false } : null };
  }
  const state = wordFor(kind, factsOf(latest));
  return { executionStatus: { state, hasActiveRun: state === "Running", funcRunId: latest.id } };
}
