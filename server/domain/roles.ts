/** Roles in a workspace, from the least to the most; each may do all that those before it may. */
export const roles = ["EDITOR", "APPROVER", "OWNER"] as const;
export type Role = (typeof roles)[number];

/** The role of that name in any letter case; undefined when there is none. */
export const readRole = (text: string): Role | undefined => roles.find((role) => role === text.toUpperCase());

/** Whether a role covers what another may do. */
export const covers = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed);
