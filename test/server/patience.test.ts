import { beforeAll, expect, it } from "vitest";
import { describeEngines } from "../support/engines.ts";
import { bindFunctions } from "../support/functions.ts";
import { createWorld, type World } from "../support/scenarios.ts";
import { suiteServer } from "../support/server.ts";
import { eventually, until } from "../support/until.ts";

const waits = `async function main({ domain }) {
  if (domain.region === "slow") await new Promise((done) => setTimeout(done, 60_000));
  return { result: "success" };
}`;
const doubles = "async function main({ size }) { return String(size * 2); }";

describeEngines("a function that takes long", (engine) => {
  const suite = suiteServer(engine, { worker: true });
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  const api = () => world.server.client(world.ada.key);

  /** A change set with two components of a schema whose functions wait in one region, and double the size. */
  const made = async () => {
    const changeSetId = await world.changeSet();
    const place = { workspaceId: world.ada.workspaceId, changeSetId };
    const [slow, other] = [
      await world.component(changeSetId, "slow"),
      await world.component(changeSetId, "other"),
    ];
    await bindFunctions(world.server, world.ada, changeSetId, "Machine", [
      { kind: "qualification", name: "waits", code: waits },
      {
        kind: "attribute",
        name: "doubles",
        output: "/domain/image",
        arguments: [{ name: "size", kind: "Integer", path: "/domain/size" }],
        code: doubles,
      },
    ]);
    const set = (componentId: string, attributes: object) =>
      api().components.update({ ...place, componentId, body: { attributes: { ...attributes } } });
    const image = async (componentId: string) => {
      const { component } = await api().components.get({ ...place, componentId });
      return component.domainProps.find(({ path }) => path === "root/domain/image")?.value;
    };
    const runs = async (state: string) => {
      const { funcRuns } = await api().functionRuns.list({ ...place, query: { state, componentId: slow } });
      return funcRuns.filter(({ functionName }) => functionName === "waits");
    };
    return { place, slow, other, set, image, runs };
  };

  it("holds up no other component, and is ended when nobody needs it any more", async () => {
    const { place, slow, other, set, image, runs } = await made();
    await set(slow, { "/domain/region": "slow", "/domain/size": 2 });
    await until(async () => (await runs("Running")).length === 1, "the function that waits");
    await set(other, { "/domain/size": 21 });
    await until(async () => (await image(other)) === "42", "the value of another component");
    expect(await runs("Running")).toHaveLength(1);
    const early = await api()
      .changeSets.forceApply(place)
      .catch((error: { error?: string }) => error.error);
    expect(early).toBe("valuesPending");

    await set(slow, { "/domain/region": "quick" });
    await until(async () => (await runs("Killed")).length === 1, "the end of what nobody needs");
    await until(async () => (await image(slow)) === "4", "its own values");
    const applied = await eventually(async () =>
      api()
        .changeSets.forceApply(place)
        .catch(() => undefined),
    );
    expect(applied).toEqual({ success: true });
    expect(await runs("Success")).not.toEqual([]);
  });

  it("runs once, however often its component is looked at meanwhile", async () => {
    const { slow, other, set, image, runs } = await made();
    await set(slow, { "/domain/region": "slow", "/domain/size": 2 });
    await until(async () => (await runs("Running")).length === 1, "the function that waits");
    for (const size of [1, 2, 3]) {
      await set(other, { "/domain/size": size });
      await until(async () => (await image(other)) === String(size * 2), `size ${size}`);
    }
    expect([(await runs("Running")).length, (await runs("Killed")).length]).toEqual([1, 0]);
    await set(slow, { "/domain/region": "quick" });
    await until(async () => (await image(slow)) === "4", "its own values");
  });
});
