import { errors, jwtVerify, SignJWT } from "jose";
import Type, { type Static } from "typebox";
import { matches } from "../../src/contract/check.ts";
import { Id } from "../../src/contract/ids.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Server } from "../context.ts";
import { createWorkspaceToken, type NewWorkspaceToken } from "../store/workspace-tokens.ts";
import { type SigningKey, signingKeyOf } from "./signing-key.ts";
import { hashToken } from "./tokens.ts";

const Claims = Type.Object({
  version: Type.Literal("2"),
  userId: Id,
  workspaceId: Id,
  role: Type.Literal("automation"),
  /** The same as `userId`. */
  sub: Id,
  /** Id of the token. */
  jti: Id,
  /** Seconds since the epoch, as is `exp`. */
  iat: Type.Integer(),
  exp: Type.Integer(),
});

/** What a workspace token says, once its signature was found good. */
export type WorkspaceClaims = Static<typeof Claims>;

/** Signs workspace tokens, and tells which ones were signed here. */
export interface WorkspaceTokens {
  sign(claims: WorkspaceClaims): Promise<string>;
  /**
   * The claims of a token that was signed with this server's key and is not expired; undefined for every other text. At
   * once for a token that was seen before: its expiry is then for the caller to judge.
   */
  verify(token: string): WorkspaceClaims | undefined | Promise<WorkspaceClaims | undefined>;
}

/** Verified tokens remembered at once: about 500 bytes each, so at most 5 MB. */
const maximumKnown = 10_000;
const algorithm = "ES256";

/** Makes the signer of one server. */
export function createWorkspaceTokens(keyFor: (purpose: string) => Buffer, clock: Clock): WorkspaceTokens {
  let pair: SigningKey | undefined;
  const keys = (): SigningKey => {
    pair ??= signingKeyOf(keyFor);
    return pair;
  };
  // By hash: what is remembered lets nobody in.
  const known = new Map<string, WorkspaceClaims>();

  const check = async (token: string, name: string): Promise<WorkspaceClaims | undefined> => {
    try {
      const { payload } = await jwtVerify(token, keys().publicKey, {
        algorithms: [algorithm],
        currentDate: new Date(clock.now()),
      });
      if (!matches(Claims, payload) || payload.sub !== payload.userId) return undefined;
      const { version, userId, workspaceId, role, sub, jti, iat, exp } = payload;
      const claims = { version, userId, workspaceId, role, sub, jti, iat, exp };
      if (known.size >= maximumKnown) known.clear();
      known.set(name, claims);
      return claims;
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined;
      throw error;
    }
  };

  return {
    sign: (claims) => {
      const { privateKey, id } = keys();
      return new SignJWT({ ...claims })
        .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: id })
        .sign(privateKey);
    },
    verify: (token) => {
      const name = hashToken(token);
      return known.get(name) ?? check(token, name);
    },
  };
}

/** What a new token is made for. */
export interface WorkspaceTokenRequest {
  readonly workspaceId: string;
  /** Whose rights it has, for as long as that user is a member. */
  readonly userId: string;
  readonly name?: string | undefined;
  readonly expiresInSeconds: number;
}

/** A token's value, shown once, and when it expires in milliseconds. */
export interface IssuedWorkspaceToken {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: number;
}

/** Makes a token and keeps what is needed to revoke it; throws `workspaceNotFound` when the workspace is gone. */
export async function issueWorkspaceToken(
  server: Pick<Server, "store" | "clock" | "workspaceTokens">,
  request: WorkspaceTokenRequest,
): Promise<IssuedWorkspaceToken> {
  const { kept, token } = await signWorkspaceToken(server, request);
  await createWorkspaceToken(server.store, kept);
  return { id: kept.id, token, expiresAt: kept.expiresAt };
}

/** The value of a token and what is to be kept of it; good for nothing until that is kept. */
export async function signWorkspaceToken(
  { store, clock, workspaceTokens }: Pick<Server, "store" | "clock" | "workspaceTokens">,
  { workspaceId, userId, name, expiresInSeconds }: WorkspaceTokenRequest,
): Promise<{ readonly kept: NewWorkspaceToken; readonly token: string }> {
  const id = store.id();
  // Whole seconds, as the claims have them.
  const iat = Math.floor(clock.now() / 1000);
  const exp = iat + expiresInSeconds;
  const kept = { id, workspaceId, userId, name, createdAt: iat * 1000, expiresAt: exp * 1000 };
  const whose = { userId, workspaceId, sub: userId, jti: id };
  const token = await workspaceTokens.sign({ version: "2", role: "automation", ...whose, iat, exp });
  return { kept, token };
}
