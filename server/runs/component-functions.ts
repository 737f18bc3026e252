import { beginComputation, type FunctionCall, type Work } from "../domain/computation.ts";
import { type Settled, settleCall } from "../domain/computed-results.ts";
import type { Binding, StoredFunction } from "../domain/functions.ts";
import type { Json } from "../domain/json.ts";
import type { Vals } from "../domain/values.ts";
import type { Authentication } from "../read/authentication.ts";
import { driveOf, makesValues, transformationsOf } from "../read/drive.ts";
import { bindingsFor, bindingsOfSchemas, findFunctions } from "../read/functions.ts";
import { valueIdOf } from "../read/ids.ts";
import { sorted } from "../read/rules.ts";
import { findVariants, type Variant, type VariantCache, withFormats } from "../read/variants.ts";
import { findLastRuns, type LastRun, pairKey } from "../store/func-run-reads.ts";
import type { Layer } from "../store/layer.ts";
import type { Store } from "../store/open.ts";
import type { Definition, FunctionRules, OtherComponents, PreparedFunctions } from "../store/rules.ts";
import { type AtMost, atMost } from "./at-most.ts";
import { hasSecrets, nameIn, pairsOf } from "./at-work.ts";
import { builtIn, standIn } from "./built-in.ts";
import { endedAs, fingerprintOf, remembered, verdictOf } from "./call-verdict.ts";
import { InFlight } from "./in-flight.ts";
import { createPace, type Pace } from "./pace.ts";
import { LeftBehind, waitPatiently } from "./patience.ts";
import type { FunctionRuns } from "./runs.ts";
import { validationFunction } from "./validation.ts";

export interface ComponentFunctionsOptions {
  readonly store: Store;
  readonly variants: VariantCache;
  readonly runs: FunctionRuns;
  /** What precedes the functions of those of the components that are given secrets, by id. */
  readonly authenticate?: (
    layer: Layer,
    componentIds: readonly string[],
  ) => Promise<ReadonlyMap<string, Authentication>>;
  /** How long what can be computed waits for functions that take longer. */
  readonly patienceMs?: number;
}

/** Long enough for nearly every function, short enough for whoever waits for something else. */
const patienceMs = 1_000;

/** Components whose last runs are read together. */
const chunkSize = 500;
/** Functions of one propagation that run or wait at once: enough to keep the sandbox and the writer of runs busy. */
const runsAtOnce = 128;
/** Components computed between two turns of the event loop. */
const batchSize = 50;
/** From so many components on it is what all of them take that counts, not how soon one has ended. */
const many = 20;

/**
 * Computes components with the functions of their variants. A function is not run again while its code, its input and
 * what precedes it are those of its last run on the component, in the layer or what the layer shows.
 */
export const createComponentFunctions = (
  options: ComponentFunctionsOptions,
  pace: Pace = createPace(),
  inFlight: InFlight = new InFlight(),
): FunctionRules => ({
  prepare: async (layer, components) => {
    const schemaIds = [...new Set(components.map(({ schemaId }) => schemaId))];
    const bindings = (await bindingsOfSchemas(options.store, layer, schemaIds)).filter(makesValues);
    const names = new Set(components.flatMap(transformationsOf));
    const all = [...new Set(components.map(({ variantId }) => variantId))];
    const judged = await withFormats(options.store, options.variants, layer, all);
    const isDriven = driveOf(bindings, judged);
    for (const one of components) if (!isDriven(one)) inFlight.forget(flightKey(layer, one.id));
    if (bindings.length === 0 && names.size === 0 && judged.size === 0) return nothingDriven;
    const functions = await findFunctions(options.store, layer, [...names]);
    const driven = components.filter(isDriven);
    const variantIds = [...new Set(driven.map(({ variantId }) => variantId))];
    const variants = await findVariants(options.store, options.variants, layer, variantIds);
    return new Prepared({ ...options, pace, inFlight }, { layer, bindings, functions, variants, judged });
  },
});

const flightKey = (layer: Layer, componentId: string): string => `${layer.id} ${componentId}`;

const nothingDriven: PreparedFunctions = {
  drive: () => false,
  compute: async () => new Map(),
};

/** What is at work in some components. */
interface AtWork {
  readonly layer: Layer;
  readonly bindings: readonly Binding[];
  readonly functions: ReadonlyMap<string, StoredFunction>;
  readonly variants: ReadonlyMap<string, Variant>;
  /** The variants with validation formats. */
  readonly judged: ReadonlySet<string>;
}

/** What is known of a component while it is computed. */
interface Known {
  readonly component: Definition;
  readonly variant: Variant;
  readonly bindings: readonly Binding[];
  readonly authentication: Authentication | undefined;
  readonly lastRuns: ReadonlyMap<string, LastRun>;
  readonly amongMany: boolean;
}

/** What all computations of a process share. */
type Equipped = ComponentFunctionsOptions & { readonly pace: Pace; readonly inFlight: InFlight };

/** How a function is run. */
interface Running {
  readonly name: string;
  readonly fingerprint: string;
  readonly signal: AbortSignal;
  readonly amongMany: boolean;
}

class Prepared implements PreparedFunctions {
  readonly drive: (component: Definition) => boolean;
  readonly #options: Equipped;
  readonly #at: AtWork;
  readonly #gate: AtMost = atMost(runsAtOnce);
  /** Bindings of components that have none of their own, by variant. */
  readonly #shared = new Map<string, readonly Binding[]>();
  readonly #special: ReadonlySet<string>;

  constructor(options: Equipped, at: AtWork) {
    this.#options = options;
    this.#at = at;
    this.drive = driveOf(at.bindings, at.judged);
    this.#special = new Set(at.bindings.flatMap(({ componentId }) => componentId ?? []));
  }

  async compute(
    components: readonly Definition[],
    others: OtherComponents,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Vals>> {
    const computed = new Map<string, Vals>();
    for (let from = 0; from < components.length; from += chunkSize) {
      const chunk = components.slice(from, from + chunkSize);
      for (const [id, vals] of await this.#computeChunk(chunk, others, signal)) computed.set(id, vals);
    }
    return computed;
  }

  async #computeChunk(
    chunk: readonly Definition[],
    others: OtherComponents,
    signal: AbortSignal,
  ): Promise<(readonly [string, Vals])[]> {
    const { layer, judged } = this.#at;
    const bindings = chunk.map((component) => this.#bindingsOf(component));
    const pairs = chunk.flatMap((component, at) => pairsOf(component, bindings[at] ?? [], judged));
    const lastRuns = await findLastRuns(this.#options.store, layer, pairs);
    const secretive = chunk.filter(hasSecrets).map(({ id }) => id);
    const { authenticate } = this.#options;
    const before = secretive.length === 0 ? undefined : await authenticate?.(layer, secretive);
    const known = chunk.map((component, at) => ({
      component,
      variant: this.#variantOf(component),
      bindings: bindings[at] ?? [],
      authentication: before?.get(component.id),
      lastRuns,
      amongMany: chunk.length >= many,
    }));
    try {
      return await this.#finishAll(known, others, signal);
    } catch (error) {
      // What was ended with them must not be joined.
      for (const { id } of chunk) this.#options.inFlight.forget(flightKey(layer, id));
      throw error;
    }
  }

  /** Computes these at once, for as long as the patience lasts. */
  async #finishAll(
    all: readonly Known[],
    others: OtherComponents,
    signal: AbortSignal,
  ): Promise<(readonly [string, Vals])[]> {
    const finished: (readonly [string, Vals])[] = [];
    const left = new AbortController();
    const finishing: Promise<unknown>[] = [];
    for (const [at, known] of all.entries()) {
      const one = this.#finish(known, others, { signal, left: left.signal }).then((vals) =>
        finished.push([known.component.id, vals]),
      );
      // It may fail in a turn before all are begun and waited for, which is when its failure is heard of.
      one.catch(() => {});
      finishing.push(one);
      if (at % batchSize === batchSize - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    await waitPatiently(finishing, { ms: this.#options.patienceMs ?? patienceMs, signal, left });
    return [...finished];
  }

  #variantOf({ variantId }: Definition): Variant {
    const variant = this.#at.variants.get(variantId);
    if (variant === undefined) throw new Error(`the variant ${variantId} of a component is missing`);
    return variant;
  }

  #bindingsOf({ id, variantId, schemaId }: Definition): readonly Binding[] {
    const variant = { id: variantId, schemaId };
    if (this.#special.has(id)) return bindingsFor(this.#at.bindings, variant, id);
    const known = this.#shared.get(variantId) ?? bindingsFor(this.#at.bindings, variant);
    this.#shared.set(variantId, known);
    return known;
  }

  async #finish(
    known: Known,
    others: OtherComponents,
    { signal, left }: { readonly signal: AbortSignal; readonly left: AbortSignal },
  ): Promise<Vals> {
    const { component, variant, bindings } = known;
    const { inFlight } = this.#options;
    const flight = flightKey(this.#at.layer, component.id);
    const work: Work = {
      id: component.id,
      root: variant.props,
      settings: component.settings,
      bindings,
      ...others,
      functions: this.#at.functions,
      ...(this.#at.judged.has(variant.id) ? { validation: validationFunction } : {}),
      builtIn,
      standIn,
    };
    const step = beginComputation(work);
    const results = new Map<string, Json | undefined>();
    for (;;) {
      const { vals, calls } = step(results);
      if (calls.length === 0) {
        inFlight.forget(flight);
        return sorted(vals);
      }
      await Promise.all(
        calls.map(async (call) => {
          const settled = await this.#settle(known, call, vals, signal);
          results.set(call.place, settled.value);
        }),
      );
      signal.throwIfAborted();
      if (left.aborted) throw new LeftBehind();
    }
  }

  #settle(known: Known, call: FunctionCall, vals: Vals, signal: AbortSignal): Promise<Settled> {
    const fingerprint = fingerprintOf(call, known.authentication);
    const last = known.lastRuns.get(pairKey({ componentId: known.component.id, funcId: call.func.id }));
    if (last?.fingerprint === fingerprint) return Promise.resolve(settleCall(call, remembered(last)));
    const flight = flightKey(this.#at.layer, known.component.id);
    const { amongMany } = known;
    return this.#options.inFlight.join(flight, call.place, {
      fingerprint,
      signal,
      begin: (either) =>
        this.#gate(() =>
          this.#run(known, call, { name: nameIn(vals), fingerprint, signal: either, amongMany }),
        ),
    });
  }

  async #run(
    { component, variant, authentication }: Known,
    call: FunctionCall,
    { name, fingerprint, signal, amongMany }: Running,
  ): Promise<Settled> {
    await this.#options.pace();
    signal.throwIfAborted();
    let settled: Settled | undefined;
    const run = this.#options.runs.start({
      layer: this.#at.layer,
      func: call.func,
      component: { id: component.id, name, schemaName: variant.schema.name },
      ...(call.prototypeId === undefined ? {} : { prototypeId: call.prototypeId }),
      attributeValueId: valueIdOf(component.id, call.key),
      input: call.input,
      ...(authentication === undefined ? {} : { before: authentication.before }),
      fingerprint,
      signal,
      amongMany,
      judge: (outcome, runId) => {
        settled = settleCall(call, endedAs(outcome));
        return verdictOf(settled, outcome, runId);
      },
    });
    const { outcome } = await run.ended;
    return settled ?? settleCall(call, endedAs(outcome));
  }
}
