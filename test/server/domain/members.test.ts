import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkLeaving,
  checkRemoval,
  checkRole,
  checkRoleChange,
  type Standing,
} from "../../../server/domain/members.ts";
import { covers, type Role, readRole, roles } from "../../../server/domain/roles.ts";

const role = fc.constantFrom(...roles);
const standing = fc.record({ role, canSignIn: fc.boolean() });
/** People with at least one owner among them, one of them who acts, and one who is acted on. */
const team = fc
  .tuple(fc.array(standing, { maxLength: 5 }), fc.nat(), fc.nat())
  .map(([others, actor, target]) => {
    const everybody: readonly Standing[] = [{ role: "OWNER", canSignIn: true }, ...others];
    const present = everybody.filter(({ canSignIn }) => canSignIn);
    return {
      everybody,
      by: present[actor % present.length] ?? everybody[0],
      target: everybody[target % everybody.length] ?? everybody[0],
    };
  });
const owners = (everybody: readonly Standing[]): number =>
  everybody.filter(({ role: one, canSignIn }) => one === "OWNER" && canSignIn).length;
const allowed = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ error: expect.stringMatching(/^(forbidden|lastOwner|ownerCannotLeave)$/) });
    return false;
  }
};

describe("whatever members may do to each other", () => {
  it("leaves an owner, and nobody does what their role does not cover", () => {
    fc.assert(
      fc.property(team, role, ({ everybody, by, target }, to) => {
        if (by === undefined || target === undefined) return;
        if (allowed(() => checkRemoval(by.role, target, everybody))) {
          expect(owners(everybody.filter((one) => one !== target))).toBeGreaterThanOrEqual(1);
          expect(covers(by.role, "APPROVER") && covers(by.role, target.role)).toBe(true);
        }
        if (allowed(() => checkRoleChange(by.role, target, to, everybody))) {
          const after = everybody.map((one) => (one === target ? { ...one, role: to } : one));
          expect(owners(after)).toBeGreaterThanOrEqual(1);
          expect(by.role).toBe("OWNER");
        }
      }),
    );
  });

  it("is not refused to an owner where another remains", () => {
    const [one, two]: Standing[] = [
      { role: "OWNER", canSignIn: true },
      { role: "OWNER", canSignIn: true },
    ];
    if (one === undefined || two === undefined) return;
    expect(() => checkRemoval("OWNER", one, [one, two])).not.toThrow();
    expect(() => checkRoleChange("OWNER", one, "EDITOR", [one, two])).not.toThrow();
    expect(() => checkRoleChange("OWNER", one, "OWNER", [one])).not.toThrow();
  });

  it("lets all but owners leave", () => {
    expect(roles.filter((each) => allowed(() => checkLeaving(each)))).toEqual(["EDITOR", "APPROVER"]);
  });
});

describe("a role", () => {
  it.each<[string, Role | undefined]>([
    ["OWNER", "OWNER"],
    ["approver", "APPROVER"],
    ["eDiToR", "EDITOR"],
    ["Collaborator", "EDITOR"],
    ["admin", undefined],
    ["", undefined],
    [" OWNER", undefined],
    ["toString", undefined],
    ["__proto__", undefined],
  ])("%j is read as %s", (text, found) => expect(readRole(text)).toBe(found));

  it("that is none is refused by name, never at length", () => {
    expect(() => checkRole("x".repeat(100_000))).toThrow(
      /^role: expected one of OWNER, APPROVER, EDITOR, found "x{40}"$/,
    );
  });
});
