import { membersOf, textOf, textOrNull } from "./members.ts";
import { timeOf } from "./time.ts";

/** Who did something, when, and with which words; what is not known is absent. */
export interface Deed {
  readonly by: string | null;
  readonly at: number | undefined;
}

/** How far a change set is from being applied. */
export interface MergeStatus {
  /** `Ready` when nothing keeps it from being applied, else the change set's own status. */
  readonly status: string;
  readonly requested: Deed;
  readonly reviewed: Deed;
  readonly note: string | null;
}

/** Reads one mirrored merge status. */
export function mergeStatus(item: unknown): MergeStatus {
  const members = membersOf(item);
  const deed = (user: string, at: string): Deed => ({
    by: textOrNull(members[user]),
    at: timeOf(textOrNull(members[at])),
  });
  return {
    status: textOf(members["status"]),
    requested: deed("mergeRequestedByUser", "mergeRequestedAt"),
    reviewed: deed("reviewedByUser", "reviewedAt"),
    note: textOrNull(members["note"]),
  };
}
