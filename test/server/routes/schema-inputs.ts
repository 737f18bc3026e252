import type { SchemaPackage } from "../../../server/routes/install-schema.ts";
import type { GetSchemaResponse, GetSchemaVariantResponse } from "../../../src/contract/schemas.ts";
import type { World } from "../../support/scenarios.ts";

/** Code that defines a schema by these statements about `asset`. */
export const definition = (...statements: string[]): string =>
  [
    "function main() {",
    "  const asset = new AssetBuilder();",
    ...statements.map((statement) => `  ${statement};`),
    "  return asset.build();",
    "}",
  ].join("\n");

/** A property of the domain. */
export const prop = (name: string, kind = "string", more = ""): string =>
  `asset.addProp(new PropBuilder().setName(${JSON.stringify(name)}).setKind(${JSON.stringify(kind)})${more}.build())`;

/** Code of a schema with a region and a size. */
export const plain = definition(
  prop("region", "string", '.setDefaultValue("eu-1")'),
  prop("size", "integer"),
);

/** A schema that was created from code, and where. */
export interface MadeSchema {
  readonly changeSetId: string;
  readonly schemaId: string;
  readonly schemaVariantId: string;
  readonly name: string;
}

/** Ada's client and the address of her workspace. */
export const adas = (world: World) => ({
  client: world.server.client(world.ada.key),
  workspaceId: world.ada.workspaceId,
});

/** A schema created from code in a change set. */
export async function madeSchema(world: World, code = plain, changeSetId?: string): Promise<MadeSchema> {
  const { client, workspaceId } = adas(world);
  const at = changeSetId ?? (await world.changeSet());
  const body = { name: `Made ${world.fresh()}`, code, category: "Tests" };
  const made = await client.schemas.create({ workspaceId, changeSetId: at, body });
  return {
    changeSetId: at,
    schemaId: made.schemaId,
    schemaVariantId: made.defaultVariantId,
    name: body.name,
  };
}

/** The same in the head, and a new change set over it. */
export async function appliedSchema(world: World, code = plain): Promise<MadeSchema> {
  const made = await madeSchema(world, code);
  await world.server.apply(world.ada, made.changeSetId);
  return { ...made, changeSetId: await world.changeSet() };
}

/** The unlocked variant of an applied schema. */
export async function unlockedSchema(world: World, code = plain): Promise<MadeSchema> {
  const made = await appliedSchema(world, code);
  const { client, workspaceId } = adas(world);
  const { changeSetId, schemaId } = made;
  const { unlockedVariantId } = await client.schemas.unlock({ workspaceId, changeSetId, schemaId });
  return { ...made, schemaVariantId: unlockedVariantId };
}

/** What makes a variant anew. */
export const anew = (code: string, more: object = {}) => ({ name: "Anew", category: "Tests", code, ...more });

/** A variant as a change set shows it. */
export const variantOf = (
  world: World,
  place: Omit<MadeSchema, "name">,
): Promise<GetSchemaVariantResponse> => {
  const { client, workspaceId } = adas(world);
  return client.schemas.variantGet({ workspaceId, ...place });
};

/** A schema as a change set shows it. */
export const schemaOf = (
  world: World,
  { changeSetId, schemaId }: Pick<MadeSchema, "changeSetId" | "schemaId">,
): Promise<GetSchemaResponse> => {
  const { client, workspaceId } = adas(world);
  return client.schemas.get({ workspaceId, changeSetId, schemaId });
};

/** The names of a variant's properties below `/domain`, in their order. */
export const propNames = ({ domainProps }: GetSchemaVariantResponse): string[] =>
  (domainProps?.children ?? []).map(({ name }) => name);

/** A component of the schema, of its unlocked variant where it has one. */
export async function componentOf(
  world: World,
  { changeSetId, name }: MadeSchema,
  attributes: Record<string, unknown> = {},
  useWorkingCopy = false,
): Promise<string> {
  const { client, workspaceId } = adas(world);
  const body = { name: `c ${world.fresh()}`, schemaName: name, attributes, useWorkingCopy };
  return (await client.components.create({ workspaceId, changeSetId, body })).component.id;
}

/** The parameters of a row about this place. */
export const placeOf = ({ changeSetId, schemaId, schemaVariantId }: MadeSchema) => ({
  changeSetId,
  schemaId,
  schemaVariantId,
});

/** A schema that came as data, with these members changed. */
export const asData = (name: string, more: Partial<SchemaPackage> = {}): SchemaPackage => ({
  name,
  category: "Data",
  color: "#112233",
  domain: [{ name: "region", kind: "string", defaultValue: "eu-1", createOnly: true }],
  ...more,
});
