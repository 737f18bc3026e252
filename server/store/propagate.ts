import { sql } from "kysely";
import type { Json } from "../domain/json.ts";
import type { Vals } from "../domain/values.ts";
import { hashOf, takesHeadName } from "./component-rows.ts";
import { createDefinitionCache, type DefinitionCache } from "./definition-cache.ts";
import { type Loaded, loadDefinitions, type Present } from "./definitions.ts";
import type { Store } from "./open.ts";
import { type Computed, commitPropagation, type FollowUp } from "./propagation-commit.ts";
import { type Plan, planPropagation } from "./propagation-plan.ts";
import type {
  ComponentRules,
  Definition,
  FunctionRules,
  PreparedFunctions,
  PreparedRules,
  Recomputed,
  SourceValues,
} from "./rules.ts";
import { readFrom } from "./show.ts";

/**
 * How a pass ended: nothing to do; the head moved, or another process was faster, and nothing was written; or its roots
 * are worked off, but for those whose functions still run: they stay roots.
 */
export type PassEnd = "idle" | "moved" | "done";

/**
 * One pass over a layer's roots; call it until it says `idle`. Rejects when `signal` aborts while functions run; then
 * nothing was written.
 */
export type Propagate = (layerId: string, signal?: AbortSignal) => Promise<PassEnd>;

export interface PropagateOptions {
  /** Runs between a pass's reads and its commit: for tests that slip other writes in. */
  readonly beforeCommit?: () => Promise<void>;
  readonly cache?: DefinitionCache;
  /** Runs the functions that make values; without it they make none. */
  readonly functions?: FunctionRules;
  /** What follows from new values in a change set. */
  readonly follow?: FollowUp;
}

/**
 * Makes the propagation: recomputes a layer's roots and all that reads them, each component once and sources first,
 * and commits in one short transaction; functions run before it, those of one level together.
 * Throws `changeSetNotFound`, `changeSetNotActive`.
 */
export function createPropagate(
  store: Store,
  rules: ComponentRules,
  { beforeCommit, cache = createDefinitionCache(), functions = noFunctions, follow }: PropagateOptions = {},
): Propagate {
  return async (layerId, signal = new AbortController().signal) => {
    const plan = await planPropagation(store, cache, layerId);
    if (plan === undefined) return "idle";
    const own = cache.takeOwn(layerId);
    try {
      const pass = new Pass(store, { ...rules, functions }, cache, { ...plan, own });
      await compute(pass, plan, signal);
      const { computed } = pass;
      await beforeCommit?.();
      if (isNothing(plan, computed)) return "done";
      const committed = await commitPropagation(store, plan, computed, follow);
      if (committed === undefined) return "moved";
      own.wrote(committed);
      return "done";
    } finally {
      cache.giveOwn(layerId, own);
    }
  };
}

/** Whether a pass has found nothing but functions that still run: then there is nothing to write. */
const isNothing = ({ roots }: Plan, { puts, drops, waiting }: Computed): boolean => {
  if (puts.length > 0 || drops.length > 0) return false;
  const known = new Set(roots.map(({ component }) => component));
  return waiting.size === known.size && [...waiting].every((id) => known.has(id));
};

/** Components whose rows are read with one statement: about 25 ms on SQLite, which serves nobody else meanwhile. */
const loadSize = 5_000;
/** Components computed between two turns of the event loop: about 5 ms of work. */
const batchSize = 250;

/** For those who have no functions. */
const noFunctions: FunctionRules = {
  prepare: async () => ({ drive: () => false, compute: async () => new Map() }),
};

async function compute(pass: Pass, plan: Plan, signal: AbortSignal): Promise<void> {
  for (const level of plan.levels) {
    const work = level.filter((id) => pass.dirty.has(id) || plan.circular.has(id));
    for (let from = 0; from < work.length; from += loadSize) {
      const ids = work.slice(from, from + loadSize);
      const ready = await pass.load(ids);
      for (let first = 0; first < ids.length; first += batchSize) {
        pass.computeBatch(ready, ids.slice(first, first + batchSize));
        // SQLite answers at once, so without this no socket and no timer would be served meanwhile.
        await new Promise((resolve) => setImmediate(resolve));
      }
      await pass.computeDriven(ready, ids, signal);
    }
  }
}

/** Components that can be computed: what they are, and what the rules must know of their variants. */
interface Ready {
  readonly loaded: ReadonlyMap<string, Loaded>;
  readonly prepared: PreparedRules;
  readonly functions: PreparedFunctions;
}

type PassRules = ComponentRules & { readonly functions: FunctionRules };

class Pass {
  readonly dirty: Set<string>;
  readonly computed: Computed = { puts: [], drops: [], waiting: new Set() };
  readonly #store: Store;
  readonly #rules: PassRules;
  readonly #cache: DefinitionCache;
  readonly #plan: Plan & Present;
  readonly #forced: ReadonlySet<string>;
  /** What the layer shows of values, new ones as they are computed. */
  readonly #values = new Map<string, SourceValues | undefined>();

  constructor(store: Store, rules: PassRules, cache: DefinitionCache, plan: Plan & Present) {
    this.#store = store;
    this.#rules = rules;
    this.#cache = cache;
    this.#plan = plan;
    this.#forced = new Set(plan.roots.map((root) => root.component));
    this.dirty = new Set(this.#forced);
  }

  /** Reads these components and what they read, in a number of statements that does not depend on how many they are. */
  async load(ids: readonly string[]): Promise<Ready> {
    const loaded = await loadDefinitions(this.#store, this.#rules, this.#cache, this.#plan, ids);
    const definitions = [...loaded.values()].map(definitionIn).filter((one) => one !== undefined);
    const sources = new Set<string>();
    for (const one of loaded.values()) for (const id of one.sources) sources.add(id);
    // What a component showed so far decides whether its readers are dirty, unless they are anyway.
    for (const id of ids) if (this.#plan.edges.has(id) && !this.#forced.has(id)) sources.add(id);
    await this.#loadValues([...sources]);
    const variants = [...this.#values.values()].map((one) => one?.variantId);
    const prepared = await this.#rules.prepare(this.#plan.layer, [
      ...new Set([...variants, ...definitions.map((one) => one.variantId)].filter((id) => id !== undefined)),
    ]);
    const functions = await this.#rules.functions.prepare(this.#plan.layer, definitions);
    return { loaded, prepared, functions };
  }

  /** Computes those that no function makes values of. */
  computeBatch({ loaded, prepared, functions }: Ready, ids: readonly string[]): void {
    const read = readFrom(prepared, this.#values);
    for (const id of ids) {
      const one = loaded.get(id);
      if (one === undefined || one.definition === "changed") continue;
      const { definition } = one;
      if (definition !== undefined && functions.drive(definition)) continue;
      this.#settle(prepared, id, one, definition && prepared.recompute(definition, read));
    }
  }

  /** Computes the others, with their functions. */
  async computeDriven({ loaded, prepared, functions }: Ready, ids: readonly string[], signal: AbortSignal) {
    const driven = ids.flatMap((id) => {
      const one = loaded.get(id);
      const definition = one && definitionIn(one);
      return definition !== undefined && functions.drive(definition) ? [definition] : [];
    });
    if (driven.length === 0) return;
    const read = readFrom(prepared, this.#values);
    const shows = (id: string): boolean => this.#values.get(id) !== undefined;
    const computed = await functions.compute(driven, { read, shows }, signal);
    for (const { id } of driven) {
      const [one, vals] = [loaded.get(id), computed.get(id)];
      if (vals === undefined) this.computed.waiting.add(id);
      else if (one !== undefined) this.#settle(prepared, id, one, whole(prepared, one, vals));
    }
  }

  #settle(prepared: PreparedRules, id: string, loaded: Loaded, made: Recomputed | undefined): void {
    const definition = definitionIn(loaded);
    this.#note(id, loaded, definition, made);
    const readers = this.#plan.edges.get(id);
    if (readers === undefined) return;
    const before = this.#values.get(id);
    const after = definition && made && { id, variantId: definition.variantId, vals: made.vals() };
    this.#values.set(id, after);
    const compared = new Map<string, boolean>();
    for (const { subscriber, from_path } of readers) {
      const changed =
        this.#forced.has(id) || (compared.get(from_path) ?? !same(prepared, before, after, from_path));
      compared.set(from_path, changed);
      if (changed) this.dirty.add(subscriber);
    }
  }

  /** Notes what is to be written: a derived value that equals the head's needs no row at all. */
  #note(id: string, loaded: Loaded, definition: Definition | undefined, made: Recomputed | undefined): void {
    const { head, own } = loaded;
    const { puts, drops } = this.computed;
    const isHead = this.#plan.layer.id === this.#plan.layer.headId;
    if (definition === undefined || made === undefined) {
      if (own?.op === "calc") drops.push({ id, loaded });
      return;
    }
    const { text, rendered } = made;
    const hash = hashOf(text);
    if (!isHead && head?.hash === hash && (own === undefined || own.op === "calc")) {
      if (own !== undefined) drops.push({ id, loaded });
      return;
    }
    const shown = own ?? head;
    const isOld = own !== undefined && own.base_rev !== (head?.edit_rev ?? 0);
    if (shown?.hash === hash && !isOld) return;
    const named = !takesHeadName(this.#rules, definition, loaded.ownSettings, head, rendered.name);
    puts.push({ id, loaded, definition, vals: text, hash, rendered, named });
  }

  async #loadValues(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#values.has(id));
    if (missing.length === 0) return;
    for (const id of missing) this.#values.set(id, undefined);
    const { layer } = this.#plan;
    const { rows } = await sql<ValuesRow>`
      select layer, id, op, variant_id, vals from component
      where layer in (${layer.headId}, ${layer.id}) and id ${this.#store.engine.within(missing)}`.execute(
      this.#store.db,
    );
    const heads = new Map(rows.filter((row) => row.layer === layer.headId).map((row) => [row.id, row]));
    const owns = new Map(rows.filter((row) => row.layer !== layer.headId).map((row) => [row.id, row]));
    for (const id of missing) this.#values.set(id, shownValues(heads.get(id), owns.get(id)));
  }
}

interface ValuesRow {
  readonly layer: string;
  readonly id: string;
  readonly op: string;
  readonly variant_id: string | null;
  readonly vals: string | null;
}

function shownValues(head: ValuesRow | undefined, own: ValuesRow | undefined): SourceValues | undefined {
  if (own?.op === "del" || (head === undefined && own?.op !== "add")) return undefined;
  const row = own ?? head;
  if (row === undefined) return undefined;
  const variantId = own?.variant_id ?? head?.variant_id ?? "";
  return { id: row.id, variantId, vals: JSON.parse(row.vals ?? "{}") };
}

/** What was computed of a component with its functions. */
const whole = (prepared: PreparedRules, loaded: Loaded, vals: Vals): Recomputed | undefined => {
  const definition = definitionIn(loaded);
  return (
    definition && {
      text: JSON.stringify(vals),
      rendered: prepared.render(definition, vals),
      vals: () => vals,
    }
  );
};

const definitionIn = ({ definition }: Loaded): Definition | undefined =>
  definition === "changed" ? undefined : definition;

function same(
  prepared: PreparedRules,
  before: SourceValues | undefined,
  after: SourceValues | undefined,
  path: string,
): boolean {
  const at = (source: SourceValues | undefined): Json | undefined => source && prepared.valueAt(source, path);
  return JSON.stringify(at(before)) === JSON.stringify(at(after));
}
