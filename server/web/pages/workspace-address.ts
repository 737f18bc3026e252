import type { Workspace } from "../../../src/contract/workspaces.ts";
import type { Visit } from "../page-row.ts";

/** The page of a workspace. */
export const workspaceAddress = (workspaceId: string): string =>
  `/workspaces/${encodeURIComponent(workspaceId)}`;

/** The workspace that an address below {@link workspaceAddress} names. */
export const workspaceIdOf = ({ params }: Visit): string => params["workspaceId"] ?? "";

/** Whether forms that change the workspace are shown: to some roles, while it is not closed. The API decides again. */
export const takesChanges = (
  { role, quarantinedAt }: Workspace,
  from: readonly ("OWNER" | "APPROVER" | "EDITOR")[],
): boolean => (quarantinedAt ?? null) === null && from.some((one) => one === role);

/** A role as pages write it. */
export const roleWord = (role: string | null | undefined): string => role?.toLowerCase() ?? "none";
