import { membersOf, textOf, textOrNull } from "./members.ts";

/** One queued or running action. */
export interface ActionRow {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly state: string;
  readonly componentId: string | null;
  /** The change set in which it was queued. */
  readonly changeSetId: string | null;
  /** The run of its function: while it runs, and after it has failed. */
  readonly funcRunId: string | null;
}

/** Reads one mirrored action. */
export function actionRow(id: string, item: unknown): ActionRow {
  const members = membersOf(item);
  return {
    id,
    name: textOf(members["name"]) || id,
    kind: textOf(members["kind"]),
    state: textOf(members["state"]),
    componentId: textOrNull(members["componentId"]),
    changeSetId: textOrNull(members["originatingChangeSetId"]),
    funcRunId: textOrNull(members["funcRunId"]),
  };
}

/** True when a person would see no difference between two states of an action. */
export const sameAction = (a: ActionRow, b: ActionRow): boolean =>
  a.state === b.state && a.name === b.name && a.funcRunId === b.funcRunId;
