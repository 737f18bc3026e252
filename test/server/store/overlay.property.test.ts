import { afterAll, expect, it } from "vitest";
import type { Setting, Settings } from "../../../server/domain/overlay.ts";
import type { Vals } from "../../../server/domain/values.ts";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { pageComponents } from "../../../server/store/component-pages.ts";
import { createComponents, editComponent, eraseComponent } from "../../../server/store/component-writes.ts";
import { findComponents, listComponentsNamed, listSubscribers } from "../../../server/store/components.ts";
import type { Layer } from "../../../server/store/layer.ts";
import type { Store } from "../../../server/store/open.ts";
import { createPropagate, type Propagate } from "../../../server/store/propagate.ts";
import { hasRoots } from "../../../server/store/roots.ts";
import type { Workspace } from "../../../server/store/workspaces.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import {
  actor,
  change,
  defined,
  from,
  headOf,
  literal,
  lossyValues,
  newChangeSet,
  newWorkspace,
  lossyRules as rules,
} from "./model.ts";

const operations = 100;
const mostChangeSets = 4;

interface Patches {
  readonly layer: Layer;
  readonly added: Map<string, Settings>;
  readonly edited: Map<string, Map<string, Setting | null>>;
  readonly erased: Set<string>;
}

/** Numerical Recipes' generator: the same seed gives the same run. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What every layer must show, by rules of its own: all it shares with the store is how values are computed. */
class Model {
  head = new Map<string, Settings>();
  readonly sets = new Map<string, Patches>();

  view(layerId: string): Map<string, Settings> {
    const own = this.sets.get(layerId);
    if (own === undefined) return new Map(this.head);
    const view = new Map<string, Settings>();
    for (const [id, settings] of this.head) {
      if (own.erased.has(id)) continue;
      const merged = new Map(Object.entries(settings));
      for (const [key, setting] of own.edited.get(id) ?? []) {
        if (setting === null) merged.delete(key);
        else merged.set(key, setting);
      }
      view.set(id, Object.fromEntries(merged));
    }
    for (const [id, settings] of own.added) view.set(id, settings);
    return view;
  }

  /** From scratch; sources have smaller ids than their readers. */
  values(view: ReadonlyMap<string, Settings>): Map<string, Vals> {
    const values = new Map<string, Vals>();
    for (const id of [...view.keys()].sort()) {
      values.set(
        id,
        lossyValues(view.get(id) ?? {}, (source, path) => values.get(source)?.[path]),
      );
    }
    return values;
  }

  edit(set: Patches, id: string, key: string, setting: Setting | null): void {
    const added = set.added.get(id);
    if (added !== undefined) {
      const { [key]: _, ...rest } = added;
      set.added.set(id, setting === null ? rest : { ...rest, [key]: setting });
      return;
    }
    const patch = set.edited.get(id) ?? new Map();
    set.edited.set(id, patch.set(key, setting));
  }

  erase(set: Patches, id: string): void {
    if (set.added.delete(id)) return;
    set.erased.add(id);
    set.edited.delete(id);
  }

  apply(set: Patches): void {
    const view = this.view(set.layer.id);
    this.head = new Map([...view].filter(([, settings]) => settings[":delete"] === undefined));
    this.sets.delete(set.layer.id);
  }
}

class Run {
  readonly model = new Model();
  readonly seen = { passes: 0, moved: 0, applied: 0, refused: 0, stale: 0 };
  readonly #store: Store;
  readonly #workspace: Workspace;
  readonly #head: Layer;
  readonly #below: (limit: number) => number;

  constructor(store: Store, workspace: Workspace, seed: number) {
    this.#store = store;
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
    if (dice === 3) return this.#createOne(set);
    const ids = [...this.model.view(set.layer.id).keys()].sort();
    const id = ids[this.#below(ids.length)];
    if (id === undefined) return;
    if (dice === 4) {
      await change(this.#store, set.layer, (one) => eraseComponent(one, rules, id));
      return this.model.erase(set, id);
    }
    const [key, setting] =
      dice === 5 || dice === 6 ? ([":delete", { v: true }] as const) : this.#setting(id, ids);
    const written = this.#below(6) === 0 ? null : setting;
    await change(this.#store, set.layer, (one) => editComponent(one, rules, id, () => ({ [key]: written })));
    this.model.edit(set, id, key, written);
  }

  #setting(id: string, ids: readonly string[]): readonly [string, Setting] {
    const lower = ids.filter((other) => other < id);
    const source = lower[this.#below(lower.length)];
    const dice = this.#below(10);
    if (dice < 5 && source !== undefined) {
      const key = this.#below(2) === 0 ? "/domain/in" : "/domain/in2";
      return [key, from(source, this.#below(2) === 0 ? "/domain/out" : "/domain/a")];
    }
    if (dice === 9) return ["/si/name", literal(`n${this.#below(20)}`)];
    return ["/domain/a", literal(this.#below(4))];
  }

  async #createSet(): Promise<void> {
    const layer = await newChangeSet(this.#store, this.#workspace);
    this.model.sets.set(layer.id, { layer, added: new Map(), edited: new Map(), erased: new Set() });
  }

  async #createOne(set: Patches): Promise<void> {
    const id = this.#store.id();
    const ids = [...this.model.view(set.layer.id).keys()];
    const settings: Settings = {
      "/si/name": literal("new"),
      ...Object.fromEntries([this.#setting(id, ids), this.#setting(id, ids)]),
    };
    await change(this.#store, set.layer, (one) => createComponents(one, rules, [defined(id, settings)]));
    set.added.set(id, settings);
  }

  /** Invariants 2 and 10: refused exactly while there are roots, and then the head shows what the set showed. */
  async #apply(set: Patches): Promise<void> {
    const pending = await hasRoots(this.#store, set.layer.id);
    const ids = [...this.model.view(set.layer.id).keys()];
    const before = await findComponents(this.#store, rules, set.layer, ids);
    const applying = applyChangeSet(this.#store, rules, {
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
    const after = await findComponents(this.#store, rules, this.#head, ids);
    for (const [id, one] of before) {
      const found = after.get(id);
      if (one.toDelete) expect(found).toBeUndefined();
      else expect([found?.settings, found?.vals, found?.name]).toEqual([one.settings, one.vals, one.name]);
    }
    this.model.apply(set);
  }

  #propagate(slip: boolean): Propagate {
    return createPropagate(this.#store, rules, {
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
      const shown = await findComponents(this.#store, rules, layer, ids);
      for (const id of ids) expect([id, shown.get(id)?.settings]).toEqual([id, view.get(id)]);
      await this.#checkSubscribers(layer, view, finished);
      await this.#checkNames(layer, view);
      if (!finished) continue;
      expect(await hasRoots(this.#store, layer.id)).toBe(false);
      const values = this.model.values(view);
      const headValues = this.model.values(this.model.head);
      for (const id of ids) {
        expect([id, shown.get(id)?.vals]).toEqual([id, values.get(id)]);
        const same = text(values.get(id)) === text(headValues.get(id));
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
      const page = await pageComponents(this.#store, rules, layer, { after, limit: 1 + this.#below(5) });
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
    const values = this.model.values(view);
    const wanted: string[] = [];
    for (const [id, settings] of view) {
      for (const [key, setting] of Object.entries(settings)) {
        if (!("s" in setting) || !view.has(setting.s[0])) continue;
        wanted.push(text([setting.s, id, key, nameIn(settings), finished ? values.get(id)?.[key] : null]));
      }
    }
    const found = await listSubscribers(this.#store, rules, layer, [...view.keys()]);
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

  async #checkNames(layer: Layer, view: ReadonlyMap<string, Settings>): Promise<void> {
    const name = `n${this.#below(20)}`;
    const wanted = [...view].filter(([, settings]) => nameIn(settings) === name).map(([id]) => id);
    const found = await listComponentsNamed(this.#store, rules, layer, name);
    expect(found.map((one) => one.id)).toEqual(wanted.sort());
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

const text = (value: unknown): string => JSON.stringify(value) ?? "";
const nameIn = (settings: Settings | undefined): string => {
  const name = settings?.["/si/name"];
  return name !== undefined && "v" in name ? String(name.v) : "";
};

describeEngines("random histories of change sets", (engine) => {
  const suite = suiteStore(engine);
  const total = { passes: 0, moved: 0, applied: 0, refused: 0, stale: 0 };
  const runs = engine.name === "SQLite" ? 10 : 3;

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
