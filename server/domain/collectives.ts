import { isReadable, unstorable } from "./json.ts";
import { refuse } from "./refusal.ts";

/** Roles in a collective, from the least to the most; each may do all that those before it may. */
export const collectiveRoles = ["member", "admin", "owner"] as const;
export type CollectiveRole = (typeof collectiveRoles)[number];

const covers = (role: CollectiveRole, needed: CollectiveRole): boolean =>
  collectiveRoles.indexOf(role) >= collectiveRoles.indexOf(needed);

/** Throws `forbidden` unless the role covers the needed one; `doing` begins the sentence: "inviting somebody". */
export function checkCollectiveRole(role: CollectiveRole, needed: CollectiveRole, doing: string): void {
  if (!covers(role, needed)) {
    const expected = needed === "admin" ? "the role owner or admin" : `the role ${needed}`;
    refuse("forbidden", `${doing} needs ${expected} in this collective, found ${role}: ask an owner`);
  }
}

/** The slug of a collective as it is stored: lower case, 3 to 40 characters that begin and end with a letter or digit. */
export function checkSlug(slug: string): string {
  if (/^[a-z0-9][a-z0-9_-]{1,38}[a-z0-9]$/i.test(slug)) return slug.toLowerCase();
  return refuse(
    "invalidSlug",
    `slug: expected 3 to 40 letters, digits, hyphens or underscores, the first and the last a letter or digit, found ${JSON.stringify(slug.slice(0, 50))}`,
  );
}

/** Longest name of a collective, in UTF-16 units. */
const maximumName = 100;

/** The name of a collective, without blanks around it. Throws `invalidRequest`. */
export function checkCollectiveName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length <= maximumName && isReadable(trimmed) && unstorable(trimmed) === undefined)
    return trimmed;
  return refuse(
    "invalidRequest",
    `name: expected 1 to ${maximumName} characters on one line, found ${JSON.stringify(name.slice(0, 40))}`,
  );
}

/**
 * Slugs for the personal collective of a user, the best one first: the username with hyphens for dots, then with a
 * number after it. Usernames have no hyphen, so no two of them lead to the same first one.
 */
export function* personalSlugs(username: string): Generator<string> {
  // 30 characters and a hyphen leave room for a number of nine digits within the 40 that a slug has.
  const base = username.replaceAll(".", "-").slice(0, 30);
  yield base;
  for (let number = 2; number < 1_000_000_000; number++) yield `${base}-${number}`;
}

/** Collectives that a user may have made, the personal one not counted. */
const maximumCollectives = 100;

/** How long a deleted collective counts as one that its creator made, in milliseconds: 30 days, as its slug is used up. */
export const countedAfterDeletionMs = 30 * 24 * 60 * 60 * 1000;

/** Throws `collectiveLimitReached` where somebody who has made `count` collectives makes no further one. */
export function checkCollectiveCount(count: number): void {
  if (count >= maximumCollectives) {
    refuse(
      "collectiveLimitReached",
      `a user creates at most ${maximumCollectives} collectives, those deleted in the last 30 days counted, found ${count}: delete one that is not needed any more, or have somebody else create it`,
    );
  }
}

/** Throws `forbidden` unless a member of role `by` may delete the collective, `personalCollective` where nobody may. */
export function checkCollectiveDeletion(
  by: CollectiveRole,
  { personal }: { readonly personal: boolean },
): void {
  checkCollectiveRole(by, "owner", "deleting a collective");
  if (personal) refuse("personalCollective", "a personal collective stays as long as its user's account");
}

/** How long an invitation into a collective stays open: 7 days. */
export const invitationMs = 7 * 24 * 60 * 60 * 1000;

/** Throws `personalCollective` where a collective belongs to one user for good. */
export function checkShared({ personal }: { readonly personal: boolean }): void {
  if (personal) {
    refuse("personalCollective", "a personal collective has one member for good: create another for several");
  }
}
