import type { Server } from "../context.ts";
import { touchCollectiveToken } from "../store/collective-tokens.ts";
import { touchKey } from "../store/keys.ts";
import { touchSession } from "../store/sessions.ts";
import { touchWorkspaceToken } from "../store/workspace-tokens.ts";
import { sessionSeconds, shortSessionSeconds } from "./credentials.ts";
import type { Principal } from "./principals.ts";

/** Use is noted at most this often, so that a key in use costs one write a minute. */
const noteEveryMs = 60_000;
/** A session lives on from its last use: its expiry moves when a day of its life is over. */
const refreshAfterMs = 24 * 60 * 60 * 1000;
/** Notes remembered at once: about 100 bytes each, so at most 1 MB. */
const maximumNotes = 10_000;

/** Notes in the background that a credential was used; says whether a session's life was extended. */
export function createUseNotes(server: Server): (principal: Principal) => boolean {
  const { store, background, clock } = server;
  // What was noted and may not be written yet: the rows that requests read meanwhile are older.
  const noted = new Map<string, number>();

  const isDue = (id: string, lastUsedAt: number | undefined, now: number): boolean => {
    if (now - Math.max(noted.get(id) ?? 0, lastUsedAt ?? 0) < noteEveryMs) return false;
    if (noted.size >= maximumNotes) noted.clear();
    noted.set(id, now);
    return true;
  };

  return (principal) => {
    const now = clock.now();
    if (principal.kind === "personal") {
      const { id, lastUsedAt } = principal.key;
      if (isDue(id, lastUsedAt, now)) background.run(() => touchKey(store, id, noteEveryMs));
      return false;
    }
    if (principal.kind === "workspace") {
      const { id, lastUsedAt } = principal.token;
      if (isDue(id, lastUsedAt, now)) background.run(() => touchWorkspaceToken(store, id, noteEveryMs));
      return false;
    }
    if (principal.kind === "collective") {
      const { id, lastUsedAt } = principal.token;
      if (isDue(id, lastUsedAt, now)) background.run(() => touchCollectiveToken(store, id, noteEveryMs));
      return false;
    }
    const { id, lastUsedAt, createdAt, expiresAt } = principal.session;
    if (!isDue(id, lastUsedAt, now)) return false;
    // One that was not to be remembered keeps its single day.
    const remembered = expiresAt - createdAt > shortSessionSeconds * 1000;
    const refresh = remembered && expiresAt - now <= sessionSeconds * 1000 - refreshAfterMs;
    background.run(() => touchSession(store, id, refresh ? now + sessionSeconds * 1000 : undefined));
    return refresh;
  };
}
