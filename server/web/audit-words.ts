import type { AuditEntry } from "../../src/contract/audit.ts";
import type { AuditKind } from "../store/audit.ts";

/** What is known of a thing besides its id. */
interface Known {
  /** A text of the entry's data in quotes after a blank, such as a name; empty where there is none. */
  readonly quoted: (member: string) => string;
  /** The same without quotes; `otherwise` where there is none. */
  readonly said: (member: string, otherwise: string) => string;
  readonly data: AuditEntry["data"];
}

const invited = ({ said }: Known): string => `invited ${said("email", "somebody")} as ${role(said)}`;
const removed = ({ said }: Known): string => `removed ${said("email", "a member")}`;
const changed = ({ said }: Known): string => `gave ${said("email", "a member")} the role ${role(said)}`;
const role = (said: Known["said"]): string => said("role", "member").toLowerCase();

/** What was done, as it goes on after who did it. */
const words: Readonly<Record<AuditKind, (known: Known) => string>> = {
  "account.created": () => "created the account",
  "account.suspended": () => "suspended the account",
  "account.reinstated": () => "lifted the suspension of the account",
  "session.opened": () => "signed in",
  "session.approved": () => "approved a terminal",
  "session.refused": () => "tried to sign in with a wrong password",
  "session.ended": ({ data }) => {
    const { sessions } = data;
    return typeof sessions === "number" ? `ended ${sessions} sessions` : "ended a session";
  },
  "password.changed": ({ data }) =>
    data["endSessions"] === true ? "changed the password and ended every session" : "changed the password",
  "key.created": ({ quoted }) => `created the key${quoted("name")}`,
  "key.changed": ({ quoted }) => `changed the key${quoted("name")}`,
  "key.revoked": ({ quoted }) => `revoked the key${quoted("name")}`,
  "key.deleted": ({ quoted }) => `deleted the key${quoted("name")}`,
  "workspace.created": ({ quoted }) => `created the workspace${quoted("displayName")}`,
  "workspace.updated": ({ data }) => {
    const members = Object.keys(data).map((name) => workspaceMembers[name] ?? name);
    return `changed ${members.length === 0 ? "the workspace" : `its ${members.join(", ")}`}`;
  },
  "workspace.deleted": () => "deleted the workspace",
  "workspace.restored": () => "brought the workspace back",
  "workspace.quarantined": () => "closed the workspace",
  "workspace.quarantine_lifted": () => "opened the workspace again",
  "workspace_token.created": ({ quoted }) => `created the workspace token${quoted("name")}`,
  "workspace_token.revoked": ({ quoted }) => `revoked the workspace token${quoted("name")}`,
  "member.invited": invited,
  "member.joined": ({ said }) => `joined as ${role(said)}`,
  "member.removed": removed,
  "member.left": () => "left the workspace",
  "member.changed": changed,
  "collective.created": ({ said }) => `created the collective ${said("slug", "")}`,
  "collective.renamed": ({ quoted }) => `renamed the collective to${quoted("name")}`,
  "collective.deleted": ({ said }) => `deleted the collective ${said("slug", "")}`,
  "collective_member.joined": ({ said }) => `joined as ${role(said)}`,
  "collective_member.changed": changed,
  "collective_member.removed": removed,
  "collective_member.left": () => "left the collective",
  "collective_invitation.created": invited,
  "collective_invitation.withdrawn": () => "took an invitation back",
  "collective_token.created": ({ quoted }) => `created the collective token${quoted("name")}`,
  "collective_token.revoked": ({ quoted }) => `revoked the collective token${quoted("name")}`,
  "collective_token.deleted": ({ quoted }) => `deleted the collective token${quoted("name")}`,
  "workspace.granted": ({ said }) => `let the collective ${said("slug", "")} into the workspace`,
  "workspace.ungranted": ({ said }) => `shut the collective ${said("slug", "")} out of the workspace`,
};

const workspaceMembers: Readonly<Record<string, string>> = {
  displayName: "name",
  description: "description",
  instanceUrl: "instance address",
  approvalsEnabled: "approvals",
};

/** What an entry tells, in words; its kind where an older server has written what this one does not know. */
export function auditWords({ kind, data }: Pick<AuditEntry, "kind" | "data">): string {
  const said = (member: string, otherwise: string): string => {
    const value = data[member];
    return typeof value === "string" && value !== "" ? value : otherwise;
  };
  const quoted = (member: string): string => {
    const name = said(member, "");
    return name === "" ? "" : ` “${name}”`;
  };
  return isKnown(kind) ? words[kind]({ quoted, said, data }).trimEnd() : kind;
}

const isKnown = (kind: string): kind is AuditKind => Object.hasOwn(words, kind);

/** Who did it: by name where one is known. */
export function actorWords({ actor: { kind, name } }: Pick<AuditEntry, "actor">): string {
  if (kind === "user") return name === null ? "an account that is gone" : `@${name}`;
  if (kind === "operator") return "the operator of this server";
  return kind === "collective" ? "the collective" : "somebody who was not signed in";
}

const credentials: Readonly<Record<string, string>> = {
  session: "in a session",
  personal: "with a key",
  workspace: "with a workspace token",
  collective: "with a collective token",
};

/** What the actor showed; undefined where that was a password, or nothing. */
export const credentialWords = ({ credential }: Pick<AuditEntry, "credential">): string | undefined =>
  credential === null ? undefined : (credentials[credential.kind] ?? credential.kind);
