import { refuse } from "./refusal.ts";
import { checkCovers, type Role, readRole, roles } from "./roles.ts";

/** Somebody in a workspace, as far as rules care. */
export interface Standing {
  readonly role: Role;
  /** Not so while there is no account yet, or while it is suspended: such an owner can look after nothing. */
  readonly canSignIn: boolean;
}

/** The role that a request names, in any letter case. Throws `badRequest`. */
export function checkRole(text: string): Role {
  return (
    readRole(text) ??
    refuse(
      "badRequest",
      `role: expected one of ${roles.toReversed().join(", ")}, found ${JSON.stringify(text.slice(0, 40))}`,
    )
  );
}

/** Throws `forbidden` or `lastOwner` unless a member of role `by` may take `target` out of `everybody`. */
export function checkRemoval(by: Role, target: Standing, everybody: readonly Standing[]): void {
  checkCovers(by, "APPROVER", "removing a member");
  if (target.role === "OWNER") checkCovers(by, "OWNER", "removing an owner");
  checkOwnerRemains(target, everybody, "removed");
}

/** Throws `forbidden` or `lastOwner` unless a member of role `by` may give `target` of `everybody` the role `to`. */
export function checkRoleChange(by: Role, target: Standing, to: Role, everybody: readonly Standing[]): void {
  checkCovers(by, "OWNER", "changing a role");
  if (to !== "OWNER") checkOwnerRemains(target, everybody, "given another role");
}

/** Throws `ownerCannotLeave` for an owner, one of several too. */
export function checkLeaving(role: Role): void {
  if (role === "OWNER") {
    refuse("ownerCannotLeave", "an owner cannot leave: have another owner give you another role first");
  }
}

function checkOwnerRemains(target: Standing, everybody: readonly Standing[], what: string): void {
  if (target.role !== "OWNER" || !target.canSignIn) return;
  const owners = everybody.filter(({ role, canSignIn }) => role === "OWNER" && canSignIn);
  if (owners.length <= 1) {
    refuse("lastOwner", `the last owner cannot be ${what}: make somebody else an owner first`);
  }
}
