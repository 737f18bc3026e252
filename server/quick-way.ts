import type { IncomingMessage, ServerResponse } from "node:http";
import { noneMatch, tagOf } from "../src/http/conditional.ts";
import { jsonType } from "../src/http/mount.ts";
import type { ReadyAnswers, Resolved } from "../src/http/ready-answers.ts";
import type { Admitted, Guard } from "./auth/guard.ts";
import { actorIdOf } from "./auth/principals.ts";
import type { Server } from "./context.ts";
import { logAnswered, requestId, requestIdHeader } from "./request-log.ts";
import { revisionIn } from "./revisions.ts";
import type { Together } from "./send-together.ts";

/** Answers a request, or says that the usual way must. */
export type QuickWay = (request: IncomingMessage, response: ServerResponse) => boolean;

/** What the quick way shares with the usual one. */
export interface QuickWayOptions {
  readonly server: Pick<Server, "clock" | "log"> & { readonly store: Pick<Server["store"], "id"> };
  readonly guard: Guard;
  readonly ready: ReadyAnswers;
  readonly together: Together;
  /** Whether requests are being answered at all; what stands in the way is told by the usual way. */
  readonly isOpen: () => boolean;
}

/**
 * Answers a GET with 304 or with kept bytes before the framework makes a request of it, where the address was answered
 * before and memory says that the caller may have it: 1.6 times as many a second as the usual way. Decides by the usual
 * way's functions and leaves everything else to it: refusals, waits, whatever memory does not hold.
 *
 * It hangs no listener on the response. V8 has seen that those of the start live long, so what `once` makes, and the
 * list that a second listener makes, may be put among what is old at once; dead there, it keeps request and answer
 * until the next full collection, which costs more than answering.
 */
export function createQuickWay({ server, guard, ready, together, isOpen }: QuickWayOptions): QuickWay {
  const { clock, log, store } = server;

  const send = (
    { response, operation, admitted, began }: Answer,
    id: string,
    etag: string,
    bytes: Buffer | undefined,
  ): void => {
    together(() => {
      if (bytes === undefined) response.writeHead(304, [requestIdHeader, id, "etag", etag]).end();
      else response.writeHead(200, [requestIdHeader, id, "etag", etag, ...describing(bytes)]).end(bytes);
      const { statusCode: status } = response;
      const ms = clock.now() - began;
      const userId = actorIdOf(admitted.principal);
      logAnswered(log, { requestId: id, operation, method: "GET", status, ms, userId });
    });
  };

  return (request, response) => {
    const resolved = isOpen() ? ready.resolve(request) : undefined;
    if (resolved === undefined) return false;
    const { url = "", headers } = request;
    const began = clock.now();
    const admitted = recall(guard, resolved, headers);
    if (admitted === undefined) return false;
    const revision = revisionIn(resolved.endpoint, admitted.workspace);
    if (revision === undefined) return false;
    const etag = tagOf(revision);
    const isUnchanged = noneMatch(headers["if-none-match"], etag);
    const bytes = isUnchanged ? undefined : ready.bytes.get(url, etag);
    if (!isUnchanged && bytes === undefined) return false;
    const { operation } = resolved;
    send(
      { response, operation, admitted, began },
      requestId(headers[requestIdHeader], store.id),
      etag,
      bytes,
    );
    return true;
  };
}

/** An answer on its way. */
interface Answer {
  readonly response: ServerResponse;
  readonly operation: string;
  readonly admitted: Admitted;
  /** When the request came in, in milliseconds since the epoch. */
  readonly began: number;
}

const describing = ({ length }: Buffer): string[] => [
  "content-type",
  jsonType,
  "content-length",
  String(length),
];

/** A refusal is decided again by the usual way, which knows how to tell it. */
function recall(
  guard: Guard,
  { endpoint, params }: Resolved,
  headers: IncomingMessage["headers"],
): Admitted | undefined {
  try {
    return guard.recall({ endpoint, params, headers });
  } catch {
    return undefined;
  }
}
