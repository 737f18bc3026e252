import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";
import type { Person } from "../../support/server.ts";

/** Another session of somebody's, by signing in. */
const signIn = async ({ server }: World, { email, password }: Person): Promise<string> => {
  const answer = await server.request("POST", "/api/auth/sign-in/email", { body: { email, password } });
  return answer.at("token");
};
const statusWith = async ({ server }: World, session: unknown): Promise<number> =>
  (await server.request("GET", "/api/whoami", { as: String(session) })).status;
const idOfSession = async ({ server }: World, session: string): Promise<string> =>
  (await server.request("GET", "/api/auth/get-session", { as: session })).at("session.id");
/** Somebody new with two sessions; the requests are made for Ada, so hers stay as they are. */
const somebody = async (world: World) => {
  const person = await world.server.person(`s${world.fresh().toLowerCase().slice(-12)}`);
  return { person, other: await signIn(world, person) };
};
const post = (world: World, path: string, as: string, body?: object) =>
  world.server.request("POST", `/api/auth/${path}`, { as, ...(body === undefined ? {} : { body }) });

const ending: readonly Scenario[] = [
  {
    name: "shows them newest first, where they come from, and no token",
    operation: "sessions.list",
    input: async (world) => ({ other: await signIn(world, world.ada) }),
    expect: 200,
    check: async ({ body, text, at }, world, { other }) => {
      const own = await idOfSession(world, world.ada.session);
      const newest = await idOfSession(world, String(other));
      expect([at("0.id"), at("0.token"), at("0.userId")]).toEqual([newest, newest, world.ada.id]);
      expect(body).toContainEqual(expect.objectContaining({ id: own, ipAddress: null }));
      expect(at("0.ipAddress")).toMatch(/127\.0\.0\.1|::1/);
      expect(text).not.toMatch(/[0-9a-f]{64}|hash/i);
    },
  },
  { name: "is not for a key", operation: "sessions.list", as: "key", expect: "sessionRequired" },
  {
    name: "ends one by what the list shows, and it is refused at once",
    operation: "sessions.revoke",
    input: async (world) => {
      const other = await signIn(world, world.ada);
      return { other, body: { token: (await idOfSession(world, other)).toLowerCase() } };
    },
    expect: 200,
    body: () => ({ status: true }),
    check: async (_answer, world, { other }) => {
      expect([await statusWith(world, other), await statusWith(world, world.ada.session)]).toEqual([
        401, 200,
      ]);
      const listed = await world.server.request("GET", "/api/auth/list-sessions", { as: world.ada.session });
      expect(listed.text).not.toContain(String(other));
    },
  },
  {
    name: "ends one by its own token",
    operation: "sessions.revoke",
    input: async (world) => ({ body: { token: await signIn(world, world.ada) } }),
    expect: 200,
    check: async (_answer, world, { body }) =>
      expect(await statusWith(world, Reflect.get(Object(body), "token"))).toBe(401),
  },
  {
    name: "leaves somebody else's alone, and says the same as of none",
    operation: "sessions.revoke",
    input: async (world) => ({ body: { token: await idOfSession(world, world.eve.session) } }),
    expect: 200,
    body: () => ({ status: true }),
    check: async (_answer, world) => {
      expect(await statusWith(world, world.eve.session)).toBe(200);
      const unknown = await post(world, "revoke-session", world.ada.session, { token: "none" });
      expect([unknown.status, unknown.body]).toEqual([200, { status: true }]);
    },
  },
  {
    name: "is not for a key",
    operation: "sessions.revoke",
    as: "key",
    input: () => ({ body: { token: "x" } }),
    expect: "sessionRequired",
  },
  {
    name: "ends the others and keeps the one that asks",
    operation: "sessions.revokeOthers",
    input: async (world) => ({ other: await signIn(world, world.ada) }),
    expect: 200,
    body: () => ({ status: true }),
    check: async (_answer, world, { other }) =>
      expect([
        await statusWith(world, other),
        await statusWith(world, world.ada.session),
        await statusWith(world, world.eve.session),
        await statusWith(world, world.ada.key),
      ]).toEqual([401, 200, 200, 200]),
  },
  { name: "is not for a key", operation: "sessions.revokeOthers", as: "key", expect: "sessionRequired" },
  {
    name: "ends all of them, and takes the cookie back",
    operation: "sessions.revokeAll",
    as: "nobody",
    expect: "unauthenticated",
    check: async (_answer, world) => {
      const { person, other } = await somebody(world);
      const answer = await post(world, "revoke-sessions", other);
      expect([answer.status, answer.body]).toEqual([200, { status: true }]);
      expect(answer.headers.get("set-cookie")).toMatch(/^svc\.session_token=; Max-Age=0;/);
      expect([await statusWith(world, other), await statusWith(world, person.session)]).toEqual([401, 401]);
    },
  },
  {
    name: "begins again with the next sign-in",
    operation: "sessions.revokeAll",
    input: async (world) => ({ again: (await somebody(world)).person }),
    expect: 200,
    check: async (_answer, world) => {
      const { ada, server } = world;
      expect(await statusWith(world, ada.session)).toBe(401);
      await server.store.write(({ db }) =>
        db.updateTable("session").set({ revoked_at: null }).where("user_id", "=", ada.id).execute(),
      );
      expect(await statusWith(world, await signIn(world, ada))).toBe(200);
    },
  },
  { name: "is not for a key", operation: "sessions.revokeAll", as: "key", expect: "sessionRequired" },
];

const changing =
  (changes: object) =>
  ({ ada }: World) => ({
    body: { currentPassword: ada.password, newPassword: "another horse", ...changes },
  });

const passwords: readonly Scenario[] = [
  {
    name: "takes the new one and refuses the old one; sessions and keys stay",
    operation: "accounts.changePassword",
    // Ada keeps hers: everybody else signs in with it.
    input: ({ ada }) => ({ body: { currentPassword: ada.password, newPassword: ada.password } }),
    expect: 200,
    body: ({ ada }) => ({ token: null, user: { id: ada.id } }),
    check: async ({ text }, world) => {
      expect(text).not.toMatch(/password|horse/i);
      const { person, other } = await somebody(world);
      const change = { currentPassword: person.password, newPassword: "another horse" };
      expect((await post(world, "change-password", other, change)).body).toMatchObject({ token: null });
      const { email } = person;
      const bodies = [
        { email, password: person.password },
        { email, password: "another horse" },
      ];
      const answers = [];
      for (const body of bodies)
        answers.push(await world.server.request("POST", "/api/auth/sign-in/email", { body }));
      expect(answers.map(({ status }) => status)).toEqual([401, 200]);
      const tokens = [other, person.session, person.key];
      expect(await Promise.all(tokens.map((token) => statusWith(world, token)))).toEqual([200, 200, 200]);
    },
  },
  {
    name: "ends every session where that is asked for, and opens another",
    operation: "accounts.changePassword",
    as: "nobody",
    expect: "unauthenticated",
    input: changing({}),
    check: async (_answer, world) => {
      const { person, other } = await somebody(world);
      const change = {
        currentPassword: person.password,
        newPassword: "another horse",
        revokeOtherSessions: true,
      };
      const answer = await post(world, "change-password", other, change);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("set-cookie")).toContain(answer.at("token"));
      const tokens = [other, person.session, answer.at("token"), person.key];
      expect(await Promise.all(tokens.map((token) => statusWith(world, token)))).toEqual([
        401, 401, 200, 200,
      ]);
    },
  },
  {
    name: "leaves no session to who signs in with the old one at the same time",
    operation: "accounts.changePassword",
    as: "nobody",
    expect: "unauthenticated",
    input: changing({}),
    check: async (_answer, world) => {
      const { person, other } = await somebody(world);
      const { email, password } = person;
      const change = { currentPassword: password, newPassword: "another horse", revokeOtherSessions: true };
      const [changed, ...signedIn] = await Promise.all([
        post(world, "change-password", other, change),
        ...[1, 2, 3].map(() =>
          world.server.request("POST", "/api/auth/sign-in/email", { body: { email, password } }),
        ),
      ]);
      expect(changed?.status).toBe(200);
      for (const answer of signedIn) {
        if (answer.status === 200) expect(await statusWith(world, answer.at("token"))).toBe(401);
        else expect([answer.status, answer.at("code")]).toEqual([401, "INVALID_EMAIL_OR_PASSWORD"]);
      }
    },
  },
  {
    name: "refuses a wrong current one, and after five of them the right one too",
    operation: "accounts.changePassword",
    input: changing({ currentPassword: "wrong" }),
    expect: "invalidPassword",
    check: async (_answer, world) => {
      const { person, other } = await somebody(world);
      const change = (currentPassword: string) =>
        post(world, "change-password", other, { currentPassword, newPassword: "another horse" });
      for (let n = 0; n < 5; n++) expect((await change("wrong")).status).toBe(400);
      const answer = await change(person.password);
      expect([answer.status, answer.at("code")]).toEqual([429, "RATE_LIMITED"]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    },
  },
  {
    name: "changes it once when two ask at once",
    operation: "accounts.changePassword",
    input: changing({ currentPassword: "wrong" }),
    expect: "invalidPassword",
    check: async (_answer, world) => {
      const { person, other } = await somebody(world);
      const answers = await Promise.all(
        ["first horse", "second horse"].map((newPassword) =>
          post(world, "change-password", other, { currentPassword: person.password, newPassword }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    },
  },
  {
    name: "refuses a new one of 7 characters, by its member's name",
    operation: "accounts.changePassword",
    input: changing({ newPassword: "1234567" }),
    expect: "passwordTooShort",
    check: ({ at }) => expect(at("message")).toBe("newPassword: expected at least 8 characters, found 7"),
  },
  {
    name: "refuses a new one of 129 characters",
    operation: "accounts.changePassword",
    input: changing({ newPassword: "x".repeat(129) }),
    expect: "passwordTooLong",
  },
  {
    name: "is not for a key",
    operation: "accounts.changePassword",
    as: "key",
    input: changing({}),
    expect: "sessionRequired",
  },
];

export const sessionScenarios: readonly Scenario[] = [...ending, ...passwords];
