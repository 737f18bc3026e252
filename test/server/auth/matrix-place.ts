import { keyForOf } from "../../../server/auth/server-keys.ts";
import { hashToken, newPersonalKey, newSessionToken } from "../../../server/auth/tokens.ts";
import { createWorkspaceTokens, issueWorkspaceToken } from "../../../server/auth/workspace-tokens.ts";
import { personalSlugs } from "../../../server/domain/collectives.ts";
import { keyStart, personalPrefix } from "../../../server/domain/keys.ts";
import { createChangeSet } from "../../../server/store/change-sets.ts";
import { grantWorkspace, ungrantWorkspace } from "../../../server/store/collective-grants.ts";
import { deleteCollectiveToken, revokeCollectiveToken } from "../../../server/store/collective-tokens.ts";
import { changeCollective, insertPersonalCollective } from "../../../server/store/collectives.ts";
import { createKey, deleteKey, updateKey } from "../../../server/store/keys.ts";
import { addMember, removeMember } from "../../../server/store/members.ts";
import type { Store, Tx } from "../../../server/store/open.ts";
import { markWorkspace } from "../../../server/store/operated.ts";
import type { Role } from "../../../server/store/people-tables.ts";
import { createSession, revokeSession } from "../../../server/store/sessions.ts";
import { insertUser, setSuspended } from "../../../server/store/users.ts";
import { changeWorkspace } from "../../../server/store/workspace-changes.ts";
import { revokeWorkspaceToken } from "../../../server/store/workspace-tokens.ts";
import { insertWorkspace } from "../../../server/store/workspaces.ts";
import { makeCollective, makeCollectiveToken } from "../../support/collectives.ts";
import type { Person, TestServer } from "../../support/server.ts";

/** Everybody there is, with their roles in both workspaces and in the collective that these were granted to. */
export const people = {
  owner: { workspace: "OWNER", collective: "owner" },
  approver: { workspace: "APPROVER", collective: "admin" },
  editor: { workspace: "EDITOR", collective: "member" },
  /** Owns the workspaces, and is in no collective of theirs. */
  keeper: { workspace: "OWNER", collective: undefined },
  /** The other way round. */
  lead: { workspace: undefined, collective: "owner" },
  stranger: { workspace: undefined, collective: undefined },
} as const;
export type PersonName = keyof typeof people;

/** A workspace that is open, or one that the operator closed; the same people are in both. */
export type Where = "open" | "closed";

/** What requests are made of: people, credentials in every state, and what they are about. */
export interface Place {
  readonly people: Readonly<Record<PersonName, Person>>;
  readonly workspaceIds: Readonly<Record<Where, string>>;
  readonly slug: string;
  /** An open change set of the open workspace. */
  readonly changeSetId: string;
  /** Personal keys and sessions of who owns everything, which let nobody in. */
  readonly dead: Readonly<Record<"revoked" | "deleted" | "expired" | "ended" | "lapsed", string>>;
  /** An owner of everything who is suspended. */
  readonly suspended: Person;
  /** Tokens of collectives. */
  readonly collective: Readonly<
    Record<"granted" | "foreign" | "ungranted" | "revoked" | "deleted" | "expired", string>
  >;
  /** Tokens of a workspace: of who is in it, and those that let nobody in. */
  tokenOf(name: WorkspaceTokenName, where: Where): string;
}

/** Workspace tokens: of members, of the owner's other workspace, and such as let nobody in. */
export type WorkspaceTokenName =
  | "owner"
  | "approver"
  | "editor"
  | "elsewhere"
  | "expired"
  | "revoked"
  | "left"
  | "suspended";

const day = 24 * 60 * 60 * 1000;

/** Makes a place with new people in it, in one transaction; passwords match nothing, so none costs a hash. */
export function makePlace(server: TestServer): Promise<Place> {
  const { store } = server;
  return store.write(async (tx) => {
    const within: Store = { ...store, write: (work) => work(tx) };
    const someone = (name: string) => makePerson(within, tx, name);
    const owner = await someone("owner");
    const made = {
      owner,
      approver: await someone("approver"),
      editor: await someone("editor"),
      keeper: await someone("keeper"),
      lead: await someone("lead"),
      stranger: await someone("stranger"),
    };
    const [suspended, left] = [await someone("suspended"), await someone("left")];
    const here = { ...server, store: within };
    const slug = await makeCollective(here, owner, [
      [made.approver, people.approver.collective],
      [made.editor, people.editor.collective],
      [made.lead, people.lead.collective],
      [suspended, "owner"],
    ]);
    const ofTeam = { slug, actor: owner.id };
    const other = { slug: await makeCollective(here, owner), actor: owner.id };
    const foreign = await makeCollective(here, made.stranger);

    const workspaceIds = { open: "", closed: "" };
    const tokens = new Map<string, string>();
    for (const where of ["open", "closed"] as const) {
      const { id } = await insertWorkspace(tx, {
        displayName: where,
        description: "",
        creatorId: owner.id,
        approvalsEnabled: true,
      });
      workspaceIds[where] = id;
      const target = { workspaceId: id, actor: owner.id };
      const joining: [Person, Role][] = [
        [made.approver, "APPROVER"],
        [made.editor, "EDITOR"],
        [made.keeper, "OWNER"],
        [suspended, "OWNER"],
        [left, "EDITOR"],
      ];
      const issue = async (name: WorkspaceTokenName, person: Person, workspaceId = id, life = 3_600) => {
        const workspaceTokens = createWorkspaceTokens(keyForOf(server.keys), store.clock);
        const request = { workspaceId, userId: person.id, expiresInSeconds: life };
        const issued = await issueWorkspaceToken(
          { store: within, clock: store.clock, workspaceTokens },
          request,
        );
        tokens.set(`${name} ${where}`, issued.token);
        return issued.id;
      };
      await changeWorkspace(within, target, {}, async (change) => {
        for (const [person, role] of joining) await addMember(change, person, role);
        for (const granted of [ofTeam, other])
          await changeCollective(within, granted, ({ collective }) => grantWorkspace(change, collective));
        await changeCollective(within, other, ({ collective }) => ungrantWorkspace(change, collective));
        for (const name of ["owner", "approver", "editor"] as const) await issue(name, made[name]);
        await issue("elsewhere", owner, owner.workspaceId);
        await issue("expired", owner, id, -60);
        await issue("left", left);
        await issue("suspended", suspended);
        const tokenId = await issue("revoked", owner);
        await revokeWorkspaceToken(tx, { workspaceId: id, tokenId, actor: owner.id });
        const { id: gone, email } = left;
        const member = { id: gone, email, nickname: "", role: "EDITOR", signupAt: 0 } as const;
        await removeMember(change, { ...member, invited: false, canSignIn: true });
      });
    }
    const set = { workspaceId: workspaceIds.open, name: "work", actor: owner.id };
    const { id: changeSetId } = await createChangeSet(within, set);
    const closing = { kind: "workspace.quarantined", actor: "operator" } as const;
    await markWorkspace(tx, workspaceIds.closed, { set: "quarantined_at" }, closing);
    const place = {
      people: made,
      workspaceIds,
      slug,
      changeSetId,
      suspended,
      dead: await makeDead(within, owner),
      collective: {
        ...(await makeTeamTokens(here, owner, slug)),
        ungranted: (await makeCollectiveToken(here, owner, other.slug)).key,
        foreign: (await makeCollectiveToken(here, made.stranger, foreign)).key,
      },
      tokenOf: (name: WorkspaceTokenName, where: Where) => tokens.get(`${name} ${where}`) ?? "",
    };
    await setSuspended(tx, suspended.id, true);
    return place;
  });
}

async function makePerson(within: Store, tx: Tx, name: string): Promise<Person> {
  const username = `${name.slice(0, 9)}${within.id().toLowerCase().slice(-12)}`;
  const email = `${username}@example.org`;
  const user = await insertUser(tx, { email, username, name, passwordHash: "" });
  const own = { displayName: username, description: "", creatorId: user.id, isDefault: true };
  const { id: workspaceId } = await insertWorkspace(tx, own);
  await insertPersonalCollective(tx, user, personalSlugs(username));
  const { id: keyId, key } = await makeKey(within, user.id);
  const { session } = await makeSession(within, user.id);
  return { id: user.id, email, username, password: "", workspaceId, key, keyId, session };
}

async function makeKey(within: Store, userId: string, more: { readonly expiresAt?: number } = {}) {
  const key = newPersonalKey();
  const kept = { userId, actor: userId, start: keyStart(key), prefix: personalPrefix };
  const { id } = await createKey(within, { ...kept, ...more, keyHash: hashToken(key) });
  return { id, key };
}

async function makeSession(within: Store, userId: string, expiresAt = within.clock.now() + 7 * day) {
  const session = newSessionToken();
  const { id } = await createSession(within, { userId, tokenHash: hashToken(session), expiresAt });
  return { id, session };
}

async function makeDead(within: Store, { id: userId }: Person): Promise<Place["dead"]> {
  const target = (keyId: string) => ({ userId, keyId, actor: userId });
  const [revoked, deleted] = [await makeKey(within, userId), await makeKey(within, userId)];
  await updateKey(within, target(revoked.id), { enabled: false });
  await deleteKey(within, target(deleted.id));
  const expired = await makeKey(within, userId, { expiresAt: within.clock.now() });
  const ended = await makeSession(within, userId);
  await revokeSession(within, ended.id);
  const lapsed = await makeSession(within, userId, within.clock.now());
  return {
    revoked: revoked.key,
    deleted: deleted.key,
    expired: expired.key,
    ended: ended.session,
    lapsed: lapsed.session,
  };
}

async function makeTeamTokens(here: TestServer, owner: Person, slug: string) {
  const make = (expiresAt?: number) => makeCollectiveToken(here, owner, slug, expiresAt);
  const [granted, revoked, deleted] = [await make(), await make(), await make()];
  await changeCollective(here.store, { slug, actor: owner.id }, async (change) => {
    await revokeCollectiveToken(change, revoked.id);
    await deleteCollectiveToken(change, deleted.id);
  });
  const expired = await make(here.store.clock.now());
  return { granted: granted.key, revoked: revoked.key, deleted: deleted.key, expired: expired.key };
}
