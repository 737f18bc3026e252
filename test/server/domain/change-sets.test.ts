import { describe, expect, test } from "vitest";
import {
  activeStatuses,
  type ChangeSetState,
  checkChangeSetName,
  isActive,
  isGone,
  isHeadReference,
  isPurged,
  planDelete,
  requireActive,
  requireEditable,
} from "../../../server/domain/change-sets.ts";
import type { ChangeSetStatus } from "../../../src/contract/change-sets.ts";
import { changeSetStatuses } from "../../../src/contract/change-sets.ts";
import { refusalOf } from "./sample.ts";

const open: ChangeSetState = { name: "one", status: "Open", isHead: false, deleted: false };
const head: ChangeSetState = { ...open, name: "HEAD", isHead: true };
const inStatus = (status: ChangeSetStatus): ChangeSetState => ({ ...open, status });

describe("the name of a change set", () => {
  const check = (name: string) => () => checkChangeSetName(name, (other) => other === "taken");

  test.each(["a", "x".repeat(200), "release 2026-01 ✓", "01J", "header"])("may be %j", (name) => {
    expect(check(name)()).toBe(name);
  });

  test.each([
    ["", /1 to 200 characters, found 0/],
    ["x".repeat(201), /found 201/],
    ["HEAD", /other than that of the head/],
    ["hEad", /other than that of the head/],
    ["01J5ZK3V9QW8R2T4Y6B7C8D9EF", /found an id/],
    ["01j5zk3v9qw8r2t4y6b7c8d9ef", /found an id/],
    ["taken", /no active change set has, found the string "taken"/],
    ["a\u0000", /zero character/],
    ["\udc00", /half of a surrogate pair/],
  ])("may not be %j", (name, message) => {
    const refusal = refusalOf(check(name));
    expect(refusal.error).toBe("invalidRequest");
    expect(refusal.message).toMatch(message);
  });
});

describe("a change set", () => {
  test.each(changeSetStatuses)("in status %s is editable exactly when it is active", (status) => {
    if (isActive(status)) return expect(() => requireEditable(inStatus(status))).not.toThrow();
    return expect(refusalOf(() => requireEditable(inStatus(status))).error).toBe("changeSetNotActive");
  });

  test("is active in four statuses", () => {
    expect(changeSetStatuses.filter(isActive)).toEqual(["Open", "NeedsApproval", "Approved", "Rejected"]);
    expect(activeStatuses).toHaveLength(4);
  });

  test("that is the head is never edited but is active", () => {
    expect(refusalOf(() => requireEditable(head)).error).toBe("headNotEditable");
    expect(() => requireActive(head)).not.toThrow();
  });

  test("is deleted once from every status but Applied, and a second time without effect", () => {
    for (const status of changeSetStatuses.filter((one) => one !== "Applied")) {
      expect(planDelete(inStatus(status))).toBe("abandon");
    }
    expect(refusalOf(() => planDelete(inStatus("Applied"))).error).toBe("changeSetNotActive");
    expect(refusalOf(() => planDelete(head)).error).toBe("headNotAllowed");
    const deleted: ChangeSetState = { ...inStatus("Abandoned"), deleted: true };
    expect(planDelete(deleted)).toBe("nothing");
    expect(isGone(deleted)).toBe(true);
    expect(isGone(inStatus("Abandoned"))).toBe(false);
  });

  test("is purged when it is active, and the head is spared", () => {
    expect(changeSetStatuses.filter((status) => isPurged(inStatus(status)))).toEqual(activeStatuses);
    expect(isPurged(head)).toBe(false);
  });

  test("is meant by HEAD in any letter case", () => {
    expect(["HEAD", "head", "Head"].every(isHeadReference)).toBe(true);
    expect(isHeadReference("heads")).toBe(false);
  });
});
