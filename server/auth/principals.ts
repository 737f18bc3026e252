import { admits } from "../domain/keys.ts";
import { findKeyByHash, type Key } from "../store/keys.ts";
import type { Store } from "../store/open.ts";
import { findSession, type Session } from "../store/sessions.ts";
import type { User } from "../store/users.ts";
import type { Credential } from "./credentials.ts";
import { hashToken, tokenKind } from "./tokens.ts";

/** Who calls: a signed-in session, or a personal key; both stand for a user. */
export type Principal =
  | { readonly kind: "session"; readonly user: User; readonly session: Session; readonly token: string }
  | { readonly kind: "personal"; readonly user: User; readonly key: Key };

/** The principal that a credential stands for now; undefined when it is unknown, revoked, expired or suspended. */
export async function findPrincipal(store: Store, credential: Credential): Promise<Principal | undefined> {
  const { token } = credential;
  switch (tokenKind(token)) {
    case "session":
      return credential.from === "x-api-key" ? undefined : sessionPrincipal(store, token);
    case "personal":
      return credential.from === "cookie" ? undefined : keyPrincipal(store, token);
    case "collective":
    case "malformed":
      return undefined;
  }
}

async function sessionPrincipal(store: Store, token: string): Promise<Principal | undefined> {
  const found = await findSession(store, hashToken(token));
  return found && { kind: "session", user: found.user, session: found.session, token };
}

async function keyPrincipal(store: Store, token: string): Promise<Principal | undefined> {
  const found = await findKeyByHash(store, hashToken(token));
  if (found === undefined || found.user.suspendedAt !== undefined) return undefined;
  const { key, user } = found;
  const admitted = admits(key.state, key.expiresAt ?? null, store.clock.now());
  return admitted ? { kind: "personal", user, key } : undefined;
}
