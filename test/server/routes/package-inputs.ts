import type { Json, JsonObject } from "../../../server/domain/json.ts";
import type { World } from "../../support/scenarios.ts";
import { minimalSpec, wholeSpec } from "../domain/package-examples.ts";
import { adas, definition, prop } from "./schema-inputs.ts";

/** The smallest package with a name of its own. */
export const freshSpec = (world: World): JsonObject => minimalSpec(`Demo ${world.fresh()}`);

/** A package with all that one can have, with a name of its own. */
export function wholeFreshSpec(world: World): JsonObject {
  const name = `Bucket ${world.fresh()}`;
  const spec = structuredClone(wholeSpec()) as Record<string, Json>;
  const [schema] = spec["schemas"] as JsonObject[];
  const data = { ...(schema?.["data"] as JsonObject), name };
  return { ...spec, name, schemas: [{ ...schema, name, data }] };
}

/** A request to install a package in a new change set, or in one that is there. */
export const installing = async (world: World, body: unknown, changeSetId?: string) => ({
  changeSetId: changeSetId ?? (await world.changeSet()),
  body,
});

/** A package that was installed from a file, and where. */
export async function installedFile(world: World, spec: JsonObject = freshSpec(world)) {
  const { client, workspaceId } = adas(world);
  const changeSetId = await world.changeSet();
  const body = JSON.stringify(spec);
  const installed = await client.packages.installFromFile({ workspaceId, changeSetId, body });
  return { changeSetId, spec, ...installed };
}

/** Statements of the definition of a schema with a function of each kind. */
const behaving = definition(
  prop("Region", "string", '.setDefaultValue("eu-1")'),
  prop("Size", "integer", ".setDefaultValue(2)"),
  prop("Label"),
  'asset.addResourceProp(new PropBuilder().setName("Id").setKind("string").build())',
);

/** A schema made through the API with a function of each kind, applied, so that it is locked. */
export async function behavingSchema(world: World) {
  const { client, workspaceId } = adas(world);
  const changeSetId = await world.changeSet();
  const at = { workspaceId, changeSetId };
  const name = `Behaving ${world.fresh()}`;
  const made = await client.schemas.create({ ...at, body: { name, code: behaving, category: "Tests" } });
  const place = { ...at, schemaId: made.schemaId, schemaVariantId: made.defaultVariantId };
  const variant = await client.schemas.variantGet(place);
  const idOf = (prop: string): string =>
    variant.domainProps?.children?.find((child) => child.name === prop)?.propId ?? "";
  await client.bindings.createAttribute({
    ...place,
    body: {
      name: "labelOf",
      code: "async function main({ region, size, suffix }) { return region + size + suffix; }",
      propId: idOf("Label"),
      argumentBindings: [
        { name: "region", kind: "String", propId: idOf("Region") },
        { name: "size", kind: "Integer", propId: idOf("Size") },
        { name: "suffix", kind: "String", staticValue: "!" },
      ],
    },
  });
  await client.bindings.createAction({
    ...place,
    body: {
      name: "make",
      kind: "Create",
      displayName: "Make it",
      code: "const main = () => ({ status: 'ok' });",
    },
  });
  await client.bindings.createQualification({
    ...place,
    body: {
      name: "isSmall",
      description: "At most three",
      code: "const main = ({ domain }) => domain.Size <= 3 ? { result: 'success' } : { result: 'failure', message: 'too large' };",
    },
  });
  await client.bindings.createCodegen({
    ...place,
    body: { name: "render", code: "const main = ({ domain }) => ({ format: 'text', code: domain.Label });" },
  });
  await client.bindings.createManagement({
    ...place,
    body: { name: "grow", code: "const main = () => ({ status: 'ok' });" },
  });
  await world.server.apply(world.ada, changeSetId);
  return { name, schemaId: made.schemaId, changeSetId: await world.changeSet() };
}
