import { expect } from "vitest";
import { Refusal } from "../../../server/domain/refusal.ts";
import { componentView } from "../../../server/read/component-view.ts";
import { reviewOf } from "../../../server/read/review.ts";
import { rulesFor } from "../../../server/read/rules.ts";
import { VariantCache } from "../../../server/read/variants.ts";
import { changeComponent, type Writing } from "../../../server/routes/change-component.ts";
import { createComponent } from "../../../server/routes/create-component.ts";
import { discardComponent } from "../../../server/routes/discard-component.ts";
import { installSchema } from "../../../server/routes/install-schema.ts";
import { updateComponent } from "../../../server/routes/update-component.ts";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { createChangeSet } from "../../../server/store/change-sets.ts";
import { eraseComponent } from "../../../server/store/component-writes.ts";
import { findComponents } from "../../../server/store/components.ts";
import { changeLayer, type Layer } from "../../../server/store/layer.ts";
import type { Store } from "../../../server/store/open.ts";
import { createPropagate } from "../../../server/store/propagate.ts";
import { createWorkspace } from "../../../server/store/workspaces.ts";
import { ApiError } from "../../../src/contract/errors.ts";
import type { ComponentReview } from "../../../src/contract/review.ts";
import { testSchemas } from "../../support/schemas.ts";

const actor = "somebody";
const steps = 60;
const mostChangeSets = 3;

type Attributes = Readonly<Record<string, unknown>>;

/** Numerical Recipes' generator: the same seed gives the same run. */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const text = (value: unknown): string => JSON.stringify(value) ?? "nothing";

/** People who edit a handful of components in a few change sets, and what they saw of the head as they did. */
export class Story {
  readonly seen = { moved: 0, unmoved: 0, followed: 0, discarded: 0, refused: 0, applied: 0, dropped: 0 };
  readonly #store: Store;
  readonly #below: (limit: number) => number;
  readonly #cache = new VariantCache();
  readonly #sets = new Map<string, Layer>();
  readonly #ids: string[] = [];
  /** By change set, component and pointer: the head's attribute when it was last edited here. */
  readonly #base = new Map<string, string>();
  #head: Layer = { id: "", headId: "", workspaceId: "" };

  constructor(store: Store, seed: number) {
    this.#store = store;
    this.#below = random(seed);
  }

  async run(): Promise<void> {
    const { id, headId } = await createWorkspace(this.#store, {
      displayName: "s",
      description: "",
      creatorId: actor,
    });
    this.#head = { id: headId, headId, workspaceId: id };
    const first = await this.#createSet();
    await changeLayer(this.#store, first, { actor, kind: "entity.changed" }, async (change) => {
      for (const schema of testSchemas) await installSchema(change, schema);
    });
    for (let n = 0; n < 4; n++) await this.#create(first);
    await this.#apply(first);
    for (let step = 0; step < steps; step++) {
      await this.#step();
      if (this.#below(3) === 0) await this.#check();
    }
    await this.#removeUnderneath();
    await this.#check();
    await this.#discardEverything();
  }

  /** The head loses a component that somebody edits. */
  async #removeUnderneath(): Promise<void> {
    const [mine, theirs] = [await this.#createSet(), await this.#createSet()];
    // The last one is read by nobody: subscriptions lead to smaller ids.
    const id = [...(await this.#views(this.#head, this.#ids)).keys()].sort().at(-1) ?? "";
    await updateComponent(this.#writing(mine), id, { attributes: { "/domain/size": 7 } });
    await this.#erase(theirs, id);
    await this.#apply(theirs);
  }

  #writing = (layer: Layer): Writing => ({ store: this.#store, variants: this.#cache, layer, actor });

  async #createSet(): Promise<Layer> {
    const name = `set ${this.#store.id()}`;
    const set = await createChangeSet(this.#store, { workspaceId: this.#head.workspaceId, name, actor });
    this.#sets.set(set.id, set);
    return set;
  }

  async #create(set: Layer): Promise<void> {
    const body = {
      name: `c${this.#ids.length}`,
      schemaName: "Machine",
      attributes: { "/domain/size": this.#below(3) },
    };
    this.#ids.push((await createComponent(this.#writing(set), body)).id);
  }

  async #step(): Promise<void> {
    const dice = this.#below(20);
    if (this.#sets.size === 0 || (dice === 0 && this.#sets.size < mostChangeSets)) {
      await this.#createSet();
      return;
    }
    const set = [...this.#sets.values()][this.#below(this.#sets.size)] ?? this.#head;
    if (dice < 3) return this.#apply(set);
    if (dice === 3) return this.#create(set);
    const id = this.#ids[this.#below(this.#ids.length)] ?? "";
    if (dice === 5) return this.#erase(set, id);
    if (dice === 6) return this.#discardOne(set);
    return this.#edit(set, id);
  }

  async #edit(set: Layer, id: string): Promise<void> {
    const [before, head] = [await this.#attributes(set, id), await this.#attributes(this.#head, id)];
    if (before === undefined) return;
    const [pointer, value] = this.#change(id);
    const isUnset = typeof value === "object" && value !== null && text(value) === text({ $source: null });
    // Unsetting what is not there hides a default, or stops doing so; of an entry of a map it does nothing.
    const edits = isUnset
      ? !pointer.startsWith("/domain/labels") || before[pointer] !== undefined
      : text(before[pointer]) !== text(value);
    try {
      await updateComponent(this.#writing(set), id, { attributes: { [pointer]: value } });
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof Refusal)) throw error;
      this.seen.refused++;
      return;
    }
    if (edits) this.#base.set(`${set.id} ${id} ${pointer}`, text(head?.[pointer]));
  }

  #change(id: string): readonly [string, unknown] {
    const source = this.#ids[this.#below(this.#ids.length)] ?? "";
    const value = this.#below(4) === 0 ? { $source: null } : undefined;
    switch (this.#below(6)) {
      case 0:
        return ["/domain/labels/a", value ?? `l${this.#below(2)}`];
      case 1:
        return ["/domain/network/zone", value ?? `z${this.#below(2)}`];
      case 2:
        return source < id
          ? ["/domain/region", value ?? { $source: { component: source, path: "/domain/network/zone" } }]
          : ["/domain/region", value ?? `r${this.#below(2)}`];
      case 3:
        return ["/si/name", `n${this.#below(1000)}`];
      default:
        return ["/domain/size", value ?? this.#below(3)];
    }
  }

  async #erase(set: Layer, id: string): Promise<void> {
    const head = await this.#attributes(this.#head, id);
    if ((await this.#attributes(set, id)) === undefined) return;
    await changeComponent(this.#writing(set), { kind: "component.erased", subject: id }, (change, rules) =>
      eraseComponent(change, rules, id),
    );
    for (const [pointer, value] of Object.entries(head ?? {}))
      this.#base.set(`${set.id} ${id} erased ${pointer}`, text(value));
    for (const pointer of ["/domain/labels/a", "/domain/network/zone", "/domain/region", "/domain/size"])
      if (head?.[pointer] === undefined) this.#base.set(`${set.id} ${id} erased ${pointer}`, "nothing");
  }

  async #apply(set: Layer): Promise<void> {
    await this.#drain();
    const target = { workspaceId: this.#head.workspaceId, changeSetId: set.id, actor };
    await applyChangeSet(this.#store, rulesFor(this.#store, this.#cache), target);
    this.#sets.delete(set.id);
    this.seen.applied++;
  }

  async #drain(): Promise<void> {
    const propagate = createPropagate(this.#store, rulesFor(this.#store, this.#cache));
    for (const id of [this.#head.id, ...this.#sets.keys()]) while ((await propagate(id)) !== "idle");
  }

  async #attributes(layer: Layer, id: string): Promise<Attributes | undefined> {
    return (await this.#views(layer, [id])).get(id)?.attributes;
  }

  async #views(layer: Layer, ids: readonly string[]) {
    const found = await findComponents(this.#store, rulesFor(this.#store, this.#cache), layer, ids);
    const views = new Map<string, Awaited<ReturnType<typeof componentView>>>();
    for (const [id, shown] of found)
      views.set(id, await componentView(this.#store, this.#cache, layer, shown));
    return views;
  }

  async #check(): Promise<void> {
    if (this.#below(2) === 0) await this.#drain();
    const heads = await this.#views(this.#head, this.#ids);
    for (const set of this.#sets.values()) {
      const review = await reviewOf(this.#store, this.#cache, set);
      const reviewed = new Map(review.components.map((one) => [one.componentId, one]));
      expect(reviewed.size).toBe(review.components.length);
      for (const { componentId } of review.dropped) {
        expect([heads.has(componentId), reviewed.has(componentId)]).toEqual([false, false]);
      }
      const owns = await this.#views(set, this.#ids);
      for (const id of this.#ids) {
        this.#checkOne(set, id, reviewed.get(id), heads.get(id)?.attributes, owns.get(id)?.attributes);
      }
    }
  }

  #checkOne(
    set: Layer,
    id: string,
    review: ComponentReview | undefined,
    head: Attributes | undefined,
    own: Attributes | undefined,
  ): void {
    const status = head === undefined ? "Added" : own === undefined ? "Removed" : "Modified";
    if (head === undefined && own === undefined) expect(review).toBeUndefined();
    const diffs = review?.attributeDiffs ?? {};
    if (review !== undefined) expect([id, review.diffStatus]).toEqual([id, status]);
    const pointers = new Set([...Object.keys(head ?? {}), ...Object.keys(own ?? {}), ...Object.keys(diffs)]);
    for (const pointer of pointers) {
      const [was, is, diff] = [head?.[pointer], own?.[pointer], diffs[pointer]];
      const differs = text(was) !== text(is);
      // A container shows while nothing is in it; that follows from what was put in or taken out.
      if (/^\/domain\/(labels|network)$/.test(pointer)) continue;
      if (diff === undefined) {
        expect([pointer, text(is)]).toEqual([pointer, text(was)]);
        continue;
      }
      if (diff.old?.source === "value") expect(diff.old.value).toEqual(was);
      if (diff.new?.source === "value") expect(diff.new.value).toEqual(is);
      if (!differs) expect([pointer, text(diff.old?.value)]).not.toEqual([pointer, text(diff.new?.value)]);
      this.#checkMark(set, id, pointer, diff, was, own === undefined);
    }
  }

  #checkMark(
    set: Layer,
    id: string,
    pointer: string,
    diff: ComponentReview["attributeDiffs"][string],
    was: unknown,
    isErased: boolean,
  ): void {
    const base = this.#base.get(`${set.id} ${id} ${isErased ? "erased " : ""}${pointer}`);
    const isMoved = diff.edited && base !== undefined && base !== text(was);
    expect([pointer, base, was, diff.headMoved]).toEqual([pointer, base, was, isMoved]);
    this.seen[!diff.edited ? "followed" : isMoved ? "moved" : "unmoved"]++;
  }

  /** One attribute goes back, and all others of the review stay as they were. */
  async #discardOne(set: Layer): Promise<void> {
    const before = (await reviewOf(this.#store, this.#cache, set)).components.filter(
      ({ diffStatus }) => diffStatus === "Modified",
    );
    const one = before[this.#below(before.length)];
    const edited = Object.entries(one?.attributeDiffs ?? {}).filter(([, diff]) => diff.edited);
    const pointer = edited[this.#below(edited.length)]?.[0];
    if (one === undefined || pointer === undefined || /^\/domain\/(labels|network)$/.test(pointer)) return;
    await discardComponent(this.#writing(set), one.componentId, pointer);
    this.#base.delete(`${set.id} ${one.componentId} ${pointer}`);
    this.seen.discarded++;
    const after = (await reviewOf(this.#store, this.#cache, set)).components;
    const left = after.find(({ componentId }) => componentId === one.componentId)?.attributeDiffs ?? {};
    const edits = (diffs: ComponentReview["attributeDiffs"]) =>
      Object.keys(diffs).filter(
        (key) => diffs[key]?.edited === true && !/^\/domain\/(labels|network)$/.test(key),
      );
    expect(edits(left)).toEqual(edits(one.attributeDiffs).filter((key) => key !== pointer));
  }

  async #discardEverything(): Promise<void> {
    for (const set of this.#sets.values()) {
      const { components, dropped } = await reviewOf(this.#store, this.#cache, set);
      for (const { componentId, attributes } of dropped) {
        // The last one leaves nothing.
        for (const pointer of attributes) await discardComponent(this.#writing(set), componentId, pointer);
        this.seen.dropped++;
      }
      for (const { componentId, diffStatus, attributeDiffs } of components) {
        const follows =
          diffStatus === "Modified" && !Object.values(attributeDiffs).some(({ edited }) => edited);
        if (!follows) await discardComponent(this.#writing(set), componentId, undefined);
      }
      await this.#drain();
      const after = await reviewOf(this.#store, this.#cache, set);
      expect([after.components, after.dropped]).toEqual([[], []]);
      const heads = await this.#views(this.#head, this.#ids);
      expect(Object.fromEntries(await this.#views(set, this.#ids))).toEqual(Object.fromEntries(heads));
    }
  }
}
