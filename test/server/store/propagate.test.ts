import { expect, it } from "vitest";
import type { Settings } from "../../../server/domain/overlay.ts";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { abandonChangeSet } from "../../../server/store/change-sets.ts";
import { createComponents, editComponent } from "../../../server/store/component-writes.ts";
import { getComponent } from "../../../server/store/components.ts";
import { createDefinitionCache } from "../../../server/store/definition-cache.ts";
import type { Layer } from "../../../server/store/layer.ts";
import { createPropagate, type PropagateOptions } from "../../../server/store/propagate.ts";
import { levelsOf } from "../../../server/store/propagation-plan.ts";
import { hasRoots } from "../../../server/store/roots.ts";
import type { ComponentRules } from "../../../server/store/rules.ts";
import type { Workspace } from "../../../server/store/workspaces.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import {
  actor,
  change,
  defined,
  from,
  headOf,
  literal,
  lossyRules,
  newChangeSet,
  newWorkspace,
} from "./model.ts";

/** The lossy rules, counting how often each component is computed. */
function counting(): { readonly rules: ComponentRules; readonly computed: Map<string, number> } {
  const computed = new Map<string, number>();
  const rules: ComponentRules = {
    ...lossyRules,
    prepare: async (...asked) => {
      const prepared = await lossyRules.prepare(...asked);
      return {
        ...prepared,
        recompute: (component, read) => {
          computed.set(component.id, (computed.get(component.id) ?? 0) + 1);
          return prepared.recompute(component, read);
        },
      };
    },
  };
  return { rules, computed };
}

describeEngines("a propagation", (engine) => {
  const suite = suiteStore(engine);
  const create = async (layer: Layer, ...all: Settings[]): Promise<string[]> => {
    const made = all.map((settings) => defined(suite.store.id(), settings));
    await change(suite.store, layer, (one) => createComponents(one, lossyRules, made));
    return made.map((one) => one.id);
  };
  const set = (layer: Layer, id: string, key: string, value: number) =>
    change(suite.store, layer, (one) =>
      editComponent(one, lossyRules, id, () => ({ [key]: literal(value) })),
    );
  const drain = async (layer: Layer, rules: ComponentRules = lossyRules, options: PropagateOptions = {}) => {
    const propagate = createPropagate(suite.store, rules, options);
    while ((await propagate(layer.id)) !== "idle");
  };
  const apply = async (layer: Layer) => {
    await drain(layer);
    await applyChangeSet(suite.store, lossyRules, {
      workspaceId: layer.workspaceId,
      changeSetId: layer.id,
      actor,
    });
  };
  const valsOf = async (layer: Layer, id: string) =>
    (await getComponent(suite.store, lossyRules, layer, id)).vals;
  const inHead = async (workspace: Workspace, ...all: Settings[]): Promise<string[]> => {
    const first = await newChangeSet(suite.store, workspace);
    const ids = await create(first, ...all);
    await apply(first);
    return ids;
  };

  it("computes each component once, sources first, however many paths lead to it", async () => {
    const layer = await newChangeSet(suite.store, await newWorkspace(suite.store));
    const [top = ""] = await create(layer, { "/domain/a": literal(1) });
    const middle = await create(layer, ...Array(5).fill({ "/domain/in": from(top, "/domain/a") }));
    const [bottom = ""] = await create(layer, {
      "/domain/in": from(middle[0] ?? "", "/domain/out"),
      "/domain/in2": from(middle[4] ?? "", "/domain/out"),
    });
    await drain(layer);
    await set(layer, top, "/domain/a", 2);
    const { rules, computed } = counting();
    await drain(layer, rules);
    expect(computed).toEqual(new Map([top, ...middle, bottom].map((id) => [id, 1])));
    expect(await valsOf(layer, bottom)).toEqual({ "/domain/in": 2, "/domain/in2": 2, "/domain/out": 0 });
  });

  it("stops where the value that is read did not change", async () => {
    const layer = await newChangeSet(suite.store, await newWorkspace(suite.store));
    const [top = ""] = await create(layer, { "/domain/a": literal(1) });
    const [middle = ""] = await create(layer, { "/domain/in": from(top, "/domain/a") });
    const [bottom = ""] = await create(layer, { "/domain/in": from(middle, "/domain/out") });
    await drain(layer);
    await set(layer, top, "/domain/a", 4);
    const { rules, computed } = counting();
    await drain(layer, rules);
    expect([...computed.keys()].sort()).toEqual([top, middle]);
    expect(await valsOf(layer, bottom)).toEqual({ "/domain/in": 1, "/domain/out": 1 });
  });

  it("keeps rows in a change set only for what differs from the head", async () => {
    const workspace = await newWorkspace(suite.store);
    const [source = ""] = await inHead(workspace, { "/domain/a": literal(1) });
    const [reader = ""] = await inHead(workspace, { "/domain/in": from(source, "/domain/a") });
    const layer = await newChangeSet(suite.store, workspace);
    const rows = async () =>
      (
        await suite.store.db
          .selectFrom("component")
          .select(["id", "op"])
          .where("layer", "=", layer.id)
          .orderBy("id")
          .execute()
      ).map((row) => [row.id, row.op]);
    await set(layer, source, "/domain/a", 2);
    await drain(layer);
    expect(await rows()).toEqual([
      [source, "edit"],
      [reader, "calc"],
    ]);
    expect(await valsOf(layer, reader)).toMatchObject({ "/domain/in": 2 });
    await set(layer, source, "/domain/a", 1);
    await drain(layer);
    expect(await rows()).toEqual([[source, "edit"]]);
  });

  it("starts again when the head moved between its reads and its commit", async () => {
    const workspace = await newWorkspace(suite.store);
    const [source = ""] = await inHead(workspace, { "/domain/a": literal(1) });
    const [layer, moving] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    const [reader = ""] = await create(layer, { "/domain/in": from(source, "/domain/a") });
    await set(moving, source, "/domain/a", 2);
    await drain(moving);
    let slips = 0;
    const propagate = createPropagate(suite.store, lossyRules, {
      beforeCommit: async () => {
        if (slips++ === 0) await apply(moving);
      },
    });
    expect([await propagate(layer.id), await propagate(layer.id), await propagate(layer.id)]).toEqual([
      "moved",
      "done",
      "idle",
    ]);
    expect(await valsOf(layer, reader)).toMatchObject({ "/domain/in": 2 });
  });

  it("of the head starts again too: an apply brings values without marks", async () => {
    const workspace = await newWorkspace(suite.store);
    const head = headOf(workspace);
    const [gone = "", source = ""] = await inHead(workspace, {}, { "/domain/a": literal(1) });
    const [middle = ""] = await inHead(workspace, {
      "/domain/in": from(gone, "/domain/a"),
      "/domain/in2": from(source, "/domain/a"),
    });
    const [reader = ""] = await inHead(workspace, { "/domain/in": from(middle, "/domain/in2") });
    const [removing, moving] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    await set(moving, source, "/domain/a", 2);
    await set(removing, gone, ":delete", 1);
    await apply(removing);
    await drain(moving);
    let slips = 0;
    await drain(head, lossyRules, {
      beforeCommit: async () => {
        if (slips++ === 0) await apply(moving);
      },
    });
    expect(slips).toBe(2);
    expect(await valsOf(head, middle)).toEqual({ "/domain/in2": 2, "/domain/out": 1 });
    expect(await valsOf(head, reader)).toMatchObject({ "/domain/in": 2 });
  });

  it("keeps what was edited between its reads and its commit, and the mark that goes with it", async () => {
    const layer = await newChangeSet(suite.store, await newWorkspace(suite.store));
    const [id = ""] = await create(layer, { "/domain/a": literal(1) });
    const [reader = ""] = await create(layer, { "/domain/in": from(id, "/domain/a") });
    let slips = 0;
    const propagate = createPropagate(suite.store, lossyRules, {
      beforeCommit: async () => {
        if (slips++ === 0) await set(layer, id, "/domain/a", 2);
      },
    });
    expect(await propagate(layer.id)).toBe("done");
    expect(await hasRoots(suite.store, layer.id)).toBe(true);
    expect(await valsOf(layer, id)).toMatchObject({ "/domain/a": 2 });
    await drain(layer);
    expect(await valsOf(layer, reader)).toMatchObject({ "/domain/in": 2 });
  });

  it("writes nothing where another process, which holds the lease by now, was faster", async () => {
    const { store } = suite;
    const layer = await newChangeSet(store, await newWorkspace(store));
    const [id = ""] = await create(layer, { "/domain/a": literal(0) });
    const reads = { "/si/name": from(id, "/domain/a"), "/domain/in": from(id, "/domain/a") };
    const [reader = ""] = await create(layer, reads);
    await drain(layer);
    await set(layer, id, "/domain/a", 1);
    let slips = 0;
    const late = createPropagate(store, lossyRules, {
      beforeCommit: async () => {
        if (slips++ > 0) return;
        await set(layer, id, "/domain/a", 2);
        await drain(layer);
      },
    });
    expect(await late(layer.id)).toBe("moved");
    expect(await late(layer.id)).toBe("idle");
    expect(await valsOf(layer, reader)).toMatchObject({ "/si/name": 2, "/domain/in": 2 });
    const row = store.db.selectFrom("component").select("name").where("layer", "=", layer.id);
    expect(await row.where("id", "=", reader).executeTakeFirst()).toEqual({ name: "2" });
  });

  it("ends for components that read each other in a circle, which an apply and a change set may bring together", async () => {
    const workspace = await newWorkspace(suite.store);
    const [a = "", b = ""] = await inHead(
      workspace,
      { "/domain/a": literal(1) },
      { "/domain/a": literal(1) },
    );
    const [behind = ""] = await inHead(workspace, { "/domain/in": from(b, "/domain/a") });
    const [one, two] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    const subscribe = (layer: Layer, subscriber: string, source: string) =>
      change(suite.store, layer, (write) =>
        editComponent(write, lossyRules, subscriber, () => ({ "/domain/in": from(source, "/domain/a") })),
      );
    await subscribe(one, a, b);
    await subscribe(two, b, a);
    await apply(one);
    // It cannot be applied as it is, but it has values.
    const layer = two;
    await set(layer, a, "/domain/a", 2);
    await set(layer, b, "/domain/a", 3);
    await drain(layer);
    expect(await valsOf(layer, a)).toMatchObject({ "/domain/a": 2, "/domain/in": 3 });
    expect(await valsOf(layer, behind)).toMatchObject({ "/domain/in": 3 });
  });

  it("reaches a thousand readers and a chain of fifty", async () => {
    const layer = await newChangeSet(suite.store, await newWorkspace(suite.store));
    const [hub = ""] = await create(layer, { "/domain/a": literal(1) });
    const readers = await create(layer, ...Array(1_000).fill({ "/domain/in": from(hub, "/domain/a") }));
    let last = hub;
    for (let depth = 0; depth < 50; depth++) {
      [last = ""] = await create(layer, {
        "/domain/in": from(last, depth === 0 ? "/domain/a" : "/domain/in"),
      });
    }
    await drain(layer);
    await set(layer, hub, "/domain/a", 2);
    await drain(layer, lossyRules, { cache: createDefinitionCache(300) });
    expect(await valsOf(layer, readers[999] ?? "")).toMatchObject({ "/domain/in": 2 });
    expect(await valsOf(layer, last)).toMatchObject({ "/domain/in": 2 });
  });

  it.each([1_999, 2_000])(
    "leaves edits as they are between passes that write %i readers",
    async (readers) => {
      const workspace = await newWorkspace(suite.store);
      const cache = createDefinitionCache();
      const [hub = ""] = await inHead(workspace, { "/domain/a": literal(1) });
      const all = await inHead(workspace, ...Array(readers).fill({ "/domain/in": from(hub, "/domain/a") }));
      const edited = all[5] ?? "";
      const layer = await newChangeSet(suite.store, workspace);
      for (const value of [2, 3, 4]) {
        await set(layer, hub, "/domain/a", value);
        await drain(layer, lossyRules, { cache });
        if (value === 3) await set(layer, edited, "/domain/b", 7);
      }
      expect(await valsOf(layer, edited)).toMatchObject({ "/domain/in": 4, "/domain/b": 7 });
      expect(await valsOf(layer, all[6] ?? "")).toMatchObject({ "/domain/in": 4 });
      await apply(layer);
      expect(await valsOf(headOf(workspace), edited)).toMatchObject({ "/domain/in": 4, "/domain/b": 7 });
    },
  );

  it("is refused in a change set that is no longer active, and idle without roots", async () => {
    const workspace = await newWorkspace(suite.store);
    const layer = await newChangeSet(suite.store, workspace);
    const propagate = createPropagate(suite.store, lossyRules);
    expect(await propagate(layer.id)).toBe("idle");
    await create(layer, {});
    await abandonChangeSet(suite.store, { workspaceId: workspace.id, changeSetId: layer.id, actor });
    await expect(propagate(layer.id)).rejects.toMatchObject({ error: "changeSetNotActive" });
    await expect(propagate(suite.store.id())).rejects.toMatchObject({ error: "changeSetNotFound" });
  });
});

it("puts what a circle holds up on the last level, and everything else before", () => {
  const edges = new Map(
    Object.entries({ a: ["b", "c"], b: ["d"], c: ["d"], x: ["y"], y: ["x", "z"], r: ["x"] }).map(
      ([source, readers]) => [source, readers.map((subscriber) => ({ subscriber }))],
    ),
  );
  const { levels, circular } = levelsOf(["a", "r"], edges);
  expect(levels.map((level) => [...level].sort())).toEqual([["a", "r"], ["b", "c"], ["d"], ["x", "y", "z"]]);
  expect([...circular].sort()).toEqual(["x", "y", "z"]);
});
