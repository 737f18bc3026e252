import type { AuditOrigin } from "../store/audit.ts";

/** The operator in the audit log: at the machine itself, with no account, address or credential. */
export const atTheMachine: AuditOrigin = {
  actorKind: "operator",
  actor: undefined,
  credentialKind: undefined,
  credential: undefined,
  ip: undefined,
  userAgent: undefined,
};
