import { type CollectiveRole, checkCollectiveRole } from "./collectives.ts";
import { refuse } from "./refusal.ts";

/** Somebody in a collective, as far as rules care. */
export interface CollectiveStanding {
  readonly role: CollectiveRole;
  /** Not so while the account is suspended: such an owner can look after nothing. */
  readonly canSignIn: boolean;
}

/** Throws `forbidden` unless somebody of role `by` may ask somebody in as `role`. */
export function checkInvitation(by: CollectiveRole, role: CollectiveRole): void {
  checkCollectiveRole(by, "admin", "inviting somebody");
  if (role === "owner") checkCollectiveRole(by, "owner", "inviting an owner");
}

/** Throws `forbidden` or `lastCollectiveOwner` unless a member of role `by` may take `target` out of `everybody`. */
export function checkCollectiveRemoval(
  by: CollectiveRole,
  target: CollectiveStanding,
  everybody: readonly CollectiveStanding[],
): void {
  checkCollectiveRole(by, "admin", "removing a member");
  if (target.role === "owner") checkCollectiveRole(by, "owner", "removing an owner");
  checkOwnerRemains(target, everybody, "be removed");
}

/** Throws `forbidden` or `lastCollectiveOwner` unless a member of role `by` may give `target` the role `to`. */
export function checkCollectiveRoleChange(
  by: CollectiveRole,
  target: CollectiveStanding,
  to: CollectiveRole,
  everybody: readonly CollectiveStanding[],
): void {
  checkCollectiveRole(by, "admin", "changing a role");
  if (target.role === "owner" || to === "owner") checkCollectiveRole(by, "owner", "changing an owner's role");
  if (to !== "owner") checkOwnerRemains(target, everybody, "be given another role");
}

/** Throws `lastCollectiveOwner` for the last owner who can sign in. */
export function checkCollectiveLeaving(
  target: CollectiveStanding,
  everybody: readonly CollectiveStanding[],
): void {
  checkOwnerRemains(target, everybody, "leave");
}

function checkOwnerRemains(
  target: CollectiveStanding,
  everybody: readonly CollectiveStanding[],
  what: string,
): void {
  if (target.role !== "owner" || !target.canSignIn) return;
  const owners = everybody.filter(({ role, canSignIn }) => role === "owner" && canSignIn);
  if (owners.length <= 1) {
    refuse("lastCollectiveOwner", `the last owner cannot ${what}: make somebody else an owner first`);
  }
}
