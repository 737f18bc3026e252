import { afterAll, beforeAll, expect, it } from "vitest";
import { firstSettings } from "../../server/domain/component.ts";
import type { Json } from "../../server/domain/json.ts";
import type { Settings } from "../../server/domain/overlay.ts";
import { componentPage } from "../../server/read/component-page.ts";
import { rulesFor } from "../../server/read/rules.ts";
import { getSchemaNamed, listViews, VariantCache } from "../../server/read/variants.ts";
import { updateComponent } from "../../server/routes/update-component.ts";
import { createComponentFunctions } from "../../server/runs/component-functions.ts";
import type { FunctionRuns, RunRequest } from "../../server/runs/runs.ts";
import { applyChangeSet } from "../../server/store/apply.ts";
import { createChangeSet } from "../../server/store/change-sets.ts";
import { createComponents, editComponent } from "../../server/store/component-writes.ts";
import { createEntities } from "../../server/store/entities.ts";
import { changeLayer, type Layer } from "../../server/store/layer.ts";
import { createPropagate } from "../../server/store/propagate.ts";
import { countStatements } from "../support/counted-store.ts";
import { describeEngines } from "../support/engines.ts";
import { bindFunctions } from "../support/functions.ts";
import { testSchemas } from "../support/schemas.ts";
import { type Person, startTestServer, type TestServer } from "../support/server.ts";
import { functionOf } from "./runs/running.ts";

/** Runs that remember nothing: each returns at once what it is told to. */
const endsAtOnce = (returned: (request: RunRequest) => Json): FunctionRuns => ({
  start: (request) => {
    const outcome = { ended: "ok", value: returned(request) } as const;
    const ended = Promise.resolve({
      id: "RUN",
      outcome,
      verdict: request.judge(outcome, "RUN"),
      began: true,
    });
    return { id: "RUN", recorded: Promise.resolve(), ended };
  },
  cancel: () => {},
  close: () => Promise.resolve(),
});

const small = 20;
const large = 400;

describeEngines("the number of statements", (engine) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(engine);
  });
  afterAll(() => server.stop());

  let people = 0;
  /** A workspace with that many components in its head that all read the first one, and what is done to it, counted. */
  async function workspaceOf(components: number) {
    const person: Person = await server.person(`person${people++}`);
    await server.install(person, testSchemas);
    const { store, count } = countStatements(server.store);
    const variants = new VariantCache();
    const rules = rulesFor(store, variants);
    const propagate = createPropagate(store, rules);
    const { workspaceId, id: actor } = person;
    let named = 0;
    const changeSet = () => createChangeSet(store, { workspaceId, name: `change set ${named++}`, actor });
    const drain = async (layer: Layer): Promise<void> => {
      while ((await propagate(layer.id)) !== "idle");
    };
    const apply = ({ id: changeSetId }: Layer) =>
      applyChangeSet(store, rules, { workspaceId, changeSetId, actor });
    const first = await changeSet();
    const schema = await getSchemaNamed(store, first, "Machine");
    const view = (await listViews(store, first))[0]?.id ?? "";
    const ids = Array.from({ length: components }, () => store.id());
    const settingsOf = (index: number): Settings => ({
      ...firstSettings(`machine-${index}`, view),
      "/domain/region": index === 0 ? { v: "eu-1" } : { s: [ids[0] ?? "", "/domain/region"] },
    });
    const event = { kind: "component.created", actor } as const;
    const made = ids.map((id, index) => ({
      id,
      schemaId: schema.id,
      variantId: schema.defaultVariantId,
      settings: settingsOf(index),
    }));
    await changeLayer(store, first, event, (change) =>
      createComponents(change, rulesFor(change.tx, variants), made),
    );
    const funcId = store.id();
    const binding = { schemaId: schema.id, variantId: schema.defaultVariantId, funcId };
    const { id: _, ...func } = functionOf("function main() {}", { kind: "Action" });
    await changeLayer(store, first, { kind: "entity.changed", actor }, (change) =>
      createEntities(change, [
        { kind: "func", id: funcId, name: func.name, body: { ...func, arguments: [] } },
        {
          kind: "binding",
          id: store.id(),
          name: schema.id,
          body: { ...binding, kind: "action", actionKind: "Manual" },
        },
      ]),
    );
    await drain(first);
    await apply(first);
    const edit = (layer: Layer, value: string) =>
      changeLayer(store, layer, { kind: "component.changed", actor }, (change) =>
        editComponent(change, rulesFor(change.tx, variants), ids[0] ?? "", () => ({
          "/domain/region": { v: value },
        })),
      );
    return { person, store, variants, count, changeSet, drain, apply, edit, actor, ids };
  }
  type World = Awaited<ReturnType<typeof workspaceOf>>;
  let worlds: readonly [World, World];
  beforeAll(async () => {
    worlds = [await workspaceOf(small), await workspaceOf(large)];
  });
  /** What it takes in the small and in the large workspace. */
  const inBoth = async (measure: (world: World) => Promise<number>): Promise<[number, number]> => [
    await measure(worlds[0]),
    await measure(worlds[1]),
  ];

  it("of creating a change set is the same whatever the workspace holds", async () => {
    const [few, many] = await inBoth(({ count, changeSet }) => count(changeSet));
    expect(few).toBeGreaterThan(0);
    expect(many).toBe(few);
  });
  it("of an update is the same whatever the workspace and the change set hold", async () => {
    const [few, many] = await inBoth(
      async ({ store, variants, count, changeSet, drain, edit, actor, ids }) => {
        const layer = await changeSet();
        if (ids.length === large) {
          // Everything that reads the first component has a row of its own now.
          await edit(layer, "eu-2");
          await drain(layer);
        }
        const writing = { store, variants, layer, actor };
        return count(() => updateComponent(writing, ids[1] ?? "", { attributes: { "/domain/size": 3 } }));
      },
    );
    expect(many).toBe(few);
  });
  it("of a propagation is the same however many components read what was edited", async () => {
    const [few, many] = await inBoth(async ({ count, changeSet, drain, edit }) => {
      const [before, layer] = [await changeSet(), await changeSet()];
      // What the head says of components is remembered from here on.
      await edit(before, "eu-3");
      await drain(before);
      await edit(layer, "eu-4");
      return count(() => drain(layer));
    });
    expect(many).toBe(few);
  });
  it("of a propagation that runs functions is the same however many components they run on", async () => {
    let asked = 0;
    const [few, many] = await inBoth(async ({ person, store, variants, count, changeSet, edit }) => {
      const layer = await changeSet();
      await bindFunctions(server, person, layer.id, "Machine", [
        { kind: "qualification", name: "check", code: "function main() {}" },
        { kind: "attribute", name: "image", code: "", output: "/domain/image", arguments: [] },
      ]);
      const runs = endsAtOnce((request) => {
        asked++;
        return request.func.name === "image" ? "ami" : { result: "success" };
      });
      // However slow the machine is, nothing is left for another pass.
      const functions = createComponentFunctions({ store, variants, runs, patienceMs: 600_000 });
      const propagate = createPropagate(store, rulesFor(store, variants), { functions });
      await edit(layer, "eu-6");
      return count(async () => {
        while ((await propagate(layer.id)) !== "idle");
      });
    });
    expect(asked).toBe(2 * (small + large));
    expect(many).toBe(few);
  });
  it("of an apply is the same whatever the head and the patches hold", async () => {
    const [few, many] = await inBoth(async ({ count, changeSet, drain, edit, apply }) => {
      const layer = await changeSet();
      await edit(layer, "eu-4");
      await drain(layer);
      return count(() => apply(layer));
    });
    expect(many).toBe(few);
  });
  it("of a page with everything is the same for ten components and for all", async () => {
    const { store, variants, count, changeSet, drain, edit } = worlds[1];
    const layer = await changeSet();
    await edit(layer, "eu-5");
    await drain(layer);
    const page = (limit: number) =>
      count(() => componentPage(store, variants, layer, { limit, includeAll: true }));
    expect(await page(10)).toBe(await page(300));
  });
});
