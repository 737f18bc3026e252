import Type, { type Static } from "typebox";
import { group } from "./endpoint.ts";
import { Id } from "./ids.ts";
import { named, optionalNull } from "./shapes.ts";

export const ComponentSearchResult = named("ComponentSearchResult", {
  id: Id,
  name: Type.String(),
  schema: Type.Object({ name: Type.String() }),
});
export type ComponentSearchResult = Static<typeof ComponentSearchResult>;

/** Longest query, in UTF-16 units: 140 ids, and what an address can carry. */
export const maximumQuery = 4_000;

const Query = Type.String({
  maxLength: maximumQuery,
  description:
    'Words (name, schema, category or id), "exact", attribute:value, with blank for and, | for or, ! for not and parentheses; empty for everything',
});

const base = "/v1/w/:workspaceId/change-sets/:changeSetId";
const errors = ["workspaceNotFound", "changeSetNotFound", "searchIndexInvalid"] as const;

export const search = group({
  find: {
    method: "GET",
    path: `${base}/search`,
    summary: "The components that fit a query, in ascending order of id",
    access: "workspace",
    revision: "layer",
    query: Type.Object({ q: Query }),
    response: Type.Object({ components: Type.Array(ComponentSearchResult) }),
    errors,
  },
  components: {
    method: "POST",
    path: `${base}/components/search`,
    summary: "The ids of the components that fit a query and every filter, in ascending order",
    access: "workspace",
    body: Type.Object({
      queryString: optionalNull(Query),
      schemaCategory: optionalNull(Type.String({ description: "Exactly this category" })),
      schemaName: optionalNull(
        Type.String({ description: "A schema of the change set, in any letter case" }),
      ),
      upgradable: optionalNull(Type.Boolean({ description: "Whether their schema has a newer variant" })),
    }),
    response: Type.Object({ components: Type.Array(Id) }),
    errors: [...errors, "schemaNotFound"],
  },
});
