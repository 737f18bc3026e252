import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id, Timestamp } from "./ids.ts";
import { WhoamiAnswer } from "./key-whoami.ts";
import { named, nullable, optionalNull } from "./shapes.ts";

export const User = named("User", {
  id: Id,
  name: Type.String(),
  email: Type.String(),
  username: nullable(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const Session = named("Session", {
  id: Id,
  token: Type.String({ description: "What revoke-session takes: the id, never the token that lets in" }),
  userId: Id,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
  ipAddress: nullable(Type.String()),
  userAgent: nullable(Type.String()),
});
export type Session = Static<typeof Session>;

const SignedIn = Type.Object({
  token: Type.String({ description: "The session token; a cookie carries it too" }),
  user: User,
  redirect: Type.Boolean(),
});
const Password = Type.String({ maxLength: 4096, writeOnly: true });
const Remember = optionalNull(Type.Boolean());

export const accounts = group({
  signUp: {
    method: "POST",
    path: "/api/auth/sign-up/email",
    summary: "Create an account and sign in",
    access: "none",
    invalid: "badRequest",
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 200 }),
      email: Type.String({ maxLength: 254 }),
      password: Password,
      username: optionalNull(Type.String()),
      invitationCode: optionalNull(
        Type.String({
          maxLength: 200,
          writeOnly: true,
          description:
            "Of an invitation to this address: joins the workspace, shows the collective's invitation",
        }),
      ),
    }),
    response: SignedIn,
    errors: [
      "passwordTooShort",
      "passwordTooLong",
      "invalidEmail",
      "invalidUsername",
      "userExists",
      "signUpClosed",
      "collectiveInvitationNotFound",
      "rateLimited",
      "invalidOrigin",
    ],
    addition: true,
  },
  signInEmail: {
    method: "POST",
    path: "/api/auth/sign-in/email",
    summary: "Sign in with an e-mail address",
    access: "none",
    invalid: "badRequest",
    body: Type.Object({ email: Type.String({ maxLength: 254 }), password: Password, rememberMe: Remember }),
    response: SignedIn,
    errors: ["invalidCredentials", "invalidEmail", "rateLimited", "invalidOrigin"],
    addition: true,
  },
  signInUsername: {
    method: "POST",
    path: "/api/auth/sign-in/username",
    summary: "Sign in with a username",
    access: "none",
    invalid: "badRequest",
    body: Type.Object({
      username: Type.String({ maxLength: 254 }),
      password: Password,
      rememberMe: Remember,
    }),
    response: SignedIn,
    errors: ["invalidUsernameCredentials", "rateLimited", "invalidOrigin"],
    addition: true,
  },
  changePassword: {
    method: "POST",
    path: "/api/auth/change-password",
    summary: "Change the password; `revokeOtherSessions` ends every session and answers a new one",
    access: "session",
    invalid: "badRequest",
    body: Type.Object({
      currentPassword: Password,
      newPassword: Password,
      revokeOtherSessions: optionalNull(Type.Boolean()),
    }),
    response: Type.Object({
      token: nullable(Type.String({ description: "Of the new session; a cookie carries it too" })),
      user: User,
    }),
    errors: [
      "sessionRequired",
      "invalidPassword",
      "passwordTooShort",
      "passwordTooLong",
      "rateLimited",
      "invalidOrigin",
    ],
    addition: true,
  },
  signOut: {
    method: "POST",
    path: "/api/auth/sign-out",
    summary: "End the session; without one nothing happens",
    access: "optional",
    invalid: "badRequest",
    response: Type.Object({ success: Type.Boolean() }),
    errors: ["invalidOrigin"],
    addition: true,
  },
  getSession: {
    method: "GET",
    path: "/api/auth/get-session",
    summary: "The session and its user, or null",
    access: "optional",
    invalid: "badRequest",
    response: nullable(Type.Object({ session: Session, user: User })),
    addition: true,
  },
  whoami: {
    method: "GET",
    path: "/api/whoami",
    summary: "Who the key, session or collective token stands for",
    access: "any",
    response: WhoamiAnswer,
    addition: true,
  },
});
