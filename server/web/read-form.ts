import type { FastifyRequest } from "fastify";
import { ApiError } from "../../src/contract/errors.ts";

/** Forms are short: names, addresses, passwords. */
export const maximumFormBytes = 64 * 1024;

/** Stands in for a form that is no percent-encoded UTF-8. */
const unreadable: Record<string, unknown> = {};

/**
 * A form as it was sent, by the names of its members; of a repeated one the last counts. Never throws, since nobody
 * would catch it: {@link refuseUnreadableForm} does.
 */
export const readForm = (sent: string): Record<string, unknown> =>
  isReadable(sent) ? Object.fromEntries(new URLSearchParams(sent)) : unreadable;

/** Throws `invalidRequest` where the form could not be read: decoding it leniently would change what was asked. */
export async function refuseUnreadableForm({ body }: FastifyRequest): Promise<void> {
  if (body === unreadable)
    throw new ApiError("invalidRequest", "form: expected percent-encoded UTF-8, found something else");
}

function isReadable(sent: string): boolean {
  // What the bytes became that were no UTF-8. Browsers send a real one encoded.
  if (sent.includes("\uFFFD")) return false;
  try {
    decodeURIComponent(sent);
    return true;
  } catch {
    return false;
  }
}
