import type { api } from "../../src/contract/index.ts";
import type { ComponentSearchResult } from "../../src/contract/search.ts";
import type { GroupHandlers } from "../../src/http/handlers.ts";
import { RawJson } from "../../src/http/raw.ts";
import { type Context, layerOf } from "../context.ts";
import { parseSearch } from "../domain/search-query.ts";
import { searchComponents } from "../read/search.ts";
import { getSchemaNamed } from "../read/variants.ts";

/** Handlers of the rows in `src/contract/search.ts`. */
export const searchHandlers: GroupHandlers<typeof api.search, Context> = {
  find: async ({ query: { q } }, context) => {
    const { server } = context;
    const query = parseSearch(q, "query.q");
    const hits = await searchComponents(server.store, server, layerOf(context), { query });
    const components = hits.map(
      ({ id, name, schemaName }): ComponentSearchResult => ({ id, name, schema: { name: schemaName } }),
    );
    // It may be every component of a large workspace.
    return new RawJson(JSON.stringify({ components }));
  },
  components: async ({ body }, context) => {
    const { server } = context;
    const layer = layerOf(context);
    const query = parseSearch(body.queryString ?? "", "body.queryString");
    const schema =
      body.schemaName == null ? undefined : await getSchemaNamed(server.store, layer, body.schemaName);
    const hits = await searchComponents(server.store, server, layer, {
      query,
      schemaName: schema?.name,
      category: body.schemaCategory ?? undefined,
      upgradable: body.upgradable ?? undefined,
    });
    return new RawJson(JSON.stringify({ components: hits.map(({ id }) => id) }));
  },
};
