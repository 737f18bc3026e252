import type { Output } from "../contract/endpoint.ts";
import type { Ipc, ListDelta } from "./contract.ts";

/** One answer of `/changes`. */
export type Changes = Output<Ipc["daemon"]["changes"]>;

/** What a reader holds of the mirror: the items of every list by their key, as of one revision of one daemon. */
export interface MirrorState {
  readonly instance: string | undefined;
  readonly revision: number;
  readonly lists: ReadonlyMap<string, ReadonlyMap<string, unknown>>;
}

/** What a reader holds before its first answer; its revision asks for everything. */
export const emptyMirror: MirrorState = { instance: undefined, revision: -1, lists: new Map() };

/**
 * The state after an answer. Lists that did not change are the same objects as before, so that readers can compare
 * by identity; the state given is left alone.
 */
export function applyChanges(state: MirrorState, answer: Changes): MirrorState {
  const { instance, revision } = answer;
  if (!answer.fresh && answer.changes.length === 0) return { ...state, instance, revision };
  const lists = new Map(answer.fresh ? [] : state.lists);
  for (const delta of answer.changes) lists.set(delta.resource, applyDelta(lists.get(delta.resource), delta));
  return { instance, revision, lists };
}

function applyDelta(
  before: ReadonlyMap<string, unknown> | undefined,
  delta: ListDelta,
): ReadonlyMap<string, unknown> {
  const items = new Map(delta.whole ? [] : before);
  for (const [key, item] of Object.entries(delta.upserted)) items.set(key, item);
  for (const key of delta.deleted) items.delete(key);
  return items;
}
