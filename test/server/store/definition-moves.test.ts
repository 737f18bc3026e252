import { expect, it } from "vitest";
import type { Settings } from "../../../server/domain/overlay.ts";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { createComponents, editComponent } from "../../../server/store/component-writes.ts";
import { getComponent } from "../../../server/store/components.ts";
import { createEntities, patchEntity } from "../../../server/store/entities.ts";
import { listComponentsOfVariants, listThroughFunction } from "../../../server/store/function-users.ts";
import type { Layer } from "../../../server/store/layer.ts";
import { createPropagate } from "../../../server/store/propagate.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import {
  actor,
  change,
  defined,
  firstVariant,
  literal,
  madeKey,
  newChangeSet,
  newWorkspace,
  lossyRules as rules,
} from "./model.ts";
import { bodyOf, modelFunctions } from "./model-functions.ts";

describeEngines("definitions that come with the head", (engine) => {
  const suite = suiteStore(engine);

  /** A head with one component, two functions bound to its variant one after the other, and one for subscriptions. */
  async function world(settings: Settings, factors: readonly [number, number]) {
    const { store } = suite;
    const workspace = await newWorkspace(store);
    const propagate = createPropagate(store, rules, { functions: modelFunctions(store) });
    const drain = async (layer: Layer): Promise<void> => {
      while ((await propagate(layer.id)) !== "idle");
    };
    const open = () => newChangeSet(store, workspace);
    const apply = async (layer: Layer): Promise<void> => {
      await drain(layer);
      await applyChangeSet(store, rules, { workspaceId: workspace.id, changeSetId: layer.id, actor });
    };
    const [source, reader, through, ...funcIds] = Array.from({ length: 5 }, () => store.id());
    if (source === undefined || reader === undefined || through === undefined) throw new Error("no ids");
    const first = await open();
    await change(store, first, async (one) => {
      for (const [at, funcId] of funcIds.entries()) {
        const binding = bodyOf({ kind: "binding", variantId: firstVariant, funcId });
        await createEntities(one, [
          { kind: "func", id: funcId, name: "f", body: { n: factors[at] ?? 0 } },
          { kind: "binding", id: store.id(), name: "schema", body: binding },
        ]);
      }
      await createEntities(one, [{ kind: "func", id: through, name: "t", body: { n: 0 } }]);
      const read = { "/domain/in": { s: [source, "/domain/a"], f: through } } as const;
      await createComponents(one, rules, [
        { ...defined(source, settings), variantId: "variant-0" },
        { ...defined(reader, read), variantId: "variant-0" },
        defined(store.id(), settings),
      ]);
    });
    await apply(first);
    const ids = await listComponentsOfVariants(store, first, [firstVariant]);
    const define = (layer: Layer, id: string, n: number) =>
      change(store, layer, async (one) => {
        await patchEntity(one, rules, { kind: "func", id, patch: { n } });
        const reached = id === through ? await listThroughFunction(one.tx, one.layer, id) : ids;
        for (const each of reached) one.roots.add(each);
      });
    const edit = (layer: Layer, id: string, value: number) =>
      change(store, layer, (one) => editComponent(one, rules, id, () => ({ "/domain/a": literal(value) })));
    const value = async (layer: Layer, id: string, key: string) => {
      await drain(layer);
      return (await getComponent(store, rules, layer, id)).vals[key];
    };
    const rowsOf = async (layer: Layer): Promise<number> => {
      await drain(layer);
      return (await store.db.selectFrom("component").select("id").where("layer", "=", layer.id).execute())
        .length;
    };
    return {
      open,
      apply,
      define,
      edit,
      value,
      rowsOf,
      funcIds,
      source,
      reader,
      through,
      bound: ids[0] ?? "",
    };
  }

  it("meet those of a change set in a component that neither of them had changed alone", async () => {
    const { open, apply, define, value, rowsOf, funcIds, bound } = await world({}, [0, 0]);
    const [mine, theirs] = [await open(), await open()];
    await define(mine, funcIds[0] ?? "", 1);
    await define(theirs, funcIds[1] ?? "", 1);
    // Each hides what the other does, so that both look like the head.
    expect([await rowsOf(mine), await rowsOf(theirs)]).toEqual([0, 0]);
    expect(await value(mine, bound, madeKey)).toBe(0);
    await apply(theirs);
    expect(await value(mine, bound, madeKey)).toBe(1);
  });

  it("leave the values to a change set's own function where the head's came to the same", async () => {
    const { open, apply, define, edit, value, rowsOf, source, reader, through } = await world(
      { "/domain/a": literal(0) },
      [0, 0],
    );
    const [mine, theirs] = [await open(), await open()];
    await define(mine, through, 1);
    expect(await rowsOf(mine)).toBe(0);
    await edit(theirs, source, 2);
    await apply(theirs);
    expect(await value(mine, reader, "/domain/in")).toBe(2);
  });

  it("are followed by what only moved in the head", async () => {
    const { open, apply, define, edit, value, rowsOf, funcIds, bound } = await world({}, [0, 0]);
    const [mine, theirs] = [await open(), await open()];
    await define(mine, funcIds[1] ?? "", 1);
    expect(await rowsOf(mine)).toBe(0);
    await edit(theirs, bound, 1);
    await apply(theirs);
    // a + out is 2: (1 * 0 + 2) * 1 + 2, where the head has (1 * 0 + 2) * 0 + 2.
    expect(await value(mine, bound, madeKey)).toBe(1);
  });
});
