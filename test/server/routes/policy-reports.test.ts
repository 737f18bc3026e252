import { beforeAll } from "vitest";
import { describeEngines } from "../../support/engines.ts";
import { createWorld, runScenarios, type World } from "../../support/scenarios.ts";
import { suiteServer } from "../../support/server.ts";
import { policyReportScenarios } from "./policy-reports.scenarios.ts";

describeEngines("policy reports over HTTP", (engine) => {
  const suite = suiteServer(engine);
  let world: World;
  beforeAll(async () => {
    world = await createWorld(suite.server);
  });
  runScenarios(policyReportScenarios, () => world);
});
