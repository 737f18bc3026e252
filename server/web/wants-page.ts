import type { FastifyRequest } from "fastify";
import { pages } from "./pages/index.ts";

/** Addresses of programs, whatever they accept. */
const programs = /^\/(api|v1|management|whoami|openapi\.json|healthz|readyz)(\/|$)/;

/** The first segments of the addresses of pages. */
const places = new Set(pages.map(({ path }) => firstSegment(path)));

/**
 * Whether what no row answers goes to a person: at and below the addresses of pages, and to a browser at any address
 * that is no program's.
 */
export function wantsPage({ url, headers }: FastifyRequest): boolean {
  const path = url.split("?", 1)[0] ?? "";
  if (programs.test(path)) return false;
  return places.has(firstSegment(path)) || headers.accept?.includes("text/html") === true;
}

function firstSegment(path: string): string {
  return path.split("/", 2)[1] ?? "";
}
