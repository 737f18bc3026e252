import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { fakeClock } from "../../support/fake-clock.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { sessionScenarios } from "./sessions.scenarios.ts";

describeEngines("sessions over HTTP", (engine) => {
  // On its own time: how many wrong passwords a minute takes would depend on how fast the tests are.
  const suite = suiteServer(engine, { clock: fakeClock() });
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(sessionScenarios, () => world);
});
