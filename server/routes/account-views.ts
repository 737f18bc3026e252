import { toTimestamp } from "../../src/lib/clock.ts";
import type { Session } from "../store/sessions.ts";
import type { User } from "../store/users.ts";

/** A session as the wire shows it: its token is known to whoever has it, and to nobody else. */
export const sessionView = (session: Session) => ({
  id: session.id,
  token: session.id,
  userId: session.userId,
  createdAt: toTimestamp(session.createdAt),
  updatedAt: toTimestamp(session.lastUsedAt),
  expiresAt: toTimestamp(session.expiresAt),
  ipAddress: session.ip ?? null,
  userAgent: session.userAgent ?? null,
});

/** An account as the wire shows it, without anything of its password. */
export const userView = ({ id, name, email, username, createdAt, updatedAt }: User) => ({
  id,
  name,
  email,
  username,
  createdAt: toTimestamp(createdAt),
  updatedAt: toTimestamp(updatedAt),
});
