import type { ChangeSetStatus } from "../../src/contract/change-sets.ts";
import { refuse } from "./refusal.ts";
import { covers, type Role } from "./roles.ts";

/** One step in the life of a change set; each is one event of the workspace's history. */
export type Move = "approval_requested" | "approved" | "rejected" | "reopened" | "applied";

/** A change set under its lock, and who wants to move it. */
export interface Movable {
  readonly name: string;
  readonly status: ChangeSetStatus;
  readonly isHead: boolean;
  /** Whether the workspace asks for approvals. */
  readonly approvalsEnabled: boolean;
  /** When the merge was asked for, in milliseconds; null while nobody asks. */
  readonly requestedAt: number | null;
  /** The caller's role in the workspace, as it is now; undefined for somebody who left. */
  readonly role: Role | undefined;
}

/** What moves a change set, in order; none when it is there already. Throws a refusal. */
export type DecideMoves = (set: Movable) => readonly Move[];

/** Approvals were switched on after the caller was told that there are none: the merge has to be asked for. */
export class ApprovalNeeded extends Error {
  override readonly name = "ApprovalNeeded";
}

/** Merging without asking: any member may while the workspace has no approvals, else an owner or approver. */
export const decideForceApply: DecideMoves = (set) => {
  refuseHead(set, "applied");
  if (set.approvalsEnabled) needApprover(set, "applies a change set while approvals are enabled");
  refuseInactive(set);
  return ["applied"];
};

/** Asking for the merge where a person decides; asking again while nobody has, or once it is granted, changes nothing. */
export const decideRequest: DecideMoves = (set) => {
  refuseHead(set, "merged");
  refuseInactive(set);
  return set.status === "NeedsApproval" || set.status === "Approved" ? [] : ["approval_requested"];
};

/** Asking for the merge where nobody has to decide: granted at once, all steps stand in the history. */
export const decideGrantedRequest: DecideMoves = (set) => {
  refuseHead(set, "merged");
  refuseInactive(set);
  if (set.approvalsEnabled) throw new ApprovalNeeded();
  return ["approval_requested", "approved", "applied"];
};

/**
 * The same for who looked at one request only: what was asked for since, after an edit, is another one. Throws
 * `approvalNotRequested` for that.
 */
export const ofRequest =
  (decide: DecideMoves, requestedAt: number): DecideMoves =>
  (set) => {
    const moves = decide(set);
    if (set.requestedAt === requestedAt) return moves;
    return refuse(
      "approvalNotRequested",
      `the change set "${set.name}" was edited and its approval asked for anew after the request that you looked at: review it again`,
    );
  };

/** Granting what was asked for. Owners and approvers may decide about their own requests: they could apply as well. */
export const decideApprove: DecideMoves = (set) => review(set, "approved", "approves");

/** Refusing what was asked for. */
export const decideReject: DecideMoves = (set) => review(set, "rejected", "rejects");

/** Taking back a request or a decision. */
export const decideReopen: DecideMoves = (set) => {
  refuseHead(set, "reopened");
  needApprover(set, "reopens a change set");
  refuseInactive(set);
  if (set.status === "Open") notRequested(set);
  return ["reopened"];
};

/** Whether a change set could be applied now, as far as approvals go. */
export const isGranted = (status: ChangeSetStatus, approvalsEnabled: boolean): boolean =>
  !approvalsEnabled || status === "Approved";

function review(set: Movable, move: Move, verb: string): readonly Move[] {
  refuseHead(set, move);
  needApprover(set, `${verb} a change set`);
  refuseInactive(set);
  if (set.status !== "NeedsApproval") notRequested(set);
  return [move];
}

function refuseHead({ isHead }: Movable, done: string): void {
  if (isHead)
    refuse("headNotAllowed", `the head change set cannot be ${done}: it is what others are merged into`);
}

function needApprover({ role }: Movable, what: string): void {
  if (role !== undefined && covers(role, "APPROVER")) return;
  refuse("forbidden", `an owner or approver of the workspace ${what}; your role is ${role ?? "none"}`);
}

function refuseInactive({ name, status }: Movable): void {
  if (status !== "Applied" && status !== "Abandoned" && status !== "Failed") return;
  refuse("changeSetNotActive", `the change set "${name}" is ${status}: only an active one can be merged`);
}

function notRequested({ name, status }: Movable): never {
  return refuse(
    "approvalNotRequested",
    `the change set "${name}" is ${status}: nobody asked for its approval since; request_approval does`,
  );
}
