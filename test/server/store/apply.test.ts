import { expect, it } from "vitest";
import type { Settings } from "../../../server/domain/overlay.ts";
import { applyChangeSet } from "../../../server/store/apply.ts";
import { getChangeSet, listChangeSets } from "../../../server/store/change-sets.ts";
import { createComponents, editComponent, eraseComponent } from "../../../server/store/component-writes.ts";
import { findComponent, getComponent } from "../../../server/store/components.ts";
import { createEntities, findEntity, patchEntity } from "../../../server/store/entities.ts";
import { listEvents } from "../../../server/store/events.ts";
import type { Layer } from "../../../server/store/layer.ts";
import { createPropagate } from "../../../server/store/propagate.ts";
import { hasRoots } from "../../../server/store/roots.ts";
import type { Workspace } from "../../../server/store/workspaces.ts";
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

describeEngines("applying a change set", (engine) => {
  const suite = suiteStore(engine);

  const drain = async (...layers: Layer[]) => {
    const propagate = createPropagate(suite.store, rules);
    for (const layer of layers) while ((await propagate(layer.id)) !== "idle");
  };
  const create = async (layer: Layer, settings: Settings): Promise<string> => {
    const id = suite.store.id();
    await change(suite.store, layer, (one) => createComponents(one, rules, [defined(id, settings)]));
    return id;
  };
  const edit = (layer: Layer, id: string, patch: Parameters<typeof editComponent>[3]) =>
    change(suite.store, layer, (one) => editComponent(one, rules, id, patch));
  const apply = async (layer: Layer) => {
    await drain(layer);
    return applyChangeSet(suite.store, rules, {
      workspaceId: layer.workspaceId,
      changeSetId: layer.id,
      actor,
    });
  };
  const show = (layer: Layer, id: string) => findComponent(suite.store, rules, layer, id);
  /** Creates components in a change set of their own and applies it. */
  const inHead = async (workspace: Workspace, ...all: Settings[]): Promise<string[]> => {
    const set = await newChangeSet(suite.store, workspace);
    const ids: string[] = [];
    for (const settings of all) ids.push(await create(set, settings));
    await apply(set);
    return ids;
  };
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => "no error",
      (error: Error & { error?: string }) => error.error,
    );

  it("waits for values, then moves everything to the head and leaves the list", async () => {
    const workspace = await newWorkspace(suite.store);
    const set = await newChangeSet(suite.store, workspace);
    const id = await create(set, { "/si/name": literal("web"), "/domain/a": literal(1) });
    const applying = { workspaceId: workspace.id, changeSetId: set.id, actor };
    expect(await errorOf(applyChangeSet(suite.store, rules, applying))).toBe("valuesPending");
    expect((await getChangeSet(suite.store, workspace.id, set.id)).status).toBe("Open");
    await drain(set);
    const before = await getComponent(suite.store, rules, set, id);
    expect(await applyChangeSet(suite.store, rules, applying)).toEqual({ touched: [id], vanished: [] });
    expect(await show(headOf(workspace), id)).toMatchObject({ settings: before.settings, vals: before.vals });
    expect((await listChangeSets(suite.store, workspace.id)).map((one) => one.name)).toEqual(["HEAD"]);
    expect((await getChangeSet(suite.store, workspace.id, set.id)).status).toBe("Applied");
    expect(await errorOf(applyChangeSet(suite.store, rules, applying))).toBe("changeSetNotActive");
    const rows = await suite.store.db
      .selectFrom("component")
      .select("id")
      .where("layer", "=", set.id)
      .execute();
    expect(rows).toEqual([]);
    expect((await listEvents(suite.store, workspace.id)).at(-1)).toMatchObject({
      kind: "change_set.applied",
      actor,
      changeSetId: set.id,
      data: { components: 1 },
    });
  });

  it("refuses the head, a change set of another workspace and one that does not exist", async () => {
    const [workspace, other] = [await newWorkspace(suite.store), await newWorkspace(suite.store)];
    const set = await newChangeSet(suite.store, other);
    const attempt = (changeSetId: string) =>
      errorOf(applyChangeSet(suite.store, rules, { workspaceId: workspace.id, changeSetId, actor }));
    expect(await attempt(workspace.headId)).toBe("headNotAllowed");
    expect(await attempt(set.id)).toBe("changeSetNotFound");
    expect(await attempt(suite.store.id())).toBe("changeSetNotFound");
  });

  it("keeps edits of different attributes by two change sets, and the last one of the same attribute", async () => {
    const workspace = await newWorkspace(suite.store);
    const [id = ""] = await inHead(workspace, { "/domain/a": literal(0), "/domain/b": literal(0) });
    const [one, two] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    await edit(one, id, () => ({ "/domain/a": literal(1), "/domain/c": literal(1) }));
    await edit(two, id, () => ({ "/domain/b": literal(2), "/domain/c": literal(2) }));
    await apply(one);
    await apply(two);
    expect((await show(headOf(workspace), id))?.settings).toEqual({
      "/domain/a": literal(1),
      "/domain/b": literal(2),
      "/domain/c": literal(2),
    });
  });

  it.each(["edit first", "erase first"])("lets deletion win over editing (%s)", async (order) => {
    const workspace = await newWorkspace(suite.store);
    const [id = ""] = await inHead(workspace, { "/domain/a": literal(0) });
    const [editing, erasing] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    await edit(editing, id, () => ({ "/domain/a": literal(1) }));
    await change(suite.store, erasing, (one) => eraseComponent(one, rules, id));
    for (const set of order === "edit first" ? [editing, erasing] : [erasing, editing]) await apply(set);
    expect(await show(headOf(workspace), id)).toBeUndefined();
  });

  it("shows at once in open change sets, except where these have their own edit", async () => {
    const workspace = await newWorkspace(suite.store);
    const [id = ""] = await inHead(workspace, { "/si/name": literal("old"), "/domain/a": literal(0) });
    const [moving, open] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    await edit(open, id, () => ({ "/domain/a": literal(5) }));
    await edit(moving, id, () => ({ "/domain/a": literal(9), "/si/name": literal("new") }));
    await drain(open);
    await apply(moving);
    expect(await show(open, id)).toMatchObject({ name: "new", vals: { "/domain/a": 5 } });
    expect(await hasRoots(suite.store, open.id)).toBe(true);
  });

  it("leaves open change sets that it does not concern without work", async () => {
    const workspace = await newWorkspace(suite.store);
    const [a = "", b = ""] = await inHead(
      workspace,
      { "/domain/a": literal(0) },
      { "/domain/a": literal(0) },
    );
    const [moving, open] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    await edit(open, b, () => ({ "/domain/a": literal(1) }));
    await edit(moving, a, () => ({ "/domain/a": literal(1) }));
    await drain(open);
    await apply(moving);
    expect(await hasRoots(suite.store, open.id)).toBe(false);
  });

  it("removes what was marked for deletion, and its readers lose the values everywhere", async () => {
    const workspace = await newWorkspace(suite.store);
    const head = headOf(workspace);
    const [source = ""] = await inHead(workspace, { "/domain/a": literal(2) });
    const [reader = ""] = await inHead(workspace, { "/domain/in": from(source, "/domain/a") });
    const [marking, open] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    // Its own row of the reader keeps the subscription of the head.
    await edit(open, reader, () => ({ "/domain/a": literal(1) }));
    await drain(open);
    expect((await show(open, reader))?.vals).toEqual({ "/domain/a": 1, "/domain/in": 2, "/domain/out": 0 });
    await edit(marking, source, () => ({ ":delete": { v: true } }));
    expect((await show(marking, source))?.toDelete).toBe(true);
    expect(await apply(marking)).toEqual({ touched: [source], vanished: [source] });
    expect(await show(head, source)).toBeUndefined();
    await drain(head, open);
    expect((await show(head, reader))?.vals).toEqual({ "/domain/out": 0 });
    expect((await show(open, reader))?.vals).toEqual({ "/domain/a": 1, "/domain/out": 1 });
  });

  it("moves entities: bodies merge member by member, an edit of what the head lost is dropped", async () => {
    const workspace = await newWorkspace(suite.store);
    const [one, two] = [
      await newChangeSet(suite.store, workspace),
      await newChangeSet(suite.store, workspace),
    ];
    const id = suite.store.id();
    const body = { color: "red", size: 1, note: "first" };
    await change(suite.store, one, (write) => createEntities(write, [{ kind: "view", id, name: "V", body }]));
    expect(await findEntity(suite.store, rules, two, "view", id)).toBeUndefined();
    await apply(one);
    const third = await newChangeSet(suite.store, workspace);
    const patch = (set: Layer, members: Record<string, string | number | null>) =>
      change(suite.store, set, (write) => patchEntity(write, rules, { kind: "view", id, patch: members }));
    await patch(two, { color: "blue" });
    await patch(two, { note: null });
    await patch(third, { size: 2 });
    expect((await findEntity(suite.store, rules, two, "view", id))?.body).toEqual({ color: "blue", size: 1 });
    await apply(third);
    expect((await findEntity(suite.store, rules, two, "view", id))?.body).toEqual({ color: "blue", size: 2 });
    await apply(two);
    expect(await findEntity(suite.store, rules, headOf(workspace), "view", id)).toMatchObject({
      name: "V",
      body: { color: "blue", size: 2 },
    });
    expect(
      await patch(await newChangeSet(suite.store, await newWorkspace(suite.store)), { size: 3 }),
    ).toBeUndefined();
  });
});
