import { expect, it } from "vitest";
import {
  ApprovalNeeded,
  type DecideMoves,
  decideApprove,
  decideForceApply,
  decideGrantedRequest,
  decideReject,
  decideReopen,
  decideRequest,
  isGranted,
  type Movable,
  type Move,
  ofRequest,
} from "../../../server/domain/approvals.ts";
import { Refusal } from "../../../server/domain/refusal.ts";
import { roles } from "../../../server/domain/roles.ts";
import { changeSetStatuses } from "../../../src/contract/change-sets.ts";

const deciders: Readonly<Record<string, DecideMoves>> = {
  forceApply: decideForceApply,
  request: decideRequest,
  grantedRequest: decideGrantedRequest,
  approve: decideApprove,
  reject: decideReject,
  reopen: decideReopen,
};
const outcome = (decide: DecideMoves, set: Movable): readonly Move[] | string => {
  try {
    return decide(set);
  } catch (error) {
    if (error instanceof ApprovalNeeded) return error.name;
    if (error instanceof Refusal) return error.error;
    throw error;
  }
};

/** The same rules said once more, in the order in which they refuse. */
function wanted(name: string, set: Movable): readonly Move[] | string {
  const isReviewer = set.role === "OWNER" || set.role === "APPROVER";
  const isReview = ["approve", "reject", "reopen"].includes(name);
  if (set.isHead) return "headNotAllowed";
  if ((isReview || (name === "forceApply" && set.approvalsEnabled)) && !isReviewer) return "forbidden";
  if (["Applied", "Abandoned", "Failed"].includes(set.status)) return "changeSetNotActive";
  switch (name) {
    case "forceApply":
      return ["applied"];
    case "request":
      return set.status === "NeedsApproval" || set.status === "Approved" ? [] : ["approval_requested"];
    case "grantedRequest":
      return set.approvalsEnabled ? "ApprovalNeeded" : ["approval_requested", "approved", "applied"];
    case "reopen":
      return set.status === "Open" ? "approvalNotRequested" : ["reopened"];
    default:
      if (set.status !== "NeedsApproval") return "approvalNotRequested";
      return name === "approve" ? ["approved"] : ["rejected"];
  }
}

it.each(Object.keys(deciders))("%s moves exactly whom it should, from every status by every role", (name) => {
  for (const status of changeSetStatuses)
    for (const role of [...roles, undefined])
      for (const isHead of [true, false])
        for (const approvalsEnabled of [true, false]) {
          const set: Movable = { name: "disks", status, isHead, approvalsEnabled, role, requestedAt: null };
          const decide = deciders[name] ?? decideRequest;
          expect([set, outcome(decide, set)]).toEqual([set, wanted(name, set)]);
        }
});

it("says what was expected, what was found and what to do", () => {
  const set: Movable = {
    name: "disks",
    status: "Open",
    isHead: false,
    approvalsEnabled: true,
    role: "EDITOR",
    requestedAt: 1,
  };
  const message = (decide: DecideMoves, change: Partial<Movable>): string => {
    try {
      decide({ ...set, ...change });
    } catch (error) {
      if (error instanceof Refusal) return error.message;
    }
    return "";
  };
  expect(message(decideForceApply, {})).toBe(
    "an owner or approver of the workspace applies a change set while approvals are enabled; your role is EDITOR",
  );
  expect(message(decideApprove, { role: "OWNER" })).toBe(
    'the change set "disks" is Open: nobody asked for its approval since; request_approval does',
  );
  expect(message(ofRequest(decideApprove, 2), { role: "OWNER", status: "NeedsApproval" })).toBe(
    'the change set "disks" was edited and its approval asked for anew after the request that you looked at: review it again',
  );
  expect(message(decideRequest, { status: "Abandoned" })).toBe(
    'the change set "disks" is Abandoned: only an active one can be merged',
  );
  expect(message(decideReopen, { isHead: true })).toContain("the head change set cannot be reopened");
});

it("counts as granted what was approved, and everything where nobody approves", () => {
  for (const status of changeSetStatuses) {
    expect(isGranted(status, true)).toBe(status === "Approved");
    expect(isGranted(status, false)).toBe(true);
  }
});
