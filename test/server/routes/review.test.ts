import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { reviewScenarios } from "./review.scenarios.ts";
import { discardScenarios } from "./review-discards.scenarios.ts";

describeEngines("review over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios([...reviewScenarios, ...discardScenarios], () => world);
});
