import { isDestroy, type OrderedAction } from "./action-order.ts";

/** A queued action as the head has it. */
export interface WaitingAction extends OrderedAction {
  readonly state: string;
}

/** What else decides whether an action may begin. */
export interface DispatchSituation {
  /** By id, the actions that must be gone first. */
  readonly blockers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Components whose values are still to be computed: an action would see what is about to change. */
  readonly computing: ReadonlySet<string>;
  /** Components that are marked for deletion: nothing but their Destroy runs. */
  readonly marked: ReadonlySet<string>;
}

/** Actions of one head at once, so that a large apply leaves most of what it queued to be held and cancelled. */
export const maximumRunning = 50;

/** Whether somebody works on it, or is about to. */
const isBusy = ({ state }: WaitingAction): boolean => state === "Dispatched" || state === "Running";

/**
 * Ids of the actions that may begin now, in the order given: they wait, nothing that they depend on is left, whatever
 * its state, and no other action of their component runs. One that failed or is held stops those that depend on it, and
 * none of its own component.
 */
export function dispatchable(actions: readonly WaitingAction[], situation: DispatchSituation): string[] {
  const { blockers, computing, marked } = situation;
  const running = actions.filter(isBusy);
  const busy = new Set(running.flatMap(({ componentId }) => componentId ?? []));
  const found: string[] = [];
  for (const action of actions) {
    if (running.length + found.length >= maximumRunning) break;
    const { id, componentId, state } = action;
    if (state !== "Pending" || (blockers.get(id)?.size ?? 0) > 0) continue;
    if (componentId !== undefined) {
      if (busy.has(componentId) || computing.has(componentId)) continue;
      if (marked.has(componentId) && !isDestroy(action)) continue;
      busy.add(componentId);
    }
    found.push(id);
  }
  return found;
}
