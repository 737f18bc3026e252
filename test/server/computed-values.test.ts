import { afterAll, beforeAll, expect, it } from "vitest";
import { propagationOf } from "../../server/jobs/propagate.ts";
import { entityRules } from "../../server/read/entity-rules.ts";
import { bindingsOfFunction, findFunction } from "../../server/read/functions.ts";
import { VariantCache } from "../../server/read/variants.ts";
import type { SchemaPackage } from "../../server/routes/install-schema.ts";
import { markUsers } from "../../server/routes/mark-function-users.ts";
import { getChangeSet } from "../../server/store/change-sets.ts";
import { patchEntity } from "../../server/store/entities.ts";
import { changeLayer } from "../../server/store/layer.ts";
import { hasRoots } from "../../server/store/roots.ts";
import { describeEngines } from "../support/engines.ts";
import { bindFunctions, type TestFunction } from "../support/functions.ts";
import { type Person, startTestServer, type TestServer } from "../support/server.ts";
import { eventually } from "../support/until.ts";

const schemas: readonly SchemaPackage[] = [
  {
    name: "Service",
    category: "Compute",
    color: "#336699",
    domain: [
      { name: "region", kind: "string", defaultValue: "eu-1" },
      { name: "zone", kind: "string" },
      { name: "label", kind: "string" },
      { name: "size", kind: "integer" },
    ],
    resourceValue: [{ name: "arn", kind: "string" }],
  },
];

const argument = (path: string) => ({ name: path.split("/").at(-1) ?? "", kind: "String", path });

const functions: readonly TestFunction[] = [
  {
    kind: "attribute",
    name: "zoneOfRegion",
    output: "/domain/zone",
    arguments: [argument("/domain/region")],
    code: "function main({ region }: Input): Output { return region + '-a'; }",
  },
  {
    kind: "attribute",
    name: "labelOfZone",
    output: "/domain/label",
    arguments: [argument("/domain/zone")],
    code: "export async function main({ zone }) { console.log('zone is', zone); return zone.toUpperCase(); }",
  },
  {
    kind: "codegen",
    name: "template",
    code: "function main({ domain }) { return { format: 'json', code: JSON.stringify(domain) }; }",
  },
  {
    kind: "qualification",
    name: "sized",
    code: `function main({ domain, code }) {
      if (!code.template.code.includes("region")) throw new Error("no code");
      return domain.size > 0 ? { result: "success" } : { result: "failure", message: "size is missing" };
    }`,
  },
];

describeEngines("values that functions make", (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine);
  });
  afterAll(() => server.stop());

  const working = () => ({ ...server, variants: new VariantCache() });
  /** Gives a function other code, as whoever may change it. */
  const changeFunction = async (
    { id: actor, workspaceId }: Person,
    { changeSetId }: { readonly changeSetId: string },
    funcId: string,
    code: string,
  ): Promise<void> => {
    const layer = await getChangeSet(server.store, workspaceId, changeSetId);
    await changeLayer(server.store, layer, { kind: "function.changed", actor }, async (change) => {
      await patchEntity(change, entityRules, { kind: "func", id: funcId, patch: { code } });
      const func = await findFunction(change.tx, change.layer, funcId);
      if (func === undefined) throw new Error("no such function");
      await markUsers(change, new VariantCache(), await bindingsOfFunction(change.tx, change.layer, func));
    });
  };

  let people = 0;
  /** A person with a change set in which the functions are bound, and what they do in it over HTTP. */
  async function story(bound: readonly TestFunction[] = functions) {
    const ada: Person = await server.person(`person${people++}`);
    const { workspaceId } = ada;
    await server.install(ada, schemas);
    const { changeSets, components } = server.client(ada.key);
    const open = async (changeSetName: string): Promise<string> =>
      (await changeSets.create({ workspaceId, body: { changeSetName } })).changeSet.id;
    const changeSetId = await open("functions");
    const bindings = await bindFunctions(server, ada, changeSetId, "Service", bound);
    const place = { workspaceId, changeSetId };
    const create = async (name: string, attributes = {}): Promise<string> =>
      (await components.create({ ...place, body: { name, schemaName: "Service", attributes } })).component.id;
    const update = (componentId: string, attributes: Record<string, unknown>, at = place) =>
      components.update({ ...at, componentId, body: { attributes } });
    /** Values as the list and the view show them once nothing is to be computed. */
    const shown = async (componentId: string, at = place) => {
      await server.propagate(at.changeSetId);
      const { component } = await components.get({ ...at, componentId });
      const page = await components.list({ ...at, query: { includeCodegen: true } });
      const item = page.componentDetails.find((one) => one.componentId === componentId);
      const domain = component.domainProps.map(({ path, value }) => [path.split("/").at(-1), value]);
      return { domain: Object.fromEntries(domain), codegen: item?.codegen, component, item };
    };
    const runs = async (componentId: string): Promise<string[]> => {
      const rows = await server.store.db
        .selectFrom("func_run")
        .select(["func_id", "state", "id"])
        .where("component_id", "=", componentId)
        .orderBy("id")
        .execute();
      return rows.map(({ func_id, state }) => {
        const at = bindings.findIndex(({ funcId }) => funcId === func_id);
        return `${bound[at]?.name} ${state}`;
      });
    };
    return { ada, place, open, create, update, shown, runs, bindings, components };
  }

  it("appear in the component and in the list, each made by one recorded run", async () => {
    const { create, shown, runs } = await story();
    const id = await create("web", { "/domain/size": 3 });
    const { domain, codegen, component } = await shown(id);
    expect(domain).toEqual({ region: "eu-1", zone: "eu-1-a", label: "EU-1-A", size: 3 });
    expect(codegen).toEqual({
      template: {
        format: "json",
        code: '{"region":"eu-1","zone":"eu-1-a","label":"EU-1-A","size":3}',
      },
    });
    expect(Object.keys(component.attributes)).toEqual(["/si/name", "/si/type", "/domain/size"]);
    expect((await runs(id)).sort()).toEqual([
      "labelOfZone Success",
      "sized Success",
      "template Success",
      "zoneOfRegion Success",
    ]);
  });

  it("are made anew only where something that they read has changed", async () => {
    const { create, update, shown, runs } = await story();
    const [id, other] = [await create("web", { "/domain/size": 1 }), await create("other")];
    await shown(id);
    const before = (await runs(id)).length;
    await update(id, { "/domain/size": 2 });
    expect((await shown(id)).domain["label"]).toBe("EU-1-A");
    expect((await runs(id)).slice(before)).toEqual(["template Success", "sized Success"]);
    await update(id, { "/si/color": "#000000" });
    await shown(id);
    expect((await runs(id)).length).toBe(before + 2);
    expect((await runs(other)).length).toBe(4);
  });

  it("stay as they were at the very next read after an edit", async () => {
    const { place, create, update, shown, components } = await story();
    const id = await create("web");
    await shown(id);
    await update(id, { "/domain/region": "us-1" });
    const { component } = await components.get({ ...place, componentId: id });
    const value = (name: string) =>
      component.domainProps.find(({ path }) => path === `root/domain/${name}`)?.value;
    expect(value("region")).toBe("us-1");
    expect(["eu-1-a", "us-1-a"]).toContain(value("zone"));
    expect((await shown(id)).domain["label"]).toBe("US-1-A");
  });

  it("yield to what a component says itself, and come back when it says nothing", async () => {
    const { create, update, shown } = await story();
    const id = await create("web");
    await shown(id);
    await update(id, { "/domain/zone": "mine" });
    expect((await shown(id)).domain).toMatchObject({ zone: "mine", label: "MINE" });
    await update(id, { "/domain/zone": { $source: null } });
    expect((await shown(id)).domain).toMatchObject({ zone: "eu-1-a", label: "EU-1-A" });
  });

  it("reach those that subscribe to them", async () => {
    const { create, update, shown } = await story();
    const first = await create("first");
    const second = await create("second", {
      "/domain/region": { $source: { component: first, path: "/domain/label" } },
    });
    expect((await shown(second)).domain["label"]).toBe("EU-1-A-A");
    await update(first, { "/domain/region": "ap-1" });
    expect((await shown(second)).domain["label"]).toBe("AP-1-A-A");
  });

  it("arrive in the head with the apply, without running again", async () => {
    const { ada, place, open, create, shown, runs } = await story();
    const id = await create("web", { "/domain/size": 1 });
    const before = await shown(id);
    const count = (await runs(id)).length;
    await server.apply(ada, place.changeSetId);
    const head = { ...place, changeSetId: "HEAD" };
    const { component } = await server.client(ada.key).components.get({ ...head, componentId: id });
    expect(component.domainProps).toEqual(before.component.domainProps);
    const next = { ...place, changeSetId: await open("next") };
    expect((await shown(id, next)).domain).toEqual(before.domain);
    expect((await runs(id)).length).toBe(count);
  });

  it("are named by their function in a review", async () => {
    const { ada, place, open, create, update, shown } = await story();
    const id = await create("web");
    await shown(id);
    await server.apply(ada, place.changeSetId);
    const next = { ...place, changeSetId: await open("next") };
    await update(id, { "/domain/region": "us-1" }, next);
    await shown(id, next);
    const { components } = await server.client(ada.key).review.get(next);
    expect(components[0]?.attributeDiffs["/domain/zone"]).toEqual({
      changeType: "modified",
      old: { value: "eu-1-a", source: "prototype", functionName: "zoneOfRegion" },
      new: { value: "us-1-a", source: "prototype", functionName: "zoneOfRegion" },
      edited: false,
      headMoved: false,
    });
  });

  it("are not made again by a pass that the head overtakes", async () => {
    const { ada, place, open, create, runs, shown } = await story();
    const other = await open("other");
    const id = await create("web", { "/domain/size": 1 });
    const elsewhere = { ...place, changeSetId: other };
    await server.client(ada.key).components.create({
      ...elsewhere,
      body: { name: "elsewhere", schemaName: "Service" },
    });
    await server.propagate(other);
    const ends: string[] = [];
    let isFirst = true;
    const propagate = propagationOf(working(), {
      beforeCommit: async () => {
        if (isFirst) await server.apply(ada, other);
        isFirst = false;
      },
    });
    do ends.push(await propagate(place.changeSetId));
    while (ends.at(-1) !== "idle");
    expect(ends).toEqual(["moved", "done", "idle"]);
    expect((await runs(id)).length).toBe(functions.length);
    expect((await shown(id)).domain["label"]).toBe("EU-1-A");
  });

  it("follow their definitions: of a change set at once, of others when these are applied", async () => {
    const { ada, place, open, create, update, shown, bindings } = await story();
    const id = await create("web");
    await shown(id);
    await server.apply(ada, place.changeSetId);
    const [mine, theirs] = [await open("mine"), await open("theirs")];
    const at = (changeSetId: string) => ({ ...place, changeSetId });
    // A row of its own, in which everything is computed with the function as it was.
    await update(id, { "/domain/size": 7 }, at(mine));
    expect((await shown(id, at(mine))).domain).toMatchObject({ size: 7, label: "EU-1-A" });
    const funcId = bindings[1]?.funcId ?? "";
    const code = "function main({ zone }) { return 'the ' + zone; }";
    await changeFunction(ada, at(theirs), funcId, code);
    expect((await shown(id, at(theirs))).domain["label"]).toBe("the eu-1-a");
    expect((await shown(id, at(mine))).domain["label"]).toBe("EU-1-A");
    await server.apply(ada, theirs);
    expect((await shown(id, at(mine))).domain).toMatchObject({ size: 7, label: "the eu-1-a" });
  });

  it("count a function that was cancelled as failed, and write nothing when the process stops", async () => {
    const forever = "async function main() { await new Promise((go) => setTimeout(go, 60_000)); }";
    const { place, create, runs } = await story([{ kind: "qualification", name: "slow", code: forever }]);
    const id = await create("web");
    const begun = async (): Promise<string> => {
      const find = () =>
        server.store.db
          .selectFrom("func_run")
          .select("id")
          .where("component_id", "=", id)
          .where("state", "in", ["Created", "Running"])
          .executeTakeFirst();
      return await eventually(async () => (await find())?.id);
    };
    const propagate = propagationOf(working());
    const stopping = new AbortController();
    const stopped = propagate(place.changeSetId, stopping.signal);
    await begun();
    stopping.abort();
    await expect(stopped).rejects.toThrow("aborted");
    expect(await hasRoots(server.store, place.changeSetId)).toBe(true);
    const done = propagate(place.changeSetId);
    server.runs.cancel([await begun()]);
    expect(await done).toBe("done");
    expect(await runs(id)).toEqual(["slow Killed", "slow Killed"]);
    const { vals } = await server.store.db
      .selectFrom("component")
      .select("vals")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(vals ?? "{}")["/qualification/slow"]).toEqual({
      result: "failure",
      message: "Function execution failed: function execution terminated",
    });
  });

  it("are unset, null code, or a failed qualification where the function fails", async () => {
    const broken = (kind: TestFunction["kind"], name: string, more: Partial<TestFunction> = {}) =>
      ({ kind, name, code: 'function main() {\n  throw new TypeError("no luck");\n}', ...more }) as const;
    const { create, shown, runs, place } = await story([
      broken("attribute", "attr", { output: "/domain/zone", arguments: [] }),
      broken("codegen", "gen"),
      broken("qualification", "check"),
    ]);
    const id = await create("web");
    const { domain, codegen } = await shown(id);
    expect(domain["zone"]).toBeNull();
    expect(codegen).toEqual({ gen: { format: "json", code: "null" } });
    expect((await runs(id)).sort()).toEqual(["attr Failure", "check Failure", "gen Failure"]);
    const { vals } = await server.store.db
      .selectFrom("component")
      .select("vals")
      .where("id", "=", id)
      .where("layer", "=", place.changeSetId)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(vals ?? "{}")["/qualification/check"]).toEqual({
      result: "failure",
      message: "Function execution failed: TypeError: no luck (line 2, column 13)",
    });
  });
});
