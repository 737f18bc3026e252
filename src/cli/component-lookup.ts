import type { ComponentReference } from "../contract/component-shapes.ts";
import type { Output as AnswerOf } from "../contract/endpoint.ts";
import { looksLikeUlid } from "../contract/ids.ts";
import type { Api } from "../contract/index.ts";
import { maximumLimit } from "../contract/page.ts";
import type { Context } from "./context.ts";

/** Where a component is looked for. */
export interface Place {
  readonly workspaceId: string;
  readonly changeSetId: string;
}

/** One component by id or by name; throws the API's refusal when there is none, or more than one of that name. */
export async function findComponent(
  context: Context,
  place: Place,
  named: string,
): Promise<AnswerOf<Api["components"]["find"]>> {
  const { components } = await context.api();
  return looksLikeUlid(named)
    ? components.get({ ...place, componentId: named.toUpperCase() })
    : components.find({ ...place, query: { component: named } });
}

/** What a person calls the schema of a component; its id where the server does not say. */
export async function schemaNameOf(context: Context, place: Place, schemaId: string): Promise<string> {
  const { schemas } = await context.api();
  const asked = schemas.get({ ...place, schemaId });
  return asked.then(
    ({ name }) => name,
    () => schemaId,
  );
}

/** The names of components by id: those that are `known`, the others from as many pages of the list as it takes. */
export async function componentNames(
  context: Context,
  place: Place,
  ids: readonly string[],
  known: readonly { readonly id: string; readonly name: string }[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  const missing = new Set(ids.filter((id) => !names.has(id)));
  const { components } = await context.api();
  let cursor: string | null = null;
  while (missing.size > 0) {
    const query = { limit: maximumLimit, ...(cursor === null ? {} : { cursor }) };
    const page: Awaited<ReturnType<typeof components.list>> = await components.list({ ...place, query });
    for (const { componentId, name } of page.componentDetails) {
      if (missing.delete(componentId)) names.set(componentId, name);
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  return names;
}

/** A component as a request names it: what reads as an id is one, everything else a name. */
export const referenceTo = (named: string): ComponentReference =>
  looksLikeUlid(named) ? { componentId: named.toUpperCase() } : { component: named };
