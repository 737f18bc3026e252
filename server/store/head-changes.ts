import { sql } from "kysely";
import { fail } from "../../src/contract/errors.ts";
import type { Patch } from "../domain/overlay.ts";
import { componentRow, loadPairs, putRows, settingsOf } from "./component-rows.ts";
import { wantDispatch } from "./dispatch.ts";
import { recordEvent } from "./events.ts";
import { type LayerChange, type LayerEvent, lockLayer } from "./layer.ts";
import type { Store } from "./open.ts";
import { addRoots, markOthers, wantPropagation } from "./roots.ts";
import type { ComponentRules, Definition } from "./rules.ts";
import { lastFinished, type ShownComponent, showPairs } from "./show.ts";

/** What a write in the head is. */
export interface HeadWrite {
  readonly headId: string;
  /** Whether definitions or values may change; states of actions are neither. */
  readonly graph: 0 | 1;
}

/** A write in the head that is under way; it says what it is to be remembered as. */
export interface HeadChange extends LayerChange {
  /** What happened, one event each; a write without any leaves none. */
  readonly events: LayerEvent[];
}

class NothingSaved<T> {
  readonly result: T;
  constructor(result: T) {
    this.result = result;
  }
}

/**
 * One write in the head, where only resources and actions are written directly: locks it, runs `work`, marks those who
 * read what it touched, here and in other change sets, and asks which actions may begin now. Work that saves nothing
 * leaves nothing.
 */
export async function changeHead<T>(
  store: Store,
  { headId, graph }: HeadWrite,
  work: (change: HeadChange) => Promise<T>,
): Promise<T> {
  try {
    return await store.write(async (tx) => {
      const head = await lockLayer(tx, headId, graph);
      const roots = new Set<string>();
      const events: LayerEvent[] = [];
      let anything = false;
      const saved = (): void => {
        anything = true;
      };
      const result = await work({ tx, layer: head, roots, saved, events });
      if (!anything) throw new NothingSaved(result);
      if (roots.size > 0) {
        await markOthers(tx, { headId, by: headId, touched: [...roots] });
        await addRoots(tx, headId, roots);
        await wantPropagation(tx, headId);
      }
      await wantDispatch(tx, headId);
      const place = { workspaceId: head.workspaceId, changeSetId: headId };
      for (const event of events) recordEvent(tx, { ...event, ...place });
      return result;
    });
  } catch (signal) {
    // Only the write above throws it, with a result of its own type.
    if (signal instanceof NothingSaved) return signal.result as T;
    throw signal;
  }
}

/**
 * Writes settings of a component of the head; undefined when the head has none of that id. Literals only: what it reads
 * from others follows with the propagation.
 */
export async function editInHead(
  change: HeadChange,
  rules: ComponentRules,
  componentId: string,
  decide: (shown: ShownComponent) => Patch,
): Promise<ShownComponent | undefined> {
  const { tx, layer: head } = change;
  const pairs = await loadPairs(tx, head, [componentId]);
  const [pair, before] = [pairs.get(componentId), (await showPairs(rules, head, pairs)).get(componentId)];
  if (pair === undefined || before === undefined) return undefined;
  const patch = decide(before);
  const keys = Object.keys(patch);
  if (keys.length === 0) return before;
  const applied = rules.applyRow(settingsOf(pair.head), { op: "edit", settings: patch });
  if (applied?.does !== "put") return fail("componentNotFound");
  const { settings } = applied;
  const { schemaId, variantId } = before;
  const definition: Definition = { id: componentId, schemaId, variantId, settings };
  const prepared = await rules.prepare(head, [variantId]);
  const vals = prepared.compute(definition, lastFinished(rules, definition, pair), before.vals);
  const rendered = prepared.render(definition, vals);
  const row = componentRow(definition, JSON.stringify(vals), rendered, {
    layer: head.id,
    op: "head",
    editRev: head.graphRev,
    baseRev: 0,
    settings,
  });
  await putRows(tx, [row]);
  await sql`delete from sub where layer = ${head.id} and subscriber = ${componentId}
    and to_path ${tx.engine.within(keys)}`.execute(tx.db);
  change.roots.add(componentId);
  change.saved();
  return { ...before, ...rendered, settings, vals, hash: row.hash ?? "", headRev: head.graphRev };
}

/** Removes components from the head, with all that is said of them there; those that read them lose the values. */
export async function removeFromHead(change: HeadChange, componentIds: readonly string[]): Promise<void> {
  if (componentIds.length === 0) return;
  const { tx, layer: head } = change;
  const these = tx.engine.within(componentIds);
  await sql`delete from component where layer = ${head.id} and id ${these}`.execute(tx.db);
  await sql`delete from sub where layer = ${head.id} and subscriber ${these}`.execute(tx.db);
  await sql`delete from action where layer = ${head.id} and component_id ${these}`.execute(tx.db);
  await sql`delete from drift where layer = ${head.id} and component ${these}`.execute(tx.db);
  for (const id of componentIds) change.roots.add(id);
  change.saved();
}
