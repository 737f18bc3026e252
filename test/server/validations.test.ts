import { beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../../server/domain/json.ts";
import { describeEngines } from "../support/engines.ts";
import { createWorld, sendRow, type World } from "../support/scenarios.ts";
import { suiteServer } from "../support/server.ts";
import { minimalSpec } from "./domain/package-examples.ts";
import {
  adas,
  anew,
  appliedSchema,
  componentOf,
  definition,
  type MadeSchema,
  madeSchema,
  placeOf,
  plain,
  prop,
} from "./routes/schema-inputs.ts";

const name = "si:validation";

const judged = definition(
  prop("region", "string", ".setValidationFormat(Joi.string().valid('eu-1', 'eu-2').required())"),
  prop("size", "integer", ".setValidationFormat(Joi.number().min(1)).setDefaultValue(0)"),
  prop("zone"),
);

describeEngines("validation formats", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });

  const at = (changeSetId: string) => ({ workspaceId: world.ada.workspaceId, changeSetId });
  const update = (changeSetId: string, componentId: string, attributes: Record<string, unknown>) =>
    adas(world).client.components.update({ ...at(changeSetId), componentId, body: { attributes } });
  /** What the list says of a component once nothing is to be computed. */
  const item = async (changeSetId: string, componentId: string) => {
    await world.server.propagate(changeSetId);
    const query = { includeQualificationFunctions: true, includeExecutionHistory: true, limit: 300 };
    const { componentDetails } = await adas(world).client.components.list({ ...at(changeSetId), query });
    return componentDetails.find((one) => one.componentId === componentId);
  };
  const status = async (changeSetId: string, componentId: string) => {
    const found = (await item(changeSetId, componentId))?.qualificationFunctions ?? [];
    const own = found.find(({ functionName }) => functionName === name);
    return own?.executionStatus?.state;
  };
  /** What the latest judgement of a component says. */
  const run = async (changeSetId: string, componentId: string) => {
    const [own] = (await item(changeSetId, componentId))?.qualificationFunctions ?? [];
    const funcRunId = own?.executionStatus?.funcRunId ?? "";
    const { funcRun } = await adas(world).client.functionRuns.get({ ...at(changeSetId), funcRunId });
    return funcRun;
  };
  const runs = async (changeSetId: string, componentId: string): Promise<number> => {
    const query = { componentId };
    const { funcRuns } = await adas(world).client.functionRuns.list({ ...at(changeSetId), query });
    return funcRuns.filter(({ functionName }) => functionName === name).length;
  };

  it("judge what is set, what is not, and defaults, as one more qualification", async () => {
    const made = await madeSchema(world, judged);
    const id = await componentOf(world, made);
    expect(await status(made.changeSetId, id)).toBe("Failed");
    expect(await run(made.changeSetId, id)).toMatchObject({
      state: "Success",
      functionName: name,
      functionKind: "Intrinsic",
      backendKind: "JsValidation",
      backendResponseType: "Validation",
      componentId: id,
      resultValue: {
        result: "failure",
        message:
          '/domain/region: "value" is required\n/domain/size: "value" must be greater than or equal to 1',
      },
    });
    await update(made.changeSetId, id, { "/domain/region": "eu-3", "/domain/size": 4 });
    expect((await run(made.changeSetId, id)).resultValue).toEqual({
      result: "failure",
      message: '/domain/region: "value" must be one of [eu-1, eu-2]',
    });
    await update(made.changeSetId, id, { "/domain/region": "eu-2" });
    expect(await status(made.changeSetId, id)).toBe("Succeeded");
    expect((await run(made.changeSetId, id)).resultValue).toEqual({ result: "success" });
  });

  it("judge anew only where a value with a format has changed", async () => {
    const made = await madeSchema(world, judged);
    const id = await componentOf(world, made, { "/domain/region": "eu-1" });
    await status(made.changeSetId, id);
    const before = await runs(made.changeSetId, id);
    await update(made.changeSetId, id, { "/domain/zone": "a", "/si/name": `other ${world.fresh()}` });
    await status(made.changeSetId, id);
    expect(await runs(made.changeSetId, id)).toBe(before);
    await update(made.changeSetId, id, { "/domain/size": 5 });
    await status(made.changeSetId, id);
    expect(await runs(made.changeSetId, id)).toBe(before + 1);
  });

  it("judge what functions and subscriptions bring, and wait for what may yet come", async () => {
    const made = await madeSchema(world, judged);
    const source = await componentOf(world, made, { "/domain/size": 2, "/domain/region": "eu-1" });
    const $source = { component: source, path: "/domain/zone" };
    const id = await componentOf(world, made, { "/domain/size": 1, "/domain/region": { $source } });
    expect(await status(made.changeSetId, id)).toBe("Succeeded");
    await update(made.changeSetId, source, { "/domain/zone": "nowhere" });
    expect(await status(made.changeSetId, id)).toBe("Failed");
    await update(made.changeSetId, source, { "/domain/zone": "eu-2" });
    expect(await status(made.changeSetId, id)).toBe("Succeeded");
    const funcs = adas(world).client.functions;
    const body = { name: `bad ${world.fresh()}`, code: "const main = () => 'elsewhere'" };
    const { funcId } = await funcs.createTransformation({ ...at(made.changeSetId), body });
    await update(made.changeSetId, id, { "/domain/region": { $source: { ...$source, func: funcId } } });
    expect(await status(made.changeSetId, id)).toBe("Failed");
  });

  it("never keep a change set from being applied, and go with it to the head", async () => {
    const made = await madeSchema(world, judged);
    const id = await componentOf(world, made);
    await world.server.apply(world.ada, made.changeSetId);
    const head = await adas(world).client.changeSets.list({ workspaceId: world.ada.workspaceId });
    const headId = head.changeSets.find(({ isHead }) => isHead)?.id ?? "";
    expect(await status(headId, id)).toBe("Failed");
    // Nothing of it differs from the head.
    const later = await world.changeSet();
    expect(await status(later, id)).toBe("Failed");
    await update(later, id, { "/domain/region": "eu-1", "/domain/size": 1 });
    expect([await status(later, id), await status(headId, id)]).toEqual(["Succeeded", "Failed"]);
  });

  it("begin and end with the variant that has them", async () => {
    const made = await madeSchema(world);
    const id = await componentOf(world, made, { "/domain/region": "us-1" });
    expect(await status(made.changeSetId, id)).toBeUndefined();
    const { client } = adas(world);
    const change = (place: MadeSchema, code: string) =>
      client.schemas.variantUpdate({ ...at(place.changeSetId), ...placeOf(place), body: anew(code) });
    const { variantId } = await change(made, judged);
    expect(await status(made.changeSetId, id)).toBe("Failed");
    await change({ ...made, schemaVariantId: variantId }, plain);
    expect(await status(made.changeSetId, id)).toBeUndefined();
  });

  it("cost nothing where a schema has none", async () => {
    const made = await appliedSchema(world);
    const id = await componentOf(world, made, { "/domain/region": "us-1" });
    expect((await item(made.changeSetId, id))?.qualificationFunctions).toBeUndefined();
    expect(await runs(made.changeSetId, id)).toBe(0);
  });

  it("of the fields of a secret judge no component", async () => {
    const made = await madeSchema(
      world,
      definition(`asset.defineSecret(new SecretDefinitionBuilder().setName(${JSON.stringify(`Login ${world.fresh()}`)})
        .addProp(new PropBuilder().setName("user").setKind("string").setValidationFormat(Joi.string().min(3)).build())
        .build())`),
    );
    const id = await componentOf(world, made);
    expect(await status(made.changeSetId, id)).toBeUndefined();
    expect(await runs(made.changeSetId, id)).toBe(0);
  });

  it.each([
    ["a function of one's own", ".setValidationFormat(Joi.string().custom((value) => value))", "line 3"],
    ["a description that means nothing", '.setValidationFormat(\'{"type":"nope"}\')', "/domain/region"],
    ["no description", ".setValidationFormat('Joi.string()')", "not JSON"],
  ])("that hold %s are refused with the code", async (_, format, why) => {
    const code = definition(prop("region", "string", format));
    const changeSetId = await world.changeSet();
    const body = { name: `Made ${world.fresh()}`, category: "Tests", code };
    const answer = await sendRow(world, "schemas.create", { changeSetId, body }, { token: world.ada.key });
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining("validation format")]);
    expect(answer.text).toContain(why);
    const made = await madeSchema(world);
    const change = { ...placeOf(made), body: anew(code) };
    const other = await sendRow(world, "schemas.variantUpdate", change, { token: world.ada.key });
    expect(other.status).toBe(422);
  });

  it("that came broken with a package say so where a component is looked at", async () => {
    const spec = structuredClone(minimalSpec(`Broken ${world.fresh()}`)) as unknown as Broken;
    const [schema] = spec.schemas;
    const [entry] = schema.variants[0].domain.entries;
    Object.assign(entry.data, { validationFormat: '{"type":"nope"}' });
    const { client } = adas(world);
    const changeSetId = await world.changeSet();
    const body = JSON.stringify(spec);
    const { schemaName } = await client.packages.installFromFile({ ...at(changeSetId), body });
    const component = { name: `c ${world.fresh()}`, schemaName };
    const { id } = (await client.components.create({ ...at(changeSetId), body: component })).component;
    expect(await status(changeSetId, id)).toBe("Failed");
    expect((await run(changeSetId, id)).resultValue).toMatchObject({
      result: "failure",
      message: `/domain/${entry.name}: its validation format cannot be used: not a function`,
    });
  });

  it("without end are ended, say so, and hold up nothing else", async () => {
    const made = await madeSchema(
      world,
      definition(prop("region", "string", ".setValidationFormat(Joi.string().pattern(/^(a+)+$/))")),
    );
    const id = await componentOf(world, made, { "/domain/region": `${"a".repeat(40)}!` });
    expect((await run(made.changeSetId, id)).state).toBe("Failure");
    expect(await status(made.changeSetId, id)).toBe("Failed");
  }, 120_000);
});

interface Broken extends JsonObject {
  readonly schemas: [
    { variants: [{ domain: { entries: [{ name: string; data: JsonObject }] } }] } & JsonObject,
  ];
}
