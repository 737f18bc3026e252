import type { ComponentReference } from "../contract/component-shapes.ts";
import type { Output as AnswerOf } from "../contract/endpoint.ts";
import { looksLikeUlid } from "../contract/ids.ts";
import type { Api } from "../contract/index.ts";
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

/** A component as a request names it: what reads as an id is one, everything else a name. */
export const referenceTo = (named: string): ComponentReference =>
  looksLikeUlid(named) ? { componentId: named.toUpperCase() } : { component: named };
