import { type Access, type Claim, findAccess } from "../store/access.ts";
import type { Store } from "../store/open.ts";

/** Claims remembered at once: about 2 KB each, so at most 20 MB. */
const maximumClaims = 10_000;

/** What the database knows of a claim now; see {@link findAccess}. */
export interface Admissions {
  ask(claim: Claim): Promise<Access | undefined> | Access;
  /** The same from memory alone: undefined where the database would have to be asked. */
  recall(claim: Claim): Access | undefined;
}

/**
 * Asks the database about each claim, and remembers what it said until anybody commits anything. Where the engine cannot
 * tell that at once, nothing is remembered: what is revoked in one process is refused by all at the very next request.
 */
export function createAdmissions(store: Store): Admissions {
  const known = new Map<string, Promise<Access | undefined> | Access>();
  let knownAt: number | undefined;
  const ask: Admissions["ask"] = (claim) => {
    const commits = store.engine.commits();
    if (commits === undefined) return findAccess(store, claim);
    if (commits !== knownAt || known.size >= maximumClaims) known.clear();
    knownAt = commits;
    const name = nameOf(claim);
    const remembered = known.get(name);
    if (remembered !== undefined) return remembered;
    // Asked after the number was taken, so the answer is at least as new as it.
    const asked = findAccess(store, claim);
    known.set(name, asked);
    const settle = (access?: Access): void => {
      if (known.get(name) !== asked) return;
      // Tokens that nobody has are not worth the memory.
      if (access === undefined) known.delete(name);
      else known.set(name, access);
    };
    asked.then(settle, () => settle());
    return asked;
  };
  const recall: Admissions["recall"] = (claim) => {
    const commits = store.engine.commits();
    if (commits === undefined || commits !== knownAt) return undefined;
    const remembered = known.get(nameOf(claim));
    return remembered instanceof Promise ? undefined : remembered;
  };
  return { ask, recall };
}

const nameOf = ({ kind, token, path }: Claim): string =>
  path === undefined
    ? `${kind} ${token}`
    : `${kind} ${token} ${path.workspaceId} ${path.changeSetId ?? "head"}`;
