import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import { describe, unstorable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** What the rules need to know of a change set. */
export interface ChangeSetState {
  readonly name: string;
  readonly status: ChangeSetStatus;
  readonly isHead: boolean;
  /** Set by DELETE only: everything under a deleted change set is gone, an abandoned one stays readable. */
  readonly deleted: boolean;
}

/** The head's name, which no other change set may have in any letter case. */
export const headName = "HEAD";

/** Whether a path's change set id means the head: the word, in any letter case. */
export const isHeadReference = (reference: string): boolean => reference.toUpperCase() === headName;

/** Statuses in which a change set is listed and can be edited. */
export const activeStatuses = [
  "Open",
  "NeedsApproval",
  "Approved",
  "Rejected",
] as const satisfies readonly ChangeSetStatus[];

/** Whether a change set can still be edited, approved and applied. */
export const isActive = (status: ChangeSetStatus): boolean =>
  activeStatuses.some((active) => active === status);

/** Longest name of a change set, in UTF-16 units. */
const maximumChangeSetName = 200;

/** The name of a new change set, checked; `isTaken` says whether another active change set has it. */
export function checkChangeSetName(name: string, isTaken: (name: string) => boolean): string {
  const no = (reason: string): never => refuse("invalidRequest", `changeSetName: expected ${reason}`);
  if (name.length < 1 || name.length > maximumChangeSetName) {
    no(`1 to ${maximumChangeSetName} characters, found ${name.length}`);
  }
  const bad = unstorable(name);
  if (bad !== undefined) no(`text, found ${bad} in it`);
  if (isHeadReference(name)) no(`a name other than that of the head, found ${describe(name)}`);
  if (/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i.test(name))
    no("a name, found an id; names and ids must be told apart");
  if (isTaken(name)) no(`a name that no active change set has, found ${describe(name)}`);
  return name;
}

/** Refuses a change to the content of the head or of a change set that is not active. */
export function requireEditable(changeSet: ChangeSetState): void {
  if (changeSet.isHead) {
    refuse(
      "headNotEditable",
      "changes not permitted on the head change set; create a change set and apply it",
    );
  }
  requireActive(changeSet);
}

/** Refuses what needs an active change set; the head is one. */
export function requireActive(changeSet: ChangeSetState): void {
  if (isActive(changeSet.status)) return;
  refuse(
    "changeSetNotActive",
    `the change set ${JSON.stringify(changeSet.name)} is ${changeSet.status}; it can no longer be changed`,
  );
}

/** Refuses what is done to a change set as a whole and never to the head; `action` completes "the head cannot be". */
export function requireNotHead(changeSet: ChangeSetState, action: string): void {
  if (changeSet.isHead) refuse("headNotAllowed", `the head change set cannot be ${action}`);
}

/** What DELETE does to a change set: nothing the second time; 409 for an applied one, 400 for the head. */
export function planDelete(changeSet: ChangeSetState): "abandon" | "nothing" {
  requireNotHead(changeSet, "abandoned");
  if (changeSet.status === "Applied") {
    refuse(
      "changeSetNotActive",
      `the change set ${JSON.stringify(changeSet.name)} is Applied; it cannot be deleted`,
    );
  }
  return changeSet.deleted ? "nothing" : "abandon";
}

/** Whether purging abandons a change set: every active one but the head. */
export const isPurged = (changeSet: ChangeSetState): boolean =>
  !changeSet.isHead && isActive(changeSet.status);

/** Whether everything under a change set answers 404. */
export const isGone = (changeSet: ChangeSetState): boolean => changeSet.deleted;
