import type { FastifyInstance } from "fastify";
import { ApiError } from "../contract/errors.ts";

/** JSON bodies, and package uploads, at most; a request over it is refused before it is read. */
export const maximumJsonBytes = 2 * 1024 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Makes `app` read JSON bodies itself: strict UTF-8, `application/json` and `application/*+json` only, an empty body
 * as none. Malformed bodies are refused with `invalidRequest`; routes turn that into their own refusal.
 */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/([\w.+-]+\+)?json/i,
    { parseAs: "buffer" },
    (_request, body, done) => {
      try {
        done(null, parseJson(body));
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  );
  // Any other type is read as bytes and left alone: rows without a body ignore it, rows with one refuse it by name.
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, _body, done) => {
    done(null, new WrongContentType(request.headers["content-type"] ?? "none"));
  });
}

/** Stands in for a body that was sent with a content type the API does not read. */
export class WrongContentType {
  readonly found: string;
  constructor(found: string) {
    this.found = found;
  }
}

function parseJson(body: string | Buffer): unknown {
  if (body.length === 0) return undefined;
  let text: string;
  try {
    text = typeof body === "string" ? body : decoder.decode(body);
  } catch {
    throw new ApiError("invalidRequest", "body: expected UTF-8 text, found bytes that are not");
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError("invalidRequest", `body: expected JSON, found text that is not${placeOf(error)}`);
  }
}

/** Only where it went wrong: the reader's own message repeats some of the text, which may be secret. */
function placeOf(error: unknown): string {
  const place = error instanceof Error ? /\bat position \d+/.exec(error.message)?.[0] : undefined;
  return place === undefined ? "" : ` (${place})`;
}
