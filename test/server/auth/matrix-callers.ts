import type { PersonName, Place, Where, WorkspaceTokenName } from "./matrix-place.ts";

/** What a credential is worth, before any row is asked: whom it stands for, and how it was shown. */
export type Standing =
  | { readonly kind: "nobody" }
  | {
      readonly kind: "session" | "personal";
      readonly person: PersonName;
      /** Shown as a cookie by a page of this origin; absent for a header. */
      readonly cookie?: "own origin" | "no origin" | "another origin";
    }
  | { readonly kind: "workspace"; readonly person: PersonName; readonly elsewhere?: true }
  | { readonly kind: "collective"; readonly granted: boolean };

/** Somebody who asks: a column of the matrix. */
export interface Asker {
  readonly name: string;
  readonly standing: Standing;
  headers(place: Place, where: Where, origin: string): Record<string, string>;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = (token: string) => ({ cookie: `svc.session_token=${token}` });
const nobody: Standing = { kind: "nobody" };

const keyOf = (person: PersonName): Asker => ({
  name: `the key of ${person}`,
  standing: { kind: "personal", person },
  headers: ({ people }) => bearer(people[person].key),
});
const sessionOf = (person: PersonName): Asker => ({
  name: `a session of ${person}`,
  standing: { kind: "session", person },
  headers: ({ people }) => bearer(people[person].session),
});
const cookieOf = (person: PersonName): Asker => ({
  name: `a cookie of ${person}`,
  standing: { kind: "session", person, cookie: "own origin" },
  headers: ({ people }, _where, origin) => ({ ...cookie(people[person].session), origin }),
});
const dead = (name: keyof Place["dead"], what: string): Asker => ({
  name: what,
  standing: nobody,
  headers: (place) => bearer(place.dead[name]),
});
const collectiveToken = (name: keyof Place["collective"], what: string, standing: Standing): Asker => ({
  name: what,
  standing,
  headers: ({ collective }) => bearer(collective[name]),
});
const workspaceToken = (name: WorkspaceTokenName, what: string, standing: Standing): Asker => ({
  name: what,
  standing,
  headers: (place, where) => bearer(place.tokenOf(name, where)),
});
const ofMember = (person: "owner" | "approver" | "editor"): Asker =>
  workspaceToken(person, `a workspace token of ${person}`, { kind: "workspace", person });

/** Every column. */
export const askers: readonly Asker[] = [
  { name: "nobody", standing: nobody, headers: () => ({}) },
  {
    name: "a device",
    standing: nobody,
    headers: () => ({ "svc-distinct-id": "6f9619ff-8b86-d011-b42d-00cf4fc964ff" }),
  },
  keyOf("owner"),
  keyOf("approver"),
  keyOf("editor"),
  keyOf("keeper"),
  keyOf("lead"),
  keyOf("stranger"),
  {
    name: "the key of owner in x-api-key",
    standing: { kind: "personal", person: "owner" },
    headers: ({ people }) => ({ "x-api-key": people.owner.key }),
  },
  sessionOf("owner"),
  sessionOf("editor"),
  sessionOf("lead"),
  sessionOf("stranger"),
  cookieOf("owner"),
  cookieOf("stranger"),
  {
    name: "a cookie of owner from a page of another origin",
    standing: { kind: "session", person: "owner", cookie: "another origin" },
    headers: ({ people }) => ({ ...cookie(people.owner.session), origin: "https://elsewhere.example" }),
  },
  {
    name: "a cookie of owner without an origin",
    standing: { kind: "session", person: "owner", cookie: "no origin" },
    headers: ({ people }) => cookie(people.owner.session),
  },
  {
    name: "a session of owner in x-api-key",
    standing: nobody,
    headers: ({ people }) => ({ "x-api-key": people.owner.session }),
  },
  {
    name: "the key of owner in the cookie",
    standing: nobody,
    headers: ({ people }, _where, origin) => ({ ...cookie(people.owner.key), origin }),
  },
  {
    name: "a bad Authorization beside everything good",
    standing: nobody,
    headers: ({ people }, _where, origin) => ({
      ...bearer(`svc_${"0".repeat(32)}`),
      "x-api-key": people.owner.key,
      ...cookie(people.owner.session),
      origin,
    }),
  },
  {
    name: "the key of stranger in Authorization beside that of owner in x-api-key",
    standing: { kind: "personal", person: "stranger" },
    headers: ({ people }) => ({ ...bearer(people.stranger.key), "x-api-key": people.owner.key }),
  },
  dead("revoked", "a revoked key of owner"),
  dead("deleted", "a deleted key of owner"),
  dead("expired", "an expired key of owner"),
  dead("ended", "an ended session of owner"),
  dead("lapsed", "an expired session of owner"),
  {
    name: "the key of who is suspended",
    standing: nobody,
    headers: ({ suspended }) => bearer(suspended.key),
  },
  {
    name: "a session of who is suspended",
    standing: nobody,
    headers: ({ suspended }) => bearer(suspended.session),
  },
  collectiveToken("granted", "a token of the collective", { kind: "collective", granted: true }),
  {
    name: "a token of the collective in x-api-key",
    standing: { kind: "collective", granted: true },
    headers: ({ collective }) => ({ "x-api-key": collective.granted }),
  },
  collectiveToken("foreign", "a token of another collective", { kind: "collective", granted: false }),
  collectiveToken("ungranted", "a token of a collective that was shut out", {
    kind: "collective",
    granted: false,
  }),
  collectiveToken("revoked", "a revoked token of the collective", nobody),
  collectiveToken("deleted", "a deleted token of the collective", nobody),
  collectiveToken("expired", "an expired token of the collective", nobody),
  ofMember("owner"),
  ofMember("approver"),
  ofMember("editor"),
  {
    name: "a workspace token of owner in x-api-key",
    standing: { kind: "workspace", person: "owner" },
    headers: (place, where) => ({ "x-api-key": place.tokenOf("owner", where) }),
  },
  workspaceToken("elsewhere", "a token of another workspace of owner", {
    kind: "workspace",
    person: "owner",
    elsewhere: true,
  }),
  workspaceToken("expired", "an expired workspace token", nobody),
  workspaceToken("revoked", "a revoked workspace token", nobody),
  workspaceToken("left", "a workspace token of who left", nobody),
  workspaceToken("suspended", "a workspace token of who is suspended", nobody),
];
