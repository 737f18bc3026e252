import type { ServerSettings } from "../src/config/server-settings.ts";
import type { ChangeSetStatus } from "../src/contract/change-sets.ts";
import { fail } from "../src/contract/errors.ts";
import type { Clock } from "../src/lib/clock.ts";
import type { Log } from "../src/lib/log.ts";
import type { Attempts } from "./auth/attempts.ts";
import { actorIdOf, type Principal } from "./auth/principals.ts";
import type { ServerKeys } from "./auth/server-keys.ts";
import type { WorkspaceTokens } from "./auth/workspace-tokens.ts";
import type { Background } from "./background.ts";
import type { SearchIndex } from "./read/search-index.ts";
import type { VariantCache } from "./read/variants.ts";
import type { CollectiveTokenContext } from "./request-log.ts";
import type { FunctionRuns } from "./runs/runs.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import type { Layer } from "./store/layer.ts";
import type { Store } from "./store/open.ts";
import type { Role } from "./store/people-tables.ts";
import type { User } from "./store/users.ts";

/** What the whole server process shares. */
export interface Server {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: ServerSettings;
  readonly log: Log;
  /** Derives one key for each purpose; see `auth/server-keys.ts`. */
  readonly keyFor: (purpose: string) => Buffer;
  /** The keys themselves: what secrets are sealed with. */
  readonly keys: ServerKeys;
  readonly background: Background;
  readonly attempts: Attempts;
  readonly variants: VariantCache;
  readonly search: SearchIndex;
  readonly workspaceTokens: WorkspaceTokens;
  /** Where functions run, and where their runs are remembered. */
  readonly sandbox: Sandbox;
  readonly runs: FunctionRuns;
  /** Aborts when the process is asked to stop. */
  readonly stopping: AbortSignal;
}

/** Where a request comes from. */
export interface Caller {
  readonly ip: string;
  readonly userAgent: string | undefined;
}

/** The change set or head that a path names, as it was when the request came in. */
export interface PathLayer extends Layer {
  readonly name: string;
  readonly status: ChangeSetStatus;
  /** Its counter; for the head the same as `headRev`. */
  readonly rev: number;
  /** Abandoned by DELETE: what lies below it cannot be reached any more. */
  readonly deleted: boolean;
}

/** The workspace that a path names, and the caller's place in it. */
export interface WorkspaceAccess {
  readonly id: string;
  readonly headId: string;
  /** Its own counter and its head's: what tags are made of, read with everything else. */
  readonly rev: number;
  readonly headRev: number;
  /** The number of the newest event of its history. */
  readonly eventSeq: number;
  readonly role: Role;
  /** Undefined where the path names no change set. */
  readonly layer: PathLayer | undefined;
}

/** What a handler knows besides its input. */
export interface Context {
  readonly server: Server;
  readonly caller: Caller;
  readonly principal: Principal | undefined;
  /** Set where a collective token calls: the request is done for the collective, and for no user. */
  readonly collectiveTokenContext: CollectiveTokenContext | undefined;
  readonly workspace: WorkspaceAccess | undefined;
  /** The workspace that `X-Workspace-Id` asks for, where the path names none. */
  readonly workspaceHeader: string | undefined;
  /** Hands a session to the caller's browser, or takes it back when the token is undefined. */
  readonly setSessionCookie: (token: string | undefined, remember?: boolean) => void;
}

/** The user who calls; throws `userRequired` for a collective token, `unauthenticated` where nobody was let through. */
export function userOf({ principal }: Context): User {
  if (principal?.kind === "collective") fail("userRequired");
  return principal?.user ?? fail("unauthenticated");
}

/** Whom a write is attributed to: the id of the user who calls, or of the collective. */
export const actorOf = ({ principal }: Context): string =>
  principal === undefined ? fail("unauthenticated") : actorIdOf(principal);

/** The workspace of the path; only on rows with access `workspace`. */
export const workspaceOf = (context: Context): WorkspaceAccess =>
  context.workspace ?? fail("workspaceNotFound");

/** The change set of the path; only on rows whose path names one. */
export const layerOf = (context: Context): PathLayer =>
  workspaceOf(context).layer ?? fail("changeSetNotFound");
