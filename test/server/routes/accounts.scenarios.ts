import { expect } from "vitest";
import type { Scenario, World } from "../../support/scenarios.ts";

const address = (world: World): string => `p${world.fresh().toLowerCase()}@example.org`;
const signingUp = (more: object) => (world: World) => ({
  body: { name: "Grace", email: address(world), password: "long enough", ...more },
});
const foreign = { origin: "https://elsewhere.example" };

export const accountScenarios: readonly Scenario[] = [
  {
    name: "creates an account, signs it in and gives it a workspace",
    operation: "accounts.signUp",
    input: signingUp({ username: null }),
    expect: 200,
    body: () => ({ redirect: false, user: { name: "Grace", username: expect.any(String) } }),
    check: async (answer, world) => {
      expect(answer.headers.get("set-cookie")).toMatch(
        /^svc\.session_token=[0-9a-f]{64}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
      );
      expect((await world.server.request("GET", "/whoami", { as: answer.at("token") })).status).toBe(200);
      expect(answer.text).not.toMatch(/password/i);
    },
  },
  {
    name: "refuses a password of 7 characters",
    operation: "accounts.signUp",
    input: signingUp({ password: "1234567" }),
    expect: "passwordTooShort",
  },
  {
    name: "refuses a password of 129 characters",
    operation: "accounts.signUp",
    input: signingUp({ password: "x".repeat(129) }),
    expect: "passwordTooLong",
  },
  {
    name: "refuses an address without a domain",
    operation: "accounts.signUp",
    input: signingUp({ email: "grace@localhost" }),
    expect: "invalidEmail",
  },
  {
    name: "refuses a username with a blank",
    operation: "accounts.signUp",
    input: signingUp({ username: "grace hopper" }),
    expect: "invalidUsername",
  },
  {
    name: "refuses an address that is taken, in any letter case",
    operation: "accounts.signUp",
    input: (world) => ({
      body: { name: "x", email: world.ada.email.toUpperCase(), password: "long enough" },
    }),
    expect: "userExists",
  },
  {
    name: "refuses a username that is taken, in any letter case",
    operation: "accounts.signUp",
    input: (world) => signingUp({ username: world.ada.username.toUpperCase() })(world),
    expect: "userExists",
  },
  {
    name: "is not for the pages of other sites",
    operation: "accounts.signUp",
    input: signingUp({}),
    headers: foreign,
    expect: "invalidOrigin",
  },
  {
    name: "lets in with the password, in any letter case of the address",
    operation: "accounts.signInEmail",
    input: ({ ada }) => ({ body: { email: ada.email.toUpperCase(), password: ada.password } }),
    expect: 200,
    body: ({ ada }) => ({ user: { id: ada.id, email: ada.email } }),
  },
  {
    name: "keeps a session that is not to be remembered for a day and the browser's run",
    operation: "accounts.signInEmail",
    input: ({ ada }) => ({ body: { email: ada.email, password: ada.password, rememberMe: false } }),
    expect: 200,
    check: async (answer, world) => {
      expect(answer.headers.get("set-cookie")).not.toContain("Max-Age");
      const path = "/api/auth/get-session";
      const session = await world.server.request("GET", path, { as: answer.at("token") });
      const [from, to] = [session.at("session.createdAt"), session.at("session.expiresAt")].map(Date.parse);
      expect((to ?? 0) - (from ?? 0)).toBeGreaterThan(86_000_000);
      expect((to ?? 0) - (from ?? 0)).toBeLessThan(86_500_000);
    },
  },
  {
    name: "refuses a wrong password",
    operation: "accounts.signInEmail",
    input: ({ ada }) => ({ body: { email: ada.email, password: "wrong" } }),
    expect: "invalidCredentials",
  },
  {
    name: "says the same of somebody unknown",
    operation: "accounts.signInEmail",
    input: (world) => ({ body: { email: address(world), password: "wrong" } }),
    expect: "invalidCredentials",
  },
  {
    name: "refuses what is no address",
    operation: "accounts.signInEmail",
    input: () => ({ body: { email: "ada", password: "x" } }),
    expect: "invalidEmail",
  },
  {
    name: "is not for the pages of other sites",
    operation: "accounts.signInEmail",
    input: ({ ada }) => ({ body: { email: ada.email, password: ada.password } }),
    headers: foreign,
    expect: "invalidOrigin",
  },
  {
    name: "lets in with the password, in any letter case of the username",
    operation: "accounts.signInUsername",
    input: ({ ada }) => ({ body: { username: ada.username.toUpperCase(), password: ada.password } }),
    expect: 200,
  },
  {
    name: "refuses a wrong password",
    operation: "accounts.signInUsername",
    input: ({ ada }) => ({ body: { username: ada.username, password: "wrong" } }),
    expect: "invalidUsernameCredentials",
  },
  {
    name: "is not for the pages of other sites",
    operation: "accounts.signInUsername",
    input: ({ ada }) => ({ body: { username: ada.username, password: ada.password } }),
    headers: foreign,
    expect: "invalidOrigin",
  },
  {
    name: "does nothing without a session",
    operation: "accounts.signOut",
    as: "nobody",
    expect: 200,
    body: () => ({ success: true }),
  },
  {
    name: "does not revoke the key that asks",
    operation: "accounts.signOut",
    as: "key",
    expect: 200,
    check: async (_answer, { server, ada }) =>
      expect((await server.request("GET", "/api/whoami", { as: ada.key })).status).toBe(200),
  },
  {
    name: "shows the session and its user",
    operation: "accounts.getSession",
    as: "session",
    expect: 200,
    body: ({ ada }) => ({ session: { userId: ada.id }, user: { id: ada.id, username: ada.username } }),
  },
  {
    name: "says null to a key, which is no session",
    operation: "accounts.getSession",
    as: "key",
    expect: 200,
    check: ({ body }) => expect(body).toBeNull(),
  },
  {
    name: "says null to nobody",
    operation: "accounts.getSession",
    as: "nobody",
    expect: 200,
    check: ({ body }) => expect(body).toBeNull(),
  },
  {
    name: "says who a key stands for",
    operation: "accounts.whoami",
    as: "key",
    expect: 200,
    check: ({ body }, { ada }) =>
      expect(body).toEqual({
        authenticated: true,
        id: ada.id,
        username: ada.username,
        email: ada.email,
        name: ada.username,
        organizations: [{ slug: ada.username, name: ada.username, role: "owner", personal: true }],
      }),
  },
  { name: "says who a session stands for", operation: "accounts.whoami", as: "session", expect: 200 },
];
