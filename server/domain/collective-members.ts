import { type CollectiveRole, checkCollectiveRole } from "./collectives.ts";
import { refuse } from "./refusal.ts";

/** Somebody in a collective, as far as rules care. */
export interface CollectiveStanding {
  readonly role: CollectiveRole;
  /** Not so while the account is suspended: such an owner can look after nothing. */
  readonly canSignIn: boolean;
}

/** Members that a collective may have. */
const maximumMembers = 100;

/** Throws `memberLimitReached` where a collective that has `count` members takes no further one. */
export function checkMemberCount(count: number): void {
  if (count >= maximumMembers) {
    refuse(
      "memberLimitReached",
      `a collective has at most ${maximumMembers} members, found ${count}: somebody has to leave first`,
    );
  }
}

/** Invitations that a collective may have open at once. */
const maximumInvitations = 100;

/** Throws `invitationLimitReached` where a collective that has `count` open invitations to others sends no further one. */
export function checkInvitationCount(count: number): void {
  if (count >= maximumInvitations) {
    refuse(
      "invitationLimitReached",
      `a collective has at most ${maximumInvitations} open invitations, found ${count}: take one back, or wait until one is answered or ends`,
    );
  }
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
