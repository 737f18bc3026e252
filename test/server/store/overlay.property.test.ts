import { afterAll, expect, it } from "vitest";
import { managerKey, type Setting, type Settings } from "../../../server/domain/overlay.ts";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { pageComponents } from "../../../server/store/component-pages.ts";
import {
  createComponents,
  editComponent,
  editComponents,
  eraseComponent,
} from "../../../server/store/component-writes.ts";
import {
  findComponents,
  listComponentsNamed,
  listNames,
  listSubscribers,
} from "../../../server/store/components.ts";
import { createDefinitionCache } from "../../../server/store/definition-cache.ts";
import { managedBy } from "../../../server/store/edges.ts";
import { createEntities, patchEntity } from "../../../server/store/entities.ts";
import { removeEntity } from "../../../server/store/entity-removal.ts";
import { listComponentsOfVariants, listThroughFunction } from "../../../server/store/function-users.ts";
import type { Layer, LayerChange } from "../../../server/store/layer.ts";
import type { Store } from "../../../server/store/open.ts";
import { createPropagate, type Propagate } from "../../../server/store/propagate.ts";
import { hasRoots } from "../../../server/store/roots.ts";
import type { ShownComponent } from "../../../server/store/show.ts";
import type { Workspace } from "../../../server/store/workspaces.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import {
  actor,
  change,
  defined,
  firstVariant,
  headOf,
  literal,
  madeKey,
  newChangeSet,
  newWorkspace,
} from "./model.ts";
import { bodyOf, economicalRules, type ModelDefinition, modelFunctions } from "./model-functions.ts";
import { Model, type Patches, random } from "./overlay-model.ts";

const operations = 100;
const mostChangeSets = 4;

class Run {
  readonly model = new Model();
  readonly seen = { passes: 0, moved: 0, applied: 0, refused: 0, stale: 0 };
  readonly #store: Store;
  /** As a server has one, whatever happens between two passes. */
  readonly #cache = createDefinitionCache();
  readonly #rules: ReturnType<typeof economicalRules>;
  readonly #workspace: Workspace;
  readonly #head: Layer;
  readonly #below: (limit: number) => number;

  constructor(store: Store, workspace: Workspace, seed: number) {
    this.#store = store;
    this.#rules = economicalRules(store);
    this.#workspace = workspace;
    this.#head = headOf(workspace);
    this.#below = random(seed);
  }

  async run(): Promise<void> {
    await this.#createSet();
    for (let count = 0; count < 12; count++) await this.#createOne(this.#anySet());
    for (let step = 0; step < operations; step++) {
      await this.#mutate(this.#below(20));
      if (this.#below(4) === 0) await this.#passOverAll(true);
      if (this.#below(6) === 0) await this.#check(false);
      if (this.#below(8) === 0) await this.#drainAndCheck();
    }
    await this.#drainAndCheck();
  }

  #anySet(): Patches {
    const sets = [...this.model.sets.values()];
    const set = sets[this.#below(sets.length)];
    if (set === undefined) throw new Error("there is always a change set");
    return set;
  }

  async #mutate(dice: number): Promise<void> {
    if (this.model.sets.size === 0 || (dice === 0 && this.model.sets.size < mostChangeSets)) {
      return this.#createSet();
    }
    const set = this.#anySet();
    if (dice < 3) return this.#apply(set);
    if (dice === 8 || dice === 9) return this.#define(set);
    if (dice === 3) return this.#createOne(set);
    const ids = [...this.model.view(set.layer.id).keys()].sort();
    const id = ids[this.#below(ids.length)];
    if (id === undefined) return;
    if (dice === 4) {
      await change(this.#store, set.layer, (one) => eraseComponent(one, this.#rules, id));
      return this.model.erase(set, id);
    }
    if (dice === 7) return this.#upgrade(set, id);
    const [key, setting] =
      dice === 5 || dice === 6 ? ([":delete", { v: true }] as const) : this.#setting(set, id, ids);
    const written = this.#below(6) === 0 ? null : setting;
    await change(this.#store, set.layer, (one) =>
      editComponent(one, this.#rules, id, () => ({ [key]: written })),
    );
    this.model.edit(set, id, key, written);
  }

  #setting(set: Patches, id: string, ids: readonly string[]): readonly [string, Setting] {
    const lower = ids.filter((other) => other < id);
    const source = lower[this.#below(lower.length)];
    const dice = this.#below(10);
    if (dice < 5 && source !== undefined) {
      const key = this.#below(2) === 0 ? "/domain/in" : "/domain/in2";
      const path = ["/domain/out", "/domain/a", madeKey][this.#below(3)] ?? "";
      const func = this.#below(3) === 0 ? this.#anyDefinition(set, "func") : undefined;
      return [key, { s: [source, path], ...(func === undefined ? {} : { f: func }) }];
    }
    if (dice === 8 && source !== undefined) return [managerKey(source), { v: true }];
    if (dice === 9) return ["/si/name", literal(`n${this.#below(20)}`)];
    return ["/domain/a", literal(this.#below(4))];
  }

  #anyDefinition(set: Patches, kind: ModelDefinition["kind"]): string | undefined {
    const shown = [...this.model.definitions(set.layer.id)].filter(([, one]) => one.kind === kind);
    return shown[this.#below(shown.length)]?.[0];
  }

  /** Binds a new function, changes one, has another take its place, or takes a binding away. */
  async #define(set: Patches): Promise<void> {
    const dice = this.#below(5);
    const [func, binding] = [this.#anyDefinition(set, "func"), this.#anyDefinition(set, "binding")];
    if (func === undefined || binding === undefined || dice === 0) return this.#bindNew(set);
    const id = dice < 3 ? func : binding;
    const patch = dice < 3 ? { n: this.#below(4) } : { funcId: func };
    await change(this.#store, set.layer, async (one) => {
      await this.#markReached(one, set, id);
      if (dice === 4) await removeEntity(one, "binding", id);
      else await patchEntity(one, this.#rules, { kind: dice < 3 ? "func" : "binding", id, patch });
    });
    if (dice === 4) this.model.undefine(set, id);
    else this.model.define(set, id, patch);
  }

  async #bindNew(set: Patches): Promise<void> {
    const [funcId, id] = [this.#store.id(), this.#store.id()];
    const variantId = [null, firstVariant, "variant-0", "variant-1"][this.#below(4)] ?? null;
    const func: ModelDefinition = { kind: "func", n: this.#below(4) };
    const binding: ModelDefinition = { kind: "binding", variantId, funcId };
    set.definitions.set(funcId, { op: "add", definition: func });
    set.definitions.set(id, { op: "add", definition: binding });
    await change(this.#store, set.layer, async (one) => {
      await createEntities(one, [
        { kind: "func", id: funcId, name: "f", body: bodyOf(func) },
        { kind: "binding", id, name: "schema", body: bodyOf(binding) },
      ]);
      await this.#markReached(one, set, id);
    });
  }

  async #markReached({ tx, layer, roots }: LayerChange, set: Patches, id: string): Promise<void> {
    const bindings = [...this.model.definitions(set.layer.id)].flatMap(([bindingId, one]) =>
      one.kind === "binding" && (bindingId === id || one.funcId === id) ? [one] : [],
    );
    const all = [firstVariant, "variant-0", "variant-1", "variant-2"];
    const variantIds = bindings.flatMap(({ variantId }) => variantId ?? all);
    for (const one of await listComponentsOfVariants(tx, layer, variantIds)) roots.add(one);
    for (const one of await listThroughFunction(tx, layer, id)) roots.add(one);
  }

  async #upgrade(set: Patches, id: string): Promise<void> {
    const variantId = `variant-${this.#below(3)}`;
    await change(this.#store, set.layer, (one) =>
      editComponents(one, this.#rules, [id], () => ({ patch: {}, variantId })),
    );
    if (this.model.variant(set.layer.id, id) !== variantId) set.upgraded.set(id, variantId);
  }

  async #createSet(): Promise<void> {
    const layer = await newChangeSet(this.#store, this.#workspace);
    this.model.sets.set(layer.id, {
      layer,
      added: new Map(),
      edited: new Map(),
      erased: new Set(),
      upgraded: new Map(),
      definitions: new Map(),
    });
  }

  async #createOne(set: Patches): Promise<void> {
    const id = this.#store.id();
    const ids = [...this.model.view(set.layer.id).keys()];
    const settings: Settings = {
      "/si/name": literal("new"),
      ...Object.fromEntries([this.#setting(set, id, ids), this.#setting(set, id, ids)]),
    };
    await change(this.#store, set.layer, (one) =>
      createComponents(one, this.#rules, [defined(id, settings)]),
    );
    set.added.set(id, settings);
  }

  /** Invariants 2 and 10: refused exactly while there are roots, and then the head shows what the set showed. */
  async #apply(set: Patches): Promise<void> {
    const pending = await hasRoots(this.#store, set.layer.id);
    const ids = [...this.model.view(set.layer.id).keys()];
    const before = await findComponents(this.#store, this.#rules, set.layer, ids);
    const applying = applyChangeSet(this.#store, this.#rules, {
      workspaceId: this.#workspace.id,
      changeSetId: set.layer.id,
      actor,
    });
    if (pending) {
      this.seen.refused++;
      return expect(applying).rejects.toMatchObject({ error: "valuesPending" });
    }
    await applying;
    this.seen.applied++;
    const after = await findComponents(this.#store, this.#rules, this.#head, ids);
    for (const [id, one] of before) {
      const found = after.get(id);
      if (one.toDelete) expect(found).toBeUndefined();
      else expect(whatIs(found)).toEqual(whatIs(one));
    }
    this.model.apply(set);
  }

  #propagate(slip: boolean): Propagate {
    return createPropagate(this.#store, this.#rules, {
      cache: this.#cache,
      functions: modelFunctions(this.#store),
      beforeCommit: async () => {
        if (slip && this.#below(2) === 0) await this.#mutate(this.#below(2) === 0 ? 1 : this.#below(20));
      },
    });
  }

  async #passOverAll(slip: boolean): Promise<boolean> {
    const propagate = this.#propagate(slip);
    let worked = false;
    for (const layerId of [this.#head.id, ...this.model.sets.keys()]) {
      const end = await propagate(layerId).catch((error: Error & { error?: string }) => {
        // The operation slipped in applied this very change set.
        if (error.error === "changeSetNotActive") return "idle" as const;
        throw error;
      });
      this.seen.passes++;
      if (end === "moved") this.seen.moved++;
      if (end !== "idle") worked = true;
    }
    return worked;
  }

  async #drainAndCheck(): Promise<void> {
    while (await this.#passOverAll(false));
    await this.#check(true);
  }

  async #check(finished: boolean): Promise<void> {
    this.seen.stale += await this.#countStale();
    for (const layer of [this.#head, ...[...this.model.sets.values()].map((set) => set.layer)]) {
      const view = this.model.view(layer.id);
      const ids = [...view.keys()].sort();
      const diffs = await this.#checkPages(layer, ids, view);
      const shown = await findComponents(this.#store, this.#rules, layer, ids);
      for (const id of ids) {
        const { settings, variantId } = shown.get(id) ?? {};
        expect([id, settings, variantId]).toEqual([id, view.get(id), this.model.variant(layer.id, id)]);
      }
      await this.#checkSubscribers(layer, view, finished);
      await this.#checkManaged(layer, view);
      await this.#checkNames(layer, view);
      if (!finished) continue;
      expect(await hasRoots(this.#store, layer.id)).toBe(false);
      const values = this.model.values(layer.id);
      const headValues = this.model.values(this.#head.id);
      for (const id of ids) {
        expect([id, shown.get(id)?.vals]).toEqual([id, values.get(id)]);
        const same =
          text(values.get(id)) === text(headValues.get(id)) &&
          this.model.variant(layer.id, id) === this.model.variant(this.#head.id, id);
        const diff = layer === this.#head || same ? "None" : this.model.head.has(id) ? "Modified" : "Added";
        expect([id, diffs.get(id), shown.get(id)?.diff]).toEqual([id, diff, diff]);
      }
    }
  }

  /** Invariants 5 and 9: page after page gives the view's ids once each, with the names they have now. */
  async #checkPages(
    layer: Layer,
    ids: readonly string[],
    view: ReadonlyMap<string, Settings>,
  ): Promise<Map<string, string>> {
    const diffs = new Map<string, string>();
    const listed: string[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page = await pageComponents(this.#store, this.#rules, layer, {
        after,
        limit: 1 + this.#below(5),
      });
      for (const one of page.components) {
        listed.push(one.id);
        diffs.set(one.id, one.diff);
        expect([one.id, one.name]).toEqual([one.id, nameIn(view.get(one.id))]);
        expect(JSON.parse(`${one.item}}`)).toEqual({ componentId: one.id, name: one.name });
        expect(one.toDelete).toBe(view.get(one.id)?.[":delete"] !== undefined);
      }
      after = page.next;
    }
    expect(listed).toEqual(ids);
    return diffs;
  }

  async #checkSubscribers(
    layer: Layer,
    view: ReadonlyMap<string, Settings>,
    finished: boolean,
  ): Promise<void> {
    const values = this.model.values(layer.id);
    const wanted: string[] = [];
    for (const [id, settings] of view) {
      for (const [key, setting] of Object.entries(settings)) {
        if (!("s" in setting) || !view.has(setting.s[0])) continue;
        wanted.push(text([setting.s, id, key, nameIn(settings), finished ? values.get(id)?.[key] : null]));
      }
    }
    const found = await listSubscribers(this.#store, this.#rules, layer, [...view.keys()]);
    const got = found.map((one) =>
      text([
        [one.source, one.fromPath],
        one.componentId,
        one.toKey,
        one.componentName,
        finished ? one.currentValue : null,
      ]),
    );
    expect(got.sort()).toEqual(wanted.sort());
  }

  async #checkManaged(layer: Layer, view: ReadonlyMap<string, Settings>): Promise<void> {
    const found = await managedBy(this.#store, layer, [...view.keys()]);
    const shown = found.filter(({ managed }) => view.has(managed));
    const got = shown.map(({ manager, managed }) => `${manager} ${managed}`);
    expect(got.sort()).toEqual(this.model.managed(layer.id).sort());
  }

  async #checkNames(layer: Layer, view: ReadonlyMap<string, Settings>): Promise<void> {
    const name = `n${this.#below(20)}`;
    const wanted = [...view].filter(([, settings]) => nameIn(settings) === name).map(([id]) => id);
    const found = await listComponentsNamed(this.#store, this.#rules, layer, name);
    expect(found.map((one) => one.id)).toEqual(wanted.sort());
    // Also of what other change sets made and this one does not show.
    const everywhere = [this.#head.id, ...this.model.sets.keys()].flatMap((id) => [
      ...this.model.view(id).keys(),
    ]);
    const names = await listNames(this.#store, this.#rules, layer, [...new Set(everywhere)]);
    expect(names).toEqual(new Map([...view].map(([id, settings]) => [id, nameIn(settings)])));
  }

  async #countStale(): Promise<number> {
    const rows = await this.#store.db
      .selectFrom("component as own")
      .innerJoin("component as head", "head.id", "own.id")
      .select("own.id")
      .where("head.layer", "=", this.#head.id)
      .where("own.layer", "!=", this.#head.id)
      .where("own.op", "!=", "del")
      .whereRef("own.base_rev", "!=", "head.edit_rev")
      .execute();
    return rows.length;
  }
}

const whatIs = (one: ShownComponent | undefined): unknown[] => [
  one?.settings,
  one?.variantId,
  one?.vals,
  one?.name,
];
const text = (value: unknown): string => JSON.stringify(value) ?? "";
const nameIn = (settings: Settings | undefined): string => {
  const name = settings?.["/si/name"];
  return name !== undefined && "v" in name ? String(name.v) : "";
};

describeEngines("random histories of change sets", (engine) => {
  const suite = suiteStore(engine);
  const total = { passes: 0, moved: 0, applied: 0, refused: 0, stale: 0 };
  const runs = engine.name === "SQLite" ? 10 : 6;

  it.each(Array.from({ length: runs }, (_, index) => index + 1))(
    "show what a model shows, values as if computed from scratch (seed %i)",
    async (seed) => {
      const run = new Run(suite.store, await newWorkspace(suite.store), seed);
      await run.run();
      total.passes += run.seen.passes;
      total.moved += run.seen.moved;
      total.applied += run.seen.applied;
      total.refused += run.seen.refused;
      total.stale += run.seen.stale;
    },
    120_000,
  );

  afterAll(() => {
    // A history in which nothing came between proves nothing.
    for (const [what, count] of Object.entries(total)) expect([what, count > 0]).toEqual([what, true]);
  });
});
