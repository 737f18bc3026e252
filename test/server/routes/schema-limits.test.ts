import { expect, it } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { suiteServer, testSettings } from "../../support/server.ts";
import { definition, prop } from "./schema-inputs.ts";

/** On a busy machine the watchdog may come first. */
const late = /timed out after 1 second|did not stop at its limits/;

describeEngines("code of a schema that never ends", (engine) => {
  const functions = { ...testSettings.functions, seconds: 1 };
  const suite = suiteServer(engine, { settings: { functions } });

  it.each([
    ["computes forever", "function main() { for (;;) {} }", late],
    ["waits forever", "async function main() { await new Promise(() => {}); }", /never settled/],
    [
      "waits too long",
      "async function main() { await new Promise((done) => setTimeout(done, 60_000)); }",
      late,
    ],
    ["calls itself forever", "function main() { return main(); }", /calls itself too deeply/],
    ["queues microtasks forever", "async function main() { for (;;) await null; }", late],
  ])("is refused with its reason when it %s, and harms nobody", async (_what, code, reason) => {
    const { server } = suite;
    const ada = await server.person(`ada${server.store.id().toLowerCase().slice(-8)}`);
    const { workspaceId } = ada;
    const client = server.client(ada.key);
    const { changeSet } = await client.changeSets.create({
      workspaceId,
      body: { changeSetName: `set ${server.store.id()}` },
    });
    const at = { workspaceId, changeSetId: changeSet.id };
    const failing = client.schemas.create({ ...at, body: { name: "Runaway", code } });
    await expect(failing).rejects.toMatchObject({
      error: "definitionFailed",
      message: expect.stringMatching(reason),
    });
    const sound = await client.schemas.create({
      ...at,
      body: { name: "Runaway", code: definition(prop("a")) },
    });
    expect(sound.name).toBe("Runaway");
  });
});
