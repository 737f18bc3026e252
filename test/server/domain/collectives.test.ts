import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkCollectiveLeaving,
  checkCollectiveRemoval,
  checkCollectiveRoleChange,
} from "../../../server/domain/collective-members.ts";
import { readTokenExpiry } from "../../../server/domain/collective-tokens.ts";
import { checkSlug, collectiveRoles, personalSlugs } from "../../../server/domain/collectives.ts";
import { Refusal } from "../../../server/domain/refusal.ts";

const role = fc.constantFrom(...collectiveRoles);
const who = fc.nat({ max: 5 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("remove" as const), by: who, target: who }),
  fc.record({ kind: fc.constant("change" as const), by: who, target: who, to: role }),
  fc.record({ kind: fc.constant("leave" as const), by: who }),
);

const allowed = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
};

describe("the members of a collective", () => {
  it("always have an owner who can sign in, and owners are made and unmade by owners, whatever is tried", () => {
    const member = fc.record({ role, canSignIn: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(member, { minLength: 0, maxLength: 5 }),
        fc.array(step, { maxLength: 40 }),
        (others, steps) => {
          let members = [{ role: "owner" as (typeof collectiveRoles)[number], canSignIn: true }, ...others];
          for (const one of steps) {
            const by = members[one.by];
            const target = one.kind === "leave" ? by : members[one.target];
            if (by === undefined || target === undefined || !by.canSignIn) continue;
            const done = allowed(() => {
              if (one.kind === "leave") checkCollectiveLeaving(target, members);
              else if (one.kind === "remove") checkCollectiveRemoval(by.role, target, members);
              else checkCollectiveRoleChange(by.role, target, one.to, members);
            });
            if (!done) continue;
            if (one.kind === "change") {
              if (target.role === "owner" || one.to === "owner") expect(by.role).toBe("owner");
              members = members.map((each) => (each === target ? { ...each, role: one.to } : each));
            } else {
              if (one.kind === "remove" && target.role === "owner") expect(by.role).toBe("owner");
              members = members.filter((each) => each !== target);
            }
            expect(members.some((each) => each.role === "owner" && each.canSignIn)).toBe(true);
          }
        },
      ),
    );
  });
});

describe("the slugs of personal collectives", () => {
  const username = fc.stringMatching(/^[a-z0-9_.]{3,30}$/);
  it("differ at once for usernames that differ", () => {
    fc.assert(
      fc.property(username, username, (a, b) => {
        const [first] = personalSlugs(a);
        const [second] = personalSlugs(b);
        expect(first === second).toBe(a === b);
      }),
    );
  });
  it("are as long as slugs may be at most, also with a number", () => {
    const slugs = personalSlugs("x".repeat(30));
    for (let n = 0; n < 200; n++) expect(checkSlug(String(slugs.next().value))).toMatch(/^x{30}(-\d+)?$/);
  });
});

describe("the end of a token", () => {
  const now = Date.UTC(2026, 0, 1);
  it("lies after now, whatever is asked for", () => {
    fc.assert(
      fc.property(fc.double(), (expiresIn) => {
        const end = { value: undefined as number | undefined };
        if (!allowed(() => Object.assign(end, { value: readTokenExpiry({ expiresIn }, now) }))) return;
        expect(end.value).toBeGreaterThan(now);
      }),
    );
  });
  it("is read in any zone", () => {
    expect(readTokenExpiry({ expiresAt: "2026-01-01T02:00:01+02:00" }, now)).toBe(now + 1_000);
    expect(allowed(() => readTokenExpiry({ expiresAt: "2026-01-01T02:00:00+02:00" }, now))).toBe(false);
  });
  it("is never without one", () => {
    expect(readTokenExpiry({}, now)).toBeUndefined();
    expect(readTokenExpiry({ expiresAt: null, expiresIn: null }, now)).toBeUndefined();
  });
});
