import { hash, randomBytes } from "node:crypto";
import { collectivePrefix, keyKind, personalPrefix } from "../domain/keys.ts";

/** What a token is by its form alone; a malformed one is never worth a look into the database. */
export type TokenKind = "personal" | "collective" | "session" | "workspace" | "malformed";

/** Session tokens are 64 hexadecimal characters, so that none ever begins like a key. */
const sessionPattern = /^[0-9a-f]{64}$/;

/** Three parts of base64url, the first of which begins an object; 4,096 characters are eight times what ours have. */
const workspacePattern = /^(?=.{1,4096}$)eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/** The kind of a token; whatever begins like a key is a key or malformed, never a session. */
export function tokenKind(token: string): TokenKind {
  if (token.startsWith(collectivePrefix) || token.startsWith(personalPrefix)) {
    return keyKind(token) ?? "malformed";
  }
  if (sessionPattern.test(token)) return "session";
  return workspacePattern.test(token) ? "workspace" : "malformed";
}

/** A new personal key: the prefix and 32 hexadecimal characters (128 random bits). */
export const newPersonalKey = (): string => `${personalPrefix}${randomBytes(16).toString("hex")}`;

/** A new token of a collective: the prefix and 32 hexadecimal characters (128 random bits). */
export const newCollectiveToken = (): string => `${collectivePrefix}${randomBytes(16).toString("hex")}`;

/** A new code of an invitation: `svc_inv_` and 32 hexadecimal characters (128 random bits). No token: it lets nobody in. */
export const newInvitationCode = (): string => `svc_inv_${randomBytes(16).toString("hex")}`;

/** A new session token: 256 random bits. */
export const newSessionToken = (): string => randomBytes(32).toString("hex");

/** What is kept of a key or token: SHA-256 of the whole text, base64url without padding. */
export const hashToken = (token: string): string => hash("sha256", token, "base64url");
