import { beforeAll, expect, it } from "vitest";
import type { BindingKind } from "../../server/domain/functions.ts";
import { describeEngines } from "../support/engines.ts";
import { createWorld, sendRow, type World } from "../support/scenarios.ts";
import { suiteServer } from "../support/server.ts";
import {
  type BindingPlace,
  bound,
  capitalized,
  componentIn,
  lockFunction,
  withSchema,
} from "./routes/binding-inputs.ts";

describeEngines("functions that are bound over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });

  const client = () => world.server.client(world.ada.key);
  const at = ({ changeSetId }: Pick<BindingPlace, "changeSetId">) => ({
    workspaceId: world.ada.workspaceId,
    changeSetId,
  });
  /** What the change set shows of a component once nothing is to be computed. */
  const shown = async (place: Pick<BindingPlace, "changeSetId">, componentId: string) => {
    await world.server.propagate(place.changeSetId);
    const { component } = await client().components.get({ ...at(place), componentId });
    const query = { includeCodegen: true, includeQualificationFunctions: true };
    const { componentDetails } = await client().components.list({ ...at(place), query });
    const item = componentDetails.find((one) => one.componentId === componentId);
    const values = Object.fromEntries(component.domainProps.map(({ path, value }) => [path, value]));
    return { zone: values["root/domain/zone"], codegen: item?.codegen, attributes: component.attributes };
  };
  const detach = async (place: BindingPlace, kind: BindingKind, funcId: string): Promise<void> => {
    const operation = `bindings.delete${capitalized(kind)}`;
    const answer = await sendRow(world, operation, { ...place, funcId }, { token: world.ada.key });
    expect(answer.status).toBe(200);
  };
  const update = (place: Pick<BindingPlace, "changeSetId">, funcId: string, code: string) =>
    client().functions.update({ ...at(place), funcId, body: { code } });

  it("make values of components that are there, follow their code, and leave nothing when detached", async () => {
    const place = await withSchema(world);
    const id = await componentIn(world, place);
    const code = "function main({ region }) { return region + '-a'; }";
    const funcId = await bound(world, place, "attribute", { code });
    expect((await shown(place, id)).zone).toBe("eu-1-a");
    await update(place, funcId, "function main({ region }) { return region.toUpperCase(); }");
    expect((await shown(place, id)).zone).toBe("EU-1");
    await detach(place, "attribute", funcId);
    expect((await shown(place, id)).zone ?? null).toBeNull();
  });

  it("generate code until they are detached", async () => {
    const place = await withSchema(world);
    const id = await componentIn(world, place, { "/domain/size": 2 });
    const code = "function main({ domain }) { return { format: 'yaml', code: 'size: ' + domain.size }; }";
    const funcId = await bound(world, place, "codegen", { name: "template", code });
    expect((await shown(place, id)).codegen).toEqual({ template: { format: "yaml", code: "size: 2" } });
    await detach(place, "codegen", funcId);
    expect((await shown(place, id)).codegen ?? null).toBeNull();
  });

  it("reach all components of an overlay's schema, and one component where it is for that alone", async () => {
    const place = await withSchema(world, { locked: true, upstream: true });
    const [one, other] = [await componentIn(world, place), await componentIn(world, place)];
    await bound(world, place, "attribute", { name: "all", code: "function main() { return 'all'; }" });
    const componentId = one;
    const own = { name: "one", code: "function main() { return 'one'; }", componentId };
    const funcId = await bound(world, place, "attribute", own);
    expect((await shown(place, one)).zone).toBe("one");
    expect((await shown(place, other)).zone).toBe("all");
    await detach(place, "attribute", funcId);
    expect((await shown(place, one)).zone).toBe("all");
  });

  it("take the place of the function that a variant had, and go on when they are unlocked and changed", async () => {
    const place = await withSchema(world);
    const id = await componentIn(world, place);
    await bound(world, place, "attribute", { name: "first", code: "function main() { return 'first'; }" });
    expect((await shown(place, id)).zone).toBe("first");
    const code = "function main() { return 'second'; }";
    const funcId = await bound(world, place, "attribute", { name: "second", code });
    expect((await shown(place, id)).zone).toBe("second");
    await lockFunction(world, place.changeSetId, funcId);
    const body = { schemaVariantId: place.schemaVariantId };
    const { unlockedFuncId } = await client().functions.unlock({ ...at(place), funcId, body });
    await update(place, unlockedFuncId, "function main() { return 'third'; }");
    expect((await shown(place, id)).zone).toBe("third");
  });

  it("stand between a subscription and its subscriber, by id, name, or the name that every workspace has", async () => {
    const place = await withSchema(world);
    const source = await componentIn(world, place, { "/domain/region": "north" });
    const name = `shout ${world.fresh()}`;
    const code = "function main({ input }) { return input.toUpperCase(); }";
    const { funcId } = await client().functions.createTransformation({ ...at(place), body: { name, code } });
    const through = (func: string, path = "/domain/region") => ({
      $source: { component: source, path, func },
    });
    const reader = await componentIn(world, place, { "/domain/zone": through(funcId) });
    const other = await componentIn(world, place, {
      "/domain/zone": through(name),
      "/domain/ports": through("si:normalizeToArray", "/domain/size"),
    });
    await client().components.update({
      ...at(place),
      componentId: source,
      body: { attributes: { "/domain/size": 80 } },
    });
    expect((await shown(place, reader)).zone).toBe("NORTH");
    const { zone, attributes } = await shown(place, other);
    expect(zone).toBe("NORTH");
    expect(attributes).toMatchObject({
      "/domain/zone": { $source: { func: funcId } },
      "/domain/ports": { $source: { func: "si:normalizeToArray" } },
    });
    await update(place, funcId, "function main({ input }) { return input + '!'; }");
    expect((await shown(place, reader)).zone).toBe("north!");
  });

  it.each<[what: string, func: () => string, status: number]>([
    ["nobody has", () => "gone", 404],
    ["with an unknown id", () => world.fresh(), 404],
    ["of the prototype", () => "constructor", 404],
    ["that takes no subscription's value", () => "si:setString", 422],
  ])("do not stand there where they are some %s", async (_what, func, status) => {
    const place = await withSchema(world);
    const source = await componentIn(world, place);
    const componentId = await componentIn(world, place);
    const $source = { component: source, path: "/domain/region", func: func() };
    const input = { ...place, componentId, body: { attributes: { "/domain/zone": { $source } } } };
    const answer = await sendRow(world, "components.update", input, { token: world.ada.key });
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining("$source.func")]);
  });

  it("drop what is queued for them when they are detached", async () => {
    const place = await withSchema(world);
    const componentId = await componentIn(world, place);
    const funcId = await bound(world, place, "action", { name: "restart", kind: "Manual" });
    const body = { action: { function: "restart" } };
    await client().actions.enqueue({ ...at(place), componentId, body });
    expect((await client().actions.list(at(place))).actions).toMatchObject([{ name: "restart" }]);
    await detach(place, "action", funcId);
    expect((await client().actions.list(at(place))).actions).toEqual([]);
  });

  it("leave one event for each change, and none where nothing changes", async () => {
    const place = await withSchema(world);
    const funcId = await bound(world, place, "qualification", { name: "check" });
    const code = "export async function main() { return null; }";
    await update(place, funcId, "function main() {}");
    await update(place, funcId, "function main() {}");
    await update(place, funcId, code);
    await detach(place, "qualification", funcId);
    const { events } = await client().events.list({
      workspaceId: world.ada.workspaceId,
      query: { limit: 300 },
    });
    const kinds = events.filter(({ subject }) => subject === funcId).map(({ kind }) => kind);
    expect(kinds).toEqual(["function.bound", "function.changed", "function.changed", "function.detached"]);
  });
});
