import type { ErrorName } from "../../../src/contract/errors.ts";

/** What a row asks of who has been let through by its `access`; written down by hand, beside the contract. */
export interface Needs {
  /** The least role in the workspace of the path. */
  readonly workspace?: "EDITOR" | "APPROVER" | "OWNER";
  /** The least role in the collective of the path, or of the body. */
  readonly collective?: "member" | "admin" | "owner";
  /** Answered also while the workspace of the path is closed. */
  readonly closed?: true;
  /** Not for a workspace token, whose user may. */
  readonly noWorkspaceToken?: true;
  /** What a stranger to the workspace is told; `forbidden` where it is left out. */
  readonly stranger?: ErrorName;
  /** What a role that has more than it needs is told all the same. */
  readonly owner?: ErrorName;
  /** What a personal key is told that names another key. */
  readonly key?: ErrorName;
  /** Takes something away from whoever may do it: what stands here is made anew after each of them. */
  readonly spoils?: true;
}

/** No more than the row's `access`: it is about the caller alone, or about nobody. */
const own: Needs = {};
const editor: Needs = { workspace: "EDITOR" };
const approver: Needs = { workspace: "APPROVER" };
const owner: Needs = { workspace: "OWNER" };
const seen: Needs = { workspace: "EDITOR", closed: true };
const letsIn: Needs = { workspace: "EDITOR", noWorkspaceToken: true };
const member: Needs = { collective: "member" };
const admin: Needs = { collective: "admin" };

/** Each operation of the contract, and what it needs. */
export const needs: Readonly<Record<string, Needs>> = {
  "system.root": own,
  "system.health": own,
  "system.readiness": own,
  "identity.whoami": own,
  "changeSets.list": editor,
  "changeSets.create": editor,
  "changeSets.purgeOpen": editor,
  "changeSets.get": editor,
  "changeSets.abandon": editor,
  // Of a workspace with approvals, as the one here is; without, any member applies.
  "changeSets.forceApply": approver,
  "changeSets.mergeStatus": editor,
  "changeSets.requestApproval": editor,
  "changeSets.approve": approver,
  "changeSets.reject": approver,
  "changeSets.reopen": approver,
  "review.get": editor,
  "review.discard": editor,
  "components.list": editor,
  "components.create": editor,
  "components.addToView": editor,
  "components.duplicate": editor,
  "components.find": editor,
  "components.get": editor,
  "components.update": editor,
  "components.delete": editor,
  "components.restore": editor,
  "components.erase": editor,
  "components.manage": editor,
  "components.resource": editor,
  "components.upgrade": editor,
  "schemas.list": editor,
  "schemas.create": editor,
  "schemas.find": editor,
  "schemas.search": editor,
  "schemas.get": editor,
  "schemas.unlock": editor,
  "schemas.variantDefault": editor,
  "schemas.variantGet": editor,
  "schemas.variantUpdate": editor,
  "packages.installFromFile": editor,
  "packages.install": editor,
  "packages.contribute": editor,
  "bindings.createAction": editor,
  "bindings.deleteAction": editor,
  "bindings.createAttribute": editor,
  "bindings.deleteAttribute": editor,
  "bindings.createAuthentication": editor,
  "bindings.deleteAuthentication": editor,
  "bindings.createCodegen": editor,
  "bindings.deleteCodegen": editor,
  "bindings.createManagement": editor,
  "bindings.deleteManagement": editor,
  "bindings.createQualification": editor,
  "bindings.deleteQualification": editor,
  "functions.createTransformation": editor,
  "functions.get": editor,
  "functions.update": editor,
  "functions.unlock": editor,
  "functionRuns.list": editor,
  "functionRuns.get": editor,
  "functionRuns.cancel": editor,
  "actions.list": editor,
  "actions.cancel": editor,
  "actions.putOnHold": editor,
  "actions.retry": editor,
  "actions.enqueue": editor,
  "actions.refresh": editor,
  "managementJobs.execute": editor,
  "managementJobs.get": editor,
  "debugJobs.create": editor,
  "debugJobs.get": editor,
  "jobs.list": editor,
  "jobs.cancel": editor,
  "secrets.list": editor,
  "secrets.create": editor,
  "secrets.update": editor,
  "secrets.delete": editor,
  "policyReports.create": editor,
  "policyReports.list": editor,
  "search.find": editor,
  "search.components": editor,
  "events.list": editor,
  "workspaces.list": own,
  "workspaces.create": own,
  "workspaces.get": seen,
  "workspaces.delete": { ...owner, spoils: true },
  "workspaces.update": owner,
  "workspaces.leave": {
    workspace: "EDITOR",
    stranger: "memberNotFound",
    owner: "ownerCannotLeave",
    spoils: true,
  },
  "workspaces.listMembers": seen,
  "workspaces.inviteMember": approver,
  "workspaces.removeMember": approver,
  "workspaces.updateMemberAccess": owner,
  "workspaceTokens.list": { ...letsIn, closed: true },
  "workspaceTokens.create": letsIn,
  "workspaceTokens.revoke": letsIn,
  "accounts.signUp": own,
  "accounts.signInEmail": own,
  "accounts.signInUsername": own,
  "accounts.changePassword": own,
  "accounts.signOut": { spoils: true },
  "accounts.getSession": own,
  "accounts.whoami": own,
  "sessions.list": own,
  "sessions.revoke": own,
  "sessions.revokeOthers": { spoils: true },
  "sessions.revokeAll": { spoils: true },
  "keys.create": own,
  "keys.list": own,
  "keys.get": own,
  "keys.update": own,
  "keys.delete": { key: "sessionRequired" },
  "audit.account": own,
  "audit.collective": admin,
  "audit.workspace": { ...owner, closed: true },
  "collectives.list": own,
  "collectives.create": own,
  "collectives.get": member,
  "collectives.rename": admin,
  "collectives.delete": { collective: "owner", spoils: true },
  "collectiveMembers.list": member,
  "collectiveMembers.update": admin,
  "collectiveMembers.remove": admin,
  "collectiveMembers.leave": { ...member, spoils: true },
  "collectiveInvitations.list": admin,
  "collectiveInvitations.create": admin,
  "collectiveInvitations.withdraw": admin,
  "collectiveInvitations.received": own,
  "collectiveInvitations.accept": own,
  "collectiveInvitations.reject": own,
  "invitations.accept": own,
  "collectiveTokens.list": admin,
  "collectiveTokens.create": admin,
  "collectiveTokens.revoke": admin,
  "collectiveTokens.delete": admin,
  "collectiveGrants.list": { ...letsIn, closed: true },
  "collectiveGrants.grant": { ...owner, collective: "member", noWorkspaceToken: true },
  "collectiveGrants.ungrant": { ...owner, noWorkspaceToken: true, spoils: true },
};
