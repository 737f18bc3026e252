import { expect, it } from "vitest";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { abandonChangeSet, revisionOf } from "../../../server/store/change-sets.ts";
import { pageComponents } from "../../../server/store/component-pages.ts";
import { createComponents, editComponent, eraseComponent } from "../../../server/store/component-writes.ts";
import { findComponent, getComponent, getComponentNamed } from "../../../server/store/components.ts";
import { listEvents } from "../../../server/store/events.ts";
import type { Layer } from "../../../server/store/layer.ts";
import { createPropagate } from "../../../server/store/propagate.ts";
import { hasRoots } from "../../../server/store/roots.ts";
import { describeEngines, suiteStore } from "../../support/engines.ts";
import {
  actor,
  change,
  defined,
  from,
  headOf,
  literal,
  newChangeSet,
  newWorkspace,
  lossyRules as rules,
} from "./model.ts";

describeEngines("components in a change set", (engine) => {
  const suite = suiteStore(engine);
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: Error & { error?: string }) => error.error,
    );
  const newSet = async () => newChangeSet(suite.store, await newWorkspace(suite.store));
  const create = async (layer: Layer, count: number, name = "web"): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => suite.store.id());
    const all = ids.map((id) => defined(id, { "/si/name": literal(name), "/domain/a": literal(1) }));
    await change(suite.store, layer, (one) => createComponents(one, rules, all));
    return ids;
  };
  /** Tries again when another apply marked roots between the last pass and this one. */
  const applied = async (layer: Layer) => {
    const propagate = createPropagate(suite.store, rules);
    const target = { workspaceId: layer.workspaceId, changeSetId: layer.id, actor };
    for (let end = "valuesPending"; end === "valuesPending"; ) {
      while ((await propagate(layer.id)) !== "idle");
      end = (await errorOf(applyChangeSet(suite.store, rules, target))) ?? "failed";
      expect(["no error", "valuesPending"]).toContain(end);
    }
  };
  const listAll = async (layer: Layer, limit: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let after: string | undefined = ""; after !== undefined; ) {
      const page = await pageComponents(suite.store, rules, layer, { after, limit });
      expect(page.components.length).toBeLessThanOrEqual(limit);
      ids.push(...page.components.map((one) => one.id));
      after = page.next;
    }
    return ids;
  };

  it("are seen at once in it, and nowhere else", async () => {
    const workspace = await newWorkspace(suite.store);
    const [set, other] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    const [id = ""] = await create(set, 1);
    expect(await getComponent(suite.store, rules, set, id)).toMatchObject({
      id,
      name: "web",
      diff: "Added",
      schemaId: "schema",
      variantId: "variant",
      vals: { "/domain/a": 1 },
    });
    for (const layer of [other, headOf(workspace)]) {
      expect(await errorOf(getComponent(suite.store, rules, layer, id))).toBe("componentNotFound");
    }
  });

  it("cannot be changed in the head, nor in a change set that is no longer active", async () => {
    const workspace = await newWorkspace(suite.store);
    const set = await newChangeSet(suite.store, workspace);
    expect(await errorOf(create(headOf(workspace), 1))).toBe("headNotEditable");
    await abandonChangeSet(suite.store, { workspaceId: workspace.id, changeSetId: set.id, actor });
    expect(await errorOf(create(set, 1))).toBe("changeSetNotActive");
    expect(await errorOf(create({ ...set, id: suite.store.id() }, 1))).toBe("changeSetNotFound");
  });

  it("leave one event per write, and a write that changes nothing leaves nothing at all", async () => {
    const set = await newSet();
    const [id = ""] = await create(set, 1);
    await change(suite.store, set, (one) =>
      editComponent(one, rules, id, () => ({ "/domain/a": literal(2) })),
    );
    const [events, revision] = [
      await listEvents(suite.store, set.workspaceId),
      await revisionOf(suite.store, set.id),
    ];
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    const shown = await change(suite.store, set, (one) => editComponent(one, rules, id, () => ({})));
    expect(shown.vals["/domain/a"]).toBe(2);
    expect(await listEvents(suite.store, set.workspaceId)).toEqual(events);
    expect(await revisionOf(suite.store, set.id)).toEqual(revision);
  });

  it("that cannot be written leave the change set as it was", async () => {
    const set = await newSet();
    const [id = ""] = await create(set, 1);
    const before = await revisionOf(suite.store, set.id);
    const failing = change(suite.store, set, (one) =>
      editComponent(one, rules, id, () => {
        throw new Error("refused");
      }),
    );
    await expect(failing).rejects.toThrow("refused");
    const missing = suite.store.id();
    for (const work of [editComponent, eraseComponent]) {
      const writing = change(suite.store, set, (one) =>
        work(one, rules, missing, () => ({ "/domain/a": literal(1) })),
      );
      expect(await errorOf(writing)).toBe("componentNotFound");
    }
    expect(await revisionOf(suite.store, set.id)).toEqual(before);
  });

  it("move its revision with every write, and the head's revision with every apply", async () => {
    const workspace = await newWorkspace(suite.store);
    const set = await newChangeSet(suite.store, workspace);
    const first = await revisionOf(suite.store, set.id);
    await create(set, 1);
    const second = await revisionOf(suite.store, set.id);
    expect([second.head, second.own > first.own]).toEqual([first.head, true]);
    await applied(set);
    const head = await revisionOf(suite.store, workspace.headId);
    expect([head.own, head.head > first.head]).toEqual([head.head, true]);
    expect(await errorOf(revisionOf(suite.store, suite.store.id()))).toBe("changeSetNotFound");
  });

  it("are found by name; several of one name are told apart by id only", async () => {
    const workspace = await newWorkspace(suite.store);
    const first = await newChangeSet(suite.store, workspace);
    const [id = ""] = await create(first, 1, "db");
    await applied(first);
    const set = await newChangeSet(suite.store, workspace);
    expect((await getComponentNamed(suite.store, rules, set, "db")).id).toBe(id);
    expect(await errorOf(getComponentNamed(suite.store, rules, set, "DB"))).toBe("componentNotFound");
    await create(set, 1, "db");
    expect(await errorOf(getComponentNamed(suite.store, rules, set, "db"))).toBe("duplicateComponentName");
    await change(suite.store, set, (one) =>
      editComponent(one, rules, id, () => ({ "/si/name": literal("old") })),
    );
    expect((await getComponentNamed(suite.store, rules, set, "old")).id).toBe(id);
    expect((await getComponentNamed(suite.store, rules, set, "db")).id).not.toBe(id);
    expect((await getComponentNamed(suite.store, rules, headOf(workspace), "db")).id).toBe(id);
  });

  it("keep the values they read while an edit waits for its propagation", async () => {
    const set = await newSet();
    const source = suite.store.id();
    const reader = suite.store.id();
    await change(suite.store, set, (one) =>
      createComponents(one, rules, [
        defined(source, { "/domain/a": literal(2) }),
        defined(reader, { "/domain/in": from(source, "/domain/a") }),
      ]),
    );
    const propagate = createPropagate(suite.store, rules);
    while ((await propagate(set.id)) !== "idle");
    await change(suite.store, set, (one) =>
      editComponent(one, rules, reader, () => ({ "/domain/a": literal(2) })),
    );
    expect(await hasRoots(suite.store, set.id)).toBe(true);
    expect((await findComponent(suite.store, rules, set, reader))?.vals).toEqual({
      "/domain/a": 2,
      "/domain/in": 2,
      "/domain/out": 1,
    });
  });

  it("are listed page by page, each once and in order, past any run of erased ones", async () => {
    const workspace = await newWorkspace(suite.store);
    const seed = await newChangeSet(suite.store, workspace);
    const ids = await create(seed, 400);
    await applied(seed);
    const set = await newChangeSet(suite.store, workspace);
    await change(suite.store, set, async (one) => {
      for (const id of ids.slice(20, 370)) await eraseComponent(one, rules, id);
    });
    const added = await create(set, 5);
    const wanted = [...ids.slice(0, 20), ...ids.slice(370), ...added].sort();
    for (const limit of [1, 7, 20, 50, 300])
      expect([limit, await listAll(set, limit)]).toEqual([limit, wanted]);
    expect(await listAll(headOf(workspace), 300)).toEqual(ids);
  });

  it("go on after a cursor whose component is gone", async () => {
    const set = await newSet();
    const ids = await create(set, 6);
    const gone = ids[2] ?? "";
    await change(suite.store, set, (one) => eraseComponent(one, rules, gone));
    const page = await pageComponents(suite.store, rules, set, { after: gone, limit: 2 });
    expect([page.components.map((one) => one.id), page.next]).toEqual([ids.slice(3, 5), ids[4]]);
  });

  it("lose no edit, however many write at once", async () => {
    const workspace = await newWorkspace(suite.store);
    const seed = await newChangeSet(suite.store, workspace);
    const [shared = ""] = await create(seed, 1);
    await applied(seed);
    const sets = [await newChangeSet(suite.store, workspace), await newChangeSet(suite.store, workspace)];
    const writes = sets.flatMap((set, which) =>
      Array.from({ length: 20 }, (_, index) =>
        change(suite.store, set, (one) =>
          editComponent(one, rules, shared, () => ({ [`/domain/${which}/${index}`]: literal(index) })),
        ),
      ),
    );
    await Promise.all(writes);
    for (const set of sets) await applied(set);
    const shown = await getComponent(suite.store, rules, headOf(workspace), shared);
    expect(Object.keys(shown.settings).filter((key) => /^\/domain\/\d/.test(key))).toHaveLength(40);
    const events = await listEvents(suite.store, workspace.id, { limit: 1_000 });
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  });

  it("stay right while edits, applies and propagations of several writers run at once", async () => {
    const workspace = await newWorkspace(suite.store);
    const head = headOf(workspace);
    const seed = await newChangeSet(suite.store, workspace);
    const [source, middle, last] = [suite.store.id(), suite.store.id(), suite.store.id()];
    await change(suite.store, seed, (one) =>
      createComponents(one, rules, [
        defined(source, { "/domain/a": literal(0) }),
        defined(middle, { "/domain/in": from(source, "/domain/a") }),
        defined(last, { "/domain/in": from(middle, "/domain/out") }),
      ]),
    );
    await applied(seed);
    const open = await newChangeSet(suite.store, workspace);
    await change(suite.store, open, (one) =>
      editComponent(one, rules, middle, () => ({ "/domain/a": literal(1) })),
    );
    const propagate = createPropagate(suite.store, rules);
    const writer = async (value: number) => {
      const set = await newChangeSet(suite.store, workspace);
      await change(suite.store, set, (one) =>
        editComponent(one, rules, source, () => ({ "/domain/a": literal(value) })),
      );
      await applied(set);
    };
    const propagator = async () => {
      for (let pass = 0; pass < 30; pass++) await propagate(open.id);
    };
    await Promise.all([writer(1), writer(2), writer(3), writer(4), propagator(), propagator()]);
    while ((await propagate(open.id)) !== "idle");
    expect(await hasRoots(suite.store, head.id)).toBe(false);
    for (const [layer, own] of [
      [head, 0],
      [open, 1],
    ] as const) {
      const value = Number((await getComponent(suite.store, rules, layer, source)).vals["/domain/a"]);
      const out = (await getComponent(suite.store, rules, layer, middle)).vals["/domain/out"];
      expect(out).toBe((own + value) % 3);
      expect((await getComponent(suite.store, rules, layer, last)).vals["/domain/in"]).toBe(out);
    }
  });
});
