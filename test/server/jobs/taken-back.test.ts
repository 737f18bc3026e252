import { expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { suiteServer } from "../../support/server.ts";
import { eventually, until } from "../../support/until.ts";
import { actingOn, from } from "./acting.ts";

describeEngines("Updates that nobody asked for but an edit", (engine) => {
  const suite = suiteServer(engine, { worker: true });

  /** Two machines that exist, the second in the region of the first, and a change set about them. */
  async function begin() {
    const acting = await actingOn(suite.server);
    const { client, component, applied, settled, changeSet, world } = acting;
    const [a = "", b = ""] = await applied(async ({ changeSetId }) => [
      await component(changeSetId, "a", { "/domain/size": 1 }),
      await component(changeSetId, "b", { "/domain/region": from("a") }),
    ]);
    await settled();
    const open = async () => {
      const at = { workspaceId: world.ada.workspaceId, changeSetId: await changeSet() };
      const names = new Map([
        [a, "a"],
        [b, "b"],
      ]);
      const actions = async () => (await client.actions.list(at)).actions;
      const queue = async (): Promise<string[]> =>
        (await actions()).map(
          ({ kind, state, componentId }) => `${kind} ${state} ${names.get(componentId ?? "")}`,
        );
      return {
        at,
        actions,
        queue,
        set: (attributes: object, componentId = a) =>
          client.components.update({ ...at, componentId, body: { attributes: { ...attributes } } }),
        discard: (attribute: string) => client.review.discard({ ...at, componentId: a, body: { attribute } }),
        computed: () =>
          until(async () => {
            const roots = suite.server.store.db.selectFrom("root").select("component");
            return (await roots.where("layer", "=", at.changeSetId).execute()).length === 0;
          }, "the values of the change set"),
        becomes: (...expected: string[]) =>
          eventually(async () => {
            const now = await queue();
            return now.join() === expected.join() ? now : undefined;
          }, `the queue ${expected.join()}`),
      };
    };
    return { ...acting, a, b, open };
  }

  it("go when the value is set back, and come again with another one", async () => {
    const { open } = await begin();
    const { set, queue } = await open();
    await set({ "/domain/size": 2 });
    expect(await queue()).toEqual(["Update Pending a"]);
    await set({ "/domain/size": 1 });
    expect(await queue()).toEqual([]);
    await set({ "/domain/size": 3 });
    expect(await queue()).toEqual(["Update Pending a"]);
  });

  it("stay while another edit of the component asks for them", async () => {
    const { open } = await begin();
    const { set, discard, queue } = await open();
    await set({ "/domain/size": 2, "/domain/ratio": 0.5 });
    await set({ "/domain/size": 1 });
    expect(await queue()).toEqual(["Update Pending a"]);
    await discard("/domain/ratio");
    expect(await queue()).toEqual([]);
  });

  it("go with the edit that is discarded, those of readers too", async () => {
    const { open } = await begin();
    const { set, discard, becomes } = await open();
    await set({ "/domain/region": "us-2" });
    await becomes("Update Pending a", "Update Pending b");
    await discard("/domain/region");
    await becomes();
  });

  it("go when what is read is subscribed again", async () => {
    const { open, b } = await begin();
    const { set, becomes, queue } = await open();
    await set({ "/domain/region": "us-2" }, b);
    expect(await queue()).toEqual(["Update Pending b"]);
    await set({ "/domain/region": from("a") }, b);
    await becomes();
  });

  it("stay when a person has queued or held them", async () => {
    const { open, client, a } = await begin();
    const mine = await open();
    await client.actions.enqueue({ ...mine.at, componentId: a, body: { action: { function: "update" } } });
    await mine.set({ "/domain/size": 2 });
    await mine.set({ "/domain/size": 1 });
    expect(await mine.queue()).toEqual(["Update Pending a"]);
    const held = await open();
    await held.set({ "/domain/size": 2 });
    const [{ id: actionId = "" } = {}] = await held.actions();
    await client.actions.putOnHold({ ...held.at, actionId });
    await client.actions.retry({ ...held.at, actionId });
    await held.set({ "/domain/size": 1 });
    expect(await held.queue()).toEqual(["Update Pending a"]);
  });

  it("do not come back once they were cancelled, until the value changes again", async () => {
    const { open, client } = await begin();
    const { at, set, actions, queue, computed } = await open();
    await set({ "/domain/size": 2 });
    const [{ id: actionId = "" } = {}] = await actions();
    await client.actions.cancel({ ...at, actionId });
    await computed();
    expect(await queue()).toEqual([]);
    await set({ "/domain/size": 1 });
    expect(await queue()).toEqual([]);
  });

  it("come again when the head moves away from what the change set says", async () => {
    const { open, applied, client, settled, ran, a } = await begin();
    const { at, set, queue, becomes } = await open();
    await set({ "/domain/size": 2 });
    await set({ "/domain/size": 1 });
    expect(await queue()).toEqual([]);
    await applied((other) =>
      client.components.update({ ...other, componentId: a, body: { attributes: { "/domain/size": 7 } } }),
    );
    await settled();
    await becomes("Update Pending a");
    const count = (await ran()).length;
    await client.changeSets.forceApply(at);
    expect(await settled()).toEqual([]);
    expect((await ran()).slice(count)).toEqual(["Update a Success"]);
  });

  it("leave nothing to run where the change set that took them back is applied", async () => {
    const { open, apply, settled, ran } = await begin();
    const { at, set } = await open();
    await set({ "/domain/size": 2, "/domain/labels": { note: "kept" } });
    await set({ "/domain/size": 1, "/domain/labels": { $source: null } });
    const count = (await ran()).length;
    await apply(at.changeSetId);
    expect(await settled()).toEqual([]);
    expect(await ran()).toHaveLength(count);
  });
});
