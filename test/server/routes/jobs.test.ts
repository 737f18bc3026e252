import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { debugJobScenarios, jobScenarios, managementJobScenarios } from "./jobs.scenarios.ts";

describeEngines("jobs over HTTP", (engine) => {
  const suite = suiteServer(engine, { worker: true });
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios([...managementJobScenarios, ...debugJobScenarios, ...jobScenarios], () => world);
});
