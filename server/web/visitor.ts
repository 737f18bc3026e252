import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guard } from "../auth/guard.ts";
import { sessionOf } from "../auth/sign-in.ts";
import type { Context } from "../context.ts";
import type { Visit } from "./page-row.ts";

/** Who looks, and the proof for the forms that they are shown. */
export type Visitor = Pick<Visit, "user" | "csrf">;

/** Decides who looks at a page or sends a form from it, and leaves that with the request. */
export async function admitVisitor(
  guard: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Context> {
  request.cookies = request.server.parseCookie(request.headers.cookie ?? "");
  const context = await guard.visit(request, reply);
  request.admitted = context;
  return context;
}

/** The visitor of an admitted request. */
export const visitorOf = (context: Context, reply: FastifyReply): Visitor => ({
  user: sessionOf(context)?.user,
  csrf: reply.generateCsrf({ userInfo: boundTo(context) }),
});

/** The session that a form was shown to: proofs from before somebody signed in or out count for nothing after it. */
export const boundTo = (context: Context): string => sessionOf(context)?.session.id ?? "nobody";

/** Who looks at an address that no page has; undefined for nobody, and where that cannot be told. */
export async function findVisitor(
  guard: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor | undefined> {
  if (request.headers.cookie === undefined) return undefined;
  try {
    const context = await admitVisitor(guard, request, reply);
    return sessionOf(context) === undefined ? undefined : visitorOf(context, reply);
  } catch {
    // There is a page to show for what was asked; this is no part of it.
    return undefined;
  }
}
