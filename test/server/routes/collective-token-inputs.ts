import { makeCollectiveToken } from "../../support/collectives.ts";
import type { RowInput, World } from "../../support/scenarios.ts";
import type { HttpAnswer } from "../../support/server.ts";

/** A body that makes a token. */
export const named = (more: object = {}) => ({ body: { name: "deploy", ...more } });
/** A new token of a collective of Ada's as a row's path names it, with its raw value. */
export const withToken =
  (body: object = {}) =>
  async ({ server, ada }: World, slug: string): Promise<RowInput & { readonly key: string }> => {
    const { id, key } = await makeCollectiveToken(server, ada, slug);
    return { tokenId: id, key, body };
  };
/** Whom a token stands for. */
export const whoami = ({ server }: World, key: unknown): Promise<HttpAnswer> =>
  server.request("GET", "/api/whoami", { as: String(key) });
/** Revokes a token as Ada. */
export const patch = (
  { server, ada }: World,
  { slug, tokenId }: RowInput,
  body?: unknown,
): Promise<HttpAnswer> =>
  server.request("PATCH", `/api/v1/collectives/${slug}/api-tokens/${tokenId}`, {
    as: ada.key,
    ...(body === undefined ? {} : { body }),
  });
/** The tokens of a collective as Ada sees them. */
export const listed = ({ server, ada }: World, slug: unknown): Promise<HttpAnswer> =>
  server.request("GET", `/api/v1/collectives/${slug}/api-tokens`, { as: ada.key });
