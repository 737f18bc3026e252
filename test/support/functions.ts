import type {
  Binding,
  BindingDefinition,
  BindingKind,
  FunctionDefinition,
} from "../../server/domain/functions.ts";
import type { JsonObject } from "../../server/domain/json.ts";
import { getSchemaNamed } from "../../server/read/variants.ts";
import { createChangeSet, getChangeSet } from "../../server/store/change-sets.ts";
import { createEntities } from "../../server/store/entities.ts";
import { changeLayer } from "../../server/store/layer.ts";
import type { FunctionKind } from "../../src/contract/functions.ts";
import type { Person, TestServer } from "./server.ts";

/** A function to bind to the default variant of a schema, without asking whether it is locked. */
export interface TestFunction extends Partial<Omit<BindingDefinition, "funcId" | "schemaId">> {
  readonly kind: BindingKind;
  readonly name: string;
  readonly code: string;
  readonly displayName?: string;
  /** For all variants of the schema. */
  readonly overlay?: boolean;
}

const kindOf: Readonly<Record<BindingKind, FunctionKind>> = {
  action: "Action",
  attribute: "Attribute",
  authentication: "Authentication",
  codegen: "CodeGeneration",
  management: "Management",
  qualification: "Qualification",
};

/** Binds functions to a schema in a change set, as whoever may do anything; returns their bindings in the same order. */
export async function bindFunctions(
  { store }: TestServer,
  person: Pick<Person, "id" | "workspaceId">,
  changeSetId: string,
  schemaName: string,
  functions: readonly TestFunction[],
): Promise<Pick<Binding, "id" | "funcId">[]> {
  const layer = await getChangeSet(store, person.workspaceId, changeSetId);
  return changeLayer(store, layer, { kind: "entity.changed", actor: person.id }, async (change) => {
    const schema = await getSchemaNamed(change.tx, change.layer, schemaName);
    const made: Pick<Binding, "id" | "funcId">[] = [];
    for (const { name, code, displayName, overlay, ...binding } of functions) {
      const [id, funcId] = [store.id(), store.id()];
      const func: FunctionDefinition = {
        name,
        displayName: displayName ?? null,
        description: null,
        link: null,
        kind: kindOf[binding.kind],
        handler: "main",
        code,
        isLocked: true,
        arguments: [],
        isTransformation: false,
      };
      const variantId = overlay === true ? null : schema.defaultVariantId;
      const body: BindingDefinition = { variantId, ...binding, schemaId: schema.id, funcId };
      await createEntities(change, [
        { kind: "func", id: funcId, name, body: json(func) },
        { kind: "binding", id, name: schema.id, body: json(body) },
      ]);
      made.push({ id, funcId });
    }
    return made;
  });
}

/** The same in the head: in a change set of its own that is applied at once. */
export async function bindInHead(
  server: TestServer,
  person: Person,
  schemaName: string,
  functions: readonly TestFunction[],
): Promise<Pick<Binding, "id" | "funcId">[]> {
  const { store } = server;
  const { workspaceId, id: actor } = person;
  const name = `functions ${store.id().toLowerCase()}`;
  const changeSet = await createChangeSet(store, { workspaceId, name, actor });
  const made = await bindFunctions(server, person, changeSet.id, schemaName, functions);
  await server.apply(person, changeSet.id);
  return made;
}

/** Definitions are JSON but for members that are undefined, which do not arrive. */
const json = (definition: FunctionDefinition | BindingDefinition): JsonObject =>
  JSON.parse(JSON.stringify(definition));
