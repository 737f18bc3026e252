import { admits } from "../domain/keys.ts";
import type { Claim, Holder } from "../store/access.ts";
import type { Key } from "../store/keys.ts";
import type { Session } from "../store/sessions.ts";
import type { User } from "../store/users.ts";
import type { Credential } from "./credentials.ts";
import { hashToken, tokenKind } from "./tokens.ts";

/** Who calls: a signed-in session, or a personal key; both stand for a user. */
export type Principal =
  | { readonly kind: "session"; readonly user: User; readonly session: Session; readonly token: string }
  | { readonly kind: "personal"; readonly user: User; readonly key: Key };

/** What a credential claims; undefined when its form alone says that it is none, or none where it was found. */
export function claimOf(credential: Credential, path: Claim["path"]): Claim | undefined {
  const { token, from } = credential;
  const kind = tokenKind(token);
  switch (kind) {
    case "session":
      return from === "x-api-key" ? undefined : { kind, tokenHash: hashToken(token), path };
    case "personal":
      return from === "cookie" ? undefined : { kind, tokenHash: hashToken(token), path };
    case "collective":
    case "malformed":
      return undefined;
  }
}

/** The principal that a token's holder is at `now`; undefined when it is revoked, expired or its user suspended. */
export function principalOf(holder: Holder, token: string, now: number): Principal | undefined {
  const { user } = holder;
  if (user.suspendedAt !== undefined) return undefined;
  if (holder.kind === "session") {
    const { session } = holder;
    return session.expiresAt > now ? { kind: "session", user, session, token } : undefined;
  }
  const { key } = holder;
  return admits(key.state, key.expiresAt ?? null, now) ? { kind: "personal", user, key } : undefined;
}
