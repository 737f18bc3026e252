import { refuse } from "./refusal.ts";

/** Roles in a workspace, from the least to the most; each may do all that those before it may. */
export const roles = ["EDITOR", "APPROVER", "OWNER"] as const;
export type Role = (typeof roles)[number];

/** Another word for a role that is read, never written. */
const synonyms: Readonly<Record<string, Role>> = { COLLABORATOR: "EDITOR" };

/** The role of that name in any letter case; undefined when there is none. */
export function readRole(text: string): Role | undefined {
  const word = text.toUpperCase();
  return roles.find((role) => role === word) ?? (Object.hasOwn(synonyms, word) ? synonyms[word] : undefined);
}

/** Whether a role covers what another may do. */
export const covers = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);

/** Throws `forbidden` unless the role covers the needed one; `doing` begins the sentence: "inviting somebody". */
export function checkCovers(role: Role, needed: Role, doing: string): void {
  if (!covers(role, needed)) {
    refuse("forbidden", `${doing} needs the role ${needed} in this workspace, found ${role}: ask an owner`);
  }
}
