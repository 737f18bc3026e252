import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Settings } from "../../../server/domain/overlay.ts";
import { actionsInOrder } from "../../../server/read/action-list.ts";
import {
  listActions,
  type NewAction,
  type QueuedAction,
  queueActions,
  removeAction,
  removeActionsOf,
  setActionState,
} from "../../../server/store/actions.ts";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { createComponents, editComponent, eraseComponent } from "../../../server/store/component-writes.ts";
import type { Layer } from "../../../server/store/layer.ts";
import { createPropagate } from "../../../server/store/propagate.ts";
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

const action = (
  componentId: string | undefined,
  prototypeId: string,
  more: Partial<NewAction> = {},
): NewAction => ({
  componentId,
  prototypeId,
  kind: "Manual",
  name: `run ${prototypeId}`,
  description: undefined,
  ...more,
});

describeEngines("the actions of a layer", (engine) => {
  const suite = suiteStore(engine);
  const create = async (layer: Layer, settings: Settings = {}): Promise<string> => {
    const id = suite.store.id();
    await change(suite.store, layer, (one) => createComponents(one, rules, [defined(id, settings)]));
    return id;
  };
  const queue = (layer: Layer, ...actions: NewAction[]) =>
    change(suite.store, layer, (one) => queueActions(one, actions));
  const apply = async (layer: Layer) => {
    const propagate = createPropagate(suite.store, rules);
    while ((await propagate(layer.id)) !== "idle");
    await applyChangeSet(suite.store, rules, {
      workspaceId: layer.workspaceId,
      changeSetId: layer.id,
      actor,
    });
  };
  const setState = (layer: Layer, id: string, state: QueuedAction["state"]) =>
    change(suite.store, layer, (one) => setActionState(one, id, state));
  const remove = (layer: Layer, id: string) => change(suite.store, layer, (one) => removeAction(one, id));
  /** What the head's dispatch does, without a change set. */
  const run = (layer: Layer, id: string, state: QueuedAction["state"]) =>
    suite.store.write((tx) =>
      tx.db
        .updateTable("action")
        .set({ state })
        .where("layer", "=", layer.headId)
        .where("id", "=", id)
        .execute(),
    );
  const shown = async (layer: Layer) =>
    (await listActions(suite.store, layer)).map(({ id, state }) => [id, state]);
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: Error & { error?: string }) => error.error,
    );
  /** A workspace whose head has a component with one action per prototype. */
  const started = async (...prototypes: string[]) => {
    const workspace = await newWorkspace(suite.store);
    const seed = await newChangeSet(suite.store, workspace);
    const componentId = await create(seed);
    const ids = await queue(seed, ...prototypes.map((one) => action(componentId, one)));
    await apply(seed);
    const open = () => newChangeSet(suite.store, workspace);
    return { workspace, head: headOf(workspace), seed, componentId, ids, open };
  };

  it("are the head's and its own, and move to the head with the apply", async () => {
    const { head, seed, componentId, ids, open } = await started("p1");
    const [one, two] = [await open(), await open()];
    const [mine = ""] = await queue(one, action(componentId, "p2", { kind: "Update", state: "OnHold" }));
    expect(await shown(one)).toEqual([
      [ids[0], "Pending"],
      [mine, "OnHold"],
    ]);
    expect(await shown(two)).toEqual([[ids[0], "Pending"]]);
    await apply(one);
    expect(await shown(two)).toEqual([
      [ids[0], "Pending"],
      [mine, "OnHold"],
    ]);
    expect(await listActions(suite.store, head)).toMatchObject([
      { origin: seed.id, kind: "Manual" },
      {
        origin: one.id,
        kind: "Update",
        componentId,
        prototypeId: "p2",
        name: "run p2",
        funcRunId: undefined,
      },
    ]);
    const left = await suite.store.db.selectFrom("action").select("id").where("layer", "=", one.id).execute();
    expect(left).toEqual([]);
  });

  it("can be held, taken off hold and cancelled in a change set, and in the head only with its apply", async () => {
    const { head, ids, open } = await started("p1", "p2");
    const [held = "", cancelled = ""] = ids;
    const set = await open();
    expect(await setState(set, held, "OnHold")).toMatchObject({ id: held, state: "OnHold" });
    expect(await remove(set, cancelled)).toMatchObject({ id: cancelled });
    expect(await shown(set)).toEqual([[held, "OnHold"]]);
    expect(await shown(head)).toEqual([
      [held, "Pending"],
      [cancelled, "Pending"],
    ]);
    expect(await remove(set, cancelled)).toBeUndefined();
    expect(await setState(set, cancelled, "OnHold")).toBeUndefined();
    await apply(set);
    expect(await shown(head)).toEqual([[held, "OnHold"]]);
    const again = await open();
    await setState(again, held, "Pending");
    await setState(again, held, "OnHold");
    await setState(again, held, "Pending");
    await apply(again);
    expect(await shown(head)).toEqual([[held, "Pending"]]);
  });

  it("leave no trace when their state is what it was", async () => {
    const { ids, open } = await started("p1");
    const set = await open();
    const revision = async () =>
      (
        await suite.store.db
          .selectFrom("change_set")
          .select("rev")
          .where("id", "=", set.id)
          .executeTakeFirst()
      )?.rev;
    const before = await revision();
    await setState(set, ids[0] ?? "", "Pending");
    expect(await revision()).toBe(before);
  });

  it("that run are shown as they are, refuse changes, and outlive what was wanted of them", async () => {
    const { head, ids, open } = await started("p1", "p2");
    const [held = "", cancelled = ""] = ids;
    const set = await open();
    await setState(set, held, "OnHold");
    await remove(set, cancelled);
    for (const id of ids) await run(head, id, "Dispatched");
    expect(await shown(set)).toEqual([
      [held, "Dispatched"],
      [cancelled, "Dispatched"],
    ]);
    expect(await errorOf(setState(set, held, "Pending"))).toBe("actionRunning");
    expect(await errorOf(remove(set, cancelled))).toBe("actionRunning");
    await apply(set);
    expect(await shown(head)).toEqual([
      [held, "Dispatched"],
      [cancelled, "Dispatched"],
    ]);
  });

  it("of the same prototype on the same component wait once, whoever queued them", async () => {
    const { head, componentId, open } = await started();
    const [one, two] = [await open(), await open()];
    const [first = ""] = await queue(one, action(componentId, "p"));
    const [second = ""] = await queue(two, action(componentId, "p"), action(undefined, "free"));
    await apply(one);
    expect((await shown(two)).map(([id]) => id)).not.toContain(second);
    await apply(two);
    expect((await shown(head)).map(([id]) => id)).toContain(first);
    expect(await shown(head)).toHaveLength(2);
    const third = await open();
    await run(head, first, "Running");
    const [again = ""] = await queue(third, action(componentId, "p"));
    await apply(third);
    expect((await shown(head)).map(([id]) => id)).toContain(again);
  });

  it("go with their component: erased in a change set, or gone from the head", async () => {
    const { head, componentId, ids, open } = await started("p1");
    const [erasing, queuing] = [await open(), await open()];
    await queue(queuing, action(componentId, "p2"));
    await change(suite.store, erasing, (one) => eraseComponent(one, rules, componentId));
    expect(await shown(erasing)).toEqual([]);
    expect(await shown(queuing)).toHaveLength(2);
    await apply(erasing);
    expect(await shown(head)).toEqual([]);
    expect(await shown(queuing)).toEqual([]);
    await apply(queuing);
    const rows = await suite.store.db.selectFrom("action").select("id").where("id", "in", ids).execute();
    expect(rows).toEqual([]);
    expect(await shown(head)).toEqual([]);
  });

  it("can be dropped for components at once, of some kinds only", async () => {
    const { componentId, ids, open } = await started("p1");
    const set = await open();
    await queue(
      set,
      action(componentId, "d", { kind: "Destroy" }),
      action(componentId, "u", { kind: "Update" }),
    );
    const drop = (...kinds: QueuedAction["kind"][]) =>
      change(suite.store, set, (one) =>
        removeActionsOf(one, [componentId], kinds.length === 0 ? undefined : kinds),
      );
    await drop("Destroy");
    expect((await listActions(suite.store, set)).map(({ kind }) => kind)).toEqual(["Manual", "Update"]);
    await drop();
    expect(await shown(set)).toEqual([]);
    expect(await shown(headOf({ ...(await started()).workspace }))).toEqual([]);
    const rows = await suite.store.db
      .selectFrom("action")
      .select(["id", "op"])
      .where("layer", "=", set.id)
      .execute();
    expect(rows).toEqual([{ id: ids[0], op: "del" }]);
  });

  it("of a component that is marked for deletion and stays are dropped at the apply, but for its Destroy", async () => {
    const { head, componentId, open } = await started("p1");
    const set = await open();
    const [destroy = ""] = await queue(set, action(componentId, "d", { kind: "Destroy" }));
    const kept = { ...rules, vanishes: () => false };
    await change(suite.store, set, (one) =>
      editComponent(one, rules, componentId, () => ({ ":delete": { v: true } })),
    );
    expect(await shown(set)).toHaveLength(2);
    const propagate = createPropagate(suite.store, rules);
    while ((await propagate(set.id)) !== "idle");
    await applyChangeSet(suite.store, kept, { workspaceId: set.workspaceId, changeSetId: set.id, actor });
    expect(await shown(head)).toEqual([[destroy, "Pending"]]);
  });

  describe("in order", () => {
    it("come after those of the nearest components that theirs read, a Destroy after those of its readers", async () => {
      const workspace = await newWorkspace(suite.store);
      const set = await newChangeSet(suite.store, workspace);
      const source = await create(set, { "/domain/a": literal(1) });
      const middle = await create(set, { "/domain/in": from(source, "/domain/a") });
      await apply(set);
      const open = await newChangeSet(suite.store, workspace);
      const reader = await create(open, { "/domain/in": from(middle, "/domain/in") });
      const [last = "", first = ""] = await queue(
        open,
        action(reader, "p", { kind: "Create" }),
        action(source, "p", { kind: "Create" }),
      );
      const { actions, blockers } = await actionsInOrder(suite.store, open);
      expect(actions.map(({ id }) => id)).toEqual([first, last]);
      expect(blockers.get(last)).toEqual(new Set([first]));
      await change(suite.store, open, (one) => removeActionsOf(one, [source, reader]));
      const [before = "", destroy = ""] = await queue(
        open,
        action(source, "d", { kind: "Destroy" }),
        action(reader, "d", { kind: "Destroy" }),
      );
      expect((await actionsInOrder(suite.store, open)).actions.map(({ id }) => id)).toEqual([
        destroy,
        before,
      ]);
    });
  });

  it("apply as the change set showed them, whatever was done to them in it and in the head before", async () => {
    const prototypes = ["p0", "p1", "p2", "p3"];
    const step = fc.record({
      set: fc.nat(2),
      does: fc.constantFrom("queue", "hold", "retry", "cancel", "run", "fail", "apply"),
      which: fc.nat(7),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { head, componentId, open } = await started("p0", "p1");
        const sets = [await open(), await open(), await open()];
        for (const { set: index, does, which } of steps) {
          const set = sets[index] ?? head;
          const now = await listActions(suite.store, set);
          const chosen = now[which % Math.max(1, now.length)];
          if (does === "queue") {
            const prototypeId = prototypes[which % prototypes.length] ?? "";
            if (!now.some((one) => one.prototypeId === prototypeId))
              await queue(set, action(componentId, prototypeId));
          } else if (does === "apply") {
            await apply(set);
            expect(await shown(head)).toEqual(now.map(({ id, state }) => [id, state]));
            sets[index] = await open();
          } else if (chosen !== undefined) {
            if (does === "run") await run(head, chosen.id, "Running");
            else if (does === "fail") await run(head, chosen.id, "Failed");
            else if (does === "cancel") await errorOf(remove(set, chosen.id));
            else await errorOf(setState(set, chosen.id, does === "hold" ? "OnHold" : "Pending"));
          }
        }
      }),
      { numRuns: 12 },
    );
  });
});
