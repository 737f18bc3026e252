import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { collectiveTokenCreationScenarios } from "./collective-token-creation.scenarios.ts";
import { collectiveTokenScenarios } from "./collective-tokens.scenarios.ts";

describeEngines("collective tokens over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios([...collectiveTokenCreationScenarios, ...collectiveTokenScenarios], () => world);
});
