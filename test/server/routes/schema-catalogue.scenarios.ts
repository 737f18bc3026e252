import { expect } from "vitest";
import type { GetSchemaVariantResponse, UnlockedSchemaResponse } from "../../../src/contract/schemas.ts";
import type { RowInput, Scenario, World } from "../../support/scenarios.ts";
import { until } from "../../support/until.ts";
import { inSet } from "./component-inputs.ts";
import { adas, definition, madeSchema, prop, propNames, schemaOf, variantOf } from "./schema-inputs.ts";

/** A schema of the catalogue that no change set of these tests installs but by unlocking it. */
const shipped = async (world: World): Promise<RowInput & { readonly schemaId: string }> => {
  const { client, workspaceId } = adas(world);
  const changeSetId = await world.changeSet();
  const all = await client.schemas.list({ workspaceId, changeSetId, query: { limit: 300 } });
  const found = all.schemas.find(({ installed }) => !installed);
  if (found === undefined) throw new Error("the catalogue is empty");
  const { schemaId } = found;
  // Its definition runs at the first read, on a sandbox that may have to come up first.
  const address = `/v1/w/${workspaceId}/change-sets/${changeSetId}/schemas/${schemaId}`;
  const ask = () => world.server.request("GET", address, { as: world.ada.key });
  await until(async () => (await ask()).status === 200, "the definition to have run");
  return { changeSetId, schemaId };
};

export const schemaCatalogueScenarios: readonly Scenario[] = [
  {
    name: "lists what the catalogue has and the change set has not",
    operation: "schemas.list",
    input: (world) => inSet(world, { query: { limit: 300 } }),
    expect: 200,
    check: ({ body }) => {
      const { schemas } = body as { schemas: { installed: boolean; schemaId: string }[] };
      expect(new Set(schemas.map(({ installed }) => installed))).toEqual(new Set([true, false]));
      const ids = schemas.map(({ schemaId }) => schemaId);
      expect(ids).toEqual([...new Set(ids)].sort());
    },
  },
  {
    name: "shows a schema of the catalogue with the id that its variant will have",
    operation: "schemas.get",
    input: shipped,
    expect: 200,
    check: async ({ body }, world, { changeSetId, schemaId }) => {
      const { client, workspaceId } = adas(world);
      const at = { workspaceId, changeSetId: String(changeSetId), schemaId: String(schemaId) };
      const found = await client.schemas.find({ ...at, query: { schemaId: at.schemaId } });
      expect(found.installed).toBe(false);
      const { unlockedVariantId } = await client.schemas.unlock(at);
      const { defaultVariantId, variantIds } = await client.schemas.get(at);
      expect(body).toMatchObject({ defaultVariantId, variantIds: [defaultVariantId] });
      expect(variantIds).toEqual([defaultVariantId, unlockedVariantId].sort());
    },
  },
  {
    name: "shows the variant of a schema of the catalogue, locked and from upstream, as it is once installed",
    operation: "schemas.variantDefault",
    input: shipped,
    expect: 200,
    body: () => ({ isLocked: true, installedFromUpstream: true, isDefaultVariant: true, variantFuncs: [] }),
    check: async ({ body }, world, { changeSetId, schemaId }) => {
      const shown = body as GetSchemaVariantResponse;
      const { client, workspaceId } = adas(world);
      const place = { changeSetId: String(changeSetId), schemaId: String(schemaId) };
      const at = { workspaceId, ...place, schemaVariantId: shown.variantId };
      expect(await client.schemas.variantGet(at)).toEqual(shown);
      await client.schemas.unlock({ workspaceId, ...place });
      const installed = await variantOf(world, { ...place, schemaVariantId: shown.variantId });
      expect({ ...installed, variantFuncs: [], variantFuncIds: [] }).toEqual(shown);
    },
  },
  {
    name: "does not know another variant of a schema of the catalogue",
    operation: "schemas.variantGet",
    input: async (world) => ({ ...(await shipped(world)), schemaVariantId: world.fresh() }),
    expect: "variantNotFound",
  },
  {
    name: "installs a schema of the catalogue for it",
    operation: "schemas.unlock",
    input: shipped,
    expect: 200,
    check: async ({ body }, world, { changeSetId, schemaId }) => {
      const { unlockedVariant } = body as UnlockedSchemaResponse;
      expect(unlockedVariant).toMatchObject({
        isLocked: false,
        isDefaultVariant: false,
        installedFromUpstream: true,
      });
      const { variantIds } = await schemaOf(world, {
        changeSetId: String(changeSetId),
        schemaId: String(schemaId),
      });
      expect(variantIds).toHaveLength(2);
    },
  },
  {
    name: "says 202 while the definition of a contributed schema runs for the first time",
    operation: "schemas.variantDefault",
    input: async (world) => {
      const code = definition(prop("slow")).replace(
        "function main() {",
        "async function main() {\n  await new Promise((done) => setTimeout(done, 2500));",
      );
      const { changeSetId, schemaId } = await madeSchema(world, code);
      await world.server.apply(world.ada, changeSetId);
      const { client, workspaceId } = adas(world);
      await client.packages.contribute({ workspaceId, changeSetId: await world.changeSet(), schemaId });
      const { eve, server } = world;
      const address = `/v1/w/${eve.workspaceId}/change-sets/HEAD/schemas/${schemaId}`;
      const ask = (path: string) => server.request("GET", `${address}${path}`, { as: eve.key });
      const { variantIds } = await schemaOf(world, { changeSetId: "HEAD", schemaId });
      expect(variantIds).toHaveLength(1);
      const first = await ask("/variant/default");
      expect([first.status, first.headers.get("retry-after"), first.headers.get("etag")]).toEqual([
        202,
        "2",
        null,
      ]);
      expect((await ask("")).status).toBe(202);
      await until(async () => (await ask("/variant/default")).status === 200, "the definition to end");
      const shown = (await ask("/variant/default")).body as GetSchemaVariantResponse;
      expect(propNames(shown)).toEqual(["slow"]);
      expect((await ask("")).at("defaultVariantId")).toBe(shown.variantId);
      return { changeSetId: "HEAD", schemaId };
    },
    expect: 200,
  },
];
