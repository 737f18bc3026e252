import { describe, expect, test } from "vitest";
import { checkChangeSetName, isHeadReference } from "../../../server/domain/change-sets.ts";
import { refusalOf } from "./sample.ts";

describe("the name of a change set", () => {
  const check = (name: string) => () => checkChangeSetName(name);

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
    ["a\u0000", /zero character/],
    ["\udc00", /half of a surrogate pair/],
  ])("may not be %j", (name, message) => {
    const refusal = refusalOf(check(name));
    expect(refusal.error).toBe("invalidRequest");
    expect(refusal.message).toMatch(message);
  });
});

describe("a change set", () => {
  test("is meant by HEAD in any letter case", () => {
    expect(["HEAD", "head", "Head"].every(isHeadReference)).toBe(true);
    expect(isHeadReference("heads")).toBe(false);
  });
});
